//go:build !js

package jstest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Root returns the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	return goTool(t, "list", "-m", "-f", "{{.Dir}}")
}

// Goroot returns the folder of the Go installation, which contains lib/wasm/wasm_exec.js.
func Goroot(t testing.TB) string {
	t.Helper()
	return goTool(t, "env", "GOROOT")
}

// TestProgram compiles the tests of a package, given by import path, for js/wasm and returns the program's path.
func TestProgram(t testing.TB, pkg string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("go", "test", "-c", "-o", out, pkg)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("the tests of %s do not compile for js/wasm: %v\n%s", pkg, err, b)
	}
	return out
}

// Training compiles a main package that trains or writes models, given by import path, for js/wasm as the studio's is
// and returns the program's path.
func Training(t testing.TB, pkg string) string {
	t.Helper()
	return training(t, "build", pkg)
}

// TrainingTests compiles the tests of a package as Training does.
func TrainingTests(t testing.TB, pkg string) string {
	t.Helper()
	return training(t, "test", "-c", pkg)
}

func training(t testing.TB, command string, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("go", append([]string{command, "-tags", "train", "-o", out}, args...)...)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%q does not compile for js/wasm: %v\n%s", args, err, b)
	}
	goTool(t, "run", "github.com/pmlam/pmlam/wasm/kernel/training/importmemory", out)
	return out
}

// Program compiles a main package, given by import path, for js/wasm as it is shipped and returns the program's path.
func Program(t testing.TB, pkg string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("make", "-C", Root(t), "program", "MAIN="+pkg, "PROGRAM="+out)
	if b, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("make program: %v\n%s", err, b)
	}
	return out
}

func goTool(t testing.TB, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out))
}
