package learned

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// Settings are common to all methods. The zero value is invalid: see Defaults.
type Settings struct {
	Method    string             `json:"method"`
	Own       map[string]float64 `json:"own"` // the method's own settings
	Dim       int                `json:"dim"`
	Negatives int                `json:"negatives"` // per pair
	// candidates per user, from which negatives are drawn (two-phase sampling); 0: from all items
	Candidates int     `json:"candidates"`
	Resample   int     `json:"resample"` // epochs between new draws of candidates
	Batch      int     `json:"batch"`
	Epochs     int     `json:"epochs"`
	LearnRate  float64 `json:"learn_rate"`
	Decay      bool    `json:"decay"`
	Validation float64 `json:"validation"`
	Every      int     `json:"every"`
	Patience   int     `json:"patience"`
	Seed       uint64  `json:"seed"`

	// ByUser draws a user uniformly for every sample, then one of their items; otherwise an epoch passes over all
	// pairs.
	ByUser bool `json:"by_user"`
	// Owned allows negatives among the user's own items: they are drawn from all items uniformly, so Candidates must be
	// 0.
	Owned bool `json:"owned,omitempty"`
}

// Defaults returns the paper's settings: dimension 50, 10 negatives of 500 candidates per user, batches of 5,000, Adam
// at 0.001; for methods that pass over users, batches of 512 users without negatives. Some methods have their own.
func Defaults(method string) Settings {
	s := Settings{
		Method: method, Dim: 50, Negatives: 10, Candidates: 500, Resample: 20,
		Batch: 5000, Epochs: 100, LearnRate: 0.001, Every: 5, Seed: 1,
	}
	m, err := find(method)
	if err != nil {
		return s
	}
	if m.Users {
		s.Negatives, s.Candidates, s.Resample, s.Batch = 0, 0, 0, 512
	}
	if m.defaults != nil {
		m.defaults(&s)
	}
	return s
}

// Streams of random numbers.
const (
	streamInit       = 1
	streamCandidates = training.StreamOrder + 1
	streamNegatives  = streamCandidates + 1
	streamDropout    = streamNegatives + 1
)

// Trainer is the training of a model in progress.
type Trainer struct {
	// Loop runs the epochs; it has Watch, Keep (checkpoints) and History.
	*training.Loop

	s       Settings
	workers int
	model   Model
	train   *dataset.Matrix
	pairs   []dataset.Pair // the pairs of an epoch; Col is −1 for a whole user
	users   []int32        // users with pairs

	samples   []Sample
	negatives []int32
	deriver   Deriver     // the model, if it is one
	gradients []*Gradient // by part, then again by part
	losses    []float64   // by part
	touched   []touched   // by parameter
}

// NewTrainer prepares the training of a method on train (U×I). workers ≤ 0 means all processors; the result does not
// depend on it. The error names an invalid setting, or the lack of training data.
func NewTrainer(train *dataset.Matrix, s Settings, workers int) (*Trainer, error) {
	m, err := find(s.Method)
	if err != nil {
		return nil, err
	}
	if err := s.check(m.Users); err != nil {
		return nil, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Trainer{s: s, workers: workers, train: train}
	var held *dataset.Matrix
	if s.Validation > 0 {
		split := dataset.HoldOut(train, s.Validation, s.Seed)
		t.train, held = split.Train, split.Test
	}
	for u := range t.train.Rows() {
		row := t.train.Row(u)
		if len(row) >= t.train.Cols {
			continue // no negative can be drawn
		}
		if len(row) > 0 {
			t.users = append(t.users, int32(u))
		}
		if m.Users && len(row) > 0 {
			t.pairs = append(t.pairs, dataset.Pair{Row: int32(u), Col: -1})
			continue
		}
		for _, i := range row {
			t.pairs = append(t.pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	if len(t.pairs) == 0 {
		return nil, errors.New("nothing to learn from: no user has an item to learn and another to rank below it")
	}
	own, err := m.complete(s.Own)
	if err != nil {
		return nil, err
	}
	t.model = m.make(t.train, s, own, rand.New(training.NewSource(s.Seed, streamInit, 0)))
	tables := t.model.Params()
	if d, ok := t.model.(Deriver); ok {
		t.deriver = d
		tables = append(tables, d.Derived()...)
	}
	for k, p := range tables {
		p.index = k
	}
	t.touched = make([]touched, len(tables))
	// The second half holds contributions through derived tables.
	t.gradients, t.losses = make([]*Gradient, 2*parts), make([]float64, parts)
	for k := range t.gradients {
		t.gradients[k] = newGradient(len(tables))
	}
	t.Loop = training.NewLoop((*method)(t), training.Plan{
		Epochs: s.Epochs, Batch: s.Batch, LearnRate: s.LearnRate, Decay: s.Decay, Every: s.Every, Patience: s.Patience,
		Seed: s.Seed, Workers: workers, Train: t.train, Held: held, Settings: s,
	})
	return t, nil
}

// Run trains until the epochs end, patience runs out, or ctx ends. It returns the ranking by the best state: by NDCG@10
// on the validation part if measured, otherwise the last state. With an error it returns the ranking of the current
// state.
func (t *Trainer) Run(ctx context.Context, report func(training.Epoch)) (eval.Scorer, error) {
	err := t.Loop.Run(ctx, report)
	if best := t.Best(); best != nil {
		for _, p := range t.model.Params() {
			copy(p.Data, best.Tensor(p.Name))
		}
	}
	return t.model.Scorer(t.workers), err
}

func (s *Settings) check(users bool) error {
	positive := func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }
	for _, c := range []struct {
		name string
		ok   bool
		rule string
	}{
		{"dim", s.Dim >= 1 && s.Dim <= 4096, "between 1 and 4096"},
		{"negatives", users || s.Negatives >= 1 && s.Negatives <= 65536, "between 1 and 65536"},
		{"negatives", !users || s.Negatives == 0, "0: it learns from all items"},
		{"by_user", !users || !s.ByUser, "false: its epochs always pass over users"},
		{"candidates", s.Candidates >= 0, "at least 0"},
		{"owned", !s.Owned || !users && s.Candidates == 0,
			"false if negatives come from candidates: use owned=0 or candidates=0"},
		{"resample", s.Candidates == 0 || s.Resample >= 1, "at least 1"},
		{"batch", s.Batch >= 1, "at least 1"},
		{"epochs", s.Epochs >= 0, "at least 0"},
		{"learn_rate", positive(s.LearnRate), "a positive number"},
		{"validation", s.Validation >= 0 && s.Validation < 1, "in [0, 1)"},
		{"every", s.Validation == 0 || s.Every >= 1, "at least 1 with a validation part"},
		{"patience", s.Patience >= 0, "at least 0"},
	} {
		if !c.ok {
			return fmt.Errorf("the setting %s of %s must be %s", c.name, s.Method, c.rule)
		}
	}
	return nil
}

// method is the Trainer as training.Loop sees it.
type method Trainer

var _ training.Method = (*method)(nil)

func (m *method) Pairs() int { return len(m.pairs) }

func (m *method) Figures() []string { return []string{"loss"} }

func (m *method) Scorer() eval.Scorer { return m.model.Scorer(m.workers) }

func (m *method) Tensors(f func(name string, values []float32, learned bool)) {
	for _, p := range m.model.Params() {
		f(p.Name, p.Data, true)
		if p.lengths == nil {
			f(p.Name+".m", p.m, false)
		} else {
			f(p.Name+".lengths", p.lengths, false)
			f(p.Name+".moved", p.moved, false)
		}
		f(p.Name+".v", p.v, false)
	}
}

func (m *method) Step(b *training.Batch) error {
	t := (*Trainer)(m)
	t.sample(b)
	n := len(t.samples)
	clear(t.losses)
	for _, g := range t.gradients {
		g.reset()
	}
	sum := t.model.Prepare(t.workers, t.samples)
	parallel.Do(t.workers, n, func(_, part, from, to int) {
		t.losses[part] = t.model.Learn(t.gradients[part], t.samples[from:to])
	})
	for _, l := range t.losses {
		sum += l
	}
	diverged := func(what string) error {
		return &training.NonFiniteError{Epoch: b.Epoch + 1, Batch: b.From/t.s.Batch + 1, Tensor: what}
	}
	if sum-sum != 0 {
		return diverged("the loss")
	}
	if t.deriver != nil && !t.derive() {
		return diverged("the gradient of a derived table")
	}
	params := t.model.Params()
	for k, p := range params {
		t.touched[k].gather(p, t.gradients)
		if !t.touched[k].sum(t.workers, p.Cols) {
			return diverged("the gradient of " + p.Name)
		}
	}
	for k, p := range params {
		t.touched[k].move(t.workers, p, b, t.model.Bound)
	}
	b.Add(0, sum, n)
	return nil
}

// derive sums the batch's gradients of derived tables and propagates them to the parameters. It reports whether
// everything is finite.
func (t *Trainer) derive() bool {
	derived := t.deriver.Derived()
	for _, p := range derived {
		x := &t.touched[p.index]
		x.gather(p, t.gradients[:parts])
		if !x.sum(t.workers, p.Cols) {
			return false
		}
		for k, r := range x.rows {
			p.sums[r] = vec.Row(x.sums, k, p.Cols)
		}
	}
	t.deriver.Propagate(t.workers)
	for _, p := range t.model.Params() {
		parallel.Do(t.workers, p.Rows, func(_, part, from, to int) {
			for r := from; r < to; r++ {
				t.deriver.Derive(t.gradients[parts+part], p, int32(r))
			}
		})
	}
	for _, p := range derived {
		for _, r := range t.touched[p.index].rows {
			p.sums[r] = nil
		}
	}
	return true
}

// sample draws the batch's samples. Each draws from its own stream, so the batch does not depend on workers.
func (t *Trainer) sample(b *training.Batch) {
	n, q := b.To-b.From, t.s.Negatives
	t.samples = vec.Resize(t.samples, n)
	t.negatives = vec.Resize(t.negatives, n*q)
	draw := training.Candidates{Seed: t.s.Seed, Stream: streamCandidates, Per: t.s.Candidates, Items: t.train.Cols}
	if draw.Per > 0 {
		draw.Round = uint64(b.Epoch / t.s.Resample)
	}
	parallel.Do(t.workers, n, func(_, _, from, to int) {
		var r training.Source
		for i := from; i < to; i++ {
			pair := t.pairs[b.Order[b.From+i]]
			counter := uint64(b.Epoch)<<32 | uint64(b.From+i)
			r.Set(t.s.Seed, streamNegatives, counter)
			if t.s.ByUser {
				pair.Row = t.users[r.Below(len(t.users))]
				own := t.train.Row(int(pair.Row))
				pair.Col = own[r.Below(len(own))]
			}
			row := t.train.Row(int(pair.Row))
			negatives := t.negatives[i*q : (i+1)*q : (i+1)*q]
			for k := range negatives {
				switch {
				case t.s.Owned:
					negatives[k] = int32(r.Below(t.train.Cols))
				case draw.Per > 0:
					negatives[k] = draw.Draw(pair.Row, row, &r)
				default:
					negatives[k], _ = training.Outside(row, t.train.Cols, &r)
				}
			}
			t.samples[i] = Sample{pair.Row, pair.Col, negatives, i, counter}
		}
	})
}
