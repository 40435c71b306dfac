//go:build !js

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// folder returns the files of a site's folder embed by name.
func folder(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{
		"model.msgpack":   jstest.Read(t, "assets/models/movielens.msgpack"),
		"damaged.msgpack": jstest.Read(t, "assets/models/movielens.msgpack")[:1000],
	}
	dir := built(t)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		files[e.Name()] = jstest.ReadFile(t, filepath.Join(dir, e.Name()))
	}
	return files
}

var once struct {
	sync.Once
	dir string
	err error
}

// built returns the folder of the package as `make package` assembles it, once for all tests.
func built(t testing.TB) string {
	t.Helper()
	once.Do(func() {
		root := jstest.Root(t)
		if once.dir, once.err = os.MkdirTemp("", "pmlam-package"); once.err != nil {
			return
		}
		once.dir = filepath.Join(once.dir, "package")
		program := filepath.Join(filepath.Dir(once.dir), "embed.wasm")
		var out []byte
		if out, once.err = exec.Command("make", "-C", root, "package", "PACKAGE="+once.dir,
			"EMBEDDED="+program).CombinedOutput(); once.err != nil {
			once.err = fmt.Errorf("make package: %w\n%s", once.err, out)
		}
	})
	if once.err != nil {
		t.Fatal(once.err)
	}
	return once.dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if once.dir != "" {
		os.RemoveAll(filepath.Dir(once.dir))
	}
	os.Exit(code)
}

// reply is an answer in the output of ask.mjs.
type reply struct {
	Error, Code, Option string
	Unknown             []string
	Items               []struct {
		ID, Title               string
		Year                    int
		Genres                  []string
		Columns                 map[string]string
		Distance, Match, Spread float64
		General                 float64
		Chance                  *float64
		Certainty               *string
		Score                   float64
		Pinned                  bool
		Each                    []struct{ Chance, Distance float64 }
		Because                 []struct {
			ID    string
			Share float64
		}
	}
}

// The native program and, through pmlam.js, WebAssembly under node answer the same questions with bit-identical
// numbers.
func TestAnswersMatchTheNativeProgram(t *testing.T) {
	files := folder(t)
	dir := t.TempDir()
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	m, err := model.Decode(files["model.msgpack"])
	if err != nil {
		t.Fatal(err)
	}
	native, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	find := func(titles ...string) (items []int) {
		for _, title := range titles {
			i, err := native.Find(title)
			if err != nil {
				t.Fatal(err)
			}
			items = append(items, i)
		}
		return items
	}
	three := recommend.Visit{Likes: find("Toy Story", "Heat", "Alien")}
	many := recommend.Visit{Likes: find("Toy Story", "Heat", "Alien", "Fargo", "Casablanca"),
		Dislikes: find("Titanic"), Seen: find("Pulp Fiction")}
	list := func(v recommend.Visit, r recommend.Request) []recommend.Suggestion {
		return native.Recommend(v, native.Taste(v, nil), r)
	}
	var shown []int
	for _, s := range list(three, recommend.Request{K: 10}) {
		shown = append(shown, s.Item)
	}
	two := recommend.Visit{Likes: find("Fargo", "Casablanca")}
	ruled, unknown, err := native.WithRules(recommend.Rules{InStock: "tmdbId", Pinned: []string{"50", "gone", "1"},
		Excluded: []string{native.Item(find("Jaws")[0]).ID}, AtMost: recommend.AtMost{N: 1, Column: "imdbId"},
		Boosts: []recommend.Boost{{Column: "imdbId", Weight: -0.5}, {Column: "tmdbId", Value: "949", Weight: 2}}})
	if err != nil || !slices.Equal(unknown, []string{"gone"}) {
		t.Fatal(unknown, err)
	}
	for _, scan := range []string{"simd", "go"} {
		out := jstest.RunNode(t, []string{"PMLAM_TEST_SCAN=" + scan}, "ask.mjs", dir)
		var replies map[string]reply
		if err := json.Unmarshal([]byte(out), &replies); err != nil {
			t.Fatalf("%v in\n%s", err, out)
		}
		for name, want := range map[string][]recommend.Suggestion{
			"three likes": list(three, recommend.Request{K: 10}),
			"by id":       list(three, recommend.Request{K: 10}),
			"much said":   list(many, recommend.Request{K: 25}),
			"gems":        list(three, recommend.Request{K: 10, Mode: recommend.HiddenGems, Diversity: 0.4}),
			"bubble": list(three, recommend.Request{K: 10, Mode: recommend.OutsideBubble,
				Exploration: 0.8, Seed: 7}),
			"filtered": list(three, recommend.Request{K: 5,
				Filter: recommend.Filter{Genres: []string{"Comedy"}, FromYear: 1990, ToYear: 1999}}),
			"known":              list(three, recommend.Request{K: 5, Order: recommend.BestKnown, Skip: 3}),
			"different":          list(three, recommend.Request{K: 10, Instead: shown}),
			"nothing said":       list(recommend.Visit{}, recommend.Request{K: 3}),
			"similar":            native.Similar(three.Likes[0], recommend.Visit{}, 7),
			"similar by options": native.Similar(three.Likes[0], many, 7),
			"ruled":              ruled.Recommend(three, ruled.Taste(three, nil), recommend.Request{K: 15}),
			"similar by rules":   ruled.Similar(three.Likes[1], recommend.Visit{}, 15),
			"unknown":            list(three, recommend.Request{K: 10}),
			"profile":            list(three, recommend.Request{K: 10}),
		} {
			got := replies[name]
			if got.Error != "" || len(got.Items) != len(want) || len(want) == 0 && name != "nothing said" {
				t.Errorf("%s, %s: error %q, %d items, want %d", scan, name, got.Error, len(got.Items), len(want))
				continue
			}
			for i, s := range want {
				g, it := got.Items[i], native.Item(s.Item)
				if g.ID != it.ID || g.Title != it.Title || g.Year != it.Year ||
					!reflect.DeepEqual(g.Genres, it.Genres) || !reflect.DeepEqual(g.Columns, columns(native, it)) {
					t.Errorf("%s, %s, place %d: %+v, want %+v", scan, name, i+1, g, it)
				}
				if g.Pinned != s.Pinned || g.Distance != s.Distance || g.Match != s.Match || g.Spread != s.Spread ||
					g.General != s.General {
					t.Errorf("%s, %s, place %d: %+v, want %+v", scan, name, i+1, g, s)
				}
				// Without marks there is neither a chance nor a certainty.
				silent := name == "nothing said"
				if silent != (s.Certainty == recommend.Unsaid) || silent != (g.Chance == nil) ||
					silent != (g.Certainty == nil) ||
					!silent && (*g.Chance != s.Chance || *g.Certainty != certainty(s)) {
					t.Errorf("%s, %s, place %d: chance %v and certainty %v, want %+v's", scan, name, i+1,
						g.Chance, g.Certainty, s)
				}
				for j, r := range s.Reasons {
					if len(g.Because) != len(s.Reasons) || g.Because[j].ID != native.Item(r.Item).ID ||
						g.Because[j].Share != r.Share {
						t.Errorf("%s, %s, place %d: because %+v, want %+v", scan, name, i+1, g.Because, s.Reasons)
					}
				}
			}
		}
		for i, f := range native.Search("godfathr", 3) {
			if g := replies["search"].Items; len(g) <= i || g[i].ID != native.Item(f.Item).ID || g[i].Score != f.Score {
				t.Errorf("%s, search: %+v, want item %d of score %v in place %d", scan, g, f.Item, f.Score, i+1)
			}
		}
		for i, s := range native.Together(three, two, native.Taste(three, nil), native.Taste(two, nil),
			recommend.Request{K: 6}) {
			g := replies["together"].Items
			if len(g) != 6 || g[i].ID != native.Item(s.Item).ID || len(g[i].Each) != 2 ||
				g[i].Each[0].Chance != s.Each[0].Chance || g[i].Each[1].Distance != s.Each[1].Distance {
				t.Errorf("%s, together, place %d: %+v, want %+v", scan, i+1, g, s)
			}
		}
		for i, s := range ruled.Together(three, two, ruled.Taste(three, nil), ruled.Taste(two, nil),
			recommend.Request{K: 10}) {
			if g := replies["together by rules"].Items; len(g) != 10 || g[i].ID != native.Item(s.Item).ID ||
				g[i].Pinned != s.Each[0].Pinned {
				t.Errorf("%s, together by rules, place %d: %+v, want %+v", scan, i+1, g, s)
			}
		}
		for name, want := range map[string][]string{
			"ruled": {"gone"}, "similar by rules": {"gone"}, "together by rules": {"gone"},
			"unknown": {"gone", "Heat", "0.5"}, "together": {"gone", "lost"}, "similar": {}, "profile": {},
		} {
			if got := replies[name].Unknown; !slices.Equal(got, want) {
				t.Errorf("%s, %s: unknown %q, want %q", scan, name, got, want)
			}
		}
		for name, want := range map[string]struct{ code, option, sentence string }{
			"no order":                {"option", "order", `order is "upwards"`},
			"nobody else":             {"option", "", "together takes an object"},
			"no such item":            {"unknown-item", "", `the catalogue has no item "Heat"`},
			"no such title":           {"unknown-item", "", `no title in the catalogue is like "xyzzyq"`},
			"no item":                 {"option", "likes", "likes, entry 1: give an item's id"},
			"no array":                {"option", "likes", "likes must be an array"},
			"no rules":                {"option", "rules", "rules must be an object of inStock"},
			"no rule":                 {"option", "rules", `rules has no field "instock"; choose from inStock`},
			"no object":               {"option", "", "recommend takes an object"},
			"no column":               {"option", "where", `the catalogue has no column "colour"; it has imdbId`},
			"mistyped":                {"option", "like", `recommend has no option "like"`},
			"mistyped where it opens": {"option", "programm", `open has no option "programm"`},
			"half":                    {"option", "k", "k must be a whole number between 1 and 10000"},
			"too wild":                {"option", "exploration", "exploration must be a number between 0 and 1"},
			"no mode":                 {"option", "mode", `mode is "sideways"`},
			"no query":                {"option", "", "search needs a text"},
			"no model":                {"option", "model", "model must be a URL"},
			"damaged":                 {"model", "", "model: "},
			"missing":                 {"file", "", "missing.msgpack failed: "},
			"closed":                  {"closed", "", "search: the model is closed"},
			"no profile":              {"profile", "", "not an exported profile of version 1"},
			"no mark":                 {"profile", "", "a mark must be like, dislike, seen, not love"},
			"scan":                    {"", "", scan},
		} {
			got := replies[name]
			if got.Code != want.code || got.Option != want.option || !strings.Contains(got.Error, want.sentence) {
				t.Errorf("%s, %s: %+v, want %+v", scan, name, got, want)
			}
		}
	}
}

// columns returns the further columns of an item, as in answers.
func columns(engine *recommend.Recommender, it *catalogue.Item) map[string]string {
	out := map[string]string{}
	for c, name := range engine.Columns() {
		if it.Values[c] != "" {
			out[name] = it.Values[c]
		}
	}
	return out
}

func certainty(s recommend.Suggestion) string {
	return [...]string{"a gamble", "a hunch", "fairly sure", "very sure"}[s.Certainty]
}

// The documentation's three lines work in a page with the site's policy.
func TestThreeLinesInChromium(t *testing.T) {
	files := map[string][]byte{
		"": []byte(`<!doctype html><title></title><link rel="icon" href="data:,">
			<script type="module" src="three.js"></script>`),
		"three.js": []byte(`import { open } from "./embed/pmlam.js";
			const films = await open("embed/model.msgpack");
			const [first] = films.recommend({ likes: [1, 6, 1214] }).items;
			document.title = first.title + " by " + films.about().scan;`),
	}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	site := &sitetest.Site{Files: files}
	tab := jstest.Chromium(t, 2*time.Minute)
	if err := chromedp.Do(tab, chromedp.Navigate(site.Serve(t))); err != nil {
		t.Fatal(err)
	}
	title, err := untilTitled(tab)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(title, " by simd") || len(title) < 12 {
		t.Errorf("the three lines gave %q", title)
	}
}

func untilTitled(tab context.Context) (string, error) {
	for {
		title, err := chromedp.Run(tab, chromedp.Title())
		if title != "" || err != nil {
			return title, err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
