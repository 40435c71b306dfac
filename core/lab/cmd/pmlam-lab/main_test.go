package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
)

// asCommand turns the test's own binary into the command, for tests that need a process.
const asCommand = "PMLAM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	code := m.Run()
	if product.path != "" {
		os.RemoveAll(filepath.Dir(product.path))
	}
	os.Exit(code)
}

const (
	repo = "../../../.."
	lens = repo + "/assets/data/ml-latest-small"
)

var quick = clitest.Quick

// result is the output of a command line.
type result struct {
	code        int
	out, errors string
}

// command runs a command line in this process.
func command(args ...string) result { return within(context.Background(), args...) }

func within(ctx context.Context, args ...string) result {
	var out, errors bytes.Buffer
	code := cli.Execute(ctx, newRoot, args, &out, &errors)
	return result{code, out.String(), errors.String()}
}

// ok runs a command line that must succeed.
func ok(t *testing.T, args ...string) result {
	t.Helper()
	r := command(args...)
	if r.code != cli.ExitOK {
		t.Fatalf("pmlam-lab %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.errors)
	}
	return r
}

// product is the command pmlam, built once.
var product struct {
	once sync.Once
	path string
}

// built returns the path of the command pmlam.
func built(t *testing.T) string {
	t.Helper()
	product.once.Do(func() {
		folder, err := os.MkdirTemp("", "pmlam")
		if err != nil {
			t.Fatal(err)
		}
		product.path = filepath.Join(folder, "pmlam")
		build := exec.Command("go", "build", "-o", product.path, "./core/cmd/pmlam")
		build.Dir = repo
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
	return product.path
}

// trained runs pmlam train --json and returns its object; evaluated does so for pmlam evaluate.
func trained(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return run(t, append([]string{"train", "--json"}, args...)...)
}

func evaluated(t *testing.T, args ...string) map[string]any {
	t.Helper()
	return run(t, append([]string{"evaluate", "--json"}, args...)...)
}

func run(t *testing.T, args ...string) map[string]any {
	t.Helper()
	c := exec.Command(built(t), args...)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v", c.Args, err)
	}
	return result{out: string(out)}.object(t)
}

// object returns the JSON object on the last line of standard output.
func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	return clitest.Object(t, r.out)
}

// figure returns the number with that key.
func figure(t *testing.T, m map[string]any, key string) float64 {
	t.Helper()
	return clitest.Figure(t, m, key)
}

// some returns clitest.MovieLens with some users of MovieLens small.
func some(t *testing.T, users int) string { return clitest.MovieLens(t, lens, users) }

func blocks(t *testing.T) string { return clitest.Blocks(t) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
