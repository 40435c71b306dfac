package choose

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// On large data the schedule is set by rules, and the trials are short: they go on from a training that they share. So
// the choice costs the same for any size.
const (
	largeData = 50_000 // interactions from which on data are large

	// The validation part of the short trials. Without a fifth, users have so few likes left that other settings suit
	// them. The links are chosen with autoShare: the more of a user's likes stand beside one that is held out, the more
	// links seem to be worth.
	largeShare = 0.1

	largeUserParts  = 5
	largeNegatives  = 512
	largeUserWeight = 2.83 // where trials begin: a short one from 2 does not find how much more is worth
	largeDiscount   = 0.5  // likewise

	// A training has wholeSteps batches where these have between 1,000 and largestBatch pairs: half as many, or
	// twice, learn no better. The learning rate is largeRate from largeBatch pairs on; below it falls with the root of
	// the size.
	wholeSteps   = 1000
	largestBatch = 64_000
	largeBatch   = 8000
	largeRate    = 0.03

	// The same where each like is learned by itself.
	pairsBatch    = 2000
	pairsRate     = 0.02
	pairsTogether = 8 // of a user

	// Epochs: so many that an item has been a positive itemVisits times on average, largePairs at most in all, but not
	// fewer than this, nor more than the preset has. Where items have many users, further epochs add next to nothing.
	itemVisits   = 2600
	largePairs   = 10_000_000
	fewestEpochs = 4

	// κ and K, where items have fewer than shrinkLikes likes on average: where they have more, nothing is gained.
	largeShrinkage      = 10
	largeShrinkageItems = 10
	shrinkLikes         = 25

	largeTop  = 20 // links a title: 10 are some 1% worse, 50 little better
	poolLikes = 50 // likes an item on average from which on links are taken out of a pool too

	// The dimension from so many items and interactions on, or from enoughLikes interactions on of however few items.
	// 200 costs twice the time and the bytes, and beside links adds nothing that is above the noise.
	manyItems, manyLikes, enoughLikes, largeDim = 10_000, 200_000, 500_000, 100

	// The trials learn from users with so many interactions, and all items: fewer make the temperature too high.
	choiceSample = 1_000_000
	startPairs   = 5_000_000 // that a common start is trained on, but for one epoch at least
	refinePairs  = 2_000_000 // that a trial goes on for, likewise
	trialUsers   = 5000      // of the validation part who are ranked for, at even distances
)

// withLargeSchedule returns c with the schedule, the dimension and the number of links for large data, except for
// what is set by hand. On tens of millions of interactions, where an epoch has ten thousand steps, the preset's
// epochs would take hours. In short trials and on a sample of the users 50 dimensions look like enough, so that a
// rule sets 100 where there are many items or many likes. Likes are learned a part of a user's at a time, which
// costs a third and, with twice the negatives, is no worse; settings that allow no parts learn each like by itself.
// Where items have few likes their rows are drawn towards their neighbours'.
func withLargeSchedule(c Settings, train *dataset.Matrix, byHand []string) Settings {
	free := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(byHand, name) })
	}
	if c.SharedNegatives > 1 && c.UserWeight > 0 && free("user_pairs", "user_parts") {
		c.UserParts = largeUserParts
	}
	if free("epochs") {
		c.Epochs = min(max(min(itemVisits*train.Cols, largePairs)/train.Len(), fewestEpochs), c.Epochs)
	}
	batch, rate := pairsBatch, pairsRate
	if c.UserParts > 0 {
		batch = min(max(c.Epochs*train.Len()/wholeSteps, 1000), largestBatch)
		rate = math.Round(1e4*largeRate*math.Sqrt(min(float64(batch)/largeBatch, 1))) / 1e4
		if free("negatives") {
			c.Negatives = largeNegatives
		}
		if free("part_discount") {
			c.PartDiscount = largeDiscount
		}
		if free("user_weight") {
			c.UserWeight = largeUserWeight
		}
	} else if free("user_pairs") {
		c.UserPairs = pairsTogether
	}
	if free("batch", "learn_rate") {
		c.Batch, c.LearnRate = batch, rate
	}
	if free("shrinkage", "shrinkage_items") && train.Len() < shrinkLikes*train.Cols {
		c.Shrinkage, c.ShrinkageItems = largeShrinkage, largeShrinkageItems
	}
	if c.ItemPart != NoItemPart && free("item_top", "item_pool") {
		c.ItemTop = largeTop
	}
	if free("dim") && (train.Cols >= manyItems && train.Len() >= manyLikes || train.Len() >= enoughLikes) {
		c.Dim = largeDim
	}
	return c
}

// wholeOf returns c with the schedule for the training part, as it would be if that were all of the data.
func (a *auto) wholeOf(c Settings) Settings {
	c.Epochs = a.mostEpochs
	chosen := []string{"user_parts", "user_weight", "part_discount", "negatives", "shrinkage", "shrinkage_items",
		"item_top", "item_pool", "dim"}
	return withLargeSchedule(c, a.parts.Train, append(chosen, a.ByHand...))
}

// usualRecipes returns the recipes for links, by how many likes an item has.
func (a *auto) usualRecipes() func(top int) []itemlinks.Recipe {
	switch {
	case !a.large:
		return itemlinks.Recipes
	case a.all.Len() < poolLikes*a.all.Cols:
		return itemlinks.SparseRecipes
	}
	return itemlinks.DenseRecipes
}

// starts are the trainings that trials begin from, one for each dimension.
type starts struct {
	cfg    Settings // what they are trained with, but for the dimension
	refine int      // epochs that a trial goes on for, in cfg's batches
	from   map[int]*pmlam.Beginning
}

// newStarts returns the starts for trials on train, none of them trained yet, in base's batches. A start and a trial
// together have no more epochs than whole, which are as many pairs as base's on all of the data, but one each at least.
func newStarts(base Settings, train *dataset.Matrix, whole int) *starts {
	epochs := func(pairs int) int { return max(pairs/max(train.Len(), 1), 1) }
	last := max(whole/3, 1)
	s := &starts{cfg: base, refine: min(epochs(refinePairs), last), from: make(map[int]*pmlam.Beginning)}
	s.cfg.Epochs = min(epochs(startPairs), max(whole-last, 1))
	return s
}

// of returns the start of a dimension, trained on a's training part where it was not before.
func (s *starts) of(ctx context.Context, a *auto, dim int) (*pmlam.Beginning, error) {
	if b := s.from[dim]; b != nil {
		return b, nil
	}
	cfg := s.cfg
	cfg.Dim = dim
	_, learned, err := a.train(ctx, cfg, nil, &Trial{Number: -1})
	if err != nil {
		return nil, err
	}
	b := &pmlam.Beginning{Name: "the common start", Items: learned.Own, Own: true,
		ItemOf: make([]int32, a.parts.Train.Cols)}
	for i := range b.ItemOf {
		b.ItemOf[i] = int32(i)
	}
	s.from[dim] = b
	return b, nil
}

// chooseLarge chooses settings on users with about choiceSample interactions: all but the epochs, the dimension where a
// rule has set it, and relations where likes are learned a part at a time: what they add in a short trial, no whole
// training has kept. One training with the base's settings is the common start; a trial goes on from it for some epochs
// with its own settings. So does the first, with those of the base: all have had as much training. A trial of another
// dimension has a start of that dimension. The item-item part is chosen for a whole training with the best trial's
// settings: beside a short one its links seem to be worth more than they are.
func (a *auto) chooseLarge(ctx context.Context, most int) error {
	dim := a.base.Dim
	a.mostEpochs = a.base.Epochs
	a.base = withLargeSchedule(a.base, a.all, a.ByHand)
	a.best = a.base
	part := Sample(a.all, most)
	a.use(part, largeShare)
	short := a.base
	if !a.isByHand("batch") {
		short.Batch = min(short.Batch, largeBatch)
	}
	a.starts = newStarts(short, a.parts.Train, a.base.Epochs*a.all.Len()/max(part.Len(), 1))
	a.parts.Test = someRows(a.parts.Test, trialUsers)
	byRule := func(c coordinate) bool {
		return slices.Contains(c.names, "epochs") || a.base.UserParts > 0 && slices.Contains(c.names, "relations") ||
			a.base.Dim != dim && slices.Contains(c.names, "dim")
	}
	free := a.free(slices.DeleteFunc(slices.Clone(coordinates), byRule)...)
	if len(free) > 0 {
		if err := a.climb(ctx, free); err != nil {
			return err
		}
	}
	a.starts = nil
	a.use(part, autoShare)
	a.parts.Test = someRows(a.parts.Test, trialUsers)
	if !a.choosesPart() {
		return nil
	}
	return a.chooseItemPart(ctx, a.base.ItemTop)
}
