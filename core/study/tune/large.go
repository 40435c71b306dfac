package tune

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
)

// On large data the schedule is set by rules, and what remains is chosen on samples, so that the choice costs the same
// for any size: about what six trainings on leastSample interactions cost.
const (
	largeData = 200_000 // interactions from which on data are large

	largeBatch     = 2000
	largeRate      = 0.02 // learning rate of such batches
	largeUserPairs = 8

	// Epochs by the interactions: largePairs of them in all, but not fewer than this, nor more than the preset has.
	largePairs              = 30_000_000
	fewestEpochs            = 4
	manyItems, manyItemsDim = 10_000, 100 // the dimension from so many items on
	refineEpochs            = 3           // of a trial that begins from the common start
	leastBatch              = 250
	sampleMinItem           = 3       // likes of an item in a sample, for it to stay in the catalogue
	partSample              = 250_000 // interactions that an item-item part is chosen on
)

// withLargeSchedule returns c with the schedule and the dimension for large data, except for what is set by hand. On
// tens of millions of interactions, where an epoch has ten thousand steps, the preset's epochs would take hours. The
// dimension cannot be chosen on a sample, in which 50 would always look like enough.
func withLargeSchedule(c pmlam.Config, train *dataset.Matrix, byHand []string) pmlam.Config {
	free := func(name string) bool { return !slices.Contains(byHand, name) }
	if free("batch") && free("learn_rate") {
		c.Batch, c.LearnRate = largeBatch, largeRate
	}
	if free("user_pairs") {
		c.UserPairs = largeUserPairs
	}
	if free("epochs") {
		c.Epochs = min(max(largePairs/train.Len(), fewestEpochs), c.Epochs)
	}
	if free("dim") && train.Cols >= manyItems {
		c.Dim = manyItemsDim
	}
	return c
}

// start is a training that trials begin from.
type start struct {
	cfg  pmlam.Config
	from *pmlam.Beginning // nil before train
}

// train trains on a's training part, once.
func (s *start) train(ctx context.Context, a *auto) error {
	if s.from != nil {
		return nil
	}
	cold := *a
	cold.start = nil
	_, learned, err := cold.run(ctx, a.parts, s.cfg, &Trial{Number: -1})
	if err != nil {
		return err
	}
	b := &pmlam.Beginning{Name: "the common start", Items: learned.Items, ItemOf: make([]int32, a.parts.Train.Cols)}
	for i := range b.ItemOf {
		b.ItemOf[i] = int32(i)
	}
	s.from = b
	return nil
}

// chooseLarge chooses temperature, user weight and relations on users with about least interactions and the items that
// these have often enough. One training with the settings of the base is the common start; a trial goes on from it for
// refineEpochs with its own settings. So does the first, with those of the base: all have had as much training. The
// item-item part is chosen on a larger sample with the whole catalogue.
func (a *auto) chooseLarge(ctx context.Context, least int) error {
	a.base = withLargeSchedule(a.base, a.all, a.ByHand)
	a.best, a.leastBatch = a.base, leastBatch
	a.use(withoutRareItems(sample(a.all, least), sampleMinItem))
	if free := a.free((*coordinate).quick); len(free) > 0 {
		a.start = &start{cfg: a.base}
		if err := a.climb(ctx, free); err != nil {
			return err
		}
		a.start = nil
	}
	if !a.choosesPart() {
		return nil
	}
	a.use(sample(a.all, max(partSample, least)))
	return a.chooseItemPart(ctx)
}

// quick reports whether a few epochs from a common start can judge the setting.
func (c *coordinate) quick() bool { return !c.whole && !slices.Contains(c.names, "epochs") }

// withoutRareItems returns m without the items of fewer than least users, numbered anew, and without the users who have
// no item left. O(nnz).
func withoutRareItems(m *dataset.Matrix, least int) *dataset.Matrix {
	likes := make([]int, m.Cols)
	for _, i := range m.Indices {
		likes[i]++
	}
	number, n := make([]int32, m.Cols), 0
	for i, count := range likes {
		if number[i] = -1; count >= least {
			number[i] = int32(n)
			n++
		}
	}
	out := &dataset.Matrix{Cols: n, Offsets: []int{0}}
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			if number[i] >= 0 {
				out.Indices = append(out.Indices, number[i])
			}
		}
		if end := len(out.Indices); end > out.Offsets[len(out.Offsets)-1] {
			out.Offsets = append(out.Offsets, end)
		}
	}
	return out
}
