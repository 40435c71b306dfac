package writer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/chunks"
)

// put writes a set of parts, or its first n.
func put(t *testing.T, f *Folder, n int) {
	t.Helper()
	names := []string{"5e7/cells/0.bin", "5e7/cells/1.bin", "5e7/ids/0.bin", chunks.IndexName}
	for _, name := range names[:min(n, len(names))] {
		if err := f.Put(name, []byte("pmlamc3\n"+name)); err != nil {
			t.Fatal(err)
		}
	}
}

func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// Other files in the folder stay, whatever their names, and a foreign file with the index's name is not overwritten.
func TestFolderKeepsWhatIsThere(t *testing.T) {
	path := t.TempDir()
	mine := []string{".5e7.tmp/mine", "CNAME", "another/cells/0.bin"}
	for _, name := range mine {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(path, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, name), []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		put(t, &Folder{Path: path}, 4)
	}
	stopped := &Folder{Path: path}
	put(t, stopped, 2)
	stopped.Discard()
	if got, want := names(t, path), []string{".5e7.tmp", "5e7", "CNAME", "another", chunks.IndexName}; !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	for _, name := range mine {
		if b, err := os.ReadFile(filepath.Join(path, name)); err != nil || string(b) != "mine" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	index := filepath.Join(t.TempDir(), chunks.IndexName)
	if err := os.WriteFile(index, []byte("somebody's"), 0o644); err != nil {
		t.Fatal(err)
	}
	err := (&Folder{Path: filepath.Dir(index)}).Put("5e7/ids/0.bin", nil)
	if err == nil || !strings.Contains(err.Error(), "is not overwritten") {
		t.Errorf("over another file: %v", err)
	}
}

// Two runs write the same set at once: it is complete, whichever ends first, and no other files are left.
func TestTwoRunsAtOnce(t *testing.T) {
	path := t.TempDir()
	a, b := &Folder{Path: path}, &Folder{Path: path}
	put(t, a, 2)
	put(t, b, 1) // begins after the other has written two parts
	put(t, a, 3)
	put(t, b, 4)
	if err := a.Put(chunks.IndexName, []byte("pmlamc3\n")); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, path), []string{"5e7", chunks.IndexName}; !slices.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
	if got, want := names(t, filepath.Join(path, "5e7/cells")), []string{"0.bin", "1.bin"}; !slices.Equal(got, want) {
		t.Errorf("the set has cells %q, want %q", got, want)
	}
}
