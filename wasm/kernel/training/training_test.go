//go:build !js

package training_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
	"github.com/pmlam/pmlam/wasm/kernel/training"
)

// The tests of core/internal/vec compare every kernel with its Go function, and both with the bits of amd64.
func TestKernelsGiveTheBitsOfGo(t *testing.T) {
	program := jstest.TrainingTests(t, "github.com/pmlam/pmlam/core/internal/vec")
	for version, want := range map[string]string{"fused": "avx", "plain": "avx", "go": "go"} {
		out := jstest.Node(t, program, []string{"PMLAM_TEST_KERNELS=" + version}, "-test.short")
		if !strings.Contains(out, "kernels: "+want) {
			t.Errorf("%s: the tests did not print the kernels %q:\n%s", version, want, out)
		}
		if version == "fused" && strings.Contains(out, "instead of fused") {
			t.Log("SKIPPED: fused.wasm was not tested, because this machine does not fuse")
		}
	}
}

// Both modules import the memory, and write nothing into it when they start.
func TestOtherKernelsGiveTheBitsOfGo(t *testing.T) {
	for _, pkg := range []string{"tastemap", "train/calibrate", "train/itemlinks"} {
		program := jstest.TrainingTests(t, "github.com/pmlam/pmlam/core/"+pkg)
		out := jstest.Node(t, program, []string{"PMLAM_TEST_KERNELS=plain"}, "-test.v", "-test.run=Kernels")
		if want := "PASS: TestKernelsGiveTheBitsOfGo"; !strings.Contains(out, want) {
			t.Errorf("%s: the tests did not print %q:\n%s", pkg, want, out)
		}
	}
}

func TestModulesComeFromTheirSource(t *testing.T) {
	for _, tool := range []string{"clang-19", "wasm-ld-19"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %s is not installed (apt-get install clang-19 lld-19), so the modules were not compared "+
				"with training.c", tool)
		}
	}
	folder := t.TempDir()
	if b, err := exec.Command("./build.sh", folder).CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, b)
	}
	for name, module := range map[string][]byte{"fused.wasm": training.Fused, "plain.wasm": training.Plain} {
		again, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(again, module) {
			t.Errorf("%s (%d bytes) differs from the compiled training.c (%d bytes): run go generate "+
				"./wasm/kernel/training and commit it", name, len(module), len(again))
		}
	}
}
