package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(file, link); err != nil {
		link = file // some systems do not allow links
	}
	for _, path := range []string{file, link} {
		f, size, err := OpenRegular(path)
		if err != nil || size != 3 {
			t.Fatalf("%s: %d bytes, %v", path, size, err)
		}
		f.Close()
	}
	if _, _, err := OpenRegular(dir); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	if _, _, err := OpenRegular(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if r, _, err := OS.Open(dir); r != nil || err == nil {
		t.Errorf("a folder as the file system opens it: %v, %v", r, err)
	}
}
