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

// Trainer is one training in progress. Call New, then optionally Begin (from a trained model) and Keep (checkpoints),
// then Run. It is not safe for concurrent use.
//
// Memory, for N entities of dimension h: the table and Adam's two moments, 3·2h float32, are 1.2 KB per entity at h =
// 50. A validation part adds a table of the best epoch, 1.6 KB in all. The result needs no copy, since it is the table
// itself. If users are composed, N counts only the items, and users' rows (400 B each) are made for a validation and
// for the result. So are the items' rows if they are composed (Config.Shrinkage); their neighbours take 16 bytes each.
// Ten million entities of dimension 50 take 12 GB, or 16 GB with a validation part. An interaction takes 16 bytes for
// the matrix, the list of pairs and the order. Candidates (Config.Candidates) take no memory, because they are computed
// when drawn.
type Trainer struct {
	// Loop runs the epochs; it has Watch, Keep (checkpoints) and History.
	*training.Loop

	cfg     Config
	workers int
	train   *dataset.Matrix // U×I: the training part
	pairs   []dataset.Pair  // all positive pairs that can be trained on, by user, then item

	theta *gaussian.Table // N×2h: users' learned rows (if any), then items'
	items int             // row of item 0 in theta
	opt   adam            // N×2h
	tasks [3]*task        // user-item, user-user, item-item; nil if off

	judged     *dataset.Matrix    // U×I: pairs for the outer loss only; nil: none
	neighbours [3]*dataset.Matrix // of users and of items, with relations
	apart      int                // one pair in this many also gets a pair of each relation (meanPart)
	now        training.Batch     // the current batch
	step       step
	groups     groups
	groupOf    []int32   // U: group + 1 in this batch
	places     [][]int32 // per worker, I: for shared negatives

	shrunk *shrinkage // composition of items' rows from theta's; nil: they are theta's

	held []bool // I: items whose rows are frozen; nil: all rows and networks are trained

	spare [3]*margin.Network // the networks before the current batch

	device *Device // nil: the CPU
	remote remote  // the state on the device, while it is there
}

// New prepares a training on train (U×I). workers ≤ 0 means one per CPU; it does not change the result. It returns a
// *ConfigError for invalid settings, and an error if there is nothing to learn from or ctx ends while relations are
// computed.
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
	var runs []int32 // start of each user's pairs
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
		return nil, errors.New("nothing to learn from: every user has too few items, or every item; check the data " +
			"and filters")
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

// Run trains until all epochs are completed, patience is exhausted or ctx ends, and returns the best state: by NDCG@10
// on the validation part if that was measured, otherwise the present one. report, if not nil, is called after every
// epoch.
//
// The end of ctx is noticed between two batches. Run then returns the result so far and an error that wraps ctx's. The
// same holds for a *training.NonFiniteError, with the state before the batch that diverged. With checkpoints, a last
// one is written before Run returns, but never of a non-finite state.
//
// If all items end with the same Gaussian, the result comes with a *training.CollapseError.
//
// If the device fails, Run returns a *LostError without a result, and the last checkpoint stays as it was.
//
// The result shares the trainer's memory instead of copying the table.
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
// users start with s = 0, since the items' part is added to them. Points always have s = MinStddev.
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
			task.discount, task.power = c.PartDiscount, float32(c.LossPower)
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
	if c.FreeUsers && c.UserWeight == 0 { // composed users are already close through their items
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
