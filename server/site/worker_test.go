package site

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// offline returns the fixture with a service worker.
func offline(t testing.TB) Config {
	t.Helper()
	c := tree(t)
	page, err := os.ReadFile(filepath.Join(c.Tree, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	const script = `<script type="module" src="assets/js/offline.js" ` +
		`data-worker="assets/js/service-worker.js"></script>`
	put(t, c.Tree, "index.html", strings.Replace(string(page), "</head>", script+"</head>", 1))
	put(t, c.Tree, "assets/js/offline.js", "// registers it\n")
	put(t, c.Tree, "assets/js/service-worker.js", "// keeps the site\n"+placeholder+"\n")
	return c
}

// listed returns the worker's version and list.
func listed(t testing.TB, site map[string]string) (version string, files []workerFile) {
	t.Helper()
	m := siteLine.FindStringSubmatch(site["service-worker.js"])
	if m == nil {
		t.Fatalf("the worker has no list:\n%s", site["service-worker.js"])
	}
	var list struct {
		Version string
		Files   []workerFile
	}
	if err := json.Unmarshal([]byte(m[1]), &list); err != nil {
		t.Fatal(err)
	}
	return list.Version, list.Files
}

// The worker lists every file of the site except itself, those for other pages and compressed forms, with the digest of
// the content that a browser sees.
func TestWorkerListsEveryFile(t *testing.T) {
	c := offline(t)
	c.Copy["terms #1, 100% plain.txt"] = filepath.Join(c.Tree, "assets/data/small/README.txt")
	c.Copy["embed/pmlam.js"] = filepath.Join(c.Tree, "assets/data/small/README.txt")
	report := mustBuild(t, c)
	site := contents(t, c.Out)
	version, files := listed(t, site)
	if !strings.Contains(site["index.html"], `data-worker="service-worker.js" data-version="`+version+`"`) {
		t.Errorf("the page does not have version %s:\n%s", version, site["index.html"])
	}
	left := map[string]bool{}
	for _, f := range report.Files {
		left[f.Name] = true
	}
	delete(left, "service-worker.js")
	if !left["embed/pmlam.js"] {
		t.Error("the files for other pages are not published")
	}
	delete(left, "embed/pmlam.js")
	for _, f := range files {
		name, err := url.PathUnescape(f.Address)
		if err != nil {
			t.Fatal(err)
		}
		if !left[name] {
			t.Errorf("%s is listed twice or not a file of the site", name)
		}
		delete(left, name)
		sum := sha256.Sum256([]byte(site[name]))
		if f.Digest != hex.EncodeToString(sum[:]) {
			t.Errorf("%s is listed with the wrong digest", name)
		}
		if path.Ext(name) == ".wasm" && f.Type != "application/wasm" {
			t.Errorf("%s is listed as %s", name, f.Type)
		}
	}
	for name := range left {
		t.Errorf("%s is not listed", name)
	}
	for _, f := range report.Files {
		if f.Name == "service-worker.js" &&
			(!f.FirstLoad || !strings.HasSuffix(f.Source, "assets/js/service-worker.js")) {
			t.Errorf("the worker is reported as %+v", f)
		}
	}
}

// The version changes with any file, even unreferenced ones, and with nothing else.
func TestVersionFollowsTheFiles(t *testing.T) {
	c := offline(t)
	version := func() string {
		mustBuild(t, c)
		v, _ := listed(t, contents(t, c.Out))
		return v
	}
	seen := []string{version()}
	if again := version(); again != seen[0] {
		t.Errorf("the same files are version %s and %s", seen[0], again)
	}
	for _, change := range []struct{ name, text string }{
		{"assets/js/lib/shared.js", "export const shared = 2;\n"},
		{"assets/data/small/README.txt", "other terms\n"},
		{"built/shop.msgpack", "another model"},
	} {
		put(t, c.Tree, change.name, change.text)
		v := version()
		if slices.Contains(seen, v) {
			t.Errorf("with another %s the version is still %s", change.name, v)
		}
		seen = append(seen, v)
	}
	put(t, c.Tree, "assets/js/service-worker.js", "// keeps the site, better\n"+placeholder+"\n")
	if v := version(); v != seen[len(seen)-1] {
		t.Error("another worker with the same files changed the version")
	}
}

// Scripts that the worker loads are inserted into it, and published nowhere else.
func TestAWorkerOfSeveralScripts(t *testing.T) {
	c := offline(t)
	put(t, c.Tree, "assets/js/service-worker.js",
		placeholder+"\nimportScripts(\"first.js\");\nimportScripts(\"second.js\");\nlisten();\n")
	put(t, c.Tree, "assets/js/first.js", "const first = 1;\n")
	put(t, c.Tree, "assets/js/second.js", "// $1\nconst second = 2;\n")
	report, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(report.Unused, func(name string) bool { return strings.HasSuffix(name, ".js") }) {
		t.Errorf("unused: %q", report.Unused)
	}
	worker, err := os.ReadFile(filepath.Join(c.Out, "service-worker.js"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "\nconst first = 1;\n// $1\nconst second = 2;\nlisten();\n"
	if _, got, _ := strings.Cut(string(worker), "};"); got != want {
		t.Errorf("after its list the worker is %q, want %q", got, want)
	}
	if strings.Contains(string(worker), "first.js") {
		t.Error("the worker lists one of its own parts")
	}
}

func TestAWorkerThatCannotWork(t *testing.T) {
	page := func(body string) string { return "<!doctype html>\n<meta charset=utf-8>\n" + body }
	const named = `<script src="assets/js/offline.js" data-worker="assets/js/service-worker.js"></script>`
	for _, c := range []struct{ file, text, want string }{
		{"index.html", page(strings.Replace(named, "service-", "no-", 1)), "index.html:3: assets/js/no-worker.js does " +
			"not exist"},
		{"index.html", page(named + "\n" + named), "index.html:4: the page has a second service worker"},
		{"index.html", page(strings.ReplaceAll(named, `"`, "'")), "index.html:3: the value of data-worker needs " +
			"double quotes"},
		{"assets/js/service-worker.js", "const site = 1;", "must contain the line"},
		{"assets/js/service-worker.js", placeholder + "\nimportScripts(\"gone.js\");\n", "service-worker.js loads assets/js/gone.js: "},
	} {
		config := offline(t)
		put(t, config.Tree, c.file, c.text)
		_, err := Build(config)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n%s\ngot  %v\nwant %s", c.file, c.text, err, c.want)
		}
	}
	config := offline(t)
	config.Copy["service-worker.js"] = filepath.Join(config.Tree, "index.html")
	if _, err := Build(config); err == nil ||
		!strings.Contains(err.Error(), "would both be published as service-worker.js") {
		t.Errorf("two files of one name: %v", err)
	}
}
