package agents

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pmlam/pmlam/ui/keep"
)

var protocols = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

// marksIn opens a file of marks with this content; "" for none.
func marksIn(t testing.TB, content string) *Marks {
	t.Helper()
	path := filepath.Join(t.TempDir(), "marks.json")
	if content != "" {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := OpenMarks(path, engine(t))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// marked returns the marks in the file, such as "like 6, seen 1".
func marked(t *testing.T, m *Marks) string {
	t.Helper()
	b, err := m.read()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, it := range b.Items {
		all = append(all, kindOf(it.Mark).name+" "+it.ID)
	}
	return strings.Join(all, ", ")
}

// answering returns a client whose user gives these answers.
func answering(result *mcp.ElicitResult, err error) *mcp.ClientOptions {
	return &mcp.ClientOptions{ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return result, err
	}}
}

func TestRemember(t *testing.T) {
	for _, protocol := range protocols {
		m := marksIn(t, "")
		var asked string
		c := client(t, Options{Engine: engine(t), Marks: m}, protocol, &mcp.ClientOptions{
			ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked = r.Params.Message
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": true}}, nil
			}})
		before, _ := call(t, c, "recommend", `{}`)
		text, isError := call(t, c, "remember", `{"like":["Heat","Alien"],"seen":["Toy Story"]}`)
		if isError || text != `{"yes":true,"changed":[{"id":"6","title":"Heat","mark":"like"},{"id":"1214","title":"Alien",`+
			`"mark":"like"},{"id":"1","title":"Toy Story","mark":"seen"}],"marks":3}` {
			t.Errorf("%s: %s", protocol, text)
		}
		if want := "Change your marks in " + m.path + "?\n- you like \"Heat (1995)\"\n- you like \"Alien (1979)\"\n" +
			"- you know \"Toy Story (1995)\""; asked != want {
			t.Errorf("%s: the question is %q, want %q", protocol, asked, want)
		}
		if got := marked(t, m); got != "like 6, like 1214, seen 1" {
			t.Errorf("%s: %s", protocol, got)
		}
		after, _ := call(t, c, "recommend", `{}`)
		told, _ := call(t, c, "recommend", `{"likes":["Heat","Alien"],"seen":["Toy Story"],"remembered":false}`)
		without, _ := call(t, c, "recommend", `{"remembered":false}`)
		if after != told || without != before || before == after {
			t.Errorf("%s: lists do not follow the marks", protocol)
		}
		explained, _ := call(t, c, "explain", `{"item":"Aliens"}`)
		if !strings.Contains(explained, `"because":[{"id":"1214"`) {
			t.Errorf("%s: %s", protocol, explained)
		}
		call(t, c, "remember", `{"dislike":["Heat"],"forget":["Toy Story"]}`)
		if got := marked(t, m); got != "like 1214, dislike 6" {
			t.Errorf("%s: %s", protocol, got)
		}
	}
}

// Nothing is written without a yes, whatever the client answers, and the session goes on.
func TestNothingIsRememberedWithoutAYes(t *testing.T) {
	yes := map[string]any{"yes": true}
	for name, c := range map[string]*mcp.ClientOptions{
		"declined":     answering(&mcp.ElicitResult{Action: "decline"}, nil),
		"declined yes": answering(&mcp.ElicitResult{Action: "decline", Content: yes}, nil),
		"cancelled":    answering(&mcp.ElicitResult{Action: "cancel"}, nil),
		"no":           answering(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": false}}, nil),
		"nothing":      answering(&mcp.ElicitResult{Action: "accept"}, nil),
		"a text":       answering(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": "true"}}, nil),
		"a number":     answering(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"yes": 1}}, nil),
		"another word": answering(&mcp.ElicitResult{Action: "accept", Content: map[string]any{"no": true}}, nil),
		"rubbish":      answering(&mcp.ElicitResult{Action: "accept me", Content: yes}, nil),
		"no action":    answering(&mcp.ElicitResult{Content: yes}, nil),
		"an error":     answering(nil, errors.New("the window is closed")),
		"no forms":     nil,
		"only links": {Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			URL: &mcp.URLElicitationCapabilities{}}}},
	} {
		for _, protocol := range protocols {
			m := marksIn(t, "")
			session := client(t, Options{Engine: engine(t), Marks: m}, protocol, c)
			r, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: "remember",
				Arguments: map[string]any{"like": []string{"Heat"}}})
			if err == nil && !r.IsError {
				text := r.Content[0].(*mcp.TextContent).Text
				if text != `{"yes":false,"changed":[],"marks":0}` {
					t.Errorf("%s, %s: %s", name, protocol, text)
				}
			}
			if _, err := os.Stat(m.path); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s, %s: the file was written", name, protocol)
			}
			if text, isError := call(t, session, "search", `{"query":"heat"}`); isError {
				t.Errorf("%s, %s: afterwards: %s", name, protocol, text)
			}
			if c == nil && (err != nil || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "cannot ask its user")) {
				t.Errorf("%s: the refusal is %v, %v", protocol, r, err)
			}
		}
	}
}

// talk is a client that writes lines itself.
type talk struct {
	*testing.T
	in  io.WriteCloser
	out *bufio.Reader
}

func newTalk(t *testing.T, o Options) *talk {
	in, out := pipe(t, o)
	return &talk{t, in, bufio.NewReader(out)}
}

func (k *talk) say(line string) {
	k.Helper()
	if _, err := io.WriteString(k.in, line+"\n"); err != nil {
		k.Fatal(err)
	}
}

func (k *talk) hear() (m struct {
	ID     any
	Method string
	Error  *struct{ Message string }
	Result struct {
		RequestState      string
		IsError           bool
		StructuredContent map[string]any
		Content           []struct{ Text string }
	}
}) {
	k.Helper()
	line, err := k.out.ReadString('\n')
	if err != nil {
		k.Fatal(err)
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		k.Fatalf("%v: %s", err, line)
	}
	return m
}

const start = `{"jsonrpc":"2.0","id":"start","method":"initialize","params":{"protocolVersion":"2025-11-25",` +
	`"capabilities":{"elicitation":{}},"clientInfo":{"name":"t","version":"1"}}}`

// A yes counts once, and only for the question that was asked.
func TestAYesIsForItsQuestion(t *testing.T) {
	m := marksIn(t, "")
	k := newTalk(t, Options{Engine: engine(t), Marks: m})
	n := 0
	remember := func(args, more string) string {
		n++
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"remember","arguments":%s%s,`+
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":`+
			`{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, n, args, more)
	}
	yes := func(state string) string {
		return fmt.Sprintf(`,"requestState":%q,"inputResponses":{"yes":{"method":"elicitation/create","action":"accept",`+
			`"content":{"yes":true}}}`, state)
	}
	refused := func(what, line string) {
		t.Helper()
		k.say(line)
		if got := k.hear(); got.Error == nil && !got.Result.IsError {
			t.Errorf("%s: %+v", what, got)
		}
		if _, err := os.Stat(m.path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file was written", what)
		}
	}
	refused("a yes without a question", remember(`{"like":["Heat"]}`, yes("")))
	refused("a yes to an invented question", remember(`{"like":["Heat"]}`, yes("invented")))
	k.say(remember(`{"like":["Heat"]}`, ""))
	state := k.hear().Result.RequestState
	if state == "" {
		t.Fatal("there is no question")
	}
	refused("a yes for another title", remember(`{"like":["Alien"]}`, yes(state)))
	refused("a second try for the title", remember(`{"like":["Heat"]}`, yes(state)))
	k.say(remember(`{"like":["Heat"]}`, ""))
	state = k.hear().Result.RequestState
	for range maxQuestions {
		k.say(remember(`{"like":["Alien"]}`, ""))
		k.hear()
	}
	refused("a yes to a question from long ago", remember(`{"like":["Heat"]}`, yes(state)))
	k.say(remember(`{"like":["Heat"]}`, ""))
	state = k.hear().Result.RequestState
	k.say(remember(`{"like":["Heat"]}`, yes(state)))
	if got := k.hear(); got.Result.StructuredContent["yes"] != true || marked(t, m) != "like 6" {
		t.Errorf("%+v, %s", got, marked(t, m))
	}
	if err := os.Remove(m.path); err != nil {
		t.Fatal(err)
	}
	refused("the same yes again", remember(`{"like":["Heat"]}`, yes(state)))
}

// A client that goes away during the question has not said yes.
func TestDisconnectedDuringTheQuestion(t *testing.T) {
	m := marksIn(t, "")
	t.Run("session", func(t *testing.T) { // its end waits for the server
		k := newTalk(t, Options{Engine: engine(t), Marks: m})
		k.say(start)
		k.hear()
		k.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		k.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"remember","arguments":{"like":["Heat"]}}}`)
		if got := k.hear(); got.Method != "elicitation/create" {
			t.Fatalf("%+v", got)
		}
	})
	if _, err := os.Stat(m.path); !errors.Is(err, os.ErrNotExist) {
		t.Error("the file was written")
	}
}

// Wrong messages and wrong arguments are answered, and the session goes on.
func TestBadRequests(t *testing.T) {
	k := newTalk(t, Options{Engine: engine(t), Marks: marksIn(t, "")})
	k.say(start)
	k.hear()
	deep := strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000)
	for _, line := range []string{"rubbish", "[]", "5", "null", "{}", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, "\x00\xff",
		deep, `"` + strings.Repeat("x", MaxLine+10) + `"`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`} {
		k.say(line)
		if got := k.hear(); got.Error == nil {
			t.Errorf("%.40s: %+v", line, got)
		}
	}
	k.say("") // an empty line is nothing
	tool := func(name, args string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`
	}
	long := `"` + strings.Repeat("x", 100_000) + `"`
	for _, line := range []string{tool("nothing", `{}`), tool("recommend", `[]`), tool("recommend", `5`),
		tool("recommend", `{"likes":5}`), tool("recommend", `{"likes":[null]}`), tool("recommend", `{"likes":[{}]}`),
		tool("recommend", `{"likes":["Heat"],"likes":["Alien"]}`), tool("recommend", `{"likes":[`+long+`]}`),
		tool("recommend", `{"likes":[`+strings.Repeat(`"Heat",`, maxMarks)+`"Heat"]}`), tool("recommend", `{"k":1e999}`),
		tool("recommend", `{"remembered":"no"}`), tool("recommend", `{"rules":{}}`), tool("recommend", `{"item":"Heat"}`),
		tool("recommend", deep), tool("search", `{}`), tool("search", `{"query":`+long+`}`),
		tool("search", `{"query":"a","limit":0}`), tool("similar", `{}`), tool("similar", `{"item":null}`),
		tool("similar", `{"item":["Heat"]}`), tool("explain", `{"item":true}`), tool("remember", `{}`),
		tool("remember", `{"like":["Heat"],"seen":["Heat"]}`), tool("remember", `{"like":["id:none"]}`),
		tool("remember", `{"like":[`+strings.Repeat(`"Heat",`, maxChanges)+`"Alien"]}`)} {
		k.say(line)
		if got := k.hear(); got.Error == nil && !got.Result.IsError {
			t.Errorf("%.80s: %+v", line, got)
		} else if got.Result.IsError && len(got.Result.Content[0].Text) > 8000 {
			t.Errorf("%.80s: the error has %d bytes", line, len(got.Result.Content[0].Text))
		}
	}
	k.say(tool("search", `{"query":"heat"}`))
	if got := k.hear(); got.Result.IsError || len(got.Result.StructuredContent) == 0 {
		t.Errorf("afterwards: %+v", got)
	}
}

// A file that holds other things is refused before anything is answered, and keeps its bytes; what it has besides marks
// stays.
func TestMarksOfAFile(t *testing.T) {
	folder := t.TempDir()
	at := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for path, want := range map[string]string{
		at("notes.txt", "my notes\n"): "not a file of marks",
		at("shop.json", `{"format":"pmlam-backup","version":2,"catalogue":"Shop","titles":[]}`): `of the catalogue "Shop"`,
		at("new.json", `{"format":"pmlam-backup","version":9}`):                                 "newer version",
		folder: "not a regular file",
	} {
		if _, err := OpenMarks(path, engine(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	m := marksIn(t, `{"format": "pmlam-backup", "version": 2, "catalogue": "MovieLens latest small",
		"settings": {"mode": "hidden gems", "person": "Ben"},
		"titles": [{"mark": "like", "id": "6", "title": "Heat", "imdbId": "0113277"}, {"mark": "seen", "title": "Unknown"}],
		"later": [{"mark": "later", "id": "1214", "title": "Alien"}],
		"other": {"person": "Anna", "titles": [{"mark": "like", "id": "912", "title": "Casablanca"}]}}`)
	if _, err := m.change([]keep.Entry{{ID: "1", Mark: keep.Liked, Title: "Toy Story"}, {ID: "6", Mark: keep.Seen}}); err != nil {
		t.Fatal(err)
	}
	b, err := m.read()
	if err != nil {
		t.Fatal(err)
	}
	if len(b.Items) != 4 || b.Settings == nil || b.Settings.Person != "Ben" || b.Other != "Anna" || len(b.Others) != 1 {
		t.Errorf("%+v", b)
	}
	for _, it := range b.Items {
		if it.ID == "6" && (it.Mark != keep.Seen || len(it.Other) != 1) || it.ID == "1214" && it.Mark != keep.Later {
			t.Errorf("%+v", it)
		}
	}
}
