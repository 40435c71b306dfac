package pmlam

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/relation"
)

// The tasks in their order (Eq. 18).
const (
	userItem = iota
	userUser
	itemItem
)

// Trainer is one training in progress. It is not safe for concurrent use.
type Trainer struct {
	cfg     Config
	workers int
	train   *dataset.Matrix // U×I: what is learned from
	held    *dataset.Matrix // U×I: the validation part, nil where there is none
	pairs   []dataset.Pair  // all positive pairs that can be trained on, by user, then item

	theta *gaussian.Table // N×2h: users' rows (where there are any), then items'
	items int             // row of item 0 in theta
	opt   adam            // N×2h
	tasks [3]*task        // user-item, user-user, item-item; nil where it takes no part

	neighbours [3]*dataset.Matrix // of users and of items, where relations take part
	candidates *candidates
	order      []int32 // the epoch's order of pairs
	step       step
	groups     groups
	groupOf    []int32 // U: group + 1 in this batch
	sources    []*source
	places     [][]int32 // per worker, I: for shared negatives

	epoch, steps int
}

// New prepares a training on train (U×I). workers ≤ 0 means as many as there are processors; it does not change the
// result. It returns a *ConfigError for impossible settings and an error where there is nothing to learn from, or
// where ctx ends while relations are computed.
func New(ctx context.Context, train *dataset.Matrix, cfg Config, workers int) (*Trainer, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Trainer{cfg: cfg, workers: workers, train: train}
	if cfg.Validation > 0 {
		split := dataset.HoldOut(train, cfg.Validation, cfg.Seed)
		t.train, t.held = split.Train, split.Test
	}
	for u := range t.train.Rows() {
		row := t.train.Row(u)
		if len(row) >= t.train.Cols || !cfg.FreeUsers && len(row) < 2 {
			continue // no negative can be drawn, or the user would be composed of nothing
		}
		for _, i := range row {
			t.pairs = append(t.pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	if len(t.pairs) == 0 {
		return nil, errors.New("there is nothing to learn from: no user has an item to learn and another to tell it from")
	}
	users, items := t.train.Rows(), t.train.Cols
	if cfg.FreeUsers {
		t.items = users
	}
	t.theta = gaussian.NewTable(t.items+items, cfg.Dim)
	t.opt = newAdam(len(t.theta.Data()))
	t.initialise()
	if err := t.prepareTasks(ctx); err != nil {
		return nil, err
	}
	t.groupOf = make([]int32, users)
	for range workers {
		t.sources = append(t.sources, newSource())
	}
	return t, nil
}

// initialise draws the rows: μ ~ N(0, InitMean²), s ~ N(InitStddev, InitJitter²) floored. The free parts of composed
// users start with s = 0, as they are added to what the items bring. Points have s = MinStddev throughout.
func (t *Trainer) initialise() {
	r := newSource()
	h := t.cfg.Dim
	for e := range t.theta.Len() {
		r.set(t.cfg.Seed, streamInit, uint64(e))
		row := t.theta.Row(e)
		part := e < t.items && t.cfg.UserWeight > 0
		for d := range h {
			row[d] = float32(r.NormFloat64() * t.cfg.InitMean)
		}
		for d := range h {
			s := t.cfg.InitStddev + r.NormFloat64()*t.cfg.InitJitter
			switch {
			case part:
				s = 0
			case t.cfg.Deterministic:
				s = gaussian.MinStddev
			}
			row[h+d] = float32(s)
		}
		if !part {
			gaussian.Bound(row, float32(t.cfg.Radius))
		}
	}
}

func (t *Trainer) prepareTasks(ctx context.Context) error {
	c := &t.cfg
	input, _ := margin.ParseInput(c.Input)
	network := func(k int, adaptive bool) *margin.Network {
		if !adaptive {
			return nil
		}
		seed1, seed2 := seedOf(c.Seed, streamInit, 1<<40+uint64(k))
		return margin.NewNetwork(input, c.Dim, c.Hidden, rand.New(rand.NewPCG(seed1, seed2)))
	}
	add := func(k int, name string, weight float64, adaptive bool) {
		task := &task{name: name, loss: c.loss(), weight: float32(weight), net: network(k, adaptive), points: c.Deterministic}
		if task.net != nil {
			task.opt = newAdam(len(task.net.W1) + len(task.net.B1) + len(task.net.W2) + 1)
			task.draw = t.noise(k)
		}
		t.tasks[k] = task
	}
	add(userItem, "user-item", 1, c.Margin == Adaptive)
	if c.Relations == NoRelations {
		return nil
	}
	var err error
	if c.FreeUsers && c.UserWeight == 0 { // composed users are near each other through their items already
		add(userUser, "user-user", c.RelationWeight, c.Relations == AdaptiveRelations)
		if t.neighbours[userUser], err = relation.Neighbours(ctx, t.train, c.RelationThreshold, t.workers); err != nil {
			return fmt.Errorf("finding similar users: %w", err)
		}
	}
	add(itemItem, "item-item", c.RelationWeight, c.Relations == AdaptiveRelations)
	if t.neighbours[itemItem], err = relation.Neighbours(ctx, t.train.Transpose(), c.RelationThreshold, t.workers); err != nil {
		return fmt.Errorf("finding similar items: %w", err)
	}
	return nil
}

// batches returns the number of batches in an epoch.
func (t *Trainer) batches() int { return (len(t.pairs) + t.cfg.Batch - 1) / t.cfg.Batch }

// Epoch is what is known after an epoch.
type Epoch struct {
	Number  int        // from 1
	Inner   [3]float64 // mean inner loss per pair: user-item, user-user, item-item
	Outer   [3]float64 // mean outer loss per pair, where there is a network
	Margin  float64    // mean user-item margin of the last batch; the fixed one where it is fixed
	NDCG    float64    // NDCG@10 on the validation part; NaN where it was not measured
	Best    bool       // this is the best epoch so far
	Pending int        // epochs that are still to come at most
}

// NonFiniteError says that a training diverged, where, and in which tensor.
type NonFiniteError struct {
	Epoch  int
	Tensor string
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the training diverged: %s holds a value that is not finite in epoch %d; a smaller learning rate may help", e.Tensor, e.Epoch)
}

// Run trains until the epochs are over, patience is, or ctx ends, and returns the best state: by NDCG@10 on the
// validation part where there is one, else the last. report, if not nil, hears of every epoch. Where ctx ended, the
// result is that of the training so far and the error wraps ctx's: both are given. A *NonFiniteError likewise comes
// with the last good state.
func (t *Trainer) Run(ctx context.Context, report func(Epoch)) (*Result, error) {
	best := t.keep(0, math.NaN())
	var draws *ahead
	if t.cfg.Candidates > 0 {
		draws = drawAhead(t.train, t.cfg.Candidates, t.cfg.Seed, 0)
		defer close(draws.stop)
	}
	stale := 0
	for t.epoch < t.cfg.Epochs {
		if draws != nil && t.epoch%t.cfg.Resample == 0 {
			t.candidates = <-draws.rounds
		}
		e, err := t.runEpoch(ctx)
		if err != nil {
			return best, err
		}
		e.NDCG = math.NaN()
		if t.held == nil {
			best = t.keep(t.epoch, math.NaN())
		} else if t.epoch%t.cfg.Every == 0 || t.epoch == t.cfg.Epochs {
			if e.NDCG, err = t.validate(ctx); err != nil {
				return best, err
			}
			if stale++; math.IsNaN(best.ValidationNDCG) || e.NDCG > best.ValidationNDCG {
				best, stale, e.Best = t.keep(t.epoch, e.NDCG), 0, true
			}
		}
		if report != nil {
			report(e)
		}
		if t.cfg.Patience > 0 && stale >= t.cfg.Patience {
			break
		}
	}
	return best, nil
}

func (t *Trainer) runEpoch(ctx context.Context) (Epoch, error) {
	t.shuffle()
	e := Epoch{Number: t.epoch + 1, Pending: t.cfg.Epochs - t.epoch - 1, Margin: t.cfg.MarginValue}
	var count [3]int
	var active []*task
	for from := 0; from < len(t.order); from += t.cfg.Batch {
		if err := ctx.Err(); err != nil {
			return e, fmt.Errorf("the training was stopped in epoch %d: %w", e.Number, err)
		}
		t.sample(from, min(from+t.cfg.Batch, len(t.order)))
		active = active[:0]
		var which []int
		for k, task := range t.tasks {
			if task != nil && len(task.batch.positive) > 0 {
				active, which = append(active, task), append(which, k)
			}
		}
		inner, outer := t.run(active)
		for i, k := range which {
			e.Inner[k] += inner[i]
			e.Outer[k] += outer[i]
			count[k] += len(active[i].batch.positive)
			if math.IsNaN(inner[i]) || math.IsInf(inner[i], 0) {
				return e, &NonFiniteError{e.Number, "the " + active[i].name + " loss"}
			}
		}
	}
	t.epoch++
	for k := range count {
		if count[k] > 0 {
			e.Inner[k] /= float64(count[k])
			e.Outer[k] /= float64(count[k])
		}
	}
	if ui := t.tasks[userItem]; ui.net != nil {
		e.Margin = ui.meanMargin()
	}
	return e, t.finite(e.Number)
}

func (t *Trainer) finite(epoch int) error {
	bad := func(x []float32) bool {
		for _, v := range x {
			if v-v != 0 { // NaN or ±Inf
				return true
			}
		}
		return false
	}
	if bad(t.theta.Data()) {
		return &NonFiniteError{epoch, "the table of Gaussians"}
	}
	for _, task := range t.tasks {
		if task == nil || task.net == nil {
			continue
		}
		var err error
		task.net.Parameters(func(name string, x []float32) {
			if bad(x) {
				err = &NonFiniteError{epoch, name + " of the " + task.name + " margin network"}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
