//go:build unix

package site

import (
	"syscall"
	"testing"
)

func mkfifo(path string) error { return syscall.Mkfifo(path, 0o600) }

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := mkfifo(path); err != nil {
		t.Fatal(err)
	}
}
