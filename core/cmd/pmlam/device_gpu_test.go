//go:build gpu && linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cuda/standin"
)

// The command trains, validates, ranks and resumes on the device as on the processor, with every preset.
func TestDeviceTrainsFromTheCommandLine(t *testing.T) {
	standin.Use(t)
	data := some(t, 60)
	for _, preset := range []string{"paper", "best", "hybrid", "composed"} {
		out := filepath.Join(t.TempDir(), "model.msgpack")
		args := []string{"--data", data, "--fold", "0", "--preset", preset, "--auto=false", "--calibrate=false",
			"--validation", "0.2", "--every", "1", "--out", out}
		cpu, gpu := trained(t, args...), trained(t, append(args, "--device", "cuda:0")...)
		for _, key := range []string{"recall@10", "ndcg@10", "recall@20", "ndcg@20"} {
			if a, b := figure(t, cpu, key), figure(t, gpu, key); math.Abs(a-b) > 0.003 {
				t.Errorf("%s: %s is %.4f on the device and %.4f on the processor", preset, key, b, a)
			}
		}
		on := []string{"evaluate", "--json", "--data", data, "--fold", "0", "--model", out}
		plain, ranked := ok(t, on...).object(t), ok(t, append(on, "--device", "cuda:0")...).object(t)
		if a, b := figure(t, plain, "ndcg@10"), figure(t, ranked, "ndcg@10"); a != b {
			t.Errorf("%s: ranked on the device, ndcg@10 is %v, and %v on the processor", preset, b, a)
		}
	}
}

// Settings are chosen on the device too, and equal those of the processor; no two trials here are close enough for
// rounding to matter.
func TestDeviceChooses(t *testing.T) {
	driver := standin.Use(t)
	data := some(t, 60)
	args := []string{"--data", data, "--fold", "0", "--preset", "best", "--calibrate=false", "--epochs", "1", "--dim",
		"4"}
	cpu := trained(t, args...)
	before := driver.Get("launches")
	gpu := trained(t, append(args, "--device", "cuda:0")...)
	if a, b := fmt.Sprint(cpu["config"]), fmt.Sprint(gpu["config"]); a != b {
		t.Errorf("chosen on the device: %s\non the processor: %s", b, a)
	}
	if driver.Get("launches")-before < 500 {
		t.Error("the trials were not made on the device")
	}
}

// Errors of the device are sentences, before the data are read. A device that fails later leaves the checkpoint.
func TestDeviceThatFails(t *testing.T) {
	driver := standin.Use(t)
	refused := func(want string, args ...string) {
		t.Helper()
		r := command(append([]string{"train", "--data", "no-such-data", "--device", "cuda:0"}, args...)...)
		if r.code != cli.ExitFailed || !strings.Contains(r.errors, want) {
			t.Errorf("exit code %d, %q does not say %q", r.code, r.errors, want)
		}
	}
	driver.Set("devices", 0)
	refused("cannot start NVIDIA's driver: cuInit: CUDA_ERROR_NO_DEVICE (no CUDA-capable device is " +
		"detected); nvidia-smi shows whether it sees a GPU")
	driver.Set("devices", 1)
	refused("cannot use the device cuda:3: cuda:3 does not exist: NVIDIA's driver sees 1", "--device", "cuda:3")

	data, folder := some(t, 60), t.TempDir()
	args := append([]string{"train", "--data", data, "--checkpoint", folder, "--checkpoint-every", "0s", "--preset",
		"composed", "--calibrate=false"}, quick...)
	driver.Set("lost_after", 200)
	r := command(append(args, "--device", "cuda:0")...)
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "CUDA_ERROR_ILLEGAL_ADDRESS") || !strings.Contains(r.errors,
		"; run the same command again to resume") {
		t.Fatalf("exit code %d, %s", r.code, r.errors)
	}
	if kept, err := filepath.Glob(filepath.Join(folder, "checkpoint-*")); err != nil || len(kept) == 0 {
		t.Fatalf("no checkpoint is left: %v", err)
	}
	driver.Set("reset", 0)
	if r := ok(t, append(args, "--device", "cuda:0")...); !strings.Contains(r.errors, "resuming in epoch 1") {
		t.Errorf("%s", r.errors)
	}
	os.Setenv("PMLAM_CUDA_LIBRARY", filepath.Join(folder, "libcuda.so.1")) // the stand-in handles it again
	refused("libcuda.so.1 (PMLAM_CUDA_LIBRARY) cannot be opened")
}
