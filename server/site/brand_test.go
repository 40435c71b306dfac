package site

import (
	"os"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/siteconfig"
)

// A colour that cannot be read on the page's ground is refused; where the system forces its colours, they stay.
func TestBrandColours(t *testing.T) {
	css, err := os.ReadFile("../../" + coloursName)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ light, dark, wrong string }{
		{"", "", ""}, {"#205a7a", "#8cc4e6", ""}, {"#205A7A", "#8cc4e6", ""},
		{"#8cc4e6", "#8cc4e6", "take a darker one"}, {"#205a7a", "#205a7a", "take a lighter one"},
		{"#205a7a", "", "accent-dark of site"}, {"blue", "#8cc4e6", "two colours like"},
		{"#205a7a;}", "#8cc4e6", "two colours like"},
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
			t.Error("without colours the style sheet changed")
		case !strings.Contains(string(got), "light-dark("+c.light) || !strings.Contains(string(got), "--brand: LinkText"):
			t.Errorf("%s is not in the style sheet, or forced colours are not", c.light)
		}
	}
	if k := contrast("#000000", "#ffffff"); k < 20.99 || k > 21.01 {
		t.Errorf("black and white have a contrast of %v", k)
	}
	if _, err := branded(&siteconfig.Project{Site: siteconfig.Site{Accent: "#205a7a"}}, coloursName, []byte("a{}")); err == nil {
		t.Error("a style sheet without those colours was taken")
	}
}
