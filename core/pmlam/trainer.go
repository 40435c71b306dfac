package pmlam

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/training"
)

// The tasks in their order (Eq. 18).
const (
	userItem = iota
	userUser
	itemItem
)

// Trainer is one training in progress: New, then perhaps Begin (from a trained model) and Keep (checkpoints), then Run.
// It is not safe for concurrent use.
//
// Memory, for N entities of dimension h: the table and Adam's two moments, 3·2h float32, which is 1.2 KB an entity at
// h = 50; with a validation part one more table, of the best epoch, 1.6 KB together. There is no other copy, for the
// result is the table itself; where users are composed, their N is the items alone, and users' rows (400 B each) are
// made for a validation and for the result; so are the items' where they are composed (Config.Shrinkage), whose
// neighbours take 16 bytes each. Ten million entities of dimension 50 take 12 GB, 16 GB with a validation
// part. An interaction takes 16 bytes: matrix, list of pairs, order. Candidates (Config.Candidates) take none: they are
// computed when drawn.
type Trainer struct {
	// Loop runs the epochs; it has Watch, Keep (checkpoints) and History.
	*training.Loop

	cfg     Config
	workers int
	train   *dataset.Matrix // U×I: what is learned from
	pairs   []dataset.Pair  // all positive pairs that can be trained on, by user, then item

	theta *gaussian.Table // N×2h: users' rows (where there are any), then items', as they are learned
	items int             // row of item 0 in theta
	opt   adam            // N×2h
	tasks [3]*task        // user-item, user-user, item-item; nil where it takes no part

	judged     *dataset.Matrix    // U×I: what only the outer loss sees; nil: nothing
	neighbours [3]*dataset.Matrix // of users and of items, where relations take part
	apart      int                // one in so many pairs has a relation's pair (meanPart)
	now        training.Batch     // the batch under way
	step       step
	groups     groups
	groupOf    []int32   // U: group + 1 in this batch
	places     [][]int32 // per worker, I: for shared negatives

	shrunk *shrinkage // how items' rows are composed of theta's; nil: they are theta's

	held []bool // I: items whose rows stay as they are; nil: all rows and networks are trained

	spare [3]*margin.Network // the networks before the batch under way

	device *Device // nil: the processor
	remote remote  // the state on the device, while it is there
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
	var held *dataset.Matrix
	if cfg.Validation > 0 {
		split := dataset.HoldOut(train, cfg.Validation, cfg.Seed)
		t.train, held = split.Train, split.Test
	}
	learned := t.train
	if cfg.OuterBatch == HeldOutBatch {
		split := dataset.HoldOut(t.train, heldOut, cfg.Seed+streamHeldOut)
		learned, t.judged = split.Train, split.Test
	}
	var runs []int32 // where each user's pairs begin
	for u := range t.train.Rows() {
		row := learned.Row(u)
		if len(t.train.Row(u)) >= t.train.Cols || !cfg.FreeUsers && len(row) < 2 {
			continue // no negative can be drawn, or the user would be composed of nothing
		}
		runs = append(runs, int32(len(t.pairs)))
		for _, i := range row {
			t.pairs = append(t.pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	runs = append(runs, int32(len(t.pairs)))
	if len(t.pairs) == 0 {
		return nil, errors.New("there is nothing to learn from: no user has an item to learn and another to tell it " +
			"from")
	}
	users, items := t.train.Rows(), t.train.Cols
	if cfg.FreeUsers {
		t.items = users
	}
	t.theta = gaussian.NewTable(t.items+items, cfg.Dim)
	parallel.AdviseHuge(t.theta.Data())
	t.opt = newAdam(len(t.theta.Data()))
	t.initialise()
	if err := t.prepareTasks(ctx); err != nil {
		return nil, err
	}
	if cfg.Shrinkage > 0 {
		var err error
		most := cmp.Or(cfg.ShrinkageItems, 10)
		if t.shrunk, err = newShrinkage(ctx, t.train, t.items, cfg.Shrinkage, most, workers); err != nil {
			return nil, err
		}
	}
	t.groupOf = make([]int32, users)
	t.Loop = training.NewLoop((*method)(t), training.Plan{
		Epochs: cfg.Epochs, Batch: cfg.Batch, LearnRate: cfg.LearnRate, Decay: cfg.Decay,
		Every: cfg.Every, Patience: cfg.Patience, Seed: cfg.Seed, Workers: workers,
		Together: cfg.UserPairs, Parts: cfg.UserParts, Runs: runs, Train: t.train, Held: held,
		Settings: cfg, Labels: []string{"preset"},
	})
	return t, nil
}

// Run trains until the epochs are over, patience is, or ctx ends, and returns the best state: by NDCG@10 on the
// validation part where it was measured, else the present one. report, if not nil, is called after every epoch.
//
// Where ctx ended, which is noticed between two batches, the result is that of the training so far and the error wraps
// ctx's: both are given. The same holds for a *training.NonFiniteError; the present state is then the one before the
// batch that diverged. With checkpoints the last one is written before Run returns, but never of a state that is not
// finite.
//
// Where all items have the same Gaussian at the end, the result comes with a *training.CollapseError.
//
// After a *LostError, when the device failed, there is no result, and the last checkpoint stays as it was.
//
// The result shares the trainer's memory: there is no second copy of the table.
func (t *Trainer) Run(ctx context.Context, report func(training.Epoch)) (*Result, error) {
	ok, err := t.leaveDevice(t.Loop.Run(ctx, report))
	if !ok {
		return nil, err
	}
	r := t.result()
	if err == nil {
		err = r.collapsed()
	}
	return r, err
}

// initialise draws the rows: μ ~ N(0, InitMean²), s ~ N(InitStddev, InitJitter²) floored. The free parts of composed
// users start with s = 0, as they are added to the items' part. Points have s = MinStddev throughout.
func (t *Trainer) initialise() {
	var r training.Source
	normal := rand.New(&r)
	h := t.cfg.Dim
	for e := range t.theta.Len() {
		r.Set(t.cfg.Seed, streamInit, uint64(e))
		row := t.theta.Row(e)
		part := e < t.items && t.cfg.UserWeight > 0
		for d := range h {
			row[d] = float32(normal.NormFloat64() * t.cfg.InitMean)
		}
		for d := range h {
			s := t.cfg.InitStddev + normal.NormFloat64()*t.cfg.InitJitter
			switch {
			case part:
				s = 0
			case t.cfg.Deterministic:
				s = gaussian.MinStddev
			}
			row[h+d] = float32(s)
		}
		if !part {
			t.cfg.bound(row)
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
		return margin.NewNetwork(input, c.Dim, c.Hidden,
			rand.New(training.NewSource(c.Seed, streamInit, 1<<40+uint64(k))))
	}
	memory := new(scratch)
	add := func(k int, name string, weight float64, adaptive bool) {
		task := &task{name: name, loss: c.loss(), weight: float32(weight), net: network(k, adaptive),
			points: c.Deterministic, scratch: memory}
		if c.Smooth {
			task.smooth = float32(c.Temperature)
		}
		task.unit, task.outerLoss = c.UnitProxy, c.outerLoss()
		if k == userItem {
			task.discount = c.PartDiscount
		}
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
	t.apart = t.meanPart()
	var err error
	if c.FreeUsers && c.UserWeight == 0 { // composed users are near each other through their items already
		add(userUser, "user-user", c.RelationWeight*float64(t.apart), c.Relations == AdaptiveRelations)
		if t.neighbours[userUser], err = dataset.Neighbours(ctx, t.train, c.RelationThreshold, t.workers); err != nil {
			return fmt.Errorf("finding similar users: %w", err)
		}
	}
	add(itemItem, "item-item", c.RelationWeight*float64(t.apart), c.Relations == AdaptiveRelations)
	items := t.train.Transpose()
	if t.neighbours[itemItem], err = dataset.Neighbours(ctx, items, c.RelationThreshold, t.workers); err != nil {
		return fmt.Errorf("finding similar items: %w", err)
	}
	return nil
}
