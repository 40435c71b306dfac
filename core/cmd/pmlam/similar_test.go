package main

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/publish"
	"github.com/pmlam/pmlam/core/recommend"
)

// goods writes a model of n products without likes, with ids and titles that need escaping.
func goods(t *testing.T, n int) (file string, r *recommend.Recommender) {
	t.Helper()
	const h = 50
	x := rand.New(rand.NewPCG(1, 1))
	m := &model.Model{Items: gaussian.NewTable(n, h), Catalogue: &catalogue.Catalogue{Columns: []string{"price", "brand"}},
		Objective: model.Objective{Loss: gaussian.Loss{Kind: gaussian.Softmax, Temperature: 0.5},
			Composition: gaussian.Composition{Weight: 1}, Radius: 1, LearnRate: 0.003}}
	for i := range n {
		for d := range h {
			m.Items.Mean(i)[d], m.Items.Stddev(i)[d] = float32(x.NormFloat64()), 0.1
		}
		gaussian.Bound(m.Items.Row(i), 1)
		m.Catalogue.Items = append(m.Catalogue.Items, catalogue.Item{ID: fmt.Sprintf("a/%d&", i), Count: 1,
			Title: fmt.Sprintf("<No. %d>", i), Values: []string{fmt.Sprint(i%50, ".90"), fmt.Sprint("b", i%99)}})
	}
	file = filepath.Join(t.TempDir(), "goods.msgpack")
	if err := model.WriteFile(file, m); err != nil {
		t.Fatal(err)
	}
	read, err := model.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if r, err = recommend.Open(read, recommend.Options{}); err != nil {
		t.Fatal(err)
	}
	return file, r
}

// The lists of all items equal those of the browser, rules included, in all three forms and for any number of workers.
func TestSimilarOfAll(t *testing.T) {
	file, plain := goods(t, 100)
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "pmlam.toml", "[train]\nmodel = "+quoted(file)+`
[site]
links = [{ name = "Shop", address = "https://shop.example/p?id={id}&x=1" }]
price = "{price} €"
[rules]
pinned = ["a/7&"]
excluded = ["a/8&"]
at-most = { n = 1, column = "brand" }
`)
	r, _, err := plain.WithRules(recommend.Rules{Pinned: []string{"a/7&"}, Excluded: []string{"a/8&"},
		AtMost: recommend.AtMost{N: 1, Column: "brand"}})
	if err != nil {
		t.Fatal(err)
	}
	ok(t, "similar", "--all", "--out", "one.json", "--number", "6", "--workers", "1")
	ok(t, "similar", "--all", "--out", "data", "--number", "6", "--workers", "3")
	ok(t, "similar", "--all", "--out", "html", "--number", "6", "--html")
	ok(t, "similar", "--all", "--out", "html", "--number", "6", "--html") // replaces the first
	var one map[string][]listedItem
	if err := json.Unmarshal(read(t, "one.json"), &one); err != nil {
		t.Fatal(err)
	}
	for i := range r.Len() {
		it := r.Item(i)
		var want []listedItem
		text := "<ul class=\"similar\">\n"
		for _, s := range r.Similar(i, recommend.Visit{}, 6) {
			to := r.Item(s.Item)
			id := strings.NewReplacer("/", "%2F", "&", "%26").Replace(to.ID)
			want = append(want, listedItem{ID: to.ID, Title: to.Title, Link: "https://shop.example/p?id=" + id + "&x=1",
				Price: to.Values[0] + " €", Pinned: s.Pinned})
			text += "  <li"
			if s.Pinned {
				text += ` class="pinned"`
			}
			text += `><a href="https://shop.example/p?id=` + id + `&amp;x=1"><span class="title">` + html.EscapeString(to.Title) +
				`</span> <span class="price">` + to.Values[0] + " €</span></a></li>\n"
		}
		text += "</ul>\n"
		name := strings.NewReplacer("/", "%2F", "&", "%26").Replace(it.ID)
		var alone []listedItem
		if err := json.Unmarshal(read(t, filepath.Join("data", name+".json")), &alone); err != nil {
			t.Fatal(err)
		}
		if got := string(read(t, filepath.Join("html", name+".html"))); got != text {
			t.Fatalf("%s as HTML is\n%s\nwant\n%s", it.ID, got, text)
		}
		if !reflect.DeepEqual(one[it.ID], want) || !reflect.DeepEqual(alone, want) {
			t.Fatalf("%s: %v in one file, %v in its own, want %v", it.ID, one[it.ID], alone, want)
		}
	}
	entries, err := os.ReadDir("html")
	if err != nil || len(entries) != 101 || len(one) != 100 { // and the list of written files
		t.Errorf("%d files of HTML, %d lists in one file, %v", len(entries), len(one), err)
	}
	// A single list, by title and by id.
	for _, args := range [][]string{{"similar", "<No. 3>"}, {"similar", "id:a/3&", "--json"}} {
		first := r.Similar(3, recommend.Visit{}, 10)
		if got := ok(t, args...).out; !strings.Contains(got, r.Item(first[0].Item).Title) &&
			!strings.Contains(got, r.Item(first[0].Item).ID[:3]) {
			t.Errorf("%v prints %s", args, got)
		}
	}
	// Other files stay.
	write(t, "mine.txt", "x")
	write(t, "html/notes.txt", "y")
	for _, suffix := range []string{".old.tmp", ".new.tmp"} {
		if err := os.Mkdir("html"+suffix, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, "html"+suffix+"/mine.txt", "z")
	}
	if got := ok(t, "similar", "--all", "--out", "html", "--number", "3").out; !strings.Contains(got, "changed: notes.txt") {
		t.Errorf("it says %s", got)
	}
	if entries, err := os.ReadDir("html"); err != nil || len(entries) != 102 {
		t.Errorf("%d files of JSON in the folder of HTML, %v", len(entries), err)
	}
	for name, text := range map[string]string{"html/notes.txt": "y", "html.old.tmp/mine.txt": "z", "html.new.tmp/mine.txt": "z"} {
		if string(read(t, name)) != text {
			t.Errorf("%s is lost", name)
		}
	}
	write(t, "package.json", "{\n\"name\": \"shop\"}")
	write(t, "tsconfig.json", `{"files":["a.ts"]}`)
	if err := os.Mkdir("earlier", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "earlier/.pmlam-similar", "")
	write(t, "earlier/1.html", "")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--all", "--out", "."}, cli.ExitFailed, "and no list of the files"},
		{[]string{"--all", "--out", "earlier"}, cli.ExitFailed, "an earlier version wrote"},
		{[]string{"--all", "--out", "mine.txt"}, cli.ExitFailed, "is not a folder"},
		{[]string{"--all", "--out", "package.json"}, cli.ExitFailed, "does not hold such lists"},
		{[]string{"--all", "--out", "tsconfig.json"}, cli.ExitFailed, "does not hold such lists"},
		{[]string{"--all", "--out", "x", "--link", "p/{colour}"}, cli.ExitUsage, `names the column "colour"`},
		{[]string{"--all", "--out", "x", "--link", "javascript:{id}"}, cli.ExitUsage, "must lead to a site with https:"},
		{[]string{"--all", "--out", "x", "--price", "free"}, cli.ExitUsage, "needs a column in braces"},
		{[]string{"--all"}, cli.ExitUsage, "--all needs --out FOLDER"},
		{[]string{"--all", "Heat"}, cli.ExitUsage, "not both"},
		{nil, cli.ExitUsage, "pass a title, an id"},
		{[]string{"x", "--html"}, cli.ExitUsage, "need --all"},
		{[]string{"--all", "--html", "--out", "x.json"}, cli.ExitUsage, "--out must be a folder"},
		{[]string{"id:gone"}, cli.ExitFailed, `no item of the model has the id "gone"`},
	} {
		r := command(append([]string{"similar"}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.errors, c.want) {
			t.Errorf("%v: exit code %d, %s", c.args, r.code, r.errors)
		}
	}
	if string(read(t, "mine.txt")) != "x" {
		t.Error("a file was lost")
	}
}

// Of two concurrent runs into one folder, one is refused, and the other's lists are complete.
func TestSimilarTwice(t *testing.T) {
	file, r := goods(t, 40)
	folder := filepath.Join(t.TempDir(), "html")
	other, err := publish.Target{Path: folder, Kind: similarKind}.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Put("a.html", []byte("a")); err != nil {
		t.Fatal(err)
	}
	args := []string{"similar", "--model", file, "--all", "--html", "--out", folder}
	if got := command(args...); got.code != cli.ExitFailed || !strings.Contains(got.errors, "another process is at work") {
		t.Errorf("next to another run: exit code %d, %s", got.code, got.errors)
	}
	if _, err := other.Finish(); err != nil {
		t.Fatal(err)
	}
	other.Close()
	ok(t, args...)
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != r.Len()+1 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// With PMLAM_BIG: 50,000 items.
func TestSimilarOfManyItems(t *testing.T) {
	if os.Getenv("PMLAM_BIG") == "" {
		t.Skip("SKIPPED: lists for 50,000 items take a minute and more (PMLAM_BIG=1)")
	}
	file, r := goods(t, 50_000)
	out := filepath.Join(t.TempDir(), "html")
	t.Log(ok(t, "similar", "--model", file, "--all", "--html", "--out", out).errors)
	if entries, err := os.ReadDir(out); err != nil || len(entries) != r.Len()+1 {
		t.Errorf("%d files, %v", len(entries), err)
	}
}
