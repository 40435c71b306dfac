//go:build !js

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// .ci/package overwrites its own output, and leaves a folder with any other file unchanged.
func TestPackageKeepsOtherFiles(t *testing.T) {
	if _, err := exec.LookPath("cksum"); err != nil {
		t.Skip("SKIPPED: no cksum")
	}
	folder := filepath.Join(t.TempDir(), "package")
	program := filepath.Join(t.TempDir(), "embed.wasm")
	run := func() (string, error) {
		out, err := exec.Command(filepath.Join(jstest.Root(t), ".ci/package"), folder, program).CombinedOutput()
		return string(out), err
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range []string{"program one", "program two"} {
		put(program, text)
		if out, err := run(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if b, err := os.ReadFile(filepath.Join(folder, "embed.wasm")); err != nil || string(b) != text {
			t.Errorf("the program is %q, %v", b, err)
		}
	}
	for _, name := range []string{"notes.txt", "package.json", ".npmrc"} {
		path := filepath.Join(folder, name)
		before, had := os.ReadFile(path)
		put(path, "mine")
		if out, err := run(); err == nil || !strings.Contains(out, "holds "+name) {
			t.Errorf("%s: %v, %s", name, err, out)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != "mine" {
			t.Errorf("%s is %q, %v", name, b, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if had == nil {
			put(path, string(before))
		}
	}
	if out, err := run(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if entries, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(entries) != 1 {
		t.Errorf("next to the folder: %v, %v", entries, err)
	}
}
