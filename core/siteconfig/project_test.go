package siteconfig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const shop = `
[data]
ratings = "orders.csv"
user-column = "customer"
min-user = 2
no-ratings = true
columns = ["price", "Cost, net"]
[train]
model = "shop.msgpack"
[site]
title = "Our shop"
links = [{ name = "Our shop", address = "https://shop.example/p/{id}" }]
[words.en]
things = "products"
groups = ["category", "categories"]
genres = { Cables = ["Cable", "cables"] }
moods = { "A gift" = ["Cables", "Lamps"] }
`

func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), Name)
	if err := os.WriteFile(path, []byte(shop), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if p.Site.Links[0].Name != "Our shop" || p.Words["en"].Genres["Cables"][1] != "cables" ||
		!slices.Equal(p.Words["en"].Moods["A gift"], []string{"Cables", "Lamps"}) {
		t.Errorf("read %+v", p)
	}
	in := func(name string) string { return filepath.Join(filepath.Dir(path), name) }
	want := []Flag{{"data", in("orders.csv")}, {"user-column", "customer"}, {"no-ratings", "true"}, {"min-user", "2"},
		{"columns", `price,"Cost, net"`}, {"out", in("shop.msgpack")}}
	if got := p.Flags(); !slices.Equal(got, want) {
		t.Errorf("the flags are %v, want %v", got, want)
	}
	if _, err := Read(in("none")); err == nil {
		t.Error("reading a missing file succeeded")
	}
}

// An error names its line, and the key that was probably meant.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"[data]\nratngs = \"a\"":                        `:2: unknown key "ratngs"; did you mean "ratings"?`,
		"\n[sites]\ntitle = \"a\"":                      `unknown table or key "sites"; did you mean "site"?`,
		"[data]\nzzzzzz = 1":                            `:2: unknown key "zzzzzz"; choose from ratings, items`,
		"[words.en]\nthingy = \"a\"":                    `:2: unknown key "thingy"; did you mean "thing"?`,
		"[words.en]\nmoods = { A = [] }":                `"A" in words.en.moods has no name or no genres`,
		"[words.en]\nthing = \"a\"":                     `words.en.thing is "a"; give the plural too`,
		"[words.fr]\nthings = \"produits\"":             "[words.fr]: the page does not speak that language yet; it speaks de and en",
		"[site]\nimport = false\nservices = [\"IMDb\"]": "site.import is false; remove one",
		"[[site.links]]\nname = \"a\"\nadress = \"b\"":  `:3: unknown key "adress"; did you mean "address"?`,
		"[data]\nmin-user = \"two\"":                    ":2: column 12: ",
		"[data]\nratings = ":                            ":2: column ",
		"[rules]\nat-most = { n = 2, colum = \"a\" }":   `:2: unknown key "colum"; did you mean "column"?`,
		"[rules]\nboost = [{ column = \"a\" }]":         "[rules] boost: the weight of \"a\" is 0",
		"[words.en]\ngroups = [\"a\"]":                  "give two",
		"[words.en.genres]\nA = []":                     "has 0 names",
		"[[site.links]]\nname = \"a\"":                  "needs a name and an address",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(shop))
	f.Add([]byte("[words]\nen = 3\n[[site.links]]\nx.y.z = 1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse(text)
		if err == nil {
			p.Flags()
		} else if !strings.HasPrefix(err.Error(), ":") {
			t.Errorf("the error does not begin with its place: %v", err)
		}
	})
}
