package siteconfig

import (
	"strings"
	"testing"
)

func TestEdit(t *testing.T) {
	const text = "# About.\n[data]\nname = \"a\"\n\n[site]\ntitle = \"Old\" # shown\n# accent = \"#b23a12\" # light\n" +
		"links = [\n  { name = \"A\", address = \"https://a.example/{id}\" },\n]\n\n[words.en]\n# thing = \"product\"\n"
	for _, c := range []struct{ name, table, key, value, old, replaced string }{
		{"a given key", "site", "title", `"New"`, "title = \"Old\" # shown\n", "title = \"New\"\n"},
		{"a key in a comment", "site", "accent", `"#000000"`, "# accent = \"#b23a12\" # light\n", "accent = \"#000000\"\n"},
		{"a value of several lines", "site", "links", "[]",
			"links = [\n  { name = \"A\", address = \"https://a.example/{id}\" },\n]\n", "links = []\n"},
		{"a key that is left out", "site", "title", "", "title = ", "# title = "},
		{"several lines left out", "site", "links", "",
			"links = [\n  { name = \"A\", address = \"https://a.example/{id}\" },\n]\n",
			"# links = [\n#   { name = \"A\", address = \"https://a.example/{id}\" },\n# ]\n"},
		{"a key without a place", "site", "price", `"{price}"`, "]\n\n", "]\nprice = \"{price}\"\n\n"},
		{"a table that is not there", "words.de", "things", `"Dinge"`, "# thing = \"product\"\n",
			"# thing = \"product\"\n\n[words.de]\nthings = \"Dinge\"\n"},
		{"nothing to leave out", "words.de", "thing", "", "", ""},
	} {
		got, err := Edit(text, c.table, c.key, c.value)
		if want := replaceOnce(t, text, c.old, c.replaced); err != nil || got != want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if _, err := Parse([]byte(got)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Edit("[site]\nlinks = [\n", "site", "links", "[]"); err == nil {
		t.Error("a value without an end was replaced")
	}
}

func replaceOnce(t *testing.T, text, old, replaced string) string {
	t.Helper()
	if old == "" {
		return text
	}
	before, after, ok := strings.Cut(text, old)
	if !ok {
		t.Fatalf("%q is not in the text", old)
	}
	return before + replaced + after
}
