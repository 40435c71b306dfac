package site

import (
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
)

var offered = regexp.MustCompile(`<button type="button" class="tile starter [^"]*" aria-pressed="false" data-id="([^"]*)">`)

// The page's HTML has the starters of its model, as the owner's rules leave them. A model that cannot be read stops the
// build, because its page could not start.
func TestStartersAreInThePage(t *testing.T) {
	const shipped = "../../assets/models/movielens.msgpack"
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fakes := t.TempDir()
	for _, name := range []string{"app.wasm", "kernel.wasm", "wasm_exec.js"} {
		put(t, fakes, name, "")
	}
	build := func(p *siteconfig.Project, file string) (string, error) {
		c := Config{Tree: "../..", Out: filepath.Join(t.TempDir(), "site"), Project: p, With: map[string]string{
			"assets/app.wasm": filepath.Join(fakes, "app.wasm"), "assets/kernel.wasm": filepath.Join(fakes, "kernel.wasm"),
			"assets/js/loader/wasm_exec.js": filepath.Join(fakes, "wasm_exec.js"), "assets/models/movielens.msgpack": file}}
		if _, err := Build(c); err != nil {
			return "", err
		}
		page, err := os.ReadFile(filepath.Join(c.Out, "index.html"))
		return string(page), err
	}
	first := engine.Item(engine.Starters(1, 0)[0])
	rules := &siteconfig.Project{}
	rules.Rules.Excluded = []string{first.ID}
	for _, p := range []*siteconfig.Project{nil, rules} {
		page, err := build(p, shipped)
		if err != nil {
			t.Fatal(err)
		}
		want := engine
		if p != nil {
			if want, _, err = engine.WithRules(recommend.Rules{Excluded: []string{first.ID}}); err != nil {
				t.Fatal(err)
			}
		}
		var ids, got []string
		for _, i := range want.Starters(starters, 0) {
			ids = append(ids, want.Item(i).ID)
		}
		for _, m := range offered.FindAllStringSubmatch(page, -1) {
			got = append(got, html.UnescapeString(m[1]))
		}
		if !slices.Equal(got, ids) || slices.Contains(got, first.ID) != (p == nil) {
			t.Errorf("the page offers %q, want %q", got, ids)
		}
		if strings.Contains(page, "bone-tile") {
			t.Error("the page still has empty tiles")
		}
	}
	torn := filepath.Join(t.TempDir(), "torn.msgpack")
	put(t, filepath.Dir(torn), "torn.msgpack", "\x93")
	if _, err := build(nil, torn); err == nil || !strings.Contains(err.Error(), "torn.msgpack") {
		t.Errorf("a torn model gives %v", err)
	}
}
