package site

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/delta"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// models returns a file's contents on successive days, with half a percent of new bytes each day.
func models(days int) (out [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	content := make([]byte, 40_000)
	for i := range content {
		content[i] = byte(r.Uint32())
	}
	for range days {
		content = append(bytes.Clone(content), byte(r.Uint32()))
		for range 200 {
			content[r.IntN(len(content))] = byte(r.Uint32())
		}
		out = append(out, content)
	}
	return out
}

// reaches checks that older contents lead to the newest by the site's deltas. It returns the number of older contents
// that do, and the total bytes of these deltas.
func reaches(t *testing.T, site map[string]string, file workerFile, older [][]byte) (from, size int) {
	t.Helper()
	digests := map[string][]byte{}
	for _, content := range older {
		digests[fingerprint.Sum(content)] = content
	}
	for first, s := range file.Steps {
		content, ok := digests[s.From.Digest]
		if !ok {
			t.Fatalf("step %d starts from unknown content", first)
		}
		from, size = from+1, size+len(site[s.Address])
		for _, s := range file.Steps[first:] {
			if fingerprint.Sum([]byte(site[s.Address])) != s.Digest || fingerprint.Sum(content) != s.From.Digest {
				t.Fatalf("%s differs from the list or is out of order", s.Address)
			}
			var err error
			if content, err = delta.Apply(content, []byte(site[s.Address])); err != nil {
				t.Fatal(err)
			}
		}
		if fingerprint.Sum(content) != file.Digest {
			t.Errorf("the steps from %d give another file", first)
		}
	}
	return from, size
}

// fileOf finds a file in the worker's list.
func fileOf(t *testing.T, files []workerFile, part string) workerFile {
	t.Helper()
	for _, f := range files {
		if strings.Contains(f.Address, part) {
			return f
		}
	}
	t.Fatalf("the list lacks %s", part)
	return workerFile{}
}

// Each day the site is built over the previous day's: deltas lead from each day to the newest, up to the limit of their
// total size.
func TestDeltasFromOlderSites(t *testing.T) {
	c := offline(t)
	c.Previous = c.Out
	put(t, c.Tree, "assets/js/service-worker.js", placeholder+" // filled in\n")
	days := models(24)
	most := 0
	for day, content := range days {
		put(t, c.Tree, "built/shop.msgpack", string(content))
		mustBuild(t, c)
		site := contents(t, c.Out)
		_, files := listed(t, site)
		from, size := reaches(t, site, fileOf(t, files, "shop."), days[:day])
		if day > 0 && (from == 0 || size > len(content)) {
			t.Fatalf("day %d: deltas from %d days with %d bytes", day, from, size)
		}
		if day < 8 && from != day {
			t.Errorf("day %d: deltas from %d days", day, from)
		}
		most = max(most, from)
		for _, f := range files {
			if strings.HasPrefix(f.Address, deltas) {
				t.Fatalf("every visitor would download %s", f.Address)
			}
		}
		stored := 0
		for name := range site {
			if strings.HasPrefix(name, deltas) && strings.HasSuffix(name, ".delta") {
				stored++
			}
		}
		listedSteps := 0
		for _, f := range files {
			listedSteps += len(f.Steps)
		}
		if stored > listedSteps {
			t.Errorf("day %d: %d deltas are stored and %d listed", day, stored, listedSteps)
		}
	}
	if most < 10 || most > mostSteps {
		t.Errorf("at most %d days have deltas", most)
	}
	// Building again without a change gives the same deltas.
	before := contents(t, c.Out)
	mustBuild(t, c)
	if after := contents(t, c.Out); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("building the same files again gave another site")
	}
	// An entirely new file is downloaded whole.
	put(t, c.Tree, "built/shop.msgpack", strings.Repeat("something else ", 100))
	mustBuild(t, c)
	if _, files := listed(t, contents(t, c.Out)); len(fileOf(t, files, "shop.").Steps) > 0 {
		t.Error("a delta is larger than the file")
	}
}

// A missing previous site is fine; anything else that is not a site is an error, and nothing is written. Damaged files
// are downloaded whole.
func TestPreviousSitesThatCannotBeUsed(t *testing.T) {
	c := offline(t)
	c.Previous = filepath.Join(t.TempDir(), "none")
	mustBuild(t, c)
	c.Previous = t.TempDir()
	put(t, c.Previous, "letter.txt", "dear")
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "has no service-worker.js") {
		t.Errorf("a folder that is not a site: %v", err)
	}
	put(t, c.Previous, "service-worker.js", "// another\n")
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "does not list its files") {
		t.Errorf("another worker: %v", err)
	}
	put(t, c.Previous, "service-worker.js", "const site = {\"files\":3};\n")
	if _, err := Build(c); err == nil || !strings.Contains(err.Error(), "cannot read the list of files") {
		t.Errorf("another list: %v", err)
	}
	put(t, c.Previous, "service-worker.js",
		"const site = {\"files\":[{\"address\":\"../index.html\",\"digest\":\"1\"},"+
			"{\"address\":\"index.html\",\"digest\":\"1\"}]};\n")
	if notes := mustBuild(t, c).Notes; len(notes) != 1 || !strings.Contains(notes[0], "download all of index.html") {
		t.Errorf("a missing file: %q", notes)
	}
	c.Previous = c.Out
	_, files := listed(t, contents(t, c.Out))
	name := filepath.Join(c.Out, fileOf(t, files, "shop.").Address)
	if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, c.Tree, "built/shop.msgpack", "the newer model")
	r := mustBuild(t, c)
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "differs from the published file") {
		t.Errorf("a damaged file: %q", r.Notes)
	}
	if i := slices.IndexFunc(r.Returning.Fetched, func(f Fetched) bool { return strings.Contains(f.Name, "shop.") }); i < 0 ||
		r.Returning.Fetched[i].Why != "it is damaged in the previous site" {
		t.Errorf("returning visitors: %+v", r.Returning)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error("a changed file is gone")
	}
}
