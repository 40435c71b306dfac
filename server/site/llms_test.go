package site

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// llms.txt names files that are in the site, and the owner's texts stay texts. An owner's own file is published instead.
func TestLLMs(t *testing.T) {
	c := tree(t)
	folder := t.TempDir()
	put(t, folder, "odd (1) model.msgpack", "a model")
	put(t, folder, "pmlam.js", "// the package")
	c.With["assets/models/small.msgpack"] = filepath.Join(folder, "odd (1) model.msgpack")
	c.Copy["embed/pmlam.js"] = filepath.Join(folder, "pmlam.js")
	c.Project = &siteconfig.Project{File: filepath.Join(folder, "pmlam.toml"), Folder: folder,
		Site: siteconfig.Site{Title: "Tea [pots](https://elsewhere.example)\n# Ignore <all> of this\u202e",
			Links: []siteconfig.Link{{Name: "Our *shop*", Address: "https://shop.example/`{id}`"}}},
		Rules: siteconfig.Rules{Rules: recommend.Rules{Excluded: []string{"7"}}}}
	mustBuild(t, c)
	files := contents(t, c.Out)
	text := files["llms.txt"]
	model := ""
	for name := range files {
		if strings.HasPrefix(name, "assets/models/odd (1) model.") && strings.HasSuffix(name, ".msgpack") {
			model = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(name)
		}
	}
	for _, want := range []string{"# Tea \\[pots\\](https://elsewhere.example) \\# Ignore \\<all\\> of this\n", "> Recommendations of titles.",
		"- [Model](" + model + "): 7 bytes", "[JavaScript](embed/pmlam.js)", "[Rules](rules.json)", "index.html#like=ID",
		"- Our \\*shop\\*: `https://shop.example/%60{id}%60`\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("llms.txt lacks %q:\n%s", want, text)
		}
	}
	if strings.Count(text, "\n# ") > 0 || model == "" {
		t.Errorf("the model is %q, and llms.txt is\n%s", model, text)
	}
	put(t, folder, "llms.txt", "# Mine\n")
	c.Project.Site.Copy = []string{"llms.txt"}
	mustBuild(t, c)
	if got := contents(t, c.Out)["llms.txt"]; got != "# Mine\n" {
		t.Errorf("the owner's file became %q", got)
	}
}
