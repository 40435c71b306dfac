package learned

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/training"
)

// A training gives the same bits for any number of workers, and after an interruption and a resumption from a
// checkpoint; and it lowers its loss.
func TestTheSameBitsHoweverItIsDone(t *testing.T) {
	for _, v := range variants() {
		t.Run(v.method, func(t *testing.T) {
			m := random(40, 60, 12)
			method, err := find(v.method)
			if err != nil {
				t.Fatal(err)
			}
			s := Defaults(v.method)
			s.Own = v.own
			s.Dim, s.Negatives, s.Candidates, s.Resample, s.Batch, s.Epochs, s.LearnRate = 5, min(3, s.Negatives),
				min(20, s.Candidates), 2, 50, 5, 0.02
			if method.Users {
				s.Batch = 7
			}
			s.Validation, s.Every = 0.2, 2
			trainer := func(workers int) *Trainer {
				x, err := NewTrainer(m, s, workers)
				if err != nil {
					t.Fatal(err)
				}
				return x
			}
			one := trainer(1)
			first, err := one.Run(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			history := one.History()
			if a, b := history[0].Figures[0], history[len(history)-1].Figures[0]; !(b < a) ||
				math.IsNaN(history[1].NDCG) {
				t.Errorf("the loss went from %v to %v, validation %v", a, b, history[1].NDCG)
			}
			for n := 1; n < one.Steps(); n += 7 {
				fs := &durabletest.Memory{}
				cut := trainer(2)
				if _, err := cut.Keep(training.Checkpoints{Folder: "d", FS: fs}); err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(context.Background())
				cut.Watch = func(done, _ int) {
					if done == n {
						cancel()
					}
				}
				if _, err := cut.Run(ctx, nil); !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				rest := trainer(8)
				if r, err := rest.Keep(training.Checkpoints{Folder: "d", FS: fs}); err != nil ||
					r.Epoch*r.Batches+r.Batch != n {
					t.Fatalf("%+v, %v", r, err)
				}
				last, err := rest.Run(context.Background(), nil)
				if err != nil {
					t.Fatal(err)
				}
				a, b := make([]float32, 60), make([]float32, 60)
				first.Score(7, a)
				last.Score(7, b)
				if rest.Fingerprint() != one.Fingerprint() || !slices.Equal(a, b) {
					t.Fatalf("interrupted after %d of %d steps, it ended with different bits", n, one.Steps())
				}
			}
		})
	}
}

// By default a user's negatives come from 500 candidates for 20 epochs, as in PMLAM's paper; NCF's come from all
// others, SimpleX's and BSL's from all items.
func TestWhereNegativesComeFrom(t *testing.T) {
	const items, own = 2000, 100
	var pairs []dataset.Pair
	var order []int32
	for k := range own {
		pairs, order = append(pairs, dataset.Pair{Row: 0, Col: int32(k * 7)}), append(order, int32(k))
	}
	m := dataset.NewMatrix(1, items, pairs)
	for _, method := range Methods() {
		if method.Users {
			continue
		}
		trainer, err := NewTrainer(m, Defaults(method.Name), 2)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int32]bool{}
		for epoch := range 20 {
			trainer.sample(&training.Batch{Order: order, To: own, Epoch: epoch})
			for _, s := range trainer.samples {
				for _, i := range s.Negatives {
					seen[i] = true
				}
			}
		}
		least, most := 400, 500
		switch method.Name {
		case "ncf":
			least, most = items-own, items-own
		case "simplex", "bsl":
			least, most = items, items
		}
		if len(seen) < least || len(seen) > most {
			t.Errorf("%s: negatives of 20 epochs are %d items of %d, of which the user has %d", method.Name, len(seen),
				items, own)
		}
	}
}

// Bounds hold after every step.
func TestBounds(t *testing.T) {
	for _, name := range []string{"cml", "sml", "simplex", "bsl"} {
		s := Defaults(name)
		s.Dim, s.Negatives, s.Batch, s.Epochs, s.LearnRate = 4, 3, 40, 4, 10
		trainer, err := NewTrainer(random(12, 20, 6), s, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trainer.Run(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		for _, p := range trainer.model.Params() {
			for r := range p.Rows {
				row := p.Row(int32(r))
				sum := 0.0
				for _, x := range row {
					sum += float64(x) * float64(x)
				}
				if p.Cols == 1 {
					if row[0] <= 0 || row[0] > 1 {
						t.Fatalf("%s: the margin %v", name, row[0])
					}
				} else if sphere := name == "simplex" || name == "bsl"; sum > 1+1e-5 || sphere && sum < 1-1e-5 {
					t.Fatalf("%s: a row of length %v", name, math.Sqrt(sum))
				}
			}
		}
	}
}

// The error names the diverging part, and the state is the one before.
func TestDivergence(t *testing.T) {
	trainer := small(t, "bprmf", nil)
	p := trainer.model.Params()[1]
	p.Data[3] = math.MaxFloat32
	before := slices.Clone(p.Data)
	var bad *training.NonFiniteError
	if _, err := trainer.Run(context.Background(), nil); !errors.As(err, &bad) || bad.Epoch != 1 {
		t.Fatalf("%v", err)
	}
	if bad.Batch == 1 && !slices.Equal(before, p.Data) {
		t.Error("a step that diverged has changed the parameters")
	}
}

func TestSettingsThatCannotBe(t *testing.T) {
	m := random(12, 20, 6)
	for want, change := range map[string]func(*Settings){
		"the setting dim of cml must be between 1 and 4096":  func(s *Settings) { s.Dim = 0 },
		"the setting learn_rate of cml must be a positive":   func(s *Settings) { s.LearnRate = math.NaN() },
		"the setting owned of cml must be false if":          func(s *Settings) { s.Owned = true },
		"the setting resample of cml must be at least 1":     func(s *Settings) { s.Resample = 0 },
		`unknown method "svd": it must be one of bprmf, ncf`: func(s *Settings) { s.Method = "svd" },
		"the setting margin of cml is -1; it must be between": func(s *Settings) {
			s.Own = map[string]float64{"margin": -1}
		},
		`cml has no setting "bound"`: func(s *Settings) {
			s.Own = map[string]float64{"bound": 1}
		},
		"the setting validation of cml must be in [0, 1)":  func(s *Settings) { s.Validation = 1 },
		"the setting every of cml must be at least 1 with": func(s *Settings) { s.Validation, s.Every = .1, 0 },
	} {
		s := Defaults("cml")
		change(&s)
		if _, err := NewTrainer(m, s, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	full := dataset.NewMatrix(1, 2, []dataset.Pair{{Row: 0, Col: 0}, {Row: 0, Col: 1}})
	if _, err := NewTrainer(full, Defaults("cml"), 1); err == nil ||
		!strings.Contains(err.Error(), "nothing to learn from") {
		t.Errorf("everything seen: %v", err)
	}
}

// A step of BPR with 300 negatives a pair over 30,000 users and 40,000 items: sums and Adam of many rows.
func BenchmarkStep(b *testing.B) {
	s := Defaults("bprmf")
	s.Dim, s.Batch, s.Negatives, s.Candidates = 64, 256, 300, 0
	const users, items = 30_000, 40_000
	var pairs []dataset.Pair
	for k := range 3 * users {
		pairs = append(pairs, dataset.Pair{Row: int32(k % users), Col: int32(k * 7919 % items)})
	}
	t, err := NewTrainer(dataset.NewMatrix(users, items, pairs), s, 0)
	if err != nil {
		b.Fatal(err)
	}
	benchmarkSteps(b, t)
}

// benchmarkSteps makes b.N steps of a training.
func benchmarkSteps(b *testing.B, t *Trainer) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	b.ResetTimer()
	steps := 0
	t.Watch = func(int, int) {
		if steps++; steps >= b.N {
			stop()
		}
	}
	if _, err := t.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		b.Fatal(err)
	}
}

// crowd is a data set of the size of the paper's CDs, with Zipf-distributed popularity.
func crowd() *dataset.Matrix {
	const users, items, likes = 14_478, 23_434, 22
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 30, items-1)
	var pairs []dataset.Pair
	for u := range int32(users) {
		for range likes {
			pairs = append(pairs, dataset.Pair{Row: u, Col: int32(zipf.Uint64() * 7919 % items)})
		}
	}
	return dataset.NewMatrix(users, items, pairs)
}

// A step of every method with its defaults, and a user's scores of all items, on data of the size of the paper's CDs.
func BenchmarkMethods(b *testing.B) {
	m := crowd()
	for _, method := range Methods() {
		b.Run(method.Name, func(b *testing.B) {
			t, err := NewTrainer(m, Defaults(method.Name), 0)
			if err != nil {
				b.Fatal(err)
			}
			b.Run("step", func(b *testing.B) { benchmarkSteps(b, t) })
			b.Run("score", func(b *testing.B) {
				scorer, dst, u := t.model.Scorer(0), make([]float32, m.Cols), 0
				for b.Loop() {
					scorer.Score(u, dst)
					u = (u + 1) % m.Rows()
				}
			})
		})
	}
}
