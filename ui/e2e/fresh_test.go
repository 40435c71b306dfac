//go:build fresh && !js

package e2e

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
)

// What `make run` may find on the PATH of a machine that has never seen the project: Go, make, git, and what every
// POSIX system has. No node, no brotli, no python, no bash.
var basics = strings.Fields(
	"go make git sh awk cat chmod cp cut grep ls mkdir mktemp mv rm sed sort test tr uname uniq wc",
)

// freshMachine is a machine that has never seen the project, as far as that can be had in folders of its own: a clone
// in a path with a space that can be read but not written to, apart from build/, and that belongs to another user where
// this is root; an empty home; empty caches.
type freshMachine struct {
	testing.TB
	clone, path, home string
	modules, cache    string
	temporary         string
	user              *syscall.SysProcAttr
}

// nobody is the user that commands run as where this is root.
const nobody = 65534

func newFreshMachine(t testing.TB) *freshMachine {
	t.Helper()
	top, err := os.MkdirTemp("", "stranger-") // not t.TempDir, whose parent only its owner can enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("chmod", "-R", "u+w", top).Run()
		if err := os.RemoveAll(top); err != nil {
			t.Error(err)
		}
	})
	s := &freshMachine{TB: t, user: &syscall.SysProcAttr{Setpgid: true}}
	if os.Geteuid() == 0 {
		s.user.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	for _, f := range []struct {
		field *string
		name  string
	}{{&s.clone, "a stranger's clone"}, {&s.path, "path"}, {&s.home, "home"}, {&s.modules, "modules"},
		{&s.cache, "cache"}, {&s.temporary, "tmp"}} {
		*f.field = filepath.Join(top, f.name)
		if err := os.Mkdir(*f.field, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.Chmod(top, 0o755))
	for _, name := range basics {
		program, err := exec.LookPath(name)
		must(err)
		must(os.Symlink(program, filepath.Join(s.path, name)))
	}
	must(copyTree(root, s.clone))
	for _, args := range [][]string{{"init", "--quiet"}, {"add", "--all"},
		{"-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "all"}} {
		if b, err := exec.Command("git", append([]string{"-C", s.clone}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, b)
		}
	}
	build := filepath.Join(s.clone, "build")
	must(os.Mkdir(build, 0o755))
	must(exec.Command("chmod", "-R", "a+rX,a-w", s.clone).Run())
	for _, folder := range []string{build, s.home, s.modules, s.cache, s.temporary} {
		must(os.Chmod(folder, 0o777))
	}
	return s
}

// copyTree copies what git knows of the tree, or would if it were added.
func copyTree(from, to string) error {
	list, err := exec.Command("git", "-C", from, "ls-files", "-z", "--cached", "--others",
		"--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue // removed and not yet committed
		} else if err != nil {
			return err
		}
		content, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(target, content, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return nil
}

// settings are values of the environment by name; "" is as good as none for all that is set here.
type settings map[string]string

// make is that command on the stranger's machine.
func (s *freshMachine) make(more settings, args ...string) *exec.Cmd {
	s.Helper()
	c := exec.Command(filepath.Join(s.path, "make"), args...)
	c.Dir, c.SysProcAttr = s.clone, s.user
	env := map[string]string{}
	for _, e := range os.Environ() {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, "XDG_") && !strings.HasPrefix(name, "MAKE") && name != "MFLAGS" &&
			!strings.HasPrefix(name, "GO") {
			env[name] = value
		}
	}
	// Where modules come from is the machine's, and may stand in a home that the stranger does not have.
	names := []string{"GOPROXY", "GOSUMDB", "GONOSUMDB", "GONOPROXY", "GOPRIVATE", "GOINSECURE"}
	values, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		s.Fatal(err)
	}
	for i, value := range strings.Split(strings.TrimSuffix(string(values), "\n"), "\n") {
		env[names[i]] = value
	}
	env["PATH"], env["HOME"], env["TMPDIR"] = s.path, s.home, s.temporary
	env["GOMODCACHE"], env["GOCACHE"] = s.modules, s.cache
	maps.Copy(env, more)
	for name, value := range env {
		c.Env = append(c.Env, name+"="+value)
	}
	return c
}

// serves runs `make run`, calls visit with the address that it prints, and stops it as Ctrl-C does.
func (s *freshMachine) serves(more settings, visit func(address string)) {
	s.Helper()
	c := s.make(more, "run", "PORT=0")
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	began := time.Now()
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	defer syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	lines := bufio.NewScanner(out)
	address := ""
	for address == "" && lines.Scan() {
		fmt.Fprintln(&said, lines.Text())
		if rest, ok := strings.CutPrefix(lines.Text(), "The site is at "); ok {
			address, _, _ = strings.Cut(rest, " ")
		}
	}
	if address == "" {
		c.Wait()
		s.Fatalf("make run did not come so far as to serve the page:\n%s", &said)
	}
	s.Logf("make run serves the page after %.0f s", time.Since(began).Seconds())
	visit(address)
	syscall.Kill(-c.Process.Pid, syscall.SIGINT)
	stopped := false
	for lines.Scan() {
		stopped = stopped || lines.Text() == "Stopped."
	}
	if err := c.Wait(); !stopped { // make itself ends by the signal, once the server has stopped
		s.Errorf("by Ctrl-C the server did not stop as it should, make run ended with %v:\n%s", err, &said)
	}
}

// On a machine that has never seen the project `make run` serves the page, and the page recommends: from nothing but
// Go, make and git, in somebody else's read-only clone, in a path with a space, with settings of Go's in the
// environment that have broken builds. Then with everything there, and without a home. It writes nothing outside build/
// and Go's caches.
func TestRunFromNothing(t *testing.T) {
	needBrowser(t)
	s := newFreshMachine(t)
	recommends := func(address string) {
		t.Helper()
		v := newVisitor(t, persona{})
		v.open(address)
		v.like(three...)
		v.lists(answer(visit(t, three...), recommend.Request{}))
		v.noErrors()
	}
	t.Run("empty caches, settings of Go's", func(t *testing.T) {
		s := *s
		s.TB = t
		s.serves(settings{"GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"}, recommends)
	})
	t.Run("no home", func(t *testing.T) {
		s := *s
		s.TB = t
		// Then Go's caches are in build/home. What is in the others serves there too, so that not all is built twice.
		for name, cache := range map[string]string{".cache/go-build": s.cache, "go/pkg/mod": s.modules} {
			name = filepath.Join(s.clone, "build", "home", name)
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(cache, name); err != nil {
				t.Fatal(err)
			}
		}
		if err := exec.Command("chmod", "-R", "a+rwX", filepath.Join(s.clone, "build", "home")).Run(); err != nil {
			t.Fatal(err)
		}
		s.serves(settings{"HOME": "", "GOCACHE": "", "GOMODCACHE": "", "GOFLAGS": "-mod=vendor"}, recommends)
	})
	if left, err := exec.Command("git", "-C", s.clone, "status", "--porcelain",
		"--ignored").CombinedOutput(); err != nil || string(left) != "!! build/\n" {
		t.Errorf("make run left this in the tree beside build/ (%v):\n%s", err, left)
	}
	if left, err := os.ReadDir(s.temporary); err != nil || len(left) > 0 {
		t.Errorf("make run left %v in the folder for temporary files (%v)", left, err)
	}
}

// What cannot work says so in a sentence, and how to mend it.
func TestWhatCannotRunSaysSo(t *testing.T) {
	s := newFreshMachine(t)
	for _, trial := range []struct {
		name  string
		more  settings
		spoil func(t *testing.T)
		says  string
	}{
		{"no network", settings{"GOPROXY": "off"}, nil, "make fetches Go modules the first time"},
		{"no place to build in", nil, func(t *testing.T) {
			if err := os.Chmod(filepath.Join(s.clone, "build"), 0o555); err != nil {
				t.Fatal(err)
			}
		}, "build/ cannot be written to"},
		{"no Go", nil, func(t *testing.T) {
			if err := os.Remove(filepath.Join(s.path, "go")); err != nil {
				t.Fatal(err)
			}
		}, "Install Go 1."},
	} {
		t.Run(trial.name, func(t *testing.T) {
			if trial.spoil != nil {
				trial.spoil(t)
			}
			out, err := s.make(trial.more, "run", "PORT=0").CombinedOutput()
			if err == nil || !strings.Contains(string(out), trial.says) {
				t.Errorf("make run ends with %v and does not say %q:\n%s", err, trial.says, out)
			}
		})
	}
}
