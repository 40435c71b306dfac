package pmlam

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// ways are the settings of BoundConfig and OuterConfig, alone and combined.
var ways = map[string]func(c *Config){
	"unit proxy":               func(c *Config) { c.UnitProxy = true },
	"smooth hinge":             func(c *Config) { c.Smooth = true },
	"smooth, unit":             func(c *Config) { c.Smooth, c.UnitProxy = true, true },
	"smooth, unit, cat":        func(c *Config) { c.Smooth, c.UnitProxy, c.Input = true, true, "cat" },
	"smooth, unit, add":        func(c *Config) { c.Smooth, c.UnitProxy, c.Input = true, true, "add" },
	"outer margin 2":           func(c *Config) { c.OuterMargin = 2 },
	"outer softmax":            func(c *Config) { c.OuterLoss, c.OuterTemperature = OuterSoftmax, 0.4 },
	"held-out positives":       func(c *Config) { c.OuterBatch = HeldOutBatch },
	"held-out, smooth, unit":   func(c *Config) { c.OuterBatch, c.Smooth, c.UnitProxy = HeldOutBatch, true, true },
	"rotated negatives":        func(c *Config) { c.OuterBatch = RotatedBatch },
	"rotated, smooth":          func(c *Config) { c.OuterBatch, c.Smooth = RotatedBatch, true },
	"stddev bound":             func(c *Config) { c.Bound = StddevBound },
	"stddev bound, signed":     func(c *Config) { c.Bound, c.Signed = StddevBound, true },
	"joint bound":              func(c *Config) { c.Bound = JointBound },
	"joint bound, signed":      func(c *Config) { c.Bound, c.Signed = JointBound, true },
	"sigma bound, signed":      func(c *Config) { c.Signed = true },
	"negatives shared by user": func(c *Config) { c.UserNegatives = true },
	"all": func(c *Config) {
		c.Bound, c.Signed, c.Smooth, c.UnitProxy, c.OuterLoss = JointBound, true, true, true, OuterSoftmax
		c.OuterBatch, c.UserNegatives = HeldOutBatch, true
	},
}

// way builds the same problem for the reference and for a trainer with one task. Two extra rows occur only in the outer
// batch.
func way(t *testing.T, seed uint64, change func(c *Config)) (*reference, *Trainer, *task) {
	t.Helper()
	c := small(t, "paper")
	c.Alpha, c.Lambda, c.LearnRate, c.OuterRate, c.Temperature = alpha, 0.01, 0.02, 0.03, 0.3
	change(&c)
	if err := c.Validate(); err != nil {
		t.Fatal(err)
	}
	input, err := margin.ParseInput(c.Input)
	if err != nil {
		t.Fatal(err)
	}
	r, task, x := both(seed, input, true, true, false)
	c.Dim = r.h
	random := rand.New(rand.NewPCG(seed, 4))
	only := r.relations[0]
	for range 2 {
		row := make([]float32, 2*r.h)
		for d := range row {
			row[d] = float32(0.1 + 0.3*random.Float64())
		}
		x, r.theta, r.adam = append(x, row...), append(r.theta, to64(row)), append(r.adam, momentum{})
	}
	if c.Signed { // of both signs, and some rows outside the bounds
		for i := range r.theta {
			for d := r.h; d < 2*r.h; d += 2 {
				x[i*2*r.h+d] *= -1
				r.theta[i][d] *= -1
			}
		}
	}
	r.alpha, r.lambda, r.rate, r.outerRate, r.bounds = c.Alpha, c.Lambda, c.LearnRate, c.OuterRate, c
	r.unit, r.outerMargin = c.UnitProxy, c.outerMargin()
	if c.Smooth {
		r.smooth, task.smooth = c.Temperature, float32(c.Temperature)
	}
	if c.OuterLoss == OuterSoftmax {
		r.outerSoftmax = c.OuterTemperature
		if r.outerSoftmax == 0 {
			r.outerSoftmax = c.Temperature
		}
	}
	task.unit, task.outerLoss = c.UnitProxy, c.outerLoss()
	task.opt = newAdam(len(task.net.W1) + len(task.net.B1) + len(task.net.W2) + 1)
	for i := range only.pairs {
		p := &only.pairs[i]
		outer := *p
		switch c.OuterBatch {
		case HeldOutBatch:
			outer.positive = len(r.theta) - 1 - i%2
			task.batch.outerPositive = append(task.batch.outerPositive, int32(outer.positive))
		case RotatedBatch:
			outer.negatives = only.pairs[(i+1)%len(only.pairs)].negatives
			for _, q := range outer.negatives {
				task.batch.outerNegative = append(task.batch.outerNegative, int32(q))
			}
		default:
			continue
		}
		p.outer = &outer
	}
	trainer := &Trainer{workers: 2, cfg: c, opt: newAdam(len(x)), theta: gaussian.TableOf(r.h, x)}
	s := &trainer.step
	s.reset(len(r.theta), margin.Pad(r.h))
	for e := range r.theta {
		s.row(int32(e))
	}
	s.gather(2, trainer.theta, false)
	return r, trainer, task
}

func TestEveryWayHasTheGradientsOfTheReference(t *testing.T) {
	for name, change := range ways {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2) {
				r, trainer, task := way(t, seed, change)
				if !r.unit && r.smooth == 0 && r.outerSoftmax == 0 && r.outerMargin == outerMargin &&
					r.relations[0].pairs[0].outer == nil {
					return // its gradients are the printed ones
				}
				s, only := &trainer.step, r.relations[0]
				value := task.inner(2, s, 1, alpha)
				compare(t, "J_inner", []float32{float32(value)}, []float64{r.inner(only, r.theta)}, 1e-5)
				g := r.innerGradient(only)
				compare(t, "∇_Θ J_inner", s.gradient(r.h), flatten(g), 2e-5)
				got := zeroLike(task.net)
				value = task.outer(2, s, got)
				compare(t, "J_outer", []float32{float32(value)}, []float64{r.outer(only)}, 1e-4)
				// Differences of differences are compared relative to the largest value.
				want, size := r.outerGradient(only), 0.0
				for _, v := range want {
					size = math.Max(size, math.Abs(v))
				}
				if size < 1e-4 {
					t.Fatalf("the margin network's gradient vanishes (largest value %v), so it would never learn", size)
				}
				got.Parameters(func(name string, values []float32) {
					for i, v := range values {
						if math.Abs(float64(v)-want[i]) > 3e-3*size {
							t.Errorf("seed %d: ∇_Φ by %s[%d] = %v, want %v (largest %v)", seed, name, i, v, want[i], size)
						}
					}
					want = want[len(values):]
				})
			}
		})
	}
}

func TestEveryWayTakesTheStepsOfTheReference(t *testing.T) {
	for name, change := range ways {
		t.Run(name, func(t *testing.T) {
			r, trainer, k := way(t, 7, change)
			for range 2 {
				trainer.step.gather(2, trainer.theta, false)
				inner, outer := trainer.next([]*task{k})
				wantInner, wantOuter := r.step()
				compare(t, "J_inner", []float32{float32(inner[0])}, wantInner, 1e-4)
				compare(t, "J_outer", []float32{float32(outer[0])}, wantOuter, 1e-4)
				var want []float64
				for _, v := range r.relations[0].phi.parameters() {
					want = append(want, *v)
				}
				var got []float32
				k.net.Parameters(func(_ string, values []float32) { got = append(got, values...) })
				compare(t, "Φ", got, want, 1e-4)
				compare(t, "Θ", trainer.theta.Data(), flatten(r.theta), 1e-4)
			}
		})
	}
}

// The smooth hinge also works with a fixed margin, and approaches the hinge as τ falls.
func TestSmoothHingeWithAFixedMargin(t *testing.T) {
	r, task, x := both(2, margin.Difference, false, false, false)
	for _, tau := range []float64{0.5, 1e-4} {
		r.smooth, task.smooth = tau, float32(tau)
		s := localStep(x, r.h, r.h, false)
		value := task.inner(2, s, 1, 0)
		compare(t, "J", []float32{float32(value)}, []float64{r.inner(r.relations[0], r.theta)}, 1e-5)
		if tau > 0.1 {
			compare(t, "∇_Θ", s.gradient(r.h), flatten(r.innerGradient(r.relations[0])), 2e-5)
		}
	}
	r.smooth = 0
	compare(t, "the hinge", []float32{float32(task.loss64())}, []float64{r.inner(r.relations[0], r.theta)}, 1e-3)
}

// The step of a unit proxy has the length α, whatever G is, and 0 without G.
func TestUnitProxyHasTheLengthAlpha(t *testing.T) {
	for _, scale := range []float32{1, 1e-3, 0} {
		_, trainer, task := way(t, 1, ways["unit proxy"])
		task.weight = scale
		s := &trainer.step
		task.inner(2, s, 1, alpha)
		var square float64
		for i, p := range s.proxy {
			square += math.Pow(float64(p-s.x[i]), 2)
		}
		want := alpha
		if scale == 0 {
			want = 0
		}
		if got := math.Sqrt(square); math.Abs(got-want) > 1e-6 {
			t.Errorf("weight %v: the step is %v long, want %v", scale, got, want)
		}
		out := zeroLike(task.net)
		task.outer(2, s, out)
		out.Parameters(func(name string, g []float32) {
			if !allFinite(g) {
				t.Errorf("weight %v: the gradient by %s is not finite", scale, name)
			}
		})
	}
}

func TestEveryWayIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	m := clustered(40, 60, 15)
	for name, change := range ways {
		t.Run(name, func(t *testing.T) {
			c := small(t, "paper")
			change(&c)
			c.LearnRate, c.Epochs = 0.1, 6 // so that bounds and margins take effect
			one := train(t, m, c, 1)
			if many := train(t, m, c, 3); !same(one, many) {
				t.Error("three workers give another result than one")
			}
			plain := small(t, "paper")
			plain.Input, plain.LearnRate, plain.Epochs = c.Input, c.LearnRate, c.Epochs
			if other := train(t, m, plain, 1); same(one, other) {
				t.Error("the setting changes nothing")
			}
		})
	}
}

func TestEveryRowMeetsItsBound(t *testing.T) {
	m := clustered(40, 60, 15)
	for name, change := range ways {
		c := small(t, "paper")
		change(&c)
		c.LearnRate, c.Radius = 0.2, 0.7 // large steps, so that the bounds take effect
		result := train(t, m, c, 2)
		negative := 0
		for _, table := range []*gaussian.Table{result.Users, result.Items} {
			for i := range table.Len() {
				row, mean, s := norm(to64(table.Row(i))), norm(to64(table.Mean(i))), norm(to64(table.Stddev(i)))
				const most = 0.7 * 1.00001
				switch {
				case c.Bound == JointBound && row > most+0.01, c.Bound == StddevBound && s > most+0.01, mean > most:
					t.Fatalf("%s: ‖θ‖ = %v, ‖μ‖ = %v, ‖s‖ = %v", name, row, mean, s)
				}
				for _, v := range table.Stddev(i) {
					if v < 0 {
						negative++
					} else if v < gaussian.MinStddev && !c.Signed {
						t.Fatalf("%s: a standard deviation of %v", name, v)
					}
				}
			}
		}
		if (negative > 0) != c.Signed {
			t.Errorf("%s: %d standard deviations are negative", name, negative)
		}
	}
}

// Θ does not learn from positives that only the outer loss sees.
func TestHeldOutPositivesAreNotLearned(t *testing.T) {
	m := clustered(40, 60, 15)
	c := small(t, "paper")
	c.OuterBatch = HeldOutBatch
	trainer := newTrainer(t, m, c, 1)
	if n := trainer.judged.Len(); n < m.Len()/20 || n+len(trainer.pairs) != m.Len() {
		t.Fatalf("%d of %d pairs are held out, %d are learned from", n, m.Len(), len(trainer.pairs))
	}
	for _, p := range trainer.pairs {
		if has(trainer.judged.Row(int(p.Row)), p.Col) {
			t.Fatalf("%v is held out and learned from", p)
		}
	}
	seen := 0
	trainer.now.Order, trainer.now.To = identity(len(trainer.pairs)), 64
	trainer.sample()
	batch := &trainer.tasks[userItem].batch
	for i, p := range batch.outerPositive {
		user, item := trainer.step.entities[batch.anchor[i]], trainer.step.entities[p]-int32(trainer.items)
		if has(trainer.judged.Row(int(user)), item) {
			seen++
		} else if p != batch.positive[i] {
			t.Fatalf("pair %d: item %d is not held out for user %d", i, item, user)
		}
	}
	if seen < 32 {
		t.Errorf("%d of 64 pairs have a held-out positive", seen)
	}
}

// Rotated negatives are never liked, and most belong to the next pair.
func TestRotatedNegativesAreNotLiked(t *testing.T) {
	m := clustered(40, 60, 15)
	c := small(t, "paper")
	c.OuterBatch = RotatedBatch
	trainer := newTrainer(t, m, c, 1)
	trainer.now.Order, trainer.now.To = identity(len(trainer.pairs)), 64
	trainer.sample()
	batch := &trainer.tasks[userItem].batch
	moved := 0
	for at, n := range batch.outerNegative {
		i, q := at/batch.q, batch.q
		user, item := trainer.step.entities[batch.anchor[i]], trainer.step.entities[n]-int32(trainer.items)
		if has(m.Row(int(user)), item) {
			t.Fatalf("user %d likes the negative %d", user, item)
		}
		if n == batch.negative[(i+1)%64*q+at%q] {
			moved++
		}
	}
	if moved < len(batch.outerNegative)/2 {
		t.Errorf("%d of %d negatives are the next pair's", moved, len(batch.outerNegative))
	}
}

// With UserNegatives, the pairs of a user share negatives, and users have different ones.
func TestUserNegativesAreShared(t *testing.T) {
	c := small(t, "paper")
	c.UserNegatives = true
	trainer := newTrainer(t, clustered(40, 60, 15), c, 1)
	trainer.now.Order, trainer.now.To = identity(len(trainer.pairs)), 64
	trainer.sample()
	batch := &trainer.tasks[userItem].batch
	of, lists := map[int32]string{}, map[string]bool{}
	for i, a := range batch.anchor {
		var list strings.Builder
		for _, n := range batch.negative[i*batch.q : (i+1)*batch.q] {
			list.WriteString(string(rune(n)))
		}
		if was, ok := of[a]; ok && was != list.String() {
			t.Fatalf("two pairs of user %d have other negatives", a)
		}
		of[a] = list.String()
		lists[list.String()] = true
	}
	if len(of) < 2 || len(of) == 64 || len(lists) < len(of)-1 {
		t.Errorf("%d users, %d lists", len(of), len(lists))
	}
}

func identity(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func has(row []int32, item int32) bool {
	for _, i := range row {
		if i == item {
			return true
		}
	}
	return false
}

// A model file has no negative s; its shifted rows have the learned distances.
func TestSignedRowsInAModel(t *testing.T) {
	c := small(t, "paper")
	c.Bound, c.Signed, c.LearnRate = JointBound, true, 0.1
	r := train(t, clustered(40, 60, 15), c, 2)
	items, users := positive(r.Items, r.Users)
	for i := range items.Len() {
		for _, s := range items.Stddev(i) {
			if s < gaussian.MinStddev {
				t.Fatalf("item %d has a standard deviation of %v", i, s)
			}
		}
		for u := range users.Len() {
			want := gaussian.W2Squared(r.Users.Row(u), r.Items.Row(i))
			if got := gaussian.W2Squared(users.Row(u), items.Row(i)); math.Abs(float64(got-want)) > 1e-5 {
				t.Fatalf("user %d, item %d: W2² = %v, want %v as learned", u, i, got, want)
			}
		}
	}
	if again, _ := positive(items, users); again != items {
		t.Error("a positive table was shifted")
	}
}

// Invalid settings, and settings without effect, are refused with the reason.
func TestImpossibleWays(t *testing.T) {
	for want, change := range map[string]func(c *Config){
		"the setting radius is 0.001, but it must be at least 0.002828: each of the 8 values of s is at least 0.001, so " +
			"no row can meet a smaller bound": func(c *Config) { c.Bound, c.Radius = JointBound, 0.001 },
		"the setting temperature is 0, but it must be a positive number: the τ of the smooth hinge": func(c *Config) {
			c.Smooth, c.Temperature = true, 0
		},
		"the setting margin_value is 4.1, but it must be at most 4: within these bounds W2² of two rows is never larger, " +
			"so no triplet could keep it": func(c *Config) { c.Bound, c.Margin, c.MarginValue = JointBound, Fixed, 4.1 },
		"the setting outer_margin is 9, but it must be at most 8:": func(c *Config) {
			c.Bound, c.Signed, c.OuterMargin = StddevBound, true, 9
		},
		"bound is ball, but it must be sigma, stddev or joint":              func(c *Config) { c.Bound = "ball" },
		"outer_loss is log, but it must be hinge or softmax":                func(c *Config) { c.OuterLoss = "log" },
		"outer_batch is other, but it must be same, held-out or rotated":    func(c *Config) { c.OuterBatch = "other" },
		"outer_margin is -1, but it must be a positive number":              func(c *Config) { c.OuterMargin = -1 },
		"outer_temperature is -1, but it must be a positive number":         func(c *Config) { c.OuterTemperature = -1 },
		"outer_temperature is 1, but it must be 0 with the outer hinge":     func(c *Config) { c.OuterTemperature = 1 },
		"signed is true, but it must be false for points, which have no s":  func(c *Config) { c.Signed, c.Deterministic = true, true },
		"outer_margin is 2, but it must be 0 with the outer softmax, which": func(c *Config) { c.OuterMargin, c.OuterLoss = 2, OuterSoftmax },
		"user_negatives is true, but it must be false if blocks of pairs":   func(c *Config) { *c = small(t, "hybrid"); c.UserNegatives = true },
		"bound is joint, but it must be sigma if users are composed":        func(c *Config) { *c = small(t, "hybrid"); c.Bound = JointBound },
		"smooth is true, but it must be false with the softmax loss":        func(c *Config) { *c = small(t, "hybrid"); c.Smooth = true },
		"unit_proxy is true, but it must be false with fixed margins: no network is learned": func(c *Config) {
			c.Margin, c.Relations, c.UnitProxy = Fixed, NoRelations, true
		},
	} {
		c := small(t, "paper")
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// No two rows within the bounds are further apart than the room, and some come close.
func TestNoRowsAreFurtherApartThanTheRoom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for name, change := range ways {
		c := small(t, "paper")
		change(&c)
		c.Radius = 0.8
		largest := 0.0
		for range 300 {
			a, b := make([]float32, 16), make([]float32, 16)
			for d := range a {
				a[d] = float32(r.NormFloat64() * 9)
				b[d] = -a[d] // opposite; if s is not signed, one of the two is floored
			}
			c.bound(a)
			c.bound(b)
			largest = max(largest, float64(gaussian.W2Squared(a, b)))
		}
		if room := c.room(); largest > room*1.001 || largest < room/3 {
			t.Errorf("%s: W2² up to %v in a room of %v", name, largest, room)
		}
	}
}

// Names parse to the values that print them. Settings files omit the names of zero values.
func TestNamesOfWays(t *testing.T) {
	c := small(t, "paper")
	plain, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bound", "signed", "smooth", "unit_proxy", "outer_loss", "outer_margin",
		"outer_temperature", "outer_batch", "user_negatives"} {
		if strings.Contains(string(plain), `"`+name) {
			t.Errorf("the paper's settings contain %s, which would change the bytes of settings and models", name)
		}
	}
	explicit := `{"bound": "sigma", "outer_loss": "hinge", "outer_batch": "same"}`
	read := c
	if err := json.Unmarshal([]byte(explicit), &read); err != nil || read != c {
		t.Errorf("%v, %+v", err, read)
	}
	ways["all"](&c)
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var again Config
	if err := json.Unmarshal(b, &again); err != nil || again != c {
		t.Errorf("%v: %s parses as %+v", err, b, again)
	}
}
