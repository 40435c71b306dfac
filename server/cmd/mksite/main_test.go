package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// testTree returns a tree with one page whose program is elsewhere, as the Makefile passes it.
func testTree(t *testing.T, programBytes int) (tree, program string) {
	t.Helper()
	tree = t.TempDir()
	program = filepath.Join(tree, "built.wasm")
	page := `<!doctype html><meta charset="utf-8"><p data-program="assets/app.wasm">`
	// Random bytes, which cannot be compressed.
	data, x := make([]byte, programBytes), uint64(1)
	for i := range data {
		x = x*6364136223846793005 + 1442695040888963407
		data[i] = byte(x >> 56)
	}
	for name, content := range map[string][]byte{filepath.Join(tree, "index.html"): []byte(page), program: data} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tree, program
}

func run(args ...string) (string, error) {
	var out bytes.Buffer
	c := command()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(io.Discard)
	err := c.Execute()
	return out.String(), err
}

func TestWritesTheSiteAndPrintsItsSizes(t *testing.T) {
	tree, program := testTree(t, 5000)
	site := filepath.Join(t.TempDir(), "site")
	out, err := run("--tree", tree, "--out", site, "--with", "assets/app.wasm="+program, "--sizes", "--budget",
		"--quality", "1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out, "5,000") || !strings.Contains(out, "index.html") || !strings.Contains(out, "first load") {
		t.Errorf("printed\n%s", out)
	}
	if found, _ := filepath.Glob(filepath.Join(site, "assets", "built.*.wasm")); len(found) != 1 {
		t.Errorf("the program is not in the site: %q", found)
	}
}

// The budget is only checked with --budget.
func TestBudgetIsOptional(t *testing.T) {
	tree, program := testTree(t, 1_500_000)
	args := []string{
		"--tree", tree, "--out", filepath.Join(t.TempDir(), "site"), "--with", "assets/app.wasm=" + program,
		"--quality", "0",
	}
	if _, err := run(args...); err != nil {
		t.Errorf("without --budget: %v", err)
	}
	if _, err := run(append(args, "--budget")...); err == nil ||
		!strings.Contains(err.Error(), "the program has 1,500,0") {
		t.Errorf("with --budget: %v", err)
	}
}

func TestMistakesAreSentences(t *testing.T) {
	tree, _ := testTree(t, 10)
	site := filepath.Join(t.TempDir(), "site")
	for want, args := range map[string][]string{
		"--with \"app.wasm\" is not of the form ADDRESS=FILE": {"--with", "app.wasm"},
		"--copy \"=x\" is not of the form":                    {"--copy", "=x"},
		"the brotli quality is 12":                            {"--quality", "12"},
		"there is no assets/app.wasm":                         {"--tree", tree},
	} {
		if _, err := run(append(args, "--out", site)...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %s", args, err, want)
		}
	}
}
