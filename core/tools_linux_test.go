package core_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// toolsMachine is a copy of .ci/tools and .ci/run on a machine where only what they need themselves is installed. Its
// apt-get writes what it is asked for into the file asked.
type toolsMachine struct {
	*testing.T
	folder, asked string
}

func newToolsMachine(t *testing.T, user string) toolsMachine {
	m := toolsMachine{t, t.TempDir(), ""}
	m.asked = filepath.Join(m.folder, "asked")
	bin := filepath.Join(m.folder, "bin")
	for _, dir := range []string{bin, filepath.Join(m.folder, ".ci")} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bash", "awk", "cat", "dirname", "env", "mkdir"} {
		program, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("SKIPPED: %s is not installed, so .ci/tools was not run", name)
		}
		if err := os.Symlink(program, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, script := range map[string]string{
		"apt-get": `echo "$*" >>"` + m.asked + `"`,
		"id":      "echo " + user,
		"make":    `echo "CI=$CI" >>"` + m.asked + `"`,
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{".ci/tools", ".ci/run", "go.mod"} {
		b, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(m.folder, name), b, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func (m toolsMachine) command(script string, env ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(m.folder, script))
	c.Env = append([]string{"PATH=" + filepath.Join(m.folder, "bin")}, env...)
	return c
}

// installed returns what apt-get was asked for.
func (m toolsMachine) installed() string {
	b, err := os.ReadFile(m.asked)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		m.Fatal(err)
	}
	return string(b)
}

// answer runs .ci/tools on a terminal, answers its question, and returns what it printed.
func (m toolsMachine) answer(answer string) string {
	m.Helper()
	control, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		m.Skipf("SKIPPED: there is no terminal to run .ci/tools on: %v", err)
	}
	defer control.Close()
	if err := unix.IoctlSetPointerInt(int(control.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		m.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(control.Fd()), unix.TIOCGPTN)
	if err != nil {
		m.Fatal(err)
	}
	screen, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		m.Fatal(err)
	}
	c := m.command(".ci/tools")
	c.Stdin, c.Stdout, c.Stderr = screen, screen, screen
	err = c.Start()
	screen.Close()
	if err != nil {
		m.Fatal(err)
	}
	if _, err := io.WriteString(control, answer+"\n"); err != nil {
		m.Fatal(err)
	}
	var said bytes.Buffer
	io.Copy(&said, control) // ends with an error once no process has the terminal open
	if err := c.Wait(); err != nil {
		m.Errorf("%v: %s", err, &said)
	}
	return said.String()
}

// TestToolsInstallNothingUnasked runs .ci/tools in each situation: packages are installed where somebody agreed, or for
// continuous integration.
func TestToolsInstallNothingUnasked(t *testing.T) {
	const how = "apt-get install --no-install-recommends nodejs npm chromium "
	for _, c := range []struct {
		name, user string
		env        []string
		terminal   bool
		answer     string
		install    bool
		says       string
	}{
		{name: "root without a terminal", user: "0", says: "To install what is missing: " + how},
		{name: "root without a terminal, CI", user: "0", env: []string{"CI=1"}, install: true, says: how},
		{name: "another user, CI", user: "1000", env: []string{"CI=1"}, says: "sudo " + how},
		{name: "root who agrees", user: "0", terminal: true, answer: "y", install: true, says: "Install these packages now?"},
		{name: "root who declines", user: "0", terminal: true, answer: "", says: "Install these packages now?"},
		{name: "another user", user: "1000", terminal: true, answer: "y", says: "sudo " + how},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newToolsMachine(t, c.user)
			said := ""
			if c.terminal {
				said = m.answer(c.answer)
			} else {
				b, err := m.command(".ci/tools", c.env...).CombinedOutput()
				if err != nil {
					t.Errorf("%v: %s", err, b)
				}
				said = string(b)
			}
			if !strings.Contains(said, c.says) || !strings.Contains(said, "clang-19: missing, for compiling the SIMD and GPU kernels") {
				t.Errorf("it says %s\nwant %q, and what clang-19 is for", said, c.says)
			}
			installed := m.installed()
			if c.install != strings.Contains(installed, "install -y --no-install-recommends chromium\n") ||
				!c.install && installed != "" {
				t.Errorf("apt-get was asked for %q", installed)
			}
			skipped, err := os.ReadFile(filepath.Join(m.folder, "build/skipped.txt"))
			if err != nil || !strings.Contains(string(skipped), "tools: chromium is missing") { // the apt-get installs nothing
				t.Errorf("build/skipped.txt has %q, %v", skipped, err)
			}
		})
	}
}

// TestRunIsContinuousIntegration checks that .ci/run sets CI, and leaves a value that it has.
func TestRunIsContinuousIntegration(t *testing.T) {
	for env, want := range map[string]string{"X=": "CI=1\n", "CI=": "CI=1\n", "CI=true": "CI=true\n"} {
		m := newToolsMachine(t, "0")
		if b, err := m.command(".ci/run", env).CombinedOutput(); err != nil || m.installed() != want {
			t.Errorf("with %s make is given %q, want %q: %v %s", env, m.installed(), want, err, b)
		}
	}
}

// TestAuditCoversEverything checks that .ci/audit looks at every Go module and npm lock file of the tree, and that no
// script fetches whatever version is the latest.
func TestAuditCoversEverything(t *testing.T) {
	audit, err := os.ReadFile("../.ci/audit")
	if err != nil {
		t.Fatal(err)
	}
	files, err := exec.Command("git", "-C", "..", "ls-files").Output()
	if err != nil {
		t.Skipf("SKIPPED: git cannot list the files of the tree: %v", err)
	}
	for name := range strings.Lines(string(files)) {
		name = strings.TrimSuffix(name, "\n")
		folder := filepath.Dir(name)
		switch filepath.Base(name) {
		case "go.mod":
			if module, err := os.ReadFile(filepath.Join("..", name)); err != nil {
				t.Fatal(err)
			} else if !bytes.Contains(module, []byte("require")) {
				continue // nothing to look at
			}
			if !regexp.MustCompile(`(?m)^(programs=')?linux amd64 ` + regexp.QuoteMeta(folder) + ` `).Match(audit) {
				t.Errorf(".ci/audit looks at no program of the module in %s", folder)
			}
		case "package-lock.json":
			if !regexp.MustCompile(`npm='(.* )?` + regexp.QuoteMeta(folder) + `[ ']`).Match(audit) {
				t.Errorf(".ci/audit does not look at %s", name)
			}
		}
		if strings.HasPrefix(name, ".ci/") || filepath.Base(name) == "Makefile" || filepath.Ext(name) == ".sh" {
			b, err := os.ReadFile(filepath.Join("..", name))
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(b, []byte("@"+"latest")) {
				t.Errorf("%s fetches the latest version of something: name a version", name)
			}
		}
	}
}
