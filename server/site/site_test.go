package site

import (
	"bytes"
	stdgzip "compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// tree copies the fixture and adds stand-ins for build outputs: a program of 30 kB that compresses to about a third, a
// kernel, wasm_exec.js and a model.
func tree(t testing.TB) Config {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/tree")); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	program := make([]byte, 30_000)
	for i := range program {
		program[i] = byte(random.NormFloat64() * 2)
	}
	put(t, dir, "built/app.wasm", string(program))
	put(t, dir, "built/kernel.wasm", "\x00asm kernel")
	put(t, dir, "built/wasm_exec.js", "globalThis.Go = class {};\n")
	put(t, dir, "built/shop.msgpack", strings.Repeat("\x93\x01\x02\x03", 1000))
	return Config{
		Tree: dir,
		Out:  filepath.Join(t.TempDir(), "site"),
		With: map[string]string{
			"assets/app.wasm":             filepath.Join(dir, "built/app.wasm"),
			"assets/kernel.wasm":          filepath.Join(dir, "built/kernel.wasm"),
			"assets/js/wasm_exec.js":      filepath.Join(dir, "built/wasm_exec.js"),
			"assets/models/small.msgpack": filepath.Join(dir, "built/shop.msgpack"),
		},
		Copy:    map[string]string{"assets/models/README.txt": filepath.Join(dir, "assets/data/small/README.txt")},
		Quality: 5,
	}
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func mustBuild(t testing.TB, c Config) *Report {
	t.Helper()
	r, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// contents reads a whole folder, except the list of written files.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if name == ".pmlam-site" {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var printedHash = regexp.MustCompile(`\.[0-9a-f]{12}\b`)

// plain removes the fingerprints from a text.
func plain(s string) string { return printedHash.ReplaceAllString(s, "") }

func TestSiteHoldsWhatThePageNamesAndNothingElse(t *testing.T) {
	c := tree(t)
	report := mustBuild(t, c)
	var got []string
	for name, text := range contents(t, c.Out) {
		if strings.HasSuffix(name, ".br") || strings.HasSuffix(name, ".gz") {
			continue
		}
		got = append(got, plain(name))
		keeps := slices.Contains([]string{"index.html", ".nojekyll", "assets/models/README.txt"}, name)
		if keeps == fingerprint.Matches(name, fingerprint.Sum([]byte(text))) {
			t.Errorf("%s: has a fingerprint of its content: %v", name, !keeps)
		}
	}
	slices.Sort(got)
	want := []string{
		".nojekyll", "assets/app.wasm", "assets/css/base.css", "assets/css/page.css", "assets/icons/dot.svg",
		"assets/icons/sprite.svg", "assets/js/lib/later.js", "assets/js/lib/shared.js", "assets/js/lib/start.js",
		"assets/js/lib/worker.js", "assets/js/loader.js", "assets/js/wasm_exec.js", "assets/kernel.wasm",
		"assets/models/README.txt", "assets/models/shop.msgpack", "assets/site.webmanifest", "index.html",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the site contains\n%q, want\n%q", got, want)
	}
	if want := []string{"assets/icons/unused.svg"}; !slices.Equal(report.Unused, want) {
		t.Errorf("unused: %q, want %q", report.Unused, want)
	}
	for _, role := range []string{"program", "kernel", "model"} {
		if files := report.Of(role); len(files) != 1 || !files[0].FirstLoad {
			t.Errorf("role %s: %+v", role, files)
		}
	}
	for _, f := range report.Files {
		if f.FirstLoad == (f.Name == "assets/models/README.txt") {
			t.Errorf("%s: first load is %v", f.Name, f.FirstLoad)
		}
	}
}

// Every reference leads to a file of the site, and only references were changed.
func TestReferencesAreRewritten(t *testing.T) {
	c := tree(t)
	mustBuild(t, c)
	site := contents(t, c.Out)
	seen := 0
	for name, text := range site {
		scan := scanners[path.Ext(name)]
		if scan == nil {
			continue
		}
		refs, err := scan([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range refs {
			to, err := r.target(name)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if to != "" {
				seen++
				if _, ok := site[to]; !ok {
					t.Errorf("%s refers to %s, which is missing", name, r.address)
				}
			}
		}
	}
	if seen != 21 {
		t.Errorf("followed %d references, want 21", seen)
	}
	for name, text := range site {
		if !slices.Contains([]string{".js", ".css", ".webmanifest"}, path.Ext(name)) ||
			plain(name) == "assets/js/wasm_exec.js" {
			continue
		}
		original, err := os.ReadFile(filepath.Join("testdata/tree", plain(name)))
		if err != nil {
			t.Fatal(err)
		}
		if plain(text) != string(original) {
			t.Errorf("%s differs from its original in more than the names:\n%s", name, text)
		}
	}
	page := plain(site["index.html"])
	for _, must := range []string{
		`<meta charset="utf-8">` + "\n" + `<meta http-equiv="Content-Security-Policy" content="` + server.MetaPolicy +
			`">`,
		`<!-- <link rel="stylesheet" href="assets/css/gone.css"> is a comment -->`,
		`data-program="assets/app.wasm" data-program-size="30000"`,
		`data-kernel="./assets/kernel.wasm" data-kernel-size="11"`,
		`data-model='assets/models/shop.msgpack' data-model-size='4000' data-name="assets of ours"`,
		`src="assets/icons/sprite.svg#heart" alt="src=assets/icons/gone.svg"`,
		`href="https://example.org/"`, `href="./"`, `href="?page=2"`,
	} {
		if !strings.Contains(page, must) {
			t.Errorf("the page lacks %s:\n%s", must, page)
		}
	}
}

func TestCompressedFormsUnpack(t *testing.T) {
	c := tree(t)
	report := mustBuild(t, c)
	site := contents(t, c.Out)
	for _, f := range report.Files {
		for suffix, size := range map[string]int{".br": f.Brotli, ".gz": f.Gzip} {
			packed, ok := site[f.Name+suffix]
			if !ok {
				if size != f.Raw {
					t.Errorf("%s%s is missing but reported with %d bytes", f.Name, suffix, size)
				}
				continue
			}
			var r io.Reader = brotli.NewReader(strings.NewReader(packed))
			if suffix == ".gz" {
				z, err := stdgzip.NewReader(strings.NewReader(packed))
				if err != nil {
					t.Fatal(err)
				}
				r = z
			}
			if data, err := io.ReadAll(r); err != nil || string(data) != site[f.Name] {
				t.Errorf("%s%s does not decompress to its original: %v", f.Name, suffix, err)
			}
			if len(packed) != size || size >= f.Raw {
				t.Errorf("%s%s has %d bytes, reported %d, raw %d", f.Name, suffix, len(packed), size, f.Raw)
			}
		}
	}
	for _, must := range []string{"index.html.br", "index.html.gz"} {
		if site[must] == "" {
			t.Errorf("no %s", must)
		}
	}
}

// The same inputs give the same bytes: from another folder, with and without a cache, over an older site.
func TestSameInputsSameBytes(t *testing.T) {
	sum := func(dir string) string {
		h, all := sha256.New(), contents(t, dir)
		for _, name := range sortedKeys(all) {
			fmt.Fprintf(h, "%q %q\n", name, all[name])
		}
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	first := tree(t)
	mustBuild(t, first)
	second := tree(t)
	second.Cache = t.TempDir()
	put(t, second.Tree, "built/app.wasm", "an older program")
	mustBuild(t, second)
	second.With = tree(t).With // the right program, and everything else again
	for range 2 {
		mustBuild(t, second)
		if sum(first.Out) != sum(second.Out) {
			t.Fatal("two builds from the same inputs differ")
		}
	}
}

// A change affects only the names of the files above it.
func TestNamesFollowChanges(t *testing.T) {
	c := tree(t)
	names := func() map[string]string {
		m := map[string]string{}
		for _, f := range mustBuild(t, c).Files {
			m[f.Source] = f.Name
		}
		return m
	}
	before := names()
	put(t, c.Tree, "assets/js/lib/shared.js", "export const shared = 2;\n")
	after := names()
	var changed []string
	for _, source := range sortedKeys(before) {
		if before[source] != after[source] {
			changed = append(changed, source)
		}
	}
	want := []string{
		"assets/js/lib/later.js", "assets/js/lib/shared.js", "assets/js/lib/start.js", "assets/js/loader.js",
	}
	if !slices.Equal(changed, want) {
		t.Errorf("changed: %q, want %q", changed, want)
	}
}

func TestWhatCannotWorkIsAnErrorWithItsPlace(t *testing.T) {
	page := func(body string) string { return "<!doctype html>\n<meta charset=utf-8>\n" + body }
	for _, c := range []struct{ file, text, want string }{
		{"index.html", page("<p>\n<img src='assets/no.svg'>"), "index.html:4: assets/no.svg does not exist"},
		{"index.html", page("<img src=/assets/icons/dot.svg>"), "index.html:3: the address \"/assets/icons/dot.svg\" " +
			"begins with a slash"},
		{"index.html", page("<script src=https://cdn.example/x.js></script>"), "index.html:3: " +
			"\"https://cdn.example/x.js\" is loaded from another site"},
		{"index.html", page("<link rel=stylesheet href=//cdn.example/x.css>"), "loaded from another site"},
		{"index.html", page("<img src=../up.svg>"), "points outside the site"},
		{"index.html", page("<a href=assets/data/small/ratings.csv>data</a>"), "never published"},
		{"index.html", page("<a href=assets/css>folder</a>"), "index.html:3: cannot read assets/css"},
		{"index.html", page("<script>alert(1)</script>"), "index.html:3: the site's policy blocks inline content of <script>"},
		{"index.html", page("<style>p{}</style>"), "index.html:3: the site's policy blocks inline content of <style>"},
		{"index.html", page("<p\nstyle='x'>"), "index.html:4: the attribute style is inline code"},
		{"index.html", page("<p onclick=x()>"), "the attribute onclick is inline code"},
		{"index.html", page("<img srcset='assets/icons/dot.svg 2x'>"), "srcset"},
		{"index.html", page("<p data-model=assets/app.wasm>"), "needs quotes"},
		{"index.html", "<!doctype html><p>", "index.html:1: the page has no <meta charset"},
		{"assets/js/lib/shared.js", "\n\nimport './none.js';", "shared.js:3: ./none.js does not exist"},
		{"assets/js/lib/shared.js", "import x from 'lodash';", "shared.js:1: browsers cannot resolve the bare import \"lodash\""},
		{"assets/js/lib/shared.js", "const x = import('/abs.js');", "begins with a slash"},
		{"assets/js/lib/shared.js", "import 'https://cdn.example/x.js';", "another site"},
		{"assets/js/lib/shared.js", "import '../loader.js';", "assets/js/loader.js → assets/js/lib/start.js → " +
			"assets/js/lib/shared.js → assets/js/loader.js refer to one another in a circle"},
		{"assets/css/base.css", "p {\n src: url(none.woff2) }", "base.css:2: none.woff2 does not exist"},
		{"assets/css/base.css", "@import 'none.css';", "base.css:1: none.css does not exist"},
		{"assets/site.webmanifest", "{\n\"icons\":[{\"src\":\"none.png\"}]}", "site.webmanifest:2: none.png does not exist"},
	} {
		config := tree(t)
		put(t, config.Tree, c.file, c.text)
		_, err := Build(config)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%s\ngot  %v\nwant %s", c.file, c.text, err, c.want)
		}
	}
	missing := tree(t)
	missing.With["assets/app.wasm"] = "nowhere/app.wasm"
	if _, err := Build(missing); err == nil || !strings.Contains(err.Error(), "expected at nowhere/app.wasm") {
		t.Errorf("a missing program: %v", err)
	}
	outside := tree(t)
	outside.Copy["../LICENSE"] = "LICENSE"
	if _, err := Build(outside); err == nil || !strings.Contains(err.Error(), "not an address in the site") {
		t.Errorf("a copy outside the site: %v", err)
	}
}

func TestAFailedBuildLeavesTheOlderSite(t *testing.T) {
	c := tree(t)
	mustBuild(t, c)
	before := contents(t, c.Out)
	put(t, c.Tree, "assets/css/base.css", "p { src: url(none.woff2) }")
	if _, err := Build(c); err == nil {
		t.Fatal("no error")
	}
	after := contents(t, c.Out)
	if len(before) != len(after) {
		t.Errorf("%d files before, %d after", len(before), len(after))
	}
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s changed", name)
		}
	}
}

func TestNothingElseIsOverwritten(t *testing.T) {
	c := tree(t)
	c.Out = t.TempDir()
	mustBuild(t, c) // an empty folder can be used
	c.Out = t.TempDir()
	put(t, c.Out, "letter.txt", "dear")
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "holds letter.txt, and no list") {
		t.Errorf("got %v", err)
	}
	if got := contents(t, c.Out); got["letter.txt"] != "dear" || len(got) != 1 {
		t.Errorf("the folder now contains %q", got)
	}
}

func TestBudgets(t *testing.T) {
	r := &Report{Files: []File{
		{Name: "a", Brotli: ProgramBudget, FirstLoad: true, Roles: []string{"program"}},
		{Name: "b", Brotli: ModelBudget, FirstLoad: true, Roles: []string{"model"}},
		{Name: "c", Brotli: FirstLoadBudget - ProgramBudget - ModelBudget, FirstLoad: true},
		{Name: "d", Brotli: 5_000_000},
		{Name: "embed/embed.wasm", Brotli: EmbeddedBudget},
	}}
	if err := r.Over(); err != nil {
		t.Errorf("at the limits: %v", err)
	}
	r.Files[0].Brotli++
	r.Files[4].Brotli += 2
	err := r.Over()
	if err == nil || !strings.Contains(err.Error(), "the program has 1,400,001 bytes in brotli, 1 more") ||
		!strings.Contains(err.Error(), "the embedded program has 860,002 bytes in brotli, 2 more") ||
		!strings.Contains(err.Error(), "first load") ||
		strings.Contains(err.Error(), "model has") {
		t.Errorf("one byte over: %v", err)
	}
	var b bytes.Buffer
	if err := r.Print(&b, true); err != nil || !strings.Contains(b.String(), "1,400,001") ||
		!strings.Contains(b.String(), "first load") {
		t.Errorf("%v:\n%s", err, b.String())
	}
}

// FuzzReferences feeds random content to each scanner. It must not panic, must find references in order and inside the
// text, and replacing each by itself must give the text back.
func FuzzReferences(f *testing.F) {
	kinds := sortedKeys(scanners)
	for i, kind := range kinds {
		names, err := filepath.Glob("testdata/tree/*/*/*" + kind)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range append(names, "testdata/tree/index.html") {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(uint8(i), data)
		}
	}
	f.Add(uint8(slices.Index(kinds, ".html")), []byte("<p a=\"<img src='x'>\" b='\n' src=x></P/ href><!-- <a"))
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		refs, err := scanners[kinds[int(kind)%len(kinds)]](content)
		if err != nil {
			if text := place("file", content, err).Error(); !strings.HasPrefix(text, "file:") {
				t.Fatalf("an error without a position: %s", text)
			}
			return
		}
		at, edits := 0, []edit{}
		for _, r := range refs {
			if r.start < at || r.end < r.start || r.end > len(content) || string(content[r.start:r.end]) != r.address {
				t.Fatalf("reference %+v after offset %d of %d bytes", r, at, len(content))
			}
			at = r.end
			edits = append(edits, edit{r.start, r.end, r.address})
			if to, err := r.target("assets/x"); err == nil && to != "" && !fs.ValidPath(to) {
				t.Fatalf("%q resolves to %q", r.address, to)
			}
		}
		if !bytes.Equal(apply(content, edits), content) {
			t.Fatal("edits that change nothing changed something")
		}
	})
}
