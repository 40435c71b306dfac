package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/api"
)

const shipped = "../../../../assets/models/movielens.msgpack"

// films opens the shipped model, MovieLens small; most tests share it.
var films = sync.OnceValues(func() (*recommend.Recommender, error) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		return nil, err
	}
	return recommend.Open(m, recommend.Options{})
})

func engine(t testing.TB) *recommend.Recommender {
	t.Helper()
	r, err := films()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// pipe starts a server and returns the client's ends. The server ends with the test, without an error.
func pipe(t testing.TB, o Options) (in io.WriteCloser, out io.ReadCloser) {
	t.Helper()
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(context.Background(), New(o), fromClient, toClient)
		toClient.Close()
		ended <- err
	}()
	t.Cleanup(func() {
		in.Close()
		go io.Copy(io.Discard, out)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("the server ended with %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the server does not end with its input")
		}
	})
	return in, out
}

// client connects a client of the SDK.
func client(t testing.TB, o Options, protocol string, c *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	in, out := pipe(t, o)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, c).Connect(context.Background(),
		&mcp.IOTransport{Reader: out, Writer: in}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// call calls a tool and returns the text of its result.
func call(t testing.TB, c *mcp.ClientSession, tool, args string) (text string, isError bool) {
	t.Helper()
	r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, args, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s %s: %d parts", tool, args, len(r.Content))
	}
	text = r.Content[0].(*mcp.TextContent).Text
	if r.IsError != (r.StructuredContent == nil) {
		t.Errorf("%s %s: error %v, but structured content %v", tool, args, r.IsError, r.StructuredContent)
	}
	if !r.IsError {
		var got, want any
		data, err := json.Marshal(r.StructuredContent)
		if err != nil || json.Unmarshal(data, &got) != nil || json.Unmarshal([]byte(text), &want) != nil ||
			fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s %s: the structured content differs from the text", tool, args)
		}
	}
	return text, r.IsError
}

// task is a call as an agent makes it. Its answer has the bytes of the HTTP API's answer to the same question by id, or
// if pick is set, that answer with only the item pick. Otherwise it is an error with the text wrong.
type task struct{ says, tool, args, asks, pick, wrong string }

var tasks = []task{
	{says: "Something like Heat", tool: "similar", args: `{"item":"Heat"}`, asks: "GET /v1/similar/6"},
	{says: "Five like The Matrix", tool: "similar", args: `{"item":"The Matrix","k":5}`, asks: "GET /v1/similar/2571?k=5"},
	{says: "Matrix without its article", tool: "similar", args: `{"item":"matrix"}`, asks: "GET /v1/similar/2571"},
	{says: "Like Amélie, typed without accents", tool: "similar", args: `{"item":"Amelie"}`, asks: "GET /v1/similar/4973"},
	{says: "Like Seven, by its other name", tool: "similar", args: `{"item":"Se7en"}`, asks: "GET /v1/similar/47"},
	{says: "Like Hamlet of 1996", tool: "similar", args: `{"item":"Hamlet (1996)"}`, asks: "GET /v1/similar/1411"},
	{says: "Like Alien, and not Alien³", tool: "similar", args: `{"item":"Alien"}`, asks: "GET /v1/similar/1214"},
	{says: "Like an item of an earlier list", tool: "similar", args: `{"item":"id:1200"}`, asks: "GET /v1/similar/1200"},
	{says: "The same as an object", tool: "similar", args: `{"item":{"id":"1200","title":"Aliens"}}`,
		asks: "GET /v1/similar/1200"},
	{says: "The same as a number", tool: "similar", args: `{"item":1200}`, asks: "GET /v1/similar/1200"},
	{says: "Like Heat, without what they know", tool: "similar", args: `{"item":"Heat","seen":["Casino","Goodfellas"]}`,
		asks: `POST /v1/similar/6 {"seen":["16","1213"]}`},
	{says: "Like Heat, without a dislike", tool: "similar", args: `{"item":"Heat","dislikes":["id:16"],"likes":["Fargo"]}`,
		asks: `POST /v1/similar/6 {"dislikes":["16"],"likes":["608"]}`},

	{says: "For a fan of Toy Story", tool: "recommend", args: `{"likes":["Toy Story"]}`,
		asks: `POST /v1/recommend {"likes":["1"]}`},
	{says: "For a fan of three films", tool: "recommend", args: `{"likes":["Toy Story","Heat","Alien"],"k":20}`,
		asks: `POST /v1/recommend {"likes":["1","6","1214"],"k":20}`},
	{says: "Titles and ids together", tool: "recommend", args: `{"likes":["Toy Story","id:6",1214]}`,
		asks: `POST /v1/recommend {"likes":["1","6","1214"]}`},
	{says: "With a dislike", tool: "recommend", args: `{"likes":["Alien"],"dislikes":["Aliens"]}`,
		asks: `POST /v1/recommend {"likes":["1214"],"dislikes":["1200"]}`},
	{says: "Without the films they know", tool: "recommend", args: `{"likes":["Alien"],"seen":["Aliens","Blade Runner"]}`,
		asks: `POST /v1/recommend {"likes":["1214"],"seen":["1200","541"]}`},
	{says: "Hidden gems", tool: "recommend", args: `{"likes":["Fargo"],"mode":"hidden-gems"}`,
		asks: `POST /v1/recommend {"likes":["608"],"mode":"hidden-gems"}`},
	{says: "Outside of the bubble", tool: "recommend", args: `{"likes":["Fargo"],"mode":"outside-bubble","k":3}`,
		asks: `POST /v1/recommend {"likes":["608"],"mode":"outside-bubble","k":3}`},
	{says: "A horror film", tool: "recommend", args: `{"likes":["Alien"],"genres":["Horror"]}`,
		asks: `POST /v1/recommend {"likes":["1214"],"genres":["Horror"]}`},
	{says: "The genre in small letters", tool: "recommend", args: `{"likes":["Alien"],"genres":["sci-fi","comedy"]}`,
		asks: `POST /v1/recommend {"likes":["1214"],"genres":["Sci-Fi","Comedy"]}`},
	{says: "From the eighties", tool: "recommend", args: `{"likes":["Alien"],"fromYear":1980,"toYear":1989}`,
		asks: `POST /v1/recommend {"likes":["1214"],"fromYear":1980,"toYear":1989}`},
	{says: "By a column", tool: "recommend", args: `{"likes":["Alien"],"where":{"imdbId":"0090605"}}`,
		asks: `POST /v1/recommend {"likes":["1214"],"where":{"imdbId":"0090605"}}`},
	{says: "More of the list", tool: "recommend", args: `{"likes":["Heat"],"skip":10,"k":10}`,
		asks: `POST /v1/recommend {"likes":["6"],"skip":10,"k":10}`},
	{says: "Others than these", tool: "recommend", args: `{"likes":["Heat"],"instead":["Casino","id:1213"]}`,
		asks: `POST /v1/recommend {"likes":["6"],"instead":["16","1213"]}`},
	{says: "A varied list", tool: "recommend", args: `{"likes":["Heat"],"diversity":0.5}`,
		asks: `POST /v1/recommend {"likes":["6"],"diversity":0.5}`},
	{says: "A surprise", tool: "recommend", args: `{"likes":["Heat"],"exploration":0.5,"seed":7}`,
		asks: `POST /v1/recommend {"likes":["6"],"exploration":0.5,"seed":7}`},
	{says: "The best known", tool: "recommend", args: `{"order":"known"}`, asks: `POST /v1/recommend {"order":"known"}`},
	{says: "The newest comedies", tool: "recommend", args: `{"order":"new","genres":["Comedy"]}`,
		asks: `POST /v1/recommend {"order":"new","genres":["Comedy"]}`},
	{says: "For somebody unknown", tool: "recommend", args: `{}`, asks: `POST /v1/recommend {}`},
	{says: "An id that the catalogue lacks is reported", tool: "recommend", args: `{"likes":["Heat","id:none"]}`,
		asks: `POST /v1/recommend {"likes":["6","none"]}`},
	{says: "As many as can be", tool: "recommend", args: `{"likes":["Heat"],"k":100}`,
		asks: `POST /v1/recommend {"likes":["6"],"k":100}`},

	{says: "Is there a film called Heat?", tool: "search", args: `{"query":"Heat"}`, asks: "GET /v1/search?q=Heat"},
	{says: "With a typing mistake", tool: "search", args: `{"query":"shrekk","limit":3}`,
		asks: "GET /v1/search?q=shrekk&limit=3"},
	{says: "By some of its words", tool: "search", args: `{"query":"lord rings fellowship"}`,
		asks: "GET /v1/search?q=lord+rings+fellowship"},
	{says: "One that is not there", tool: "search", args: `{"query":"zzzzqqq"}`, asks: "GET /v1/search?q=zzzzqqq"},

	{says: "Why Aliens?", tool: "explain", args: `{"item":"Aliens","likes":["Alien","Heat"]}`,
		asks: `POST /v1/recommend {"likes":["1214","6"],"k":1000}`, pick: "1200"},
	{says: "Would they like Toy Story 2?", tool: "explain", args: `{"item":"Toy Story 2","likes":["Toy Story"]}`,
		asks: `POST /v1/recommend {"likes":["1"],"k":1000}`, pick: "3114"},
	{says: "Despite a dislike?", tool: "explain", args: `{"item":"id:541","likes":["Alien"],"dislikes":["Aliens"]}`,
		asks: `POST /v1/recommend {"likes":["1214"],"dislikes":["1200"],"k":1000}`, pick: "541"},

	{says: "Hamlet, which could be two", tool: "similar", args: `{"item":"Hamlet"}`, wrong: "id:3723"},
	{says: "Titanic among likes", tool: "recommend", args: `{"likes":["Heat","Titanic"]}`, wrong: "id:3404"},
	{says: "Star Wars, which could be six", tool: "recommend", args: `{"likes":["Star Wars"]}`, wrong: "id:1196"},
	{says: "Heat with a wrong year", tool: "similar", args: `{"item":"Heat (1994)"}`,
		wrong: `did you mean id:6 `},
	{says: "A film that is not there", tool: "explain", args: `{"item":"zzzzqqq"}`, wrong: "no title is like it"},
	{says: "1917, which is only an id", tool: "similar", args: `{"item":"1917"}`, wrong: "id:1917"},
	{says: "300, a title and the id of another", tool: "similar", args: `{"item":"300"}`, wrong: "id:51662"},
	{says: "A genre that is not there", tool: "recommend", args: `{"likes":["Heat"],"genres":["Jazz"]}`,
		wrong: `no genre \"Jazz\"; it has Drama`},
	{says: "A misspelled option", tool: "recommend", args: `{"like":["Heat"]}`, wrong: `no option \"like\"; choose from`},
	{says: "Too many", tool: "recommend", args: `{"likes":["Heat"],"k":101}`, wrong: "k must be a whole number between 1 and 100"},
	{says: "Why a film that they like?", tool: "explain", args: `{"item":"Heat","likes":["Heat"]}`,
		wrong: "is itself a like"},
	{says: "An id that is not there", tool: "similar", args: `{"item":"id:none"}`, wrong: `no item \"none\"`},
	{says: "A column that is not there", tool: "recommend", args: `{"where":{"colour":"red"}}`, wrong: `no column \"colour\"`},
}

// want returns the answer that the HTTP API gives.
func (k *task) want(t testing.TB, h *api.Handler) string {
	t.Helper()
	question := strings.SplitN(k.asks, " ", 3)
	var body string
	if len(question) == 3 {
		body = question[2]
	}
	r := httptest.NewRequest(question[0], question[1], strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 200 {
		t.Fatalf("%s: %d %s", k.asks, w.Code, w.Body)
	}
	if k.pick == "" {
		return w.Body.String()
	}
	var list struct {
		Model   string            `json:"model"`
		Items   []json.RawMessage `json:"items"`
		Unknown []string          `json:"unknown"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	list.Items = slices.DeleteFunc(list.Items, func(item json.RawMessage) bool {
		return !bytes.HasPrefix(item, []byte(`{"id":"`+k.pick+`",`))
	})
	if len(list.Items) != 1 {
		t.Fatalf("%s: %d items with the id %s", k.asks, len(list.Items), k.pick)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(list); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

// Agents get the bytes of the HTTP API, and candidates for titles that do not name one item.
func TestTasks(t *testing.T) {
	if len(tasks) < 50 {
		t.Errorf("%d tasks, want 50", len(tasks))
	}
	h, err := api.New(shipped, api.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, protocol := range []string{"2025-06-18", "2026-07-28"} {
		c := client(t, Options{Engine: engine(t)}, protocol, nil)
		for _, k := range tasks {
			got, isError := call(t, c, k.tool, k.args)
			switch {
			case k.wrong != "" && !(isError && strings.Contains(got, k.wrong)):
				t.Errorf("%s: %q is not an error with %q", k.says, got, k.wrong)
			case k.wrong == "" && got != k.want(t, h):
				t.Errorf("%s: got %.300s\nwant %.300s", k.says, got, k.want(t, h))
			}
		}
	}
}

// An agent that takes one of the candidates gets the list.
func TestCandidates(t *testing.T) {
	c := client(t, Options{Engine: engine(t)}, "", nil)
	text, isError := call(t, c, "recommend", `{"likes":["Hamlet","Heat","Titanic"]}`)
	var f failure
	if err := json.Unmarshal([]byte(text), &f); err != nil || !isError || len(f.Candidates) != 2 ||
		f.Candidates[0].Text != "Hamlet" || len(f.Candidates[1].Items) != 2 || f.Field != "likes" {
		t.Fatalf("%v, %v: %s", err, isError, text)
	}
	text, isError = call(t, c, "recommend", fmt.Sprintf(`{"likes":["id:%s","Heat","id:%s"]}`,
		f.Candidates[0].Items[0].ID, f.Candidates[1].Items[1].ID))
	if isError || !strings.Contains(text, `"unknown":[]`) {
		t.Errorf("%s", text)
	}
}

// The tools say what they do, and answers fit their schemas.
func TestSchemas(t *testing.T) {
	c := client(t, Options{Engine: engine(t), Marks: marksIn(t, "")}, "", nil)
	list, err := c.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations.ReadOnlyHint != (tool.Name != "remember") || len(tool.Description) > 200 {
			t.Errorf("%s: %+v, %d bytes of description", tool.Name, tool.Annotations, len(tool.Description))
		}
	}
	if got := strings.Join(names, " "); got != "explain recommend remember search similar" {
		t.Errorf("the tools are %s", got)
	}
	for _, k := range tasks {
		if k.wrong != "" {
			continue
		}
		i := slices.IndexFunc(tools, func(one tool) bool { return one.name == k.tool })
		schema, err := tools[i].output.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		input, err := tools[i].input.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var args, answer any
		text, _ := call(t, c, k.tool, k.args)
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(answer); err != nil {
			t.Errorf("%s: %v", k.says, err)
		}
		if err := json.Unmarshal([]byte(k.args), &args); err != nil {
			t.Fatal(err)
		}
		if err := input.Validate(args); err != nil {
			t.Errorf("%s: %v", k.says, err)
		}
	}
	c = client(t, Options{Engine: engine(t)}, "", nil)
	if list, err = c.ListTools(context.Background(), nil); err != nil || len(list.Tools) != 4 {
		t.Errorf("without a file of marks there are %d tools, %v", len(list.Tools), err)
	}
}

// BenchmarkTasks measures one call at a time, from the client and back, and reports the 95th percentile.
func BenchmarkTasks(b *testing.B) {
	c := client(b, Options{Engine: engine(b)}, "", nil)
	for _, k := range tasks {
		call(b, c, k.tool, k.args) // builds the indexes
	}
	var took []float64
	for b.Loop() {
		for _, k := range tasks {
			start := time.Now()
			call(b, c, k.tool, k.args)
			took = append(took, float64(time.Since(start).Microseconds())/1000)
		}
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)*95/100], "p95-ms")
	b.ReportMetric(took[len(took)/2], "median-ms")
	b.ReportMetric(took[len(took)-1], "max-ms")
}
