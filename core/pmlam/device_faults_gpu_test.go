//go:build gpu && linux

package pmlam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cuda"
	"github.com/pmlam/pmlam/core/internal/cuda/standin"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/training"
)

// onDevice returns settings that together launch every kernel of the training, with the kernels that each launches.
func onDevice(t *testing.T) map[string]struct {
	Config
	kernels []string
} {
	all := configs(t)
	shared := all["composed, shared negatives"]
	always := []string{"sample", "count", "scan_tiles", "scan_tops", "scan_write", "place", "rank", "tally", "totals",
		"runs", "rows", "update"}
	composed := append(always, "forget", "lead", "member_sums", "member_tops", "member_starts", "members",
		"compose_parts", "compose_sums", "compose", "compose_back", "groups")
	network := append(always, "anchors", "pairs", "noise", "inputs", "hidden_pairs", "hidden", "margins", "back",
		"back_pairs", "lift",
		"directions", "along_pairs", "along", "second", "gradient_q", "gradient_p", "gradient_small", "gradient_sums",
		"learn", "fold")
	stable := small(t, "adaptive")
	stable.Relations = AdaptiveRelations
	apart := stable
	apart.OuterBatch = HeldOutBatch
	apart.Batch = stable.Batch * 3 / 4 // the same number of batches, of fewer pairs
	return map[string]struct {
		Config
		kernels []string
	}{
		"preset adaptive": {stable, []string{"noise", "inputs", "hidden_pairs", "hidden", "margins", "lift_constant", "weigh",
			"unit_products", "unit_tiles", "unit_length", "unit_rows", "gradient_q", "gradient_p", "gradient_small", "learn", "fold"}},
		"another outer batch": {apart, []string{"sample_outer", "unseen"}},
		"composed":            {all["composed"], append(slices.Clone(composed), "pairs")},
		"shared negatives": {shared, append(slices.Clone(composed), "sample_shared", "shared_gather",
			"shared_distances", "shared_softmax", "shared_anchors", "shared_own")},
		"parts": {all["composed, a part of a user's likes at a time, shrinkage"], []string{"part_sums",
			"shared_positives", "shared_softmax_of_parts", "part_gradients", "shrink", "shrunk_gradient"}},
		"the paper": {all["8 the paper"], network},
	}
}

// noticed is the threshold of a difference. Most items occur once or never in that data, so some gradients cancel up to
// rounding, a hundred-millionth, and the first steps of Adam only depend on their sign.
const noticed = 3e-4

// For every kernel, the comparison with the CPU notices that the work of one warp is missing.
func TestDeviceAFaultInAnyKernelIsNoticed(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 1100, 12) // more entities than one warp counts
	for name, c := range onDevice(t) {
		c.Epochs = 1
		whole := newTrainer(t, m, c.Config, 2)
		if _, err := whole.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		want := tensors(whole)
		differ := func(skip string, warp int) (bool, error) {
			driver.Set("reset", 0)
			driver.Set("skip", skip)
			driver.Set("skip_warp", warp)
			trainer := newTrainer(t, m, c.Config, 2)
			trainer.Use(opened(t))
			if _, err := trainer.Run(context.Background(), nil); err != nil {
				return true, err
			}
			for i, x := range tensors(trainer) {
				if norm, _ := apart(x.values, want[i].values); norm > noticed {
					return true, nil
				}
			}
			norm, _ := apart32(trainer.History()[0].Figures, whole.History()[0].Figures)
			return norm > noticed, nil
		}
		if bad, err := differ("", 0); bad {
			t.Fatalf("%s: differs without any fault (%v)", name, err)
		}
		for _, kernel := range c.kernels {
			bad, _ := differ(kernel, 0)
			for row := m.Rows(); kernel == "unseen" && !bad && row < m.Rows()+m.Cols; row++ { // few items have work
				bad, _ = differ(kernel, row)
			}
			if !bad {
				t.Errorf("%s: a missing warp of the kernel %s is not noticed", name, kernel)
			}
		}
	}
}

func apart32(a, b []float64) (norm, most float64) { return apart(to32(a), to32(b)) }

// A lost device ends the training with a clear error and no result, and the last checkpoint stays as it was.
func TestDeviceLostLeavesTheLastCheckpoint(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 60, 12)
	for name, c := range onDevice(t) {
		driver.Set("reset", 0)
		fs := &durabletest.Memory{}
		trainer := newTrainer(t, m, c.Config, 2)
		keep(t, trainer, training.Checkpoints{FS: fs})
		trainer.Use(opened(t))
		trainer.Watch = func(done, _ int) {
			if done == 5 {
				driver.Set("lost_after", driver.Get("launches")+7)
			}
		}
		result, err := trainer.Run(context.Background(), nil)
		var lost *LostError
		var failure *cuda.Error
		if !errors.As(err, &lost) || !errors.As(err, &failure) || result != nil || lost.Epoch != 1 || lost.Batch != 6 {
			t.Fatalf("%s: result %v with the error %v", name, result, err)
		}
		for _, part := range []string{"epoch 1, batch 6", "cuda:0 (Stand-in)", "CUDA_ERROR_ILLEGAL_ADDRESS",
			"illegal memory access", "last checkpoint"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", name, err, part)
			}
		}
		resumed := newTrainer(t, m, c.Config, 2)
		if r := keep(t, resumed, training.Checkpoints{FS: fs}); r.Epoch != 0 || r.Batch != 5 {
			t.Errorf("%s: the checkpoint is %+v", name, r)
		}
		if _, err := resumed.Run(context.Background(), nil); err != nil {
			t.Errorf("%s: the training does not resume: %v", name, err)
		}
	}
}

// A failure to copy the state back is an error, whoever requests it.
func TestDeviceThatKeepsWhatItLearned(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 60, 12)
	c := configs(t)["composed"]
	for _, stop := range []bool{false, true} {
		driver.Set("reset", 0)
		trainer := newTrainer(t, m, c, 2)
		trainer.Use(opened(t))
		ctx, cancel := context.WithCancel(context.Background())
		total := c.Epochs * trainer.Batches()
		trainer.Watch = func(done, _ int) {
			if stop && done == 3 {
				driver.Set("fail_copy", 1)
				cancel()
			}
			if done == total {
				driver.Set("fail_copy", 1)
			}
		}
		result, err := trainer.Run(ctx, nil)
		cancel()
		if lost := new(LostError); !errors.As(err, &lost) || result != nil {
			t.Errorf("stopped %t: result %v with the error %v", stop, result != nil, err)
		}
	}
}

// Insufficient memory is an error before the training, with the sizes.
func TestDeviceThatIsTooSmall(t *testing.T) {
	driver, m := standin.Use(t), clustered(40, 60, 12)
	driver.Set("memory", 100_000)
	trainer := newTrainer(t, m, configs(t)["8 the paper"], 2)
	trainer.Use(opened(t))
	_, err := trainer.Run(context.Background(), nil)
	for _, part := range []string{"cannot start the training on cuda:0 (Stand-in)", "CUDA_ERROR_OUT_OF_MEMORY",
		"MiB were requested, but only 100000 bytes of 100000 bytes are free", "a smaller batch"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", fmt.Sprint(err), part)
		}
	}
	if n := driver.Get("blocks"); n != 0 {
		t.Errorf("%d blocks are not freed", n)
	}
}

// So is a batch with more slots than an int32 can count.
func TestDeviceThatCannotCountSoFar(t *testing.T) {
	standin.Use(t)
	c := configs(t)["composed"]
	c.Batch, c.Negatives = 40_000, 65_536
	trainer := newTrainer(t, clustered(4000, 60, 12), c, 2)
	trainer.Use(opened(t))
	if _, err := trainer.Run(context.Background(), nil); err == nil ||
		!strings.Contains(err.Error(), "with 65536 negatives has too many slots for a GPU; reduce either") {
		t.Errorf("%v", err)
	}
}

// A diverging training leaves the state before the batch, as on the CPU, and names the same tensor.
func TestDeviceThatDiverges(t *testing.T) {
	standin.OrReal(t)
	d, m := opened(t), clustered(40, 60, 15)
	for name, change := range map[string]func(*Config){
		"composed":    func(c *Config) { c.LearnRate = 3e18 },
		"8 the paper": func(c *Config) { c.OuterRate, c.Input = 1e36, "cat" },
	} {
		c := configs(t)[name]
		c.Radius, c.Decay, c.Epochs = math.MaxFloat32, false, 200
		change(&c)
		trainer := newTrainer(t, m, c, 2)
		trainer.Use(d)
		got, err := trainer.Run(context.Background(), nil)
		var diverged *training.NonFiniteError
		if !errors.As(err, &diverged) {
			t.Fatalf("%s: %v", name, err)
		}
		steps := (diverged.Epoch-1)*trainer.Batches() + diverged.Batch - 1
		before := newTrainer(t, m, c, 2)
		before.Use(d)
		if steps == 0 {
			t.Fatalf("%s: %v, so there is nothing to compare", name, err)
		}
		cut(t, before, steps)
		if !same(got, before.result()) {
			t.Errorf("%s: %v, but the state is not that after %d batches", name, err, steps)
		}
	}
}
