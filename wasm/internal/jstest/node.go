//go:build !js

package jstest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Node runs a js/wasm program under node in the current folder and returns its output. env adds environment variables
// ("NAME=value"). It fails the test if the program fails.
func Node(t testing.TB, program string, env []string, args ...string) string {
	t.Helper()
	script := filepath.Join(Root(t), "wasm", "internal", "jstest", "node.mjs")
	return RunNode(t, env, append([]string{script, program}, args...)...)
}

// RunNode runs node. It skips the test if node is missing, or too old to detect ES modules by content.
func RunNode(t testing.TB, env []string, args ...string) string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: node is not installed (apt-get install nodejs), so tests in a JavaScript engine did not run")
	}
	version, err := exec.Command(node, "--version").Output()
	if err != nil {
		t.Fatalf("node --version: %v", err)
	}
	var major, minor int
	if _, err := fmt.Sscanf(string(version), "v%d.%d", &major, &minor); err != nil {
		t.Fatalf("node --version printed %q", version)
	}
	if major < 20 || major == 20 && minor < 19 {
		t.Skipf("SKIPPED: node is %s, but the tests need 20.19 or newer", strings.TrimSpace(string(version)))
	}
	cmd := exec.Command(node, args...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("under node: %v\n%s", err, out)
	}
	return string(out)
}
