package publish

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

// versions are two versions of a small site: a page that names its version's files, other files with fixed names, and
// some that only one version has.
var versions = []map[string]string{
	{
		"index.html": "one: a/x.1.js a/model.1", "worker.js": "worker one", "a/x.1.js": "script one",
		"a/model.1": strings.Repeat("model one ", 1000), "embed/p.js": "package one", "old/only.txt": "gone in two",
		"LICENSE": "the same",
	},
	{
		"index.html": "two: a/x.2.js b/model.2", "worker.js": "worker two", "a/x.2.js": "script two",
		"b/model.2": strings.Repeat("model two ", 1000), "embed/p.js": "package two", "LICENSE": "the same",
		"new/deep/only.txt": "new in two",
	},
}

// foreign are files of others in the same folder.
var foreign = map[string]string{
	"CNAME": "shop.example", "a/own.txt": "mine", "pages/about.html": "hand-written",
	"x.new.tmp/a": "a", ".x.1.tmp": "b",
}

// write writes a version.
func write(t Target, version map[string]string) ([]string, error) {
	f, err := t.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, name := range slices.Sorted(maps.Keys(version)) {
		if err := f.Put(name, []byte(version[name])); err != nil {
			return nil, err
		}
	}
	return f.Finish("index.html", "worker.js")
}

func must(t *testing.T, to Target, version map[string]string) []string {
	t.Helper()
	others, err := write(to, version)
	if err != nil {
		t.Fatal(err)
	}
	return others
}

func put(t *testing.T, folder, name, text string) {
	t.Helper()
	file := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// contents reads a folder, except the files of this package.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(folder, path)
		switch {
		case name == ".pmlam-site":
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular():
			all[filepath.ToSlash(name)] = d.Type().String()
			return nil
		}
		b, err := os.ReadFile(path)
		all[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func join(all ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range all {
		maps.Copy(out, m)
	}
	return out
}

// own lists the files of this package.
func own(t *testing.T, folder string) []string {
	t.Helper()
	names, err := Disk.List(filepath.Join(folder, ".pmlam-site"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// A folder holds the newest version, and the files of others.
func TestOthersFilesStay(t *testing.T) {
	to := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}
	if others := must(t, to, versions[0]); len(others) > 0 {
		t.Errorf("a new folder has %q", others)
	}
	for name, text := range foreign {
		put(t, to.Path, name, text)
	}
	if err := os.Symlink("/etc/hosts", filepath.Join(to.Path, "linked")); err != nil {
		t.Fatal(err)
	}
	for k, version := range slices.Concat(versions, versions, versions[1:]) {
		others := must(t, to, version)
		if want := slices.Sorted(maps.Keys(join(foreign, map[string]string{"linked": ""}))); !slices.Equal(others, want) {
			t.Errorf("run %d reports %q as not its own, want %q", k, others, want)
		}
		got := contents(t, to.Path)
		delete(got, "linked")
		if want := join(version, foreign); !maps.Equal(got, want) {
			t.Fatalf("run %d left %q, want %q", k, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
		if names := own(t, to.Path); !slices.Equal(names, []string{".lock", listName}) {
			t.Errorf("run %d left %q of its own", k, names)
		}
	}
	if _, err := os.Stat(filepath.Join(to.Path, "old")); err == nil {
		t.Error("an empty folder is left")
	}
}

// A changed file is neither removed nor replaced: in the latter case nothing is written.
func TestChangedFilesStay(t *testing.T) {
	to := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}
	must(t, to, versions[0])
	put(t, to.Path, "old/only.txt", "changed by hand")
	if others := must(t, to, versions[1]); !slices.Equal(others, []string{"old/only.txt"}) {
		t.Errorf("left: %q", others)
	}
	before := contents(t, to.Path)
	for name, make := range map[string]func(path string) error{
		"index.html": func(p string) error { return os.WriteFile(p, []byte("by hand"), 0o644) },
		"a/x.1.js":   func(p string) error { return os.WriteFile(p, []byte("not listed"), 0o644) },
		"a/model.1":  func(p string) error { return os.Mkdir(p, 0o755) },
		"old":        func(p string) error { return os.Rename(p, p+"er") },
	} {
		path := filepath.Join(to.Path, name)
		kept := before[name]
		if err := make(path); err != nil {
			t.Fatal(err)
		}
		want := contents(t, to.Path)
		if name == "old" { // a file where a folder is needed
			put(t, to.Path, "old", "a file")
			want["old"] = "a file"
		}
		if _, err := write(to, versions[0]); err == nil || !strings.Contains(err.Error(), name+" in "+to.Path) ||
			!strings.Contains(err.Error(), "move it away") {
			t.Errorf("%s: %v", name, err)
		}
		if got := contents(t, to.Path); !maps.Equal(got, want) {
			t.Errorf("%s: something was written", name)
		}
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if kept != "" {
			put(t, to.Path, name, kept)
		}
	}
}

// Folders that do not belong to this package are refused, and stay unchanged.
func TestRefused(t *testing.T) {
	model := filepath.Join(t.TempDir(), "shop", "model.msgpack")
	put(t, filepath.Dir(model), "model.msgpack", "model")
	put(t, filepath.Dir(model), "data/orders.csv", "orders")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Dir(model), link); err != nil {
		t.Fatal(err)
	}
	dangling := filepath.Join(t.TempDir(), "dangling")
	if err := os.Symlink(filepath.Join(t.TempDir(), "none"), dangling); err != nil {
		t.Fatal(err)
	}
	folder := func(files map[string]string, written bool) string {
		path := filepath.Join(t.TempDir(), "public")
		if written {
			must(t, Target{Path: path, Kind: "site"}, versions[0])
		}
		for name, text := range files {
			put(t, path, name, text)
		}
		return path
	}
	list := func(text string) string { return folder(map[string]string{".pmlam-site/files.json": text}, true) }
	digest := strings.Repeat("0", 64)
	for name, c := range map[string]struct{ path, want string }{
		"no name":             {"", "has no name"},
		"a file":              {model, "holds the model"},
		"another file":        {filepath.Join(folder(map[string]string{"a": ""}, false), "a"), "is not a folder"},
		"a dangling link":     {dangling, "is not a folder"},
		"the project":         {filepath.Dir(model), "holds the model, " + model},
		"a link to it":        {link, "holds the model"},
		"above it":            {filepath.Dir(filepath.Dir(model)), "holds the model"},
		"the data":            {filepath.Join(filepath.Dir(model), "data"), "holds the data"},
		"by hand":             {folder(map[string]string{"index.html": "mine"}, false), "holds index.html, and no list"},
		"an earlier version":  {folder(map[string]string{".nojekyll": "", "index.html": "x"}, false), "holds .nojekyll, and no list"},
		"an earlier mark":     {folder(map[string]string{".pmlam-site": ""}, false), "an earlier version wrote"},
		"another kind":        {folder(map[string]string{".pmlam-similar/files.json": `{"files":[]}`}, false), "no list"},
		"a repository":        {folder(map[string]string{".git/HEAD": "ref"}, true), "holds a repository, .git"},
		"a worktree":          {folder(map[string]string{".git": "gitdir: x"}, true), "holds a repository, .git"},
		"mercurial":           {folder(map[string]string{".hg/store": "x"}, true), "holds a repository, .hg"},
		"one further down":    {folder(map[string]string{"a/b/.Git/HEAD": "ref"}, true), "holds a repository, a/b/.Git"},
		"within a repository": {filepath.Join(t.TempDir(), ".git", "public"), "within a repository's own folder"},
		"a list of nothing":   {list(""), "is damaged"},
		"that leads out": {list(`{"files":[{"name":"../../x","size":0,"sha256":"` + digest + `"}]}`),
			"not the name of a file within"},
		"of a repository": {list(`{"files":[{"name":".git/config","size":0,"sha256":"` + digest + `"}]}`),
			"belongs to another program"},
		"without a digest": {list(`{"files":[{"name":"a","size":0,"sha256":"00"}]}`), "has no size and digest"},
	} {
		t.Run(name, func(t *testing.T) {
			to := Target{Path: c.path, Kind: "site", Protected: []Protected{{"the model", model},
				{"the data", filepath.Join(filepath.Dir(model), "data")}, {"nothing", ""}}}
			var before map[string]string
			if info, err := os.Stat(c.path); err == nil && info.IsDir() {
				before = contents(t, c.path)
			}
			err := to.Check()
			if _, late := write(to, versions[1]); err == nil && strings.Contains(c.want, "a/b/.Git") {
				err = late // which looks at all files
			} else if late == nil {
				t.Error("the folder was written to")
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
			if before != nil {
				if got := contents(t, c.path); !maps.Equal(got, before) {
					t.Errorf("before %q, after %q", before, got)
				}
			}
		})
	}
}

// Whatever a list names, only files within the folder with the listed bytes are removed, and never through a link.
func TestHostileLists(t *testing.T) {
	outside := t.TempDir()
	put(t, outside, "victim.txt", "gone in two")
	put(t, outside, "sub/only.txt", "gone in two")
	to := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}
	must(t, to, versions[0])
	if err := os.RemoveAll(filepath.Join(to.Path, "old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "sub"), filepath.Join(to.Path, "old")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a/x.1.js", "LICENSE"} {
		os.Remove(filepath.Join(to.Path, name))
	}
	if err := os.Symlink(filepath.Join(outside, "victim.txt"), filepath.Join(to.Path, "a/x.1.js")); err != nil {
		t.Fatal(err)
	}
	others := must(t, to, versions[1])
	if want := []string{"a/x.1.js", "old"}; !slices.Equal(others, want) {
		t.Errorf("left: %q, want %q", others, want)
	}
	if got := contents(t, outside); len(got) != 2 {
		t.Errorf("outside are %q", got)
	}
	// Nothing is written through a link either.
	if err := os.Rename(filepath.Join(to.Path, "b"), filepath.Join(outside, "b")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "b"), filepath.Join(to.Path, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := write(to, versions[1]); err == nil || !strings.Contains(err.Error(), "b in "+to.Path) {
		t.Errorf("a link in the way: %v", err)
	}
}

func TestNames(t *testing.T) {
	f, err := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{"", ".", "..", "../x", "/x", "a//b", "a/../b", "a\\b", "a\x00", ".git/hooks/x", "a/.GIT/x",
		".pmlam-site/files.json", ".PMLAM-SITE/x", ".pmlam-site"} {
		if err := f.Put(name, nil); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	if err := f.Put("a", nil); err != nil {
		t.Error(err)
	}
	if err := f.Put("a", nil); err == nil || !strings.Contains(err.Error(), "two files have the name a") {
		t.Errorf("two files of one name: %v", err)
	}
}

// Two at once: one writes, the other is refused.
func TestTwoWriters(t *testing.T) {
	to := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}
	f, err := to.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.Open(); err == nil || !strings.Contains(err.Error(), "another process is at work") {
		t.Errorf("a second writer: %v", err)
	}
	f.Close()
	must(t, to, versions[0])
}

// check checks that after an interrupted run the folder has the page of one version with all files that it names, and
// all files of others.
func check(t *testing.T, at string, read func(name string) string) {
	t.Helper()
	for name, text := range foreign {
		if read(name) != text {
			t.Fatalf("%s: %s is lost", at, name)
		}
	}
	page := read("index.html")
	k := slices.IndexFunc(versions, func(v map[string]string) bool { return v["index.html"] == page })
	if k < 0 {
		t.Fatalf("%s: the page is %q", at, page)
	}
	for _, name := range strings.Fields(page)[1:] {
		if read(name) != versions[k][name] {
			t.Fatalf("%s: page %d names %s, which is not there", at, k+1, name)
		}
	}
	for _, name := range []string{"worker.js", "embed/p.js"} {
		if text := read(name); text != versions[0][name] && text != versions[1][name] {
			t.Fatalf("%s: %s is %q", at, name, text)
		}
	}
	if page == versions[0]["index.html"] && read("worker.js") != versions[0]["worker.js"] {
		t.Fatalf("%s: the worker is newer than the page", at)
	}
}

// deadly kills the process before a step.
type deadly struct {
	FS
	steps int // still to be taken
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

func (d *deadly) CreateTemporary(folder, pattern string) (durable.File, error) {
	d.step()
	return d.FS.CreateTemporary(folder, pattern)
}
func (d *deadly) MakeFolder(path string) error   { d.step(); return d.FS.MakeFolder(path) }
func (d *deadly) Rename(from, to string) error   { d.step(); return d.FS.Rename(from, to) }
func (d *deadly) Remove(path string) error       { d.step(); return d.FS.Remove(path) }
func (d *deadly) SyncFolder(folder string) error { d.step(); return d.FS.SyncFolder(folder) }

// killFolder names the folder that a child process of this test writes until it is killed, and killStep the step before
// which it is.
const killFolder, killStep = "PMLAM_TEST_KILL_FOLDER", "PMLAM_TEST_KILL_STEP"

// If a process is killed (SIGKILL) before any step, the folder holds a complete site and the files of others, and the
// next run completes it.
func TestKill(t *testing.T) {
	if folder := os.Getenv(killFolder); folder != "" {
		step, _ := strconv.Atoi(os.Getenv(killStep))
		if _, err := write(Target{Path: folder, Kind: "site", FS: &deadly{Disk, step}}, versions[1]); err != nil {
			t.Fatal(err)
		}
		return
	}
	killed := 0
	for n := 0; ; n++ {
		to := Target{Path: filepath.Join(t.TempDir(), "public"), Kind: "site"}
		must(t, to, versions[0])
		for name, text := range foreign {
			put(t, to.Path, name, text)
		}
		other := exec.Command(os.Args[0], "-test.run", "^TestKill$")
		other.Env = append(os.Environ(), killFolder+"="+to.Path, killStep+"="+strconv.Itoa(n))
		out, err := other.CombinedOutput()
		if err != nil && other.ProcessState.ExitCode() != -1 { // −1: by a signal
			t.Fatalf("%v\n%s", err, out)
		}
		after := contents(t, to.Path)
		check(t, fmt.Sprintf("killed before step %d", n), func(name string) string { return after[name] })
		if err == nil {
			break
		}
		killed++
		next := versions[n%2] // either version may be next
		must(t, to, next)
		if got, want := contents(t, to.Path), join(next, foreign); !maps.Equal(got, want) {
			t.Fatalf("killed before step %d: the next run leaves %q", n, slices.Sorted(maps.Keys(got)))
		}
		if names := own(t, to.Path); !slices.Equal(names, []string{".lock", listName}) {
			t.Errorf("killed before step %d: the next run leaves %q of its own", n, names)
		}
	}
	if killed < 30 {
		t.Errorf("there were %d steps", killed)
	}
	t.Logf("killed before each of %d steps", killed)
}

// The same holds if the power fails at any time, and whatever subset of unsynced names is lost.
func TestPowerLoss(t *testing.T) {
	path := func(name string) string { return filepath.Join("d", filepath.FromSlash(name)) }
	for _, lucky := range []bool{false, true} {
		for n := 0; ; n++ {
			memory := &durabletest.Memory{}
			to := Target{Path: "d", Kind: "site", FS: memory}
			must(t, to, versions[0])
			for name, text := range foreign {
				if err := durable.WriteFile(memory, path(name), func(w io.Writer) error {
					_, err := io.WriteString(w, text)
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
			faulty := &durabletest.Faulty{FS: memory, Fails: func(i int, _ durabletest.Op) bool { return i >= n }}
			to.FS = faulty
			_, err := write(to, versions[1])
			memory.PowerLoss(lucky)
			at := fmt.Sprintf("power lost at operation %d, lucky %t", n, lucky)
			read := func(name string) string {
				r, _, err := memory.Open(path(name))
				if err != nil {
					return ""
				}
				b, _ := io.ReadAll(r)
				return string(b)
			}
			check(t, at, read)
			if err == nil {
				break
			}
			to.FS = memory
			if others := must(t, to, versions[1]); !slices.Equal(others, slices.Sorted(maps.Keys(foreign))) {
				t.Fatalf("%s: the next run leaves %q", at, others)
			}
			for name, text := range join(versions[1], foreign) {
				if read(name) != text {
					t.Fatalf("%s: after the next run %s is %q", at, name, read(name))
				}
			}
		}
	}
}

// If any single operation fails, either the new version is there and no error is returned, or the next run writes it.
func TestEveryOperationFailsOnce(t *testing.T) {
	for n := 0; ; n++ {
		memory := &durabletest.Memory{}
		to := Target{Path: "d", Kind: "site", FS: memory}
		must(t, to, versions[0])
		faulty := &durabletest.Faulty{FS: memory, Fails: func(i int, _ durabletest.Op) bool { return i == n }}
		to.FS = faulty
		_, err := write(to, versions[1])
		if n >= faulty.Count {
			break
		}
		to.FS = memory
		if err == nil {
			for name := range versions[1] {
				if kind, _ := memory.Kind(filepath.Join("d", name)); kind != durable.Regular {
					t.Errorf("operation %d failed, and %s is not there", n, name)
				}
			}
			continue
		}
		must(t, to, versions[1])
		names, _ := memory.List("d")
		if want := []string{".pmlam-site", "LICENSE", "a", "b", "embed", "index.html", "new", "worker.js"}; !slices.Equal(names, want) {
			t.Errorf("operation %d: %v; then the folder has %q", n, err, names)
		}
	}
}

// The list depends only on the files, and can be read back.
func TestList(t *testing.T) {
	all := files{}
	for _, e := range []entry{{"b", 1, strings.Repeat("b", 64)}, {"a\n\"<", 2, strings.Repeat("a", 64)},
		{"b", 2, strings.Repeat("a", 64)}, {"b", 1, strings.Repeat("b", 64)}} {
		all.add(e)
	}
	text, err := all.encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := decode(text, ".pmlam-site")
	if err != nil {
		t.Fatal(err)
	}
	if second, _ := again.encode(); !bytes.Equal(text, second) || len(again["b"]) != 2 || strings.Count(string(text), "\n") != 5 {
		t.Errorf("%s became\n%s", text, second)
	}
}
