package pmlam

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// shrunken returns a training with shrinkage in which some items share no user with any other.
func shrunken(t *testing.T, workers int, change func(c *Config)) *Trainer {
	t.Helper()
	c := small(t, "composed")
	c.Shrinkage, c.ShrinkageItems = 7, 3
	if change != nil {
		change(&c)
	}
	return newTrainer(t, clustered(30, 40, 5), c, workers)
}

// Rows follow the formula, written out here: all pairwise cosines, the best of them, their shares.
func TestShrinkageIsTheFormula(t *testing.T) {
	for _, free := range []bool{false, true} {
		trainer := shrunken(t, 2, func(c *Config) { c.FreeUsers = free })
		m, c := trainer.train, &trainer.cfg
		users := m.Transpose()
		common := func(i, j int) (n float64) {
			for _, u := range users.Row(i) {
				if slices.Contains(users.Row(j), u) {
					n++
				}
			}
			return n
		}
		phi := trainer.ownTable(trainer.theta)
		got := trainer.itemsTable(trainer.theta)
		drawn := 0
		for i := range m.Cols {
			near := make([]int, 0, m.Cols)
			cos := make([]float64, m.Cols)
			for j := range m.Cols {
				if n := common(i, j); j != i && n > 0 {
					near = append(near, j)
					cos[j] = n / math.Sqrt(float64(len(users.Row(i))*len(users.Row(j))))
				}
			}
			slices.SortStableFunc(near, func(a, b int) int {
				switch x, y := float32(cos[a]), float32(cos[b]); {
				case x > y:
					return -1
				case x < y:
					return 1
				}
				return a - b
			})
			near = near[:min(len(near), c.ShrinkageItems)]
			n, kappa, sum := float64(len(users.Row(i))), c.Shrinkage, 0.0
			for _, j := range near {
				sum += cos[j]
			}
			if len(near) == 0 {
				kappa = 0
			} else {
				drawn++
			}
			for d, v := range got.Row(i) {
				want := n * float64(phi.Row(i)[d])
				for _, j := range near {
					want += kappa * cos[j] / sum * float64(phi.Row(j)[d])
				}
				if n+kappa > 0 {
					want /= n + kappa
				} else {
					want = float64(phi.Row(i)[d])
				}
				if math.Abs(want-float64(v)) > 1e-6 {
					t.Fatalf("free users %v: item %d with %d neighbours has %v at %d, want %v", free, i, len(near), v,
						d, want)
				}
			}
		}
		if drawn == 0 {
			t.Error("no item has a neighbour, so nothing is tested")
		}
	}
}

// The gradient of the learned rows is the slope of the training's loss of one batch, along random directions, by
// central differences.
func TestShrinkageGradient(t *testing.T) {
	for _, free := range []bool{false, true} {
		trainer := shrunken(t, 2, func(c *Config) { c.FreeUsers, c.Dim = free, 6 })
		trainer.now = whole(trainer)
		trainer.sample()
		s, task, radius := &trainer.step, trainer.tasks[userItem], float32(trainer.cfg.Radius)
		loss := func() float64 {
			s.gather(2, trainer.theta, false)
			trainer.shrunk.gather(2, s, trainer.theta, false)
			return task.inner(2, s, radius, 0)
		}
		loss()
		trainer.shrunk.findMoved(s)
		width := 2 * trainer.cfg.Dim
		grad := make([]float32, len(trainer.theta.Data()))
		for _, e := range trainer.shrunk.moved {
			trainer.shrunk.gradient(vec.Row(grad, int(e), width), int(e), s, nil, nil)
		}
		start := slices.Clone(trainer.theta.Data())
		r := rand.New(rand.NewPCG(3, 4))
		for range 5 {
			const step = 2e-3
			var slope float64
			direction := make([]float32, len(grad))
			for k := range direction {
				direction[k] = float32(r.NormFloat64())
				slope += float64(direction[k]) * float64(grad[k])
			}
			at := func(x float32) float64 {
				for k := range direction {
					trainer.theta.Data()[k] = start[k] + x*direction[k]
				}
				return loss()
			}
			if want := (at(step) - at(-step)) / (2 * step); math.Abs(slope-want) > 2e-3*math.Abs(want)+2e-3 {
				t.Errorf("free users %v: the slope is %v, by finite differences %v", free, slope, want)
			}
		}
	}
}

// A training that begins from its own learned rows continues as if it had not ended, and one that begins from a model
// takes the model's rows as they are.
func TestShrinkageFromABeginning(t *testing.T) {
	trainer := shrunken(t, 2, nil)
	r, err := trainer.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(r.Own.Data(), r.Items.Data()) {
		t.Fatal("the composed rows equal the learned ones, so nothing is tested")
	}
	of := make([]int32, r.Items.Len())
	for i := range of {
		of[i] = int32(i)
	}
	for name, b := range map[string]*Beginning{
		"learned":  {Items: r.Own, ItemOf: of, Own: true},
		"composed": {Items: r.Items, ItemOf: of},
	} {
		next := shrunken(t, 2, nil)
		if err := next.Begin(b); err != nil {
			t.Fatal(err)
		}
		got := next.itemsTable(next.theta)
		for k, v := range got.Data() {
			if want := r.Items.Data()[k]; math.Abs(float64(v-want)) > 1e-6 {
				t.Fatalf("%s: a row starts with %v, want %v", name, v, want)
			}
		}
	}
}

// The default is ten neighbours.
func TestShrinkageItemsAreTen(t *testing.T) {
	of := func(items int) *shrinkage {
		return shrunken(t, 2, func(c *Config) { c.ShrinkageItems = items }).shrunk
	}
	if named, nine, none := of(10), of(9), of(0); !slices.Equal(none.toItem.weight, named.toItem.weight) ||
		slices.Equal(none.toItem.weight, nine.toItem.weight) {
		t.Error("the default is not ten neighbours")
	}
}

// The search for neighbours stops when its context ends.
func TestShrinkageIsCancelled(t *testing.T) {
	c := small(t, "composed")
	c.Shrinkage, c.ShrinkageItems = 7, 3
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(ctx, clustered(30, 40, 5), c, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
