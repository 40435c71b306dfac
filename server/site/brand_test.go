package site

import (
	"os"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/siteconfig"
)

// Unreadable colours are rejected; forced colours of the system are respected.
func TestBrandColours(t *testing.T) {
	css, err := os.ReadFile("../../" + coloursName)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ light, dark, wrong string }{
		{"", "", ""}, {"#205a7a", "#8cc4e6", ""}, {"#205A7A", "#8cc4e6", ""},
		{"#8cc4e6", "#8cc4e6", "choose a darker one"}, {"#205a7a", "#205a7a", "choose a lighter one"},
		{"#205a7a", "", "accent-dark of site"}, {"blue", "#8cc4e6", "must both be colours like"},
		{"#205a7a;}", "#8cc4e6", "must both be colours like"},
	} {
		p := &siteconfig.Project{Site: siteconfig.Site{Accent: c.light, AccentDark: c.dark}}
		got, err := branded(p, coloursName, css)
		switch {
		case c.wrong != "":
			if err == nil || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s, %s: %v, want %q", c.light, c.dark, err, c.wrong)
			}
		case err != nil:
			t.Error(err)
		case c.light == "" && string(got) != string(css):
			t.Error("the style sheet changed without colours being set")
		case !strings.Contains(string(got), "light-dark("+c.light) || !strings.Contains(string(got), "--brand: LinkText"):
			t.Errorf("the style sheet lacks %s or its rule for forced colours", c.light)
		}
	}
	if k := contrast("#000000", "#ffffff"); k < 20.99 || k > 21.01 {
		t.Errorf("the contrast of black and white is %v", k)
	}
	if _, err := branded(&siteconfig.Project{Site: siteconfig.Site{Accent: "#205a7a"}}, coloursName, []byte("a{}")); err == nil {
		t.Error("a style sheet without those colours was accepted")
	}
}

// import = false reaches the page, and the demo's services do not.
func TestBrandImport(t *testing.T) {
	index, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	no := false
	for _, on := range []*bool{nil, &no} {
		got, err := branded(&siteconfig.Project{Site: siteconfig.Site{Import: on}}, page, index)
		if err != nil || strings.Contains(string(got), `name="import-ratings" content="off"`) != (on != nil) ||
			strings.Contains(string(got), "Letterboxd") {
			t.Errorf("import off: %v: %v", on != nil, err)
		}
	}
}

// The owner's moods are in the page as its program reads them; a text with a separator is refused.
func TestBrandMoods(t *testing.T) {
	p := &siteconfig.Project{Words: map[string]siteconfig.Words{
		"en": {Moods: map[string][]string{"Cosy evening": {"Tea", "Candles"}, "A gift": {"Books"}}}}}
	found := ""
	for _, e := range ownersElements(p) {
		if e[0] == "title-moods" {
			found = e[1]
		}
	}
	if want := "en A gift=Books, Cosy evening=Tea|Candles"; found != want {
		t.Errorf("the moods are %q, want %q", found, want)
	}
	if err := checkWords(p); err != nil {
		t.Error(err)
	}
	p.Words["en"].Moods["Tea, or coffee"] = []string{"Tea"}
	if err := checkWords(p); err == nil {
		t.Error("a mood with a comma is accepted")
	}
}
