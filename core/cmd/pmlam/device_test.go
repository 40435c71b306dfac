//go:build !gpu || !linux

package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// Without the build tag, the program links nothing for GPUs.
func TestWithoutTheTagNothingIsThere(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"purego", "core/internal/cuda"} {
		if strings.Contains(string(out), name) {
			t.Errorf("the program depends on %s", name)
		}
	}
}

// A program without GPUs says how to build one with them, before it reads anything.
func TestWithoutGPUs(t *testing.T) {
	for _, args := range []string{"train --data no-such-data", "evaluate --data no-such-data --fold 0 --baselines ease",
		"evaluate --data no-such-data --fold 0 --model no-such-model"} {
		r := command(append(strings.Fields(args), "--device", "cuda:0")...)
		const want = "cannot use the device cuda:0: this program was built without GPU support; on Linux, add it by " +
			"go build -tags gpu ./core/cmd/pmlam (docs/gpu.md)"
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("%s: exit code %d, %s", args, r.code, r.errors)
		}
	}
}
