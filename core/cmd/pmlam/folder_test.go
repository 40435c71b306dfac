//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// nobody runs the command if the tests run as root, which can read everything.
const nobody = 65534

// unprivileged runs a command line in a process without root's permissions.
func unprivileged(t *testing.T, args ...string) result {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	if os.Getuid() == 0 {
		// nobody cannot read the folder that go test builds in.
		c.Path = filepath.Join(open(t), "pmlam")
		copyTo(t, c.Path, self)
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	c.Dir = "/"
	c.Env = append(os.Environ(), asCommand+"=1")
	var out, errors bytes.Buffer
	c.Stdout, c.Stderr = &out, &errors
	if err := c.Run(); c.ProcessState == nil {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), errors.String()}
}

// open returns a new folder that everybody can read.
func open(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "pmlam-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

func copyTo(t *testing.T, to, from string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}

// An unreadable folder is reported as such, not as one with unknown content, whether its files cannot be listed or not
// be opened.
func TestUnreadableFolder(t *testing.T) {
	base := open(t)
	data := string(read(t, blocks(t)))
	good := filepath.Join(base, "ratings.csv")
	write(t, good, data)
	for mode, name := range map[os.FileMode]string{0: "shut", 0o444: "listed", 0o111: "reached"} {
		folder := filepath.Join(base, name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, "unheard-of.csv"), data)
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(folder, 0o755) })
		for _, args := range [][]string{{"data", "stats", folder}, {"data", "stats", good, "--items", folder}} {
			r := unprivileged(t, args...)
			if want := folder + ": the folder may not be read; check its permissions"; r.code != cli.ExitFailed ||
				!strings.Contains(r.errors, want) || strings.Contains(r.errors, "holds no") {
				t.Errorf("%s, %v: exit code %d, %s", name, args, r.code, r.errors)
			}
		}
	}
	// A readable folder with unknown content is reported as before.
	empty := filepath.Join(base, "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if r := unprivileged(t, "data", "stats", empty); r.code != cli.ExitFailed || !strings.Contains(r.errors,
		empty+": the folder holds nothing known") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}
