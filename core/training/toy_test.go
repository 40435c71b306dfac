package training

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
)

type settings struct {
	Preset     string  `json:"preset"`
	Batch      int     `json:"batch"`
	Epochs     int     `json:"epochs"`
	LearnRate  float64 `json:"learn_rate"`
	Decay      bool    `json:"decay"`
	Validation float64 `json:"validation"`
	Every      int     `json:"every"`
	Patience   int     `json:"patience"`
	Seed       uint64  `json:"seed"`
}

func small() settings {
	return settings{Batch: 24, Epochs: 3, LearnRate: 0.01, Decay: true, Every: 1, Seed: 1}
}

// toy learns a number for every user and every item by momentum. It is the simplest method with learned and auxiliary
// tensors and both kinds of figures.
type toy struct {
	train          *dataset.Matrix
	pairs          []dataset.Pair
	users, items   []float32
	momentum       []float32 // of the items
	seed           uint64
	poison, failed int // the step that diverges; 0: none
}

func (t *toy) Pairs() int        { return len(t.pairs) }
func (t *toy) Figures() []string { return []string{"loss", "last"} }

func (t *toy) Step(b *Batch) error {
	if b.Number == t.poison {
		t.failed++
		return &NonFiniteError{b.Epoch + 1, b.From/24 + 1, "the toy"}
	}
	sum := 0.0
	for at := b.From; at < b.To; at++ {
		p := t.pairs[b.Order[at]]
		r := NewSource(t.seed, 9, uint64(b.Epoch)<<32|uint64(at))
		n, _ := Outside(t.train.Row(int(p.Row)), t.train.Cols, r)
		u := t.users[p.Row]
		x := float64(u * (t.items[p.Col] - t.items[n]))
		sum += math.Log1p(math.Exp(-x))
		d := float32(-1 / (1 + math.Exp(x)))
		t.users[p.Row] -= float32(b.Rate) * d * (t.items[p.Col] - t.items[n])
		for k, sign := range map[int32]float32{p.Col: 1, n: -1} { // different numbers, so the order does not matter
			t.momentum[k] = 0.5*t.momentum[k] + sign*d*u
			t.items[k] -= float32(b.Rate) * t.momentum[k]
		}
	}
	b.Add(0, sum, b.To-b.From)
	if b.Last() {
		b.Set(1, float64(b.Number))
	}
	return nil
}

func (t *toy) Tensors(f func(name string, values []float32, learned bool)) {
	f("users", t.users, true)
	f("momentum", t.momentum, false)
	f("items", t.items, true)
}

func (t *toy) Scorer() eval.Scorer { return toyScorer{slices.Clone(t.users), slices.Clone(t.items)} }

type toyScorer struct{ users, items []float32 }

func (s toyScorer) NumItems() int { return len(s.items) }

func (s toyScorer) Score(u int, dst []float32) {
	for i, x := range s.items {
		dst[i] = s.users[u] * x
	}
}

// random returns a matrix in which every user has n random items.
func random(users, items, n int) *dataset.Matrix {
	r := rand.New(rand.NewPCG(1, 1))
	var pairs []dataset.Pair
	for u := range users {
		for _, i := range r.Perm(items)[:n] {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
		}
	}
	return dataset.NewMatrix(users, items, pairs)
}

func newToy(m *dataset.Matrix, c settings, _ int) *Loop {
	p := Plan{
		Epochs: c.Epochs, Batch: c.Batch, LearnRate: c.LearnRate, Decay: c.Decay, Every: c.Every, Patience: c.Patience,
		Seed: c.Seed, Workers: 1, Train: m, Settings: c, Labels: []string{"preset"},
	}
	if c.Validation > 0 {
		split := dataset.HoldOut(m, c.Validation, c.Seed)
		p.Train, p.Held = split.Train, split.Test
	}
	t := &toy{train: p.Train, seed: c.Seed, users: make([]float32, m.Rows()), items: make([]float32, m.Cols),
		momentum: make([]float32, m.Cols)}
	r := rand.New(rand.NewPCG(c.Seed, 2))
	for _, values := range [][]float32{t.users, t.items} {
		for i := range values {
			values[i] = float32(r.NormFloat64())
		}
	}
	for u := range p.Train.Rows() {
		for _, i := range p.Train.Row(u) {
			t.pairs = append(t.pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	return NewLoop(t, p)
}

func newTrainer(_ *testing.T, m *dataset.Matrix, c settings, workers int) *Loop {
	return newToy(m, c, workers)
}

// keep makes a new training write checkpoints to a file system, and fails the test on an error.
func keep(t *testing.T, l *Loop, c Checkpoints) Resumed {
	t.Helper()
	if c.Folder == "" {
		c.Folder = "d"
	}
	r, err := l.Keep(c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// cut runs a training until the given number of batches is done.
func cut(t *testing.T, l *Loop, steps int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l.Watch = func(done, _ int) {
		if done >= steps {
			cancel()
		}
	}
	if err := l.Run(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Fatalf("the training stopped after %d batches ended with %v", steps, err)
	}
}

// Figures are means over an epoch's pairs or the last value set; the learning rate decays to nothing; the best epoch is
// the one with the best validation, and Best holds its tensors.
func TestAnEpochIsWhatItsBatchesSaid(t *testing.T) {
	m, c := random(20, 30, 10), small()
	c.Validation, c.Epochs, c.LearnRate = 0.2, 9, 0.3
	l := newTrainer(t, m, c, 1)
	method := l.method.(*toy)
	var states [][]float32
	if err := l.Run(context.Background(), func(e Epoch) {
		states = append(states, slices.Clone(method.items))
		r, err := eval.Evaluate(context.Background(), method.Scorer(), l.plan.Train, l.plan.Held,
			eval.Options{Ks: []int{10}})
		if err != nil || e.NDCG != r.NDCG[0] || e.Recall != r.Recall[0] {
			t.Errorf("epoch %d: NDCG %v, Recall %v, not %v", e.Number, e.NDCG, e.Recall, r)
		}
	}); err != nil {
		t.Fatal(err)
	}
	best := 0
	for i, e := range l.History() {
		if e.Number != i+1 || e.Pending != 8-i || e.Figures[1] != float64((i+1)*l.Batches()) || !(e.Figures[0] > 0) ||
			math.IsNaN(e.NDCG) {
			t.Errorf("%+v", e)
		}
		total := float64(9 * l.Batches())
		if want := 0.3 * (1 - (float64((i+1)*l.Batches())-1)/total); math.Abs(e.LearnRate-want) > 1e-12 {
			t.Errorf("epoch %d: rate %v, not %v", i+1, e.LearnRate, want)
		}
		if e.NDCG > l.History()[best].NDCG {
			best = i
		}
	}
	if b := l.Best(); b.Epoch != best+1 || !l.History()[best].Best || !slices.Equal(b.Tensor("items"), states[best]) {
		t.Errorf("the best epoch is %d, not %d", b.Epoch, best+1)
	}
	if best == 8 {
		t.Error("the last epoch is the best, so this tests too little")
	}
}

// Patience ends a training. So does a step that diverges; the method and the checkpoint then hold the state before it.
func TestWhatEndsATraining(t *testing.T) {
	m, c := random(20, 30, 10), small()
	c.Validation, c.Epochs, c.Patience, c.LearnRate, c.Decay = 0.2, 200, 2, 0.3, false
	l := newTrainer(t, m, c, 1)
	if err := l.Run(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if done, _ := l.Epochs(); done != l.Best().Epoch+2 || done == 200 {
		t.Errorf("it ended after %d epochs, the best was %d", done, l.Best().Epoch)
	}
	fs := &durabletest.Memory{}
	l = newTrainer(t, m, c, 1)
	l.method.(*toy).poison = 11
	keep(t, l, Checkpoints{FS: fs})
	var diverged *NonFiniteError
	if err := l.Run(context.Background(), nil); !errors.As(err, &diverged) || l.Steps() != 10 {
		t.Fatalf("%v after %d steps", err, l.Steps())
	}
	resumed := newTrainer(t, m, c, 1)
	if r := keep(t, resumed, Checkpoints{FS: fs}); r.Epoch*r.Batches+r.Batch != 10 ||
		resumed.Fingerprint() != l.Fingerprint() {
		t.Errorf("the checkpoint is %+v", r)
	}
}
