package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A folder named like an unfinished run's that does not belong to one stays; of one that does, only the run's files are
// removed.
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
	if _, err := newTarget(path); err == nil || !strings.Contains(err.Error(), "does not belong to a run") {
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
	if _, err := newTarget(path); err == nil || !strings.Contains(err.Error(), "another run is writing") {
		t.Errorf("next to another run: %v", err)
	}
	failed.close()
	put(filepath.Join(failed.work, "left"))
	put(filepath.Join(path+Unfinished, "notes.txt"))
	second, err := newTarget(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(second.work, "left")); err == nil {
		t.Error("files of a failed run are still there")
	}
	put(filepath.Join(second.out, "shard"))
	if err := second.finish(); err != nil {
		t.Fatal(err)
	}
	second.close()
	entries, err := os.ReadDir(path + Unfinished)
	if err != nil || len(entries) != 1 || entries[0].Name() != "notes.txt" {
		t.Errorf("left: %v, %v", entries, err)
	}
	if _, err := os.Stat(filepath.Join(path, "shard")); err != nil {
		t.Error(err)
	}
}
