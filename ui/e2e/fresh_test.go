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

// basics are the only commands on the PATH of a fresh machine for `make run`: Go, make, git and standard POSIX tools.
// No node, brotli, python or bash.
var basics = strings.Fields(
	"go make git sh awk cat chmod cp cut grep ls mkdir mktemp mv rm sed sort test tr uname uniq wc",
)

// freshMachine simulates a machine that has never seen the project, as far as folders can: a read-only clone (except
// build/) in a path with a space, owned by another user if this is root, with an empty home and empty caches.
type freshMachine struct {
	testing.TB
	clone, path, home string
	modules, cache    string
	temporary         string
	user              *syscall.SysProcAttr
}

// nobody is the user that runs commands if this is root.
const nobody = 65534

func newFreshMachine(t testing.TB) *freshMachine {
	t.Helper()
	top, err := os.MkdirTemp("", "stranger-") // not t.TempDir, whose parent is private to its owner
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

// copyTree copies the files that git tracks or would add.
func copyTree(from, to string) error {
	list, err := exec.Command("git", "-C", from, "ls-files", "-z", "--cached", "--others",
		"--exclude-standard").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	for name := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		info, err := os.Stat(filepath.Join(from, name))
		if os.IsNotExist(err) {
			continue // removed but not yet committed
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

// settings are environment variables by name; "" means unset.
type settings map[string]string

// make returns the make command on the fresh machine.
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
	// The module proxy is the real machine's setting, which may be stored in its home.
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

// serves runs `make run`, calls visit with the printed address, and stops it like Ctrl-C.
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
		s.Fatalf("make run did not serve the page:\n%s", &said)
	}
	s.Logf("make run served the page after %.0f s", time.Since(began).Seconds())
	visit(address)
	syscall.Kill(-c.Process.Pid, syscall.SIGINT)
	stopped := false
	for lines.Scan() {
		stopped = stopped || lines.Text() == "Stopped."
	}
	if err := c.Wait(); !stopped { // the signal also ends make, once the server has stopped
		s.Errorf("Ctrl-C did not stop the server cleanly; make run ended with %v:\n%s", err, &said)
	}
}

// On a fresh machine `make run` serves the page, and the page recommends: with only Go, make and git, in a read-only
// clone of another user, in a path with a space, with Go settings in the environment that have broken builds. Then also
// with all tools, and without a home. It writes only to build/ and Go's caches.
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
		// Then Go's caches are in build/home. Link the earlier ones there to avoid building everything twice.
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
		t.Errorf("make run left files outside of build/ (%v):\n%s", err, left)
	}
	if left, err := os.ReadDir(s.temporary); err != nil || len(left) > 0 {
		t.Errorf("make run left %v in the temporary folder (%v)", left, err)
	}
}

// If it cannot work, it explains why, and the remedy.
func TestRunExplainsFailures(t *testing.T) {
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
				t.Errorf("make run ended with %v and does not print %q:\n%s", err, trial.says, out)
			}
		})
	}
}
