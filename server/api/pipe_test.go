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

// Anything that is not a regular file at the model's path is rejected like a damaged model, without blocking: a pipe
// without a writer, a socket, a device, a folder. The old model continues, and the next file is accepted.
func TestReloadDoesNotBlock(t *testing.T) {
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
		// Opening a pipe for reading blocks until a writer opens it, and a writer succeeds only while a reader waits.
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
				err = errors.New("it blocks for a writer")
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
