//go:build !js

package model

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.pmlam")
	m := full(9, 4, Float32)
	for range 2 { // the second time over the first
		if err := WriteFile(path, m); err != nil {
			t.Fatal(err)
		}
	}
	got, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m.Digest = got.Digest
	if !reflect.DeepEqual(got, m) {
		t.Error("the file holds another model")
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o444 != 0o444 {
		t.Errorf("mode %v is not readable for a web server", info.Mode())
	}

	// A model that cannot be encoded leaves the file unchanged and creates no other.
	bad := full(9, 4, Float32)
	bad.Items.Row(0)[0] /= 0
	bad.Items.Stddev(0)[0] = 0
	var e *Error
	if err := WriteFile(path, bad); !errors.As(err, &e) {
		t.Errorf("error %v, want an *Error", err)
	}
	if again, err := ReadFile(path); err != nil || again.Digest != got.Digest {
		t.Errorf("the file changed: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "missing", "a.pmlam"), m); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want a missing folder", err)
	}
	// A folder cannot be replaced: the rename, the last step, fails, and the temporary file is removed.
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder"), m); err == nil {
		t.Error("a model replaces a folder")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	var e *Error
	if _, err := ReadFile(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want a missing file", err)
	}
	if _, err := ReadFile(dir); !errors.As(err, &e) || e.Reason != NotAModel {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(dir, "cut")
	if err := os.WriteFile(path, goldenFile(Int8)[:300], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(path); !errors.As(err, &e) || e.Reason != Truncated {
		t.Errorf("a cut file: %v", err)
	}
	// Other files are recognised by their header, and files that are too large by their size: neither takes memory. The
	// files have no blocks on the disk.
	for _, c := range []struct {
		name, head string
		size       int64
		reason     Reason
	}{
		{"zeros of 1 GiB", "", MaxSize, NotAModel},
		{"zeros of more", "", MaxSize + 1, NotAModel},
		{"a zip of 1 GiB", "PK\x03\x04", MaxSize, NotAModel},
		{"a newer model of 1 GiB", beforeVersion + "\x09", MaxSize, NewerVersion},
		{"a model of more than 1 GiB", string(goldenFile(Int8)), MaxSize + 1, TooLarge},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, []byte(c.head), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, c.size); err != nil {
			t.Fatal(err)
		}
		var err error
		if n := allocated(func() { _, err = ReadFile(path) }); n > 1<<20 {
			t.Errorf("%s: %d bytes allocated", c.name, n)
		}
		if !errors.As(err, &e) || e.Reason != c.reason {
			t.Errorf("%s: %v, want %v", c.name, err, c.reason)
		}
	}
}
