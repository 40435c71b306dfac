package durable_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

// text returns a write function that writes a text in three pieces, the middle one larger than any buffer.
func text(of byte) (whole []byte, write func(io.Writer) error) {
	pieces := [][]byte{{of}, bytes.Repeat([]byte{of}, 600<<10), {of, '\n'}}
	return bytes.Join(pieces, nil), func(w io.Writer) error {
		for _, p := range pieces {
			if _, err := w.Write(p); err != nil {
				return err
			}
		}
		return nil
	}
}

func content(t *testing.T, fs durable.FS, path string) []byte {
	t.Helper()
	r, size, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil || int64(len(b)) != size {
		t.Fatalf("%d bytes of %d, %v", len(b), size, err)
	}
	return b
}

func TestWriteFileOnTheMachine(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	if err := durable.OS.MakeFolder(folder); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "file")
	for _, of := range []byte("xy") {
		want, write := text(of)
		if err := durable.WriteFile(durable.OS, path, write); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(content(t, durable.OS, path), want) {
			t.Error("the file has another content")
		}
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	want := errors.New("no more")
	if err := durable.WriteFile(durable.OS, path,
		func(w io.Writer) error { w.Write([]byte("half")); return want }); err != want {
		t.Errorf("the error is %v", err)
	}
	if names, err := durable.OS.List(folder); err != nil || !slices.Equal(names, []string{"file"}) {
		t.Errorf("the folder has %v, %v", names, err)
	}
	if content(t, durable.OS, path)[0] != 'y' {
		t.Error("the old file is gone")
	}
	if names, err := durable.OS.List(filepath.Join(folder, "none")); err != nil || names != nil {
		t.Errorf("a missing folder lists %v, %v", names, err)
	}
	if _, _, err := durable.OS.Open(folder); err == nil {
		t.Error("a folder was opened as a file")
	}
}

// If any single operation fails, the path holds the old file or the new one, the error is returned, and no temporary
// stays, unless its removal failed.
func TestEveryOperationFailsOnce(t *testing.T) {
	before, old := text('o')
	after, write := text('n')
	for n := 0; ; n++ {
		memory := &durabletest.Memory{}
		if err := durable.WriteFile(memory, "d/file", old); err != nil {
			t.Fatal(err)
		}
		var failed durabletest.Op
		faulty := &durabletest.Faulty{FS: memory, Fails: func(i int, op durabletest.Op) bool {
			if i == n {
				failed = op
			}
			return i == n
		}}
		err := durable.WriteFile(faulty, "d/file", write)
		if n >= faulty.Count {
			if err != nil || n < 8 {
				t.Errorf("%d operations, %v", n, err)
			}
			return
		}
		if !errors.Is(err, durabletest.ErrFault) {
			t.Fatalf("operation %d, %s, failed, but the error is %v", n, failed, err)
		}
		want := before
		if failed == durabletest.SyncFolder {
			want = after
		}
		if !bytes.Equal(content(t, memory, "d/file"), want) {
			t.Errorf("operation %d, %s: the file has another content", n, failed)
		}
		if names, _ := memory.List("d"); len(names) != 1 {
			t.Errorf("operation %d, %s: the folder has %v", n, failed, names)
		}
	}
}

// Whenever the power fails, the path holds the old file or the new one, and the new one once WriteFile has returned.
func TestPowerLoss(t *testing.T) {
	before, old := text('o')
	after, write := text('n')
	for _, lucky := range []bool{false, true} {
		for n := 0; ; n++ {
			memory := &durabletest.Memory{}
			if err := durable.WriteFile(memory, "d/file", old); err != nil {
				t.Fatal(err)
			}
			dark := &durabletest.Faulty{FS: memory, Fails: func(i int, _ durabletest.Op) bool { return i >= n }}
			err := durable.WriteFile(dark, "d/file", write)
			memory.PowerLoss(lucky)
			got := content(t, memory, "d/file")
			if !bytes.Equal(got, before) && !bytes.Equal(got, after) {
				t.Fatalf("operation %d, lucky %t: the file has %d bytes", n, lucky, len(got))
			}
			if err == nil {
				if !bytes.Equal(got, after) {
					t.Errorf("lucky %t: the new file is gone", lucky)
				}
				break
			}
			if err := durable.Sweep(memory, "d", "file"); err != nil {
				t.Fatal(err)
			}
			if names, _ := memory.List("d"); len(names) != 1 {
				t.Errorf("operation %d, lucky %t: after sweeping the folder has %v", n, lucky, names)
			}
		}
	}
}

// The in-memory file system exposes a file that is renamed without a sync: the test of the tests.
func TestMemoryShowsWhatWasNotSynced(t *testing.T) {
	memory := &durabletest.Memory{}
	f, _ := memory.CreateTemporary("d", "a*")
	f.Write([]byte("text"))
	memory.Rename(f.Name(), "d/file")
	memory.PowerLoss(true)
	if got := content(t, memory, "d/file"); len(got) != 0 {
		t.Errorf("content that was never synced survived: %q", got)
	}
	f, _ = memory.CreateTemporary("d", "b*")
	f.Write([]byte("text"))
	f.Sync()
	memory.Rename(f.Name(), "d/file")
	memory.PowerLoss(false)
	if got := content(t, memory, "d/file"); len(got) != 0 {
		t.Errorf("a name that was never synced survived: %q", got)
	}
}

func TestSweepLeavesOthersAlone(t *testing.T) {
	folder := t.TempDir()
	keep := []string{".checkpoint-1.2.other", ".other.1.tmp", ".tmp", "..tmp", "checkpoint-1", "checkpoint-1.2.tmp"}
	for _, name := range append([]string{".checkpoint-1.1234.tmp", ".checkpoint-22.x.tmp"}, keep...) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := durable.Sweep(durable.OS, folder, "checkpoint-*"); err != nil {
		t.Fatal(err)
	}
	slices.Sort(keep)
	if names, err := durable.OS.List(folder); err != nil || !slices.Equal(names, keep) {
		t.Errorf("left are %q, %v", names, err)
	}
}
