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
		t.Error("the file gives back another model")
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o444 != 0o444 {
		t.Errorf("mode %v: a web server could not read it", info.Mode())
	}

	// What cannot be encoded leaves the file as it was, and nothing beside it.
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
	// A folder cannot be replaced: the rename fails last of all, and the temporary file goes.
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder"), m); err == nil {
		t.Error("a model replaced a folder")
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
	// A file that is too large is refused by its size, before memory is taken. It has no blocks on the disk.
	huge := filepath.Join(dir, "huge")
	if err := os.WriteFile(huge, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, MaxSize+1); err != nil {
		t.Fatal(err)
	}
	var err error
	if n := allocated(func() { _, err = ReadFile(huge) }); n > 1<<20 {
		t.Errorf("%d bytes taken", n)
	}
	if !errors.As(err, &e) || e.Reason != TooLarge {
		t.Errorf("a file of more than 1 GiB: %v", err)
	}
}
