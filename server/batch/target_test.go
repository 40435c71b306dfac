package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder that has the name of an unfinished run's and is not one stays; of one that is, only what the run wrote goes.
func TestUnfinishedFoldersOfOthers(t *testing.T) {
	put := func(name string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("mine"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "made", "shards")
	mine := filepath.Join(path+Unfinished, "out", "mine.txt")
	put(mine)
	if _, err := newTarget(path); err == nil || !strings.Contains(err.Error(), "no run has left it") {
		t.Errorf("over somebody's folder: %v", err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}
	if err := os.RemoveAll(path + Unfinished); err != nil {
		t.Fatal(err)
	}
	failed, err := newTarget(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := newTarget(path); err == nil || !strings.Contains(err.Error(), "another run writes") {
		t.Errorf("beside another run: %v", err)
	}
	failed.close()
	put(filepath.Join(failed.work, "left"))
	put(filepath.Join(path+Unfinished, "notes.txt"))
	second, err := newTarget(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(second.work, "left")); err == nil {
		t.Error("what a failed run left is still there")
	}
	put(filepath.Join(second.out, "shard"))
	if err := second.finish(); err != nil {
		t.Fatal(err)
	}
	second.close()
	entries, err := os.ReadDir(path + Unfinished)
	if err != nil || len(entries) != 1 || entries[0].Name() != "notes.txt" {
		t.Errorf("left are %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(path, "shard")); err != nil {
		t.Error(err)
	}
}
