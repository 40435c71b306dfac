//go:build !js

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// The example sites are copied, built by the commands of their README and visited in Chromium under the strict policy.
// Each list equals the native program's. On pages of an item it is what goes with it, or similar items where the model
// has no order.
func TestExamples(t *testing.T) {
	bin := t.TempDir()
	cmd := exec.Command("go", "build", "-o", filepath.Join(bin, "pmlam"), "./core/cmd/pmlam")
	cmd.Dir = jstest.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("HUGO_BASEURL", sitetest.Folder)

	t.Run("blog", func(t *testing.T) {
		e := newExample(t, "blog", "")
		e.follows(`document.querySelector("a[href$='rye.html']")`)
		e.until(`document.querySelector("h1").textContent`, "Dark rye in a tin")
		e.lists("rye", "posts/%.html")
		next := e.follows(list + `.querySelector("a")`)
		e.lists(strings.TrimSuffix(filepath.Base(next), ".html"), "posts/%.html")
	})
	t.Run("shop", func(t *testing.T) {
		e := newExample(t, "shop", "")
		e.until(stateOfList, "empty") // the basket is empty
		e.until(`document.querySelectorAll("#products a").length`, "24")
		e.follows(`document.querySelector("#products a")`)
		e.until(`document.querySelector("h1").textContent`, "Desk lamp")
		with := recommend.Visit{Recent: []int{e.number("p1")}}
		e.until(stateOfList, "ready")
		e.same(e.engine.Recommend(with, e.engine.Taste(with, nil), recommend.Request{K: 3}), "product.html?id=%")
		if !e.engine.About().Order {
			t.Error("the shop's model does not know the order of purchases")
		}
		e.says(`document.querySelector("button").click()`)
		e.follows(list + `.querySelector("a")`)
		e.until(`document.querySelector("h1").textContent !== ""`, "true") // then the button works
		e.says(`document.querySelector("button").click()`)
		e.until(`document.querySelector("#basket").textContent`, "2 things in the basket")
		e.follows(`document.querySelector("a[href='index.html']")`)
		e.until(stateOfList, "ready")
		visit := recommend.Visit{}
		for _, id := range strings.Split(e.says(`JSON.parse(localStorage.basket).join()`), ",") {
			visit.Likes = append(visit.Likes, e.number(id))
		}
		e.same(e.engine.Recommend(visit, e.engine.Taste(visit, nil), recommend.Request{K: 3}), "product.html?id=%")
	})
	t.Run("content", func(t *testing.T) {
		if _, err := exec.LookPath("hugo"); err != nil {
			t.Skip("SKIPPED: hugo is not installed (apt-get install hugo), so the example of a content site was not built")
		}
		e := newExample(t, "content", "public")
		e.follows(`document.querySelector("a[href*='miso-soup']")`)
		e.until(`document.querySelector("h1").textContent`, "Miso soup")
		e.lists("miso-soup", "recipes/%/")
		next := e.follows(list + `.querySelector("a")`)
		e.lists(filepath.Base(next), "recipes/%/")
	})
}

const (
	element     = `document.querySelector("pmlam-recommendations")`
	list        = element + `.shadowRoot`
	stateOfList = element + `?.getAttribute("state") ?? ""`
)

// example is a visit to an example site.
type example struct {
	buyer
	engine *recommend.Recommender
}

// newExample builds a copy of an example and opens its first page. served is the subfolder to publish.
func newExample(t *testing.T, name, served string) *example {
	t.Helper()
	source := filepath.Join(jstest.Root(t), "docs/examples", name)
	if n := addedLines(t, source); n == 0 || n > 5 {
		t.Errorf("%s has %d lines for recommendations; want 1 to 5", name, n)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(jstest.Read(t, "docs/examples/README.md")), "["+name+"](")
	section, _, _ = strings.Cut(section, "\n## ")
	commands := strings.Split(section, "\n$ ")[1:]
	if len(commands) == 0 {
		t.Fatalf("docs/examples/README.md has no commands for %s", name)
	}
	for _, line := range commands {
		line, _, _ = strings.Cut(line, "\n")
		words := strings.Fields(line)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	files := published(t, filepath.Join(dir, served))
	for at, content := range folder(t) {
		files["embed/"+at] = content
	}
	m, err := model.Decode(files["model.msgpack"])
	if err != nil {
		t.Fatal(err)
	}
	e := &example{buyer: buyer{t, jstest.Chromium(t, 2*time.Minute), &sitetest.Site{Files: files}}}
	if e.engine, err = recommend.Open(m, recommend.Options{}); err != nil {
		t.Fatal(err)
	}
	e.do(chromedp.Navigate(e.site.Serve(t)))
	return e
}

// published returns the files of a site by address.
func published(t *testing.T, root string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		at, err := filepath.Rel(root, path)
		files[filepath.ToSlash(at)] = jstest.ReadFile(t, path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for at, content := range files {
		if folder, is := strings.CutSuffix(at, "index.html"); is {
			files[folder] = content
		}
	}
	return files
}

// addedLines counts an example's lines for recommendations, over the whole site, or on its largest page if each page
// has its own.
func addedLines(t *testing.T, source string) (most int) {
	t.Helper()
	site := 0
	err := filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) == ".csv" && filepath.Base(path) != "index.csv" {
			return err
		}
		n := 0
		for line := range strings.Lines(string(jstest.ReadFile(t, path))) {
			if strings.Contains(line, "pmlam") && filepath.Ext(path) != ".css" || strings.Contains(line, "embed/") ||
				strings.Contains(line, `"csv"`) || filepath.Base(path) == "index.csv" {
				n++
			}
		}
		if filepath.Base(filepath.Dir(path)) != "posts" {
			site += n
		}
		most = max(most, n)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return max(most, site)
}

// follows clicks a link, waits for its page and returns that page's path.
func (e *example) follows(link string) string {
	e.Helper()
	e.until(`Boolean(`+link+`)`, "true")
	href := e.says(link + `.href`)
	e.says(link + `.click()`)
	e.arrives(href)
	return e.says(`location.pathname`)
}

// lists waits for a page's list and compares it with the items similar to id. template is a path with % for the id.
func (e *example) lists(id, template string) {
	e.Helper()
	e.until(stateOfList, "ready")
	e.same(e.engine.Similar(e.number(id), recommend.Visit{}, 3), template)
}

func (e *example) same(want []recommend.Suggestion, template string) {
	e.Helper()
	var all []string
	for _, s := range want {
		all = append(all, sitetest.Folder+strings.ReplaceAll(template, "%", e.engine.Item(s.Item).ID))
	}
	if len(all) != 3 {
		e.Fatalf("the native program recommends %d items", len(all))
	}
	e.until(`[...`+list+`.querySelectorAll("a")].map((a) => a.pathname + a.search).join()`, strings.Join(all, ","))
}

func (e *example) number(id string) int {
	e.Helper()
	for i := range e.engine.Len() {
		if e.engine.Item(i).ID == id {
			return i
		}
	}
	e.Fatalf("the model has no item %q", id)
	return 0
}
