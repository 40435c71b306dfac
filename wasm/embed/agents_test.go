//go:build !js

package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pmlam/pmlam/core/cmd/pmlam/agents"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// overMCP connects to the tools of pmlam mcp, with these rules.
func overMCP(t *testing.T, rules recommend.Rules) *mcp.ClientSession {
	t.Helper()
	m, err := model.ReadFile(filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := recommend.Open(m, recommend.Options{})
	if err == nil {
		engine, _, err = engine.WithRules(rules)
	}
	if err != nil {
		t.Fatal(err)
	}
	marks, err := agents.OpenMarks(filepath.Join(t.TempDir(), "marks.json"), engine)
	if err != nil {
		t.Fatal(err)
	}
	mine, its := mcp.NewInMemoryTransports()
	server := agents.New(agents.Options{Engine: engine, Version: train.Version, Marks: marks})
	if _, err := server.Connect(t.Context(), its, nil); err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), mine, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The package defines the tools of pmlam mcp: the same names, descriptions and arguments.
func TestToolsAreThoseOfMCP(t *testing.T) {
	list, err := overMCP(t, recommend.Rules{}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "list.mjs")
	text := `import { tools } from "file://` + filepath.Join(jstest.Root(t), "wasm/embed/package/tools.js") + `";
		console.log(JSON.stringify(tools.map(({ name, title, description, properties, required }) =>
			({ name, title, description, inputSchema: { type: "object", properties, required, additionalProperties: false } }))))`
	if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var got, want []map[string]any
	if err := json.Unmarshal([]byte(jstest.RunNode(t, nil, script)), &got); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list.Tools)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	byName := map[any]map[string]any{}
	for _, tool := range got {
		byName[tool["name"]] = tool
	}
	for _, tool := range want {
		delete(tool, "outputSchema")
		delete(tool, "annotations")
		if !reflect.DeepEqual(byName[tool["name"]], tool) {
			t.Errorf("the package has %v\nand pmlam mcp %v", byName[tool["name"]], tool)
		}
	}
	if len(got) != len(want) || len(got) != 5 {
		t.Errorf("%d tools in the package, %d of pmlam mcp", len(got), len(want))
	}
}

// agentShop is a page with a list far below the screen, so that nothing but an agent loads the program.
const agentShop = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
<script src="page.js"></script><meta name="pmlam-rules" content='{"pinned": ["50"], "excluded": ["1200"]}'>
<script type="module" src="embed/components.js"></script><link rel="stylesheet" href="page.css"><main><h1>Heat</h1><div class="far"></div>
<pmlam-recommendations model="embed/model.msgpack" item="6" href="/p/{id}"></pmlam-recommendations></main></html>`

// newAgent opens a page in a Chromium with WebMCP.
func newAgent(t *testing.T, page string) *buyer {
	t.Helper()
	files := map[string][]byte{"": []byte(page), "page.css": []byte(".far { height: 9000px }"), "page.js": []byte(`globalThis.violations = [];
		document.addEventListener("securitypolicyviolation", (e) => violations.push(e.violatedDirective));`)}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	b := &buyer{t, jstest.Chromium(t, 3*time.Minute, "WebMCP"), &sitetest.Site{Files: files}}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	if b.says(`typeof document.modelContext`) != "object" {
		t.Skip("SKIPPED: this Chromium has no WebMCP, so the tools were not tested in a browser")
	}
	return b
}

const toolNames = `document.modelContext.getTools().then((all) => all.map((tool) => tool.name).sort().join())`

// tool is an expression that calls a tool as an agent in the page does, with further options.
func tool(name, args string, more ...string) string {
	return `document.modelContext.getTools().then((all) => document.modelContext.executeTool(
		all.find((tool) => tool.name === "` + name + `"), ` + strings.Join(append([]string{args}, more...), ", ") + `))`
}

// calls calls a tool and returns the result as JSON.
func (b *buyer) calls(name, args string) (result map[string]any) {
	b.Helper()
	said := b.says(tool(name, args))
	if err := json.Unmarshal([]byte(said), &result); err != nil {
		b.Fatalf("%s %s: %v: %s", name, args, err, said)
	}
	return result
}

// untilTools waits until the page offers these tools.
func (b *buyer) untilTools(want string) {
	b.Helper()
	for last := ""; ; time.Sleep(20 * time.Millisecond) {
		if last = b.says(toolNames); last == want {
			return
		}
		if b.tab.Err() != nil {
			b.Fatalf("the tools are %q, want %q", last, want)
		}
	}
}

const allTools = "explain,recommend,remember,search,similar"

// Agents of the browser get the answers of pmlam mcp, and the program is loaded at the first call only.
func TestToolsInTheBrowser(t *testing.T) {
	b := newAgent(t, agentShop)
	c := overMCP(t, recommend.Rules{Pinned: []string{"50"}, Excluded: []string{"1200"}})
	b.untilTools(allTools)
	b.site.Lock()
	for _, name := range []string{"embed/pmlam.js", "embed/embed.wasm", "embed/model.msgpack"} {
		if b.site.Asked[name] > 0 {
			t.Errorf("%s was fetched before a call", name)
		}
	}
	b.site.Unlock()
	for _, k := range []struct{ tool, args string }{
		{"similar", `{"item":"Heat"}`}, {"similar", `{"item":"matrix","k":5}`}, {"similar", `{"item":"Se7en"}`},
		{"similar", `{"item":"Hamlet (1996)"}`}, {"similar", `{"item":"Alien"}`}, {"similar", `{"item":1200}`},
		{"similar", `{"item":{"id":"1200"}}`}, {"similar", `{"item":"Heat","seen":["Casino"],"likes":["Fargo"]}`},
		{"recommend", `{"likes":["Toy Story","id:6",1214],"k":20}`}, {"recommend", `{}`},
		{"recommend", `{"likes":["Alien"],"dislikes":["Aliens"],"seen":["Blade Runner"]}`},
		{"recommend", `{"likes":["Fargo"],"mode":"hidden-gems"}`},
		{"recommend", `{"likes":["Alien"],"genres":["sci-fi"],"fromYear":1980,"toYear":1989}`},
		{"recommend", `{"likes":["Heat","id:none"],"skip":10,"k":10}`},
		{"recommend", `{"likes":["Heat"],"instead":["Casino"],"diversity":0.5}`},
		{"recommend", `{"likes":["Heat"],"exploration":0.5,"seed":7}`}, {"recommend", `{"order":"new"}`},
		{"search", `{"query":"shrekk","limit":3}`}, {"search", `{"query":"zzzzqqq"}`},
		{"explain", `{"item":"Blade Runner","likes":["Alien","Heat"]}`},
		{"explain", `{"item":"Aliens","likes":["Alien"],"dislikes":["Heat"]}`}, {"explain", `{"item":"id:50"}`},

		{"similar", `{"item":"Hamlet"}`}, {"recommend", `{"likes":["Heat","Titanic","Star Wars"]}`},
		{"similar", `{"item":"Heat (1994)"}`}, {"explain", `{"item":"zzzzqqq"}`}, {"similar", `{"item":"1917"}`},
		{"similar", `{"item":"300"}`}, {"recommend", `{"genres":["Jazz"]}`}, {"recommend", `{"like":["Heat"]}`},
		{"recommend", `{"k":101}`}, {"explain", `{"item":"Heat","likes":["Heat"]}`}, {"similar", `{"item":"id:none"}`},
		{"recommend", `{"where":{"colour":"red"}}`}, {"recommend", `{"likes":"Heat"}`}, {"recommend", `{"rules":{}}`},
		{"recommend", `{"remembered":1}`}, {"search", `{"query":5}`}, {"search", `{}`}, {"remember", `{}`},
		{"remember", `{"like":["Heat"],"seen":["Heat"]}`}, {"remember", `{"like":["Titanic"]}`},
		{"recommend", `{"likes":[{}]}`}, {"similar", `{}`},
	} {
		r, err := c.CallTool(context.Background(), &mcp.CallToolParams{Name: k.tool, Arguments: json.RawMessage(k.args)})
		if err != nil {
			t.Fatal(err)
		}
		var want map[string]any
		if err := json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &want); err != nil {
			t.Fatal(err)
		}
		got := b.calls(k.tool, k.args)
		if sentence, _ := got["error"].(string); r.IsError && sentence != "" {
			if want["field"] == nil { // pmlam mcp refuses other arguments before the client can ask
				delete(got, "field")
			}
			delete(got, "error") // the words differ a little
			delete(want, "error")
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: the page says %.600v\nand pmlam mcp %.600v", k.tool, k.args, got, want)
		}
	}
	b.until("violations.join()", "")
}

// A mark needs a key or a click of the visitor's own: nothing else that happens to the question is a yes.
func TestToolsRememberOnlyAfterAYes(t *testing.T) {
	b := newAgent(t, agentShop)
	b.untilTools(allTools)
	marks := module + `JSON.stringify(visitor.marks))`
	const none = `{"likes":[],"dislikes":[],"seen":[]}`
	ask := func(args string) {
		t.Helper()
		b.says(`void (globalThis.stop = new AbortController(), globalThis.asked = ` +
			tool("remember", args, "{ signal: stop.signal }") + `.catch((error) => error.name))`)
		b.until(`document.querySelectorAll("pmlam-question").length`, "1")
	}
	for name, answer := range map[string]func(){
		"no by the keyboard": func() { b.do(chromedp.KeyEvent("\r")) },
		"Escape":             func() { b.do(chromedp.KeyEvent("\x1b")) },
		"taken back":         func() { b.says(`stop.abort()`) },
		"removed":            func() { b.says(`document.querySelector("pmlam-question").remove()`) },
	} {
		ask(`{like: ["Heat"]}`)
		answer()
		if name == "removed" { // the next question answers the removed one
			b.says(`void ` + tool("remember", `{like: ["Heat"]}`))
			b.until(`document.querySelectorAll("pmlam-question").length`, "1")
			b.do(chromedp.KeyEvent("\x1b"))
		}
		if said := b.says(`asked`); said != `{"yes":false,"changed":[],"marks":0}` && said != "AbortError" {
			t.Errorf("%s: %s", name, said)
		}
		if got := b.says(marks); got != none {
			t.Errorf("%s: the marks are %s", name, got)
		}
		b.until(`document.querySelectorAll("pmlam-question").length`, "0")
	}
	before := b.calls("recommend", `{}`)
	ask(`{like: ["Heat", "Alien"], seen: ["Toy Story"]}`)
	if said := b.calls("remember", `{like: ["Heat"]}`)["error"]; said == nil {
		t.Error("a second question was asked at the same time")
	}
	b.do(chromedp.KeyEvent("\t"))
	b.do(chromedp.KeyEvent("\r"))
	if said := b.says(`asked`); !strings.Contains(said, `"yes":true`) || !strings.Contains(said, `"marks":3`) {
		t.Errorf("after a yes: %s", said)
	}
	if got := b.says(marks); got != `{"likes":["6","1214"],"dislikes":[],"seen":["1"]}` {
		t.Errorf("the marks are %s", got)
	}
	b.until(stored, "null") // the site has no consent to store marks
	after, told := b.calls("recommend", `{}`), b.calls("recommend",
		`{likes: ["Heat", "Alien"], seen: ["Toy Story"], remembered: false}`)
	without := b.calls("recommend", `{remembered: false}`)
	if !reflect.DeepEqual(after, told) || reflect.DeepEqual(after, before) || !reflect.DeepEqual(without, before) {
		t.Error("lists do not follow the marks")
	}
	b.until("violations.join()", "")
}

// Tools follow the page's lists, and the owner's meta element names a model or switches them off.
func TestToolsOfThePage(t *testing.T) {
	b := newAgent(t, agentShop)
	b.untilTools(allTools)
	b.says(`void (globalThis.list = document.querySelector("pmlam-recommendations"), list.remove())`)
	b.untilTools("")
	b.says(`void document.body.append(list)`)
	b.untilTools(allTools)
	b.calls("search", `{query: "heat"}`)
	b.says(`void list.setAttribute("model", "embed/damaged.msgpack")`)
	if said := b.calls("search", `{query: "heat"}`); said["error"] == nil {
		t.Errorf("a damaged model: %v", said)
	}
	b.says(`void list.setAttribute("model", "embed/model.msgpack")`)
	if said := b.calls("search", `{query: "heat"}`); said["error"] != nil {
		t.Errorf("after a damaged model: %v", said)
	}
	for meta, want := range map[string]string{"off": "", "embed/model.msgpack": allTools} {
		b.site.Lock()
		b.site.Files["other.html"] = []byte(`<!doctype html><title>Shop</title><link rel="icon" href="data:,">
			<meta name="pmlam-tools" content="` + meta + `"><script type="module" src="embed/components.js"></script>` +
			map[string]string{"off": `<pmlam-recommendations model="embed/model.msgpack"></pmlam-recommendations>`}[meta])
		b.site.Unlock()
		b.do(chromedp.Navigate(b.says(`location.origin + location.pathname.replace("other.html", "")`) + "other.html"))
		if want == "" {
			b.says(`import(new URL("embed/tools.js", location).href).then(({ offer }) => offer())`)
		}
		b.untilTools(want)
	}
}
