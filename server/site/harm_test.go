package site

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/delta"
	"github.com/pmlam/pmlam/core/publish"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// owned returns a build for a project file with this text, in the test's folder.
func owned(t *testing.T, folder, text string) Config {
	t.Helper()
	c := tree(t)
	put(t, folder, "pmlam.toml", text)
	p, err := siteconfig.Read(filepath.Join(folder, "pmlam.toml"))
	if err != nil {
		t.Fatal(err)
	}
	c.Project = p
	if p.Site.Out != "" {
		c.Out = p.Path(p.Site.Out)
	}
	return c
}

// every returns all contents, including the files of package publish, and links.
func every(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Type().IsRegular() {
			b, err := os.ReadFile(path)
			all[path] = string(b)
			return err
		}
		all[path] = d.Type().String()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A build that would destroy its owner's files in, next to or above the site's folder is refused, and changes nothing.
func TestNoBuildDestroysOwnersFiles(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string // in the project's folder
		text  string            // of pmlam.toml
		want  string
	}{
		"the repository": {map[string]string{".git/HEAD": "ref", ".nojekyll": "", "src/a.go": "x", "m.msgpack": "m"},
			"[train]\nmodel = \"m.msgpack\"\n[site]\nout = \".\"\n", "holds the project file"},
		"a page in docs": {map[string]string{"docs/.nojekyll": "", "docs/hand.html": "mine"},
			"[site]\nout = \"docs\"\n", "docs holds .nojekyll, and no list"},
		"a checkout of gh-pages": {map[string]string{"pages/.git/HEAD": "ref", "pages/.nojekyll": "", "pages/CNAME": "me"},
			"[site]\nout = \"pages\"\n", "holds a repository, .git"},
		"above all": {map[string]string{"m.msgpack": "m"}, "[site]\nout = \"..\"\n", "holds the project file"},
		"the model": {map[string]string{"public/m.msgpack": "m"},
			"[train]\nmodel = \"public/m.msgpack\"\n[site]\nout = \"public\"\n", "holds the model"},
		"the data": {map[string]string{"public/orders.csv": "m"},
			"[data]\nratings = \"public/orders.csv\"\n[site]\nout = \"public\"\n", "holds the data"},
		"the catalogue": {map[string]string{"public/p/items.csv": "m"},
			"[data]\nitems = \"public/p/items.csv\"\n[site]\nout = \"public\"\n", "holds the catalogue"},
		"the pictures": {map[string]string{"pictures/a.jpg": "m"},
			"[site]\nout = \"pictures\"\ncopy = [\"pictures\"]\n", "holds files that are copied into the site"},
		"above the pictures": {map[string]string{"static/pictures/a.jpg": "m"},
			"[site]\nout = \"static\"\ncopy = [\"static/pictures\"]\n", "holds files that are copied into the site"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for file, text := range c.files {
				put(t, folder, file, text)
			}
			config := owned(t, folder, c.text)
			before := every(t, folder)
			if _, err := Build(config); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if after := every(t, folder); !maps.Equal(before, after) {
				t.Errorf("before: %q; after: %q", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
			}
		})
	}
}

// Folders with the names of temporary ones and files added to the site's folder are unchanged; the report lists them.
func TestOtherFilesStay(t *testing.T) {
	c := offline(t)
	mustBuild(t, c)
	for _, suffix := range []string{".old.tmp", ".new.tmp"} {
		put(t, c.Out+suffix, "mine.txt", "mine")
	}
	put(t, c.Out, "CNAME", "shop.example")
	put(t, c.Out, "assets/mine.js.tmp", "mine")
	put(t, c.Tree, "built/shop.msgpack", "another model")
	r := mustBuild(t, c)
	if want := []string{"CNAME", "assets/mine.js.tmp"}; !slices.Equal(r.Others, want) {
		t.Errorf("others are %q, want %q", r.Others, want)
	}
	var text strings.Builder
	if err := r.Print(&text, false); err != nil || !strings.Contains(text.String(), "was changed since: CNAME\n") {
		t.Errorf("%v\n%s", err, &text)
	}
	for _, file := range []string{c.Out + ".old.tmp/mine.txt", c.Out + ".new.tmp/mine.txt", c.Out + "/CNAME",
		c.Out + "/assets/mine.js.tmp"} {
		if _, err := os.Stat(file); err != nil {
			t.Error(err)
		}
	}
	if models, _ := filepath.Glob(c.Out + "/assets/models/shop.*.msgpack"); len(models) != 1 {
		t.Errorf("the models are %q", models)
	}
}

// A mistake in the project file does not publish the data under another name.
func TestDataAreNotPublished(t *testing.T) {
	folder := t.TempDir()
	put(t, folder, "orders.csv", "c1,p1")
	put(t, folder, "items.csv", "p1,cost")
	for file, want := range map[string]string{"orders.csv": "it is the data", "items.csv": "it is the catalogue's file",
		"pmlam.toml": "it is the project file"} {
		c := owned(t, folder, "[data]\nratings = \"orders.csv\"\nitems = \"items.csv\"\n")
		for _, m := range []map[string]string{c.With, c.Copy} {
			address := sortedKeys(m)[0]
			before := m[address]
			m[address] = filepath.Join(folder, file)
			if _, err := Build(c); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", file, err)
			}
			m[address] = before
		}
	}
}

// Many other files are listed by folder, and their names cannot disturb a terminal.
func TestOtherFilesAreListed(t *testing.T) {
	r := &Report{Others: []string{"CNAME", "x\x1b]0;y"}}
	if got := r.lines(); len(got) != 2 || strings.Contains(got[1], "\x1b") || !strings.HasSuffix(got[0], ": CNAME") {
		t.Errorf("%q", got)
	}
	for i := range 2000 {
		r.Others = append(r.Others, fmt.Sprintf("model/5e7/%d.bin", i))
	}
	if got := r.lines(); len(got) != 3 || !strings.HasSuffix(got[2], ": model/, 2,000 files") {
		t.Errorf("%q", got)
	}
}

// deadly kills the process before a step that changes the folder.
type deadly struct {
	publish.FS
	steps int // steps left until the kill
}

func (d *deadly) step() {
	if d.steps == 0 {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Kill()
		}
		select {}
	}
	d.steps--
}

func (d *deadly) MakeFolder(path string) error   { d.step(); return d.FS.MakeFolder(path) }
func (d *deadly) Rename(from, to string) error   { d.step(); return d.FS.Rename(from, to) }
func (d *deadly) Remove(path string) error       { d.step(); return d.FS.Remove(path) }
func (d *deadly) SyncFolder(folder string) error { d.step(); return d.FS.SyncFolder(folder) }

// killTree, killOut and killStep tell a child process of this test what to build, and before which step to die.
const killTree, killOut, killStep = "PMLAM_TEST_KILL_TREE", "PMLAM_TEST_KILL_OUT", "PMLAM_TEST_KILL_STEP"

// Whenever a build is killed (SIGKILL), the folder holds the older or the newer page with all its files, and the next
// build completes it, with itself as the previous site.
func TestKilledBuilds(t *testing.T) {
	if folder := os.Getenv(killTree); folder != "" {
		c := tree(t)
		c.Tree, c.Out, c.Previous = folder, os.Getenv(killOut), os.Getenv(killOut)
		step, _ := strconv.Atoi(os.Getenv(killStep))
		c.disk = &deadly{publish.Disk, step}
		if _, err := Build(c); err != nil {
			t.Fatal(err)
		}
		return
	}
	c := offline(t)
	older := filepath.Join(t.TempDir(), "older")
	first := c
	first.Out, first.Previous = older, ""
	mustBuild(t, first)
	put(t, older, "CNAME", "shop.example")
	put(t, c.Tree, "assets/js/lib/shared.js", "export const shared = 2;\n")
	put(t, c.Tree, "assets/data/small/README.txt", "other terms\n")
	whole := c
	whole.Out, whole.Previous = filepath.Join(t.TempDir(), "whole"), older
	mustBuild(t, whole)
	want := contents(t, whole.Out)
	// The deltas depend on which of the two sites was found.
	named := func(name, _ string) bool {
		return strings.HasPrefix(name, deltas) || strings.HasPrefix(name, "service-worker.js")
	}
	maps.DeleteFunc(want, named)
	killed := 0
	for n := 0; ; n++ {
		c.Out = filepath.Join(t.TempDir(), "site")
		c.Previous = c.Out
		if err := os.CopyFS(c.Out, os.DirFS(older)); err != nil {
			t.Fatal(err)
		}
		other := exec.Command(os.Args[0], "-test.run", "^TestKilledBuilds$")
		other.Env = append(os.Environ(), killTree+"="+c.Tree, killOut+"="+c.Out, killStep+"="+strconv.Itoa(n))
		out, err := other.CombinedOutput()
		if err != nil && other.ProcessState.ExitCode() != -1 { // -1 means killed by a signal
			t.Fatalf("%v\n%s", err, out)
		}
		site := contents(t, c.Out)
		if site["CNAME"] != "shop.example" {
			t.Fatalf("killed before step %d: CNAME is lost", n)
		}
		for at, queue := 0, []string{page}; at < len(queue); at++ {
			text, ok := site[queue[at]]
			if !ok {
				t.Fatalf("killed before step %d: %s is missing", n, queue[at])
			}
			scan := scanners[filepath.Ext(queue[at])]
			if scan == nil {
				continue
			}
			refs, err := scan([]byte(text))
			if err != nil {
				t.Fatalf("killed before step %d: %s: %v", n, queue[at], err)
			}
			for _, r := range refs {
				to, err := r.target(queue[at])
				if err != nil {
					t.Fatal(err)
				}
				if r.attribute != workerAttribute && to != "" && !slices.Contains(queue, to) {
					queue = append(queue, to)
				}
			}
		}
		if err == nil {
			break
		}
		killed++
		mustBuild(t, c)
		got := contents(t, c.Out)
		delete(got, "CNAME")
		maps.DeleteFunc(got, named)
		if !maps.Equal(got, want) {
			t.Fatalf("killed before step %d: after the next build there are %q, want %q", n, slices.Sorted(maps.Keys(got)),
				slices.Sorted(maps.Keys(want)))
		}
	}
	if killed < 40 {
		t.Errorf("there were %d steps", killed)
	}
	t.Logf("killed before each of %d steps", killed)
}

// hostile writes a service worker for an older site, with any steps to the model.
func hostile(t *testing.T, c Config, steps func(f workerFile) []workerStep) {
	t.Helper()
	worker, err := os.ReadFile(filepath.Join(c.Previous, "service-worker.js"))
	if err != nil {
		t.Fatal(err)
	}
	version, files := listed(t, map[string]string{"service-worker.js": string(worker)})
	for i, f := range files {
		if strings.Contains(f.Address, "shop.") {
			files[i].Steps = steps(f)
		}
	}
	text, err := json.Marshal(map[string]any{"version": version, "files": files})
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.Previous, "service-worker.js", "const site = "+string(text)+";\n")
}

// An older site adds nothing to the new one except deltas that lead to the file, under their names here. Nothing
// outside its folder is read, nor pipes.
func TestPreviousSiteIsUntrusted(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret.txt")
	put(t, filepath.Dir(secret), "secret.txt", "a secret")
	good := delta.Make([]byte("older"), []byte("older, and newer"))
	for name, c := range map[string]struct {
		address string
		content []byte
		from    func(f *workerBase)
	}{
		"a page":             {"login/index.html", []byte("<p>your password?"), nil},
		"the page":           {"index.html.br", []byte("<p>your password?"), nil},
		"a folder":           {"deltas/x/index.html", []byte("<p>"), nil},
		"a script":           {"deltas/evil.js", []byte("alert(1)"), nil},
		"named as a delta":   {deltaAddress("assets/models/shop.msgpack", []byte("<p>")), []byte("<p>"), nil},
		"of another file":    {deltaAddress("assets/other.js", good), good, nil},
		"in another folder":  {"assets/" + deltaAddress("assets/models/shop.msgpack", good), good, nil},
		"out of the folder":  {"../secret.txt", []byte("a secret"), nil},
		"by another address": {"%2e%2e/secret.txt", []byte("a secret"), nil},
		"by its path":        {secret, []byte("a secret"), nil},
		"by a link":          {"deltas/link.delta", []byte("a secret"), nil},
		"a pipe":             {"deltas/pipe.delta", []byte(""), nil},
		"from another file": {deltaAddress("assets/models/shop.msgpack", good), good,
			func(f *workerBase) { f.Address = "../../elsewhere" }},
		"from no digest": {deltaAddress("assets/models/shop.msgpack", good), good, func(f *workerBase) { f.Digest = "x" }},
	} {
		t.Run(name, func(t *testing.T) {
			config := offline(t)
			config.Previous = filepath.Join(t.TempDir(), "before")
			first := config
			first.Out, first.Previous = config.Previous, ""
			mustBuild(t, first)
			switch name {
			case "by a link":
				os.MkdirAll(filepath.Join(config.Previous, "deltas"), 0o755)
				if err := os.Symlink(secret, filepath.Join(config.Previous, c.address)); err != nil {
					t.Fatal(err)
				}
			case "a pipe":
				os.MkdirAll(filepath.Join(config.Previous, "deltas"), 0o755)
				pipe(t, filepath.Join(config.Previous, c.address))
			case "by its path", "by another address":
			default:
				put(t, config.Previous, c.address, string(c.content))
			}
			hostile(t, config, func(f workerFile) []workerStep {
				from := workerBase{f.Address, strings.Repeat("0", 64)}
				if c.from != nil {
					c.from(&from)
				}
				return []workerStep{{from, c.address, len(c.content), fingerprint.Sum(c.content)}}
			})
			r := mustBuild(t, config)
			if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "damaged there") {
				t.Errorf("got the notes %q", r.Notes)
			}
			plain := config
			plain.Previous, plain.Out = "", filepath.Join(t.TempDir(), "plain")
			mustBuild(t, plain)
			got, want := contents(t, config.Out), contents(t, plain.Out)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("the site contains %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		})
	}
}

// Only files in the project's folder are copied, and nothing private.
func TestCopies(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "x/secret.txt", "a secret")
	for name, c := range map[string]struct {
		copy  string
		make  func(folder string) error
		want  string   // the error, or ""
		files []string // copied files
		notes []string
	}{
		"pictures": {`"pictures"`, nil, "", []string{"pictures/a.svg", "pictures/sub/b.jpg"}, nil},
		"a link to a file": {`"link"`, func(f string) error { return os.Symlink("/etc/hosts", f+"/link") },
			"link is a link", nil, nil},
		"a link within": {`"pictures"`, func(f string) error { return os.Symlink("a.svg", f+"/pictures/link") },
			"pictures/link is a link", nil, nil},
		"a link to a folder": {`"link"`, func(f string) error { return os.Symlink(outside, f+"/link") },
			"link is a link", nil, nil},
		"through a link": {`"link/x"`, func(f string) error { return os.Symlink(outside, f+"/link") },
			"link is a link", nil, nil},
		"through a link to a file": {`"link/x/secret.txt"`, func(f string) error { return os.Symlink(outside, f+"/link") },
			"link is a link", nil, nil},
		"through a link within": {`"link/sub"`, func(f string) error { return os.Symlink("pictures", f+"/link") },
			"link is a link", nil, nil},
		"a repository":           {`".git"`, nil, ".git is a repository", nil, nil},
		"a repository's file":    {`".git/config"`, nil, ".git is a repository", nil, nil},
		"a repository within":    {`"clone"`, nil, "clone/.git is a repository", nil, nil},
		"a worktree":             {`"tree"`, nil, "tree/.git is a repository", nil, nil},
		"all":                    {`"."`, nil, "must be a folder or file next to", nil, nil},
		"all else":               {`"./"`, nil, "must be a folder or file next to", nil, nil},
		"above":                  {`"../x"`, nil, "must be a folder or file next to", nil, nil},
		"elsewhere":              {`"/etc"`, nil, "must be a folder or file next to", nil, nil},
		"the customers":          {`"data"`, nil, "data/orders.csv is the data", nil, nil},
		"the customers' folder":  {`"shards"`, nil, "", []string{"shards/items.csv"}, nil},
		"the catalogue":          {`"items.csv"`, nil, "items.csv is the catalogue's file", nil, nil},
		"the project":            {`"pmlam.toml"`, nil, "is the project file", nil, nil},
		"the site itself":        {`"build"`, func(f string) error { return os.MkdirAll(f+"/build/public", 0o755) }, "build/public is the site", nil, nil},
		"the page":               {`"index.html"`, nil, "is already a file of the site", nil, nil},
		"another program":        {`".pmlam-site/files.json"`, nil, "belongs to another program", nil, nil},
		"twice":                  {`"pictures", "pictures/a.svg"`, nil, "is already a file of the site", nil, nil},
		"a compressed form":      {`"robots.txt.br"`, nil, "", []string{"robots.txt.br"}, nil},
		"of the page":            {`"index.html.br"`, nil, "two files have the name index.html.br", nil, nil},
		"names with a dot":       {`"hidden"`, nil, "", []string{"hidden/a"}, []string{"hidden/.env", "hidden/.ssh"}},
		"one that is asked for":  {`".well-known"`, nil, "", []string{".well-known/security.txt"}, nil},
		"a drawing with scripts": {`"drawings"`, nil, "", []string{"drawings/b.SVG"}, []string{"drawings/a.svg, as it contains <script>"}},
		"a pipe":                 {`"pipes"`, func(f string) error { os.Mkdir(f+"/pipes", 0o755); return mkfifo(f + "/pipes/x") }, "neither a file nor a folder", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for file, text := range map[string]string{
				"pictures/a.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "pictures/sub/b.jpg": "b", ".git/config": "c",
				"clone/.git/config": "c", "clone/a": "a", "tree/.git": "gitdir: x", "data/orders.csv": "c1,p1",
				"data/a.txt": "a", "shards/items.csv": "a", "items.csv": "cost", "index.html": "<p>", "robots.txt.br": "x",
				"index.html.br": "x", "hidden/.env": "KEY=1", "hidden/.ssh/id": "key", "hidden/a": "a",
				".well-known/security.txt": "Contact:", ".pmlam-site/files.json": "{}",
				"drawings/a.svg": `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`,
				"drawings/b.SVG": `<svg xmlns="http://www.w3.org/2000/svg"/>`,
			} {
				put(t, folder, file, text)
			}
			if c.make != nil {
				if err := c.make(folder); err != nil {
					t.Skipf("SKIPPED: %v", err)
				}
			}
			config := owned(t, folder, "[data]\nratings = \"data/orders.csv\"\nitems = \"items.csv\"\n[site]\n"+
				"out = \"build/public\"\ncopy = ["+c.copy+"]\n")
			config.Quality = 0
			r, err := Build(config)
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range c.files {
				if contents(t, config.Out)[file] == "" {
					t.Errorf("%s was not copied", file)
				}
			}
			if len(r.Notes) != len(c.notes) {
				t.Errorf("got the notes %q", r.Notes)
			}
			for i, note := range c.notes {
				if !strings.Contains(r.Notes[min(i, len(r.Notes)-1)], note) {
					t.Errorf("note %d is %q, want %q", i, r.Notes[i], note)
				}
				if contents(t, config.Out)[note] != "" {
					t.Errorf("%s was copied", note)
				}
			}
		})
	}
}

// Special characters in links and addresses reach the page and its check unchanged.
func TestLinksWithAmpersands(t *testing.T) {
	c := owned(t, t.TempDir(), `[site]
links = [{ name = "Our & <shop>", address = "https://shop.example/p?id={id}&ref=x" }, { name = "B", address = "b?a=1&b={id}" }]
pictures = "https://pictures.example:8443/p?id={id}&size=2"
`)
	mustBuild(t, c)
	text := contents(t, c.Out)[page]
	for _, want := range []string{
		`content="Our &amp; &lt;shop&gt; https://shop.example/p?id={id}&amp;ref=x; B b?a=1&amp;b={id}"`,
		`content="https://pictures.example:8443/p?id={id}&amp;size=2"`, "blob: https://pictures.example:8443;",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestOrigins(t *testing.T) {
	for address, want := range map[string]string{
		"https://a.example": "https://a.example", "https://a.example/{id}": "https://a.example",
		"https://a-b.example:1/x": "https://a-b.example:1", "https://a.example:65535": "https://a.example:65535",
		"https://a.example:65536": "", "https://a.example:99999999": "", "https://a.example:0": "", "https://a.example:080": "",
		"https://a.example:": "", "https://": "", "https://.": "", "https://..": "", "https://-a.example": "",
		"https://a..example": "", "https://a.example;x": "", "https://a.example *": "", "https://*.example": "",
		"https://A.example": "", "http://a.example": "", "https://u@a.example": "", "": "", "https://a.example\n": "",
	} {
		if got := originOf(address); got != want {
			t.Errorf("the origin of %q is %q, want %q", address, got, want)
		}
		c := owned(t, t.TempDir(), fmt.Sprintf("[site]\npicture-origins = [%q]\n", address))
		if _, err := Build(c); (err == nil) != (want == address && want != "") {
			t.Errorf("picture-origins %q: %v", address, err)
		}
	}
}

// A cached compressed form that does not match its file is not published.
func TestPoisonedCache(t *testing.T) {
	c := tree(t)
	c.Cache = t.TempDir()
	mustBuild(t, c)
	want := contents(t, c.Out)
	for name, text := range contents(t, c.Cache) {
		if strings.HasSuffix(name, ".br") {
			text = want["index.html.br"]
		}
		put(t, c.Cache, name, text+"more")
	}
	mustBuild(t, c)
	if got := contents(t, c.Out); !maps.Equal(got, want) {
		t.Error("the wrong compressed form was published")
	}
}
