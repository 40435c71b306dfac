package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// The steps of docs/owners.md work for the shop of testdata. The page's program is a stand-in.
func TestOwnersPage(t *testing.T) {
	text := string(read(t, repo+"/docs/owners.md"))
	folder, ran := t.TempDir(), 0
	if err := os.CopyFS(filepath.Join(folder, "shop"), os.DirFS("testdata/shop")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for _, block := range regexp.MustCompile("(?s)```(console|toml)\n(.*?)```").FindAllStringSubmatch(text, -1) {
		if block[1] == "toml" {
			replaceEnd(t, "pmlam.toml", block[2])
			continue
		}
		for _, example := range strings.Split("\n"+block[2], "\n$ ")[1:] {
			line, want, _ := strings.Cut(example, "\n")
			ran++
			words := shellWords(line)
			switch words[0] {
			case "cd":
				t.Chdir(words[1])
			case "pmlam":
				r := ok(t, words[1:]...)
				if got := r.errors + r.out; !like(want, got) {
					t.Errorf("$ %s\nthe page has\n%s\nit printed\n%s", line, want, got)
				}
			default:
				t.Errorf("%s is not a line of this test", line)
			}
		}
	}
	if ran != 5 {
		t.Errorf("ran %d lines, want 5", ran)
	}
	checkShop(t, "public")
}

// shellWords splits a line at blanks, except within double quotes.
func shellWords(line string) (words []string) {
	for _, m := range regexp.MustCompile(`"([^"]*)"|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}

// replaceEnd replaces a project file from its table site on.
func replaceEnd(t *testing.T, path, end string) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, _, found := bytes.Cut(b, []byte("[site]"))
	if !found {
		t.Fatalf("%s has no table site:\n%s", path, b)
	}
	if err := os.WriteFile(path, append(head, end...), 0o600); err != nil {
		t.Fatal(err)
	}
}

// like reports whether the lines of want, except "…", occur in got in order; "…" inside a line matches anything.
func like(want, got string) bool {
	pattern := "(?s)"
	for line := range strings.Lines(want) {
		if line = strings.TrimRight(line, "\n"); line != "…" && line != "" {
			pattern += ".*" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", "[^\n]*")
		}
	}
	return regexp.MustCompile(pattern).MatchString(got)
}

// checkShop checks that the site is the shop's, and that no text of the demo is left.
func checkShop(t *testing.T, folder string) {
	t.Helper()
	read := func(pattern string) string {
		found, _ := filepath.Glob(filepath.Join(folder, pattern))
		if len(found) != 1 {
			t.Fatalf("the site has %d files %s: %q", len(found), pattern, found)
		}
		b, err := os.ReadFile(found[0])
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	page := read("index.html")
	for _, want := range []string{
		"<title>Kettle &amp; Co.: what next?</title>", `name="application-name" content="Kettle &amp; Co."`,
		`name="title-nouns" content="de Produkt/Produkte; en product/products"`, `name="title-known" content="de Gekauft; en Bought"`,
		`name="title-groups" content="de Kategorie/Kategorien; en category/categories"`,
		`name="title-links" content="Our shop https://shop.example/p/{id}"`, `name="title-pictures" content="{image}"`,
		"Pick three products you love", "/model.", `name="title-price" content="{price} €"`, `name="pmlam-rules" content="{&#34;inStock&#34;:&#34;stock&#34;,`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	manifest := read("assets/app.*.webmanifest")
	if !strings.Contains(manifest, `"short_name": "Kettle \u0026 Co."`) || !strings.Contains(manifest, "logo.") {
		t.Errorf("the manifest is\n%s", manifest)
	}
	for _, wrong := range []string{"film", "Film", "IMDb", "Letterboxd", "movie", "Ellipsis", "entertainment"} {
		for name, text := range map[string]string{"page": page, "manifest": manifest} {
			if strings.Contains(text, wrong) {
				t.Errorf("the %s contains %q", name, wrong)
			}
		}
	}
	colours := read("assets/css/tokens.*.css")
	if !strings.Contains(colours, "--brand: light-dark(#205a7a, #8cc4e6);") || !strings.Contains(colours, "logo.") {
		t.Error("the style sheet lacks the shop's colour and logo")
	}
	if headers := read("_headers"); !strings.Contains(headers, "/*\n  Content-Security-Policy: default-src 'none';") ||
		!strings.Contains(headers, "immutable") {
		t.Errorf("_headers is\n%s", headers)
	}
	policy, _, _ := strings.Cut(strings.SplitN(page, `http-equiv="Content-Security-Policy" content="`, 2)[1], `"`)
	for file, line := range map[string]string{
		"nginx.conf": `add_header Content-Security-Policy "` + policy + `; frame-ancestors 'none'" always;`,
		"Caddyfile":  `Content-Security-Policy "` + policy + `; frame-ancestors 'none'"`,
		".htaccess":  `Header always set Content-Security-Policy "` + policy + `; frame-ancestors 'none'"`,
	} {
		if text := read(file); !strings.Contains(text, line+"\n") || !strings.Contains(text, "immutable") {
			t.Errorf("%s is\n%s", file, text)
		}
	}
	read("embed/pmlam.js")
	read("robots.txt")
	if text := read("llms.txt"); !strings.Contains(text, "pmlam mcp --model") || !strings.Contains(text, "rules.json") {
		t.Errorf("llms.txt is %s", text)
	}
	if got, want := read("rules.json"), `{"inStock":"stock","excluded":["p40"],"pinned":["p7"],"boost":[{"column":"price",`+
		`"weight":0.3}],"atMost":{"n":2,"column":"brand"}}`+"\n"; got != want {
		t.Errorf("rules.json is %s, want %s", got, want)
	}
	if got := read("pictures/p1.svg"); !strings.HasPrefix(got, "<svg") {
		t.Errorf("a picture is %q", got)
	}
	if worker := read("service-worker.js"); strings.Contains(worker, "pictures/") {
		t.Error("every visitor would download all pictures")
	}
}

// Mistakes in the project file are reported before anything is written.
func TestProjectMistakes(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "pmlam.toml")
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shipped, err := filepath.Abs("../../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	const rules = "[train]\nmodel = \"%\"\n[rules]\n"
	for text, want := range map[string]string{
		"[site]\ntitle = \"a\"":                                                                "does not name a model",
		"[train]\nmodel = \"none.msgpack\"":                                                    "pmlam train writes it",
		"[train]\nmodel = \"%\"\n[site]\nlogo = \"logo.png\"":                                  "is not an SVG file",
		"[train]\nmodel = \"%\"\n[site]\ncopy = [\"../elsewhere\"]":                            "next to pmlam.toml",
		"[train]\nmodel = \"%\"\n[site]\ncopy = [\"nothing\"]":                                 "copy of site: nothing does not exist",
		"[train]\nmodel = \"%\"\n[site]\npictures = \"http://a.example/{id}.jpg\"":             "must begin with https:// or be relative",
		"[train]\nmodel = \"%\"\n[site]\npicture-origins = [\"https://a.example/; x\"]":        "picture-origins",
		rules + "in-stock = \"stock\"":                                                         `no column "stock"; it has imdbId`,
		"[train]\nmodel = \"%\"\n[site]\nprice = \"{cost}\"":                                   `names the column "cost"`,
		"[train]\nmodel = \"%\"\n[site]\npictures = \"{image}\"":                               `pictures of site: "{image}" names`,
		"[train]\nmodel = \"%\"\n[[site.links]]\nname = \"a\"\naddress = \"https://a/{url}\"":  `names the column "url"`,
		rules + "at-most = { n = 2 }":                                                          "n of 1 or more",
		rules + "boost = [{ column = \"imdbId\" }]":                                            "weight of \"imdbId\" is 0",
		rules + "at-most = { n = 2, colum = \"imdbId\" }":                                      `unknown key "colum"; did you mean "column"?`,
		"[train]\nmodel = \"%\"\n[words.en]\nknown = \"a;b\"":                                  "must not contain",
		"[train]\nmodel = \"%\"\n[words.en]\nthings = \"a/b\"":                                 "must not contain",
		"[train]\nmodel = \"%\"\n[[site.links]]\nname = \"a;b\"\naddress = \"https://a/{id}\"": "a semicolon",
	} {
		put("pmlam.toml", strings.ReplaceAll(text, "%", shipped))
		out := filepath.Join(t.TempDir(), "site")
		r := command("site", "--out", out, "--quality", "0", "--project", file)
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("%s: %s, want %q", text, r.errors, want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: a site was written", text)
		}
	}
}

// An id that is no longer in the catalogue is reported, but the site is written: a sold-out product must not block
// updates.
func TestVanishedIDs(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "pmlam.toml")
	shipped, err := filepath.Abs("../../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("[train]\nmodel = \""+shipped+"\"\n[site]\nout = \"public\"\n[rules]\n"+
		"pinned = [\"1\", \"gone\"]\nexcluded = [\"gone too\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ok(t, "site", "--quality", "0", "--project", file).errors; !strings.Contains(got, `not in the catalogue: "gone too" "gone" (ignored until they return`) {
		t.Errorf("got %q", got)
	}
	if _, err := os.Stat(filepath.Join(folder, "public/index.html")); err != nil {
		t.Error(err)
	}
}
