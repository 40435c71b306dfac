//go:build unix

package api

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is not a regular file at the model's path is refused like a damaged model, without a wait: a pipe that nobody
// writes to, a socket, a device, a folder. The old model goes on, and the next one is taken.
func TestReloadOfWhatIsNoFileDoesNotHang(t *testing.T) {
	good, err := os.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	file := modelFile(t, good)
	h, err := New(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	old := h.model.Load()
	for name, create := range map[string]func() error{
		"pipe":   func() error { return syscall.Mkfifo(file, 0o600) },
		"device": func() error { return os.Symlink("/dev/zero", file) },
		"folder": func() error { return os.Mkdir(file, 0o700) },
		"socket": func() error {
			l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
			if err != nil {
				return err
			}
			t.Cleanup(func() { l.Close() })
			return os.Symlink(l.Addr().String(), file)
		},
	} {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		if err := create(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- h.Reload() }()
		// Whoever opens a pipe to read it waits for a writer, who can be one only while somebody waits.
		hangs := func() bool {
			w, err := os.OpenFile(file, os.O_WRONLY|syscall.O_NONBLOCK, 0)
			if err == nil {
				w.Close()
			}
			return name == "pipe" && err == nil
		}
		for {
			select {
			case err = <-done:
			default:
				if !hangs() {
					continue
				}
				err = errors.New("it waits for a writer")
				<-done
			}
			break
		}
		if err == nil || !strings.Contains(err.Error(), "not a regular file") || h.model.Load() != old {
			t.Errorf("a %s: %v", name, err)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	place(t, file, other(t, "The second"))
	if err := h.Reload(); err != nil || h.model.Load() == old {
		t.Errorf("a model afterwards: %v", err)
	}
}
