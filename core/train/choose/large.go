package choose

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// On large data, rules set the schedule and trials are short: they continue from a shared training. So the choice costs
// the same for any size.
const (
	largeData = 50_000 // data are large from this many interactions on

	// The validation share of the short trials. Without a fifth of the likes, users have so few left that other
	// settings suit them. The links are chosen with autoShare, because the more of a user's likes are in the training
	// part, the more useful links appear.
	largeShare = 0.1

	largeUserParts  = 5
	largeNegatives  = 512
	largeUserWeight = 2.83 // start of the search: short trials from 2 do not find that more is better
	largeDiscount   = 0.5  // start of the search

	// A training has wholeSteps batches if that gives between 1,000 and largestBatch pairs each; half as many or twice
	// as many learn no better. The learning rate is largeRate from largeBatch pairs on, and falls with the square root
	// of the size below.
	wholeSteps   = 1000
	largestBatch = 64_000
	largeBatch   = 8000
	largeRate    = 0.03

	// The same if each like is learned separately.
	pairsBatch    = 2000
	pairsRate     = 0.02
	pairsTogether = 8 // of a user

	// Epochs: enough for an item to be a positive itemVisits times on average and at most largePairs in all, but at
	// least this many and at most the preset's. If items have many users, further epochs add next to nothing.
	itemVisits   = 2600
	largePairs   = 10_000_000
	fewestEpochs = 4

	// κ and K, if items have fewer than shrinkLikes likes on average; with more, they gain nothing.
	largeShrinkage      = 10
	largeShrinkageItems = 10
	shrinkLikes         = 25

	largeTop  = 20 // links per title: 10 are about 1% worse, 50 little better
	poolLikes = 50 // mean likes per item from which links are also selected from a pool

	// The dimension from this many items and interactions on, or from enoughLikes interactions on with any number of
	// items. 200 costs twice the time and the bytes and, together with links, gains nothing above the noise.
	manyItems, manyLikes, enoughLikes, largeDim = 10_000, 200_000, 500_000, 100

	// Trials learn from users with this many interactions, and all items; with fewer, the chosen temperature is too
	// high.
	choiceSample = 1_000_000
	startPairs   = 5_000_000 // to train a common start on, and at least one epoch
	refinePairs  = 2_000_000 // for a trial to continue with, and at least one epoch
	trialUsers   = 5000      // of the validation part to rank for, at even intervals
)

// withLargeSchedule returns c with the schedule, the dimension and the number of links for large data, except settings
// set by hand. On tens of millions of interactions an epoch has ten thousand steps, and the preset's epochs would take
// hours. In short trials and on a sample of users, 50 dimensions look sufficient, so a rule sets 100 if the data have
// many items or many likes. A step learns parts of users' likes. That costs a third and, with twice the negatives, is
// as good. Settings that do not allow parts learn each like separately. If items have few likes, their rows are drawn
// towards their neighbours' rows.
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

// wholeOf returns c with the schedule that the training part would get as the whole data.
func (a *auto) wholeOf(c Settings) Settings {
	c.Epochs = a.mostEpochs
	chosen := []string{"user_parts", "user_weight", "part_discount", "negatives", "shrinkage", "shrinkage_items",
		"item_top", "item_pool", "dim"}
	return withLargeSchedule(c, a.parts.Train, append(chosen, a.ByHand...))
}

// usualRecipes returns the recipes for links, by the number of likes per item.
func (a *auto) usualRecipes() func(top int) []itemlinks.Recipe {
	switch {
	case !a.large:
		return itemlinks.Recipes
	case a.all.Len() < poolLikes*a.all.Cols:
		return itemlinks.SparseRecipes
	}
	return itemlinks.DenseRecipes
}

// starts are the trainings that trials continue from, one for each dimension.
type starts struct {
	cfg    Settings // settings of these trainings, except the dimension
	refine int      // epochs that a trial adds, in cfg's batches
	from   map[int]*pmlam.Beginning
}

// newStarts returns the starts for trials on train, not trained yet, in base's batches. whole is the number of epochs
// on train with as many pairs as a training with base on all data. A start and a trial together have at most whole
// epochs, and at least one each.
func newStarts(base Settings, train *dataset.Matrix, whole int) *starts {
	epochs := func(pairs int) int { return max(pairs/max(train.Len(), 1), 1) }
	last := max(whole/3, 1)
	s := &starts{cfg: base, refine: min(epochs(refinePairs), last), from: make(map[int]*pmlam.Beginning)}
	s.cfg.Epochs = min(epochs(startPairs), max(whole-last, 1))
	return s
}

// of returns the start of a dimension. It trains it on a's training part on first use.
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

// chooseLarge chooses settings on users with about choiceSample interactions. It does not choose the epochs, the
// dimension if a rule has set it, nor relations if likes are learned in parts: their gains in short trials vanish in
// complete trainings. One training with the base's settings is the common start; each trial continues from it for some
// epochs with its own settings. So does the first, with the base's settings, which makes all trials equally long. A
// trial of another dimension has a start of that dimension. The item-item part is chosen for a complete training with
// the best trial's settings, because a short one makes links look more useful than they are.
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
