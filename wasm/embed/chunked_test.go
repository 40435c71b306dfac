//go:build !js

package main

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/server/sitetest"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// cut writes a model in chunks and returns its folder.
func cut(t *testing.T, file string) *writer.Folder {
	t.Helper()
	m, err := model.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := &writer.Folder{Path: filepath.Join(t.TempDir(), "chunks")}
	if err := writer.Write(context.Background(), m, writer.Settings{}, f.Put); err != nil {
		t.Fatal(err)
	}
	return f
}

// gathered returns the native recommender over the chunks gathered for a question.
func gathered(t *testing.T, f *writer.Folder, q chunks.Question) *recommend.Recommender {
	t.Helper()
	index, err := f.Read(chunks.IndexName)
	if err != nil {
		t.Fatal(err)
	}
	c, err := chunks.Open(index, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for {
		r, err := c.Gather(q)
		missing, ok := errors.AsType[*chunks.Missing](err)
		if err != nil && !ok {
			t.Fatal(err)
		}
		if err == nil {
			return r
		}
		for _, name := range missing.Names {
			part, err := f.Read(name)
			if err == nil {
				err = c.Put(name, part)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A model in chunks gives the same lists and numbers under node as in the native program.
func TestInChunks(t *testing.T) {
	dir := onDisk(t)
	f := cut(t, filepath.Join(dir, "model.msgpack"))
	var replies map[string]reply
	ask(t, &replies, "chunked.mjs", dir, f.Path)
	likes := []string{"1", "6", "1214"}
	compare := func(name string, q chunks.Question, list func(r *recommend.Recommender,
		at func(ids ...string) []int) []recommend.Suggestion) {
		t.Helper()
		r := gathered(t, f, q)
		want := list(r, func(ids ...string) (out []int) {
			for _, id := range ids {
				out = append(out, r.IDs()[id])
			}
			return out
		})
		got := replies[name]
		if got.Error != "" || len(got.Items) != len(want) || len(want) == 0 {
			t.Errorf("%s: error %q, %d items, want %d", name, got.Error, len(got.Items), len(want))
			return
		}
		for i, s := range want {
			g := got.Items[i]
			if g.ID != r.Item(s.Item).ID || g.Title != r.Item(s.Item).Title || g.Distance != s.Distance ||
				g.Match != s.Match || g.Spread != s.Spread || g.Chance != nil && *g.Chance != s.Chance {
				t.Errorf("%s, place %d: %+v, want %+v", name, i+1, g, s)
			}
		}
	}
	list := func(q recommend.Request, dislikes ...string) func(r *recommend.Recommender,
		at func(ids ...string) []int) []recommend.Suggestion {
		return func(r *recommend.Recommender, at func(ids ...string) []int) []recommend.Suggestion {
			v := recommend.Visit{Likes: at(likes...), Dislikes: at(dislikes...)}
			return r.Recommend(v, r.Taste(v, nil), q)
		}
	}
	three := chunks.Question{People: []chunks.Person{{Likes: likes}}}
	for _, name := range []string{"three likes", "unknown", "a part again"} {
		compare(name, three, list(recommend.Request{K: 10}))
	}
	compare("gems", chunks.Question{People: []chunks.Person{{Likes: likes, Dislikes: []string{"1721"}}}},
		list(recommend.Request{K: 20, Mode: recommend.HiddenGems, Diversity: 0.4}, "1721"))
	compare("at once", three, list(recommend.Request{K: 3}))
	compare("similar", chunks.Question{People: []chunks.Person{{Item: "1"}}},
		func(r *recommend.Recommender, at func(ids ...string) []int) []recommend.Suggestion {
			return r.Similar(at("1")[0], recommend.Visit{}, 7)
		})
	// Few titles pass the filter, so more are gathered, here all.
	compare("filtered", chunks.Question{People: three.People, Items: 8 * chunks.Enough},
		list(recommend.Request{K: 20, Filter: recommend.Filter{Genres: []string{"Western"}, ToYear: 1960}}))
	if got := replies["filtered"].Items; len(got) < 10 {
		t.Errorf("%d Westerns to 1960", len(got))
	}
	if got := replies["unknown"].Unknown; !slices.Equal(got, []string{"gone"}) {
		t.Errorf("unknown: %q", got)
	}
	if got := replies["ruled"].Items; len(got) != 5 || got[0].ID != "50" || !got[0].Pinned {
		t.Errorf("ruled: %+v", got)
	}
	if got := replies["nothing said"].Items; len(got) != 10 {
		t.Errorf("nothing said: %+v", got)
	}
	if got := replies["together"].Items; len(got) != 6 || len(got[0].Each) != 2 {
		t.Errorf("together: %+v", got)
	}
	if got := replies["item"].Items; len(got) != 1 || got[0].Title != "Toy Story" {
		t.Errorf("item: %+v", got)
	}
	m, err := model.ReadFile(filepath.Join(dir, "model.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, typed := range map[string]string{"search": "star wars", "search mistyped": "godfathr"} {
		got := replies[name].Items
		for k, f := range whole.Search(typed, 5) {
			if len(got) <= k || got[k].ID != whole.Item(f.Item).ID || got[k].Score != f.Score ||
				got[k].Title != whole.Item(f.Item).Title || got[k].Year != whole.Item(f.Item).Year {
				t.Errorf("%s, place %d: %+v, want %+v", name, k+1, got, whole.Item(f.Item))
				break
			}
		}
	}
	if got := replies["find"].Items; len(got) != 1 || got[0].ID != "1" || len(got[0].Genres) == 0 {
		t.Errorf("find: %+v", got)
	}
	if got := replies["about"].Items; len(got) != 1 || got[0].Title != "simd" || got[0].Year != 3708 {
		t.Errorf("about: %+v", got)
	}
	for name, want := range map[string]struct{ code, option, sentence string }{
		"find none":        {"unknown-item", "", `no title in the catalogue is like "zzzz"`},
		"search nothing":   {"option", "", "search needs"},
		"no such item":     {"unknown-item", "", `the catalogue has no item "gone"`},
		"mistyped":         {"option", "like", `recommend has no option "like"`},
		"by title":         {"option", "order", `order must be "best" for a model in chunks`},
		"boost by numbers": {"option", "rules", "can only be boosted by a value"},
		"too many":         {"option", "k", "k + skip can be at most 1000"},
		"no folder":        {"option", "folder", "folder must be the URL of a folder"},
		"no index":         {"file", "", "index.bin failed: "},
		"no part":          {"file", "", "reading "},
		"closed under way": {"closed", "", "similar: the model is closed"},
		"closed":           {"closed", "", "item: the model is closed"},
	} {
		if got := replies[name]; got.Code != want.code || got.Option != want.option ||
			!strings.Contains(got.Error, want.sentence) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

// An element shows the native program's list from a folder of chunks, under the site's policy, and reports a missing
// folder.
func TestElementInChunks(t *testing.T) {
	files := map[string][]byte{
		"": []byte(`<!doctype html><title></title><link rel="icon" href="data:,">
			<script type="module" src="embed/components.js"></script>
			<pmlam-recommendations id="list" model="chunks/" item="6" k="5">None</pmlam-recommendations>
			<pmlam-recommendations id="none" model="nowhere/" item="6">None</pmlam-recommendations>`),
	}
	for name, content := range folder(t) {
		files["embed/"+name] = content
	}
	folder := cut(t, filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack"))
	if err := fs.WalkDir(os.DirFS(folder.Path), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files["chunks/"+name] = jstest.ReadFile(t, filepath.Join(folder.Path, name))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	r := gathered(t, folder, chunks.Question{People: []chunks.Person{{Item: "6"}}})
	var want []string
	for _, s := range r.Similar(r.IDs()["6"], recommend.Visit{}, 5) {
		want = append(want, r.Item(s.Item).ID)
	}
	b := &buyer{t, jstest.Chromium(t, 2*time.Minute), &sitetest.Site{Files: files}}
	b.do(chromedp.Navigate(b.site.Serve(t)))
	b.until(`document.getElementById("list").getAttribute("state")`, "ready")
	var got []string
	if err := json.Unmarshal([]byte(b.says(`JSON.stringify([...document.getElementById("list").shadowRoot
		.querySelectorAll("li")].map((item) => item.dataset.item))`)), &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the element lists %q; want %q", got, want)
	}
	b.until(`document.getElementById("none").getAttribute("state")`, "failed")
}
