package choose

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

// Rules set the schedule by the size of the data.
const (
	largeData = 50_000 // data are large from this many interactions on

	largeUserParts  = 5
	largeNegatives  = 512
	largeUserWeight = 2.83
	largeDiscount   = 0.5

	// q, if users have fewer than fewLikes on average and the data fewer than enoughLikes: many of their likes say
	// nothing about the others. With the few epochs of larger data it does not pay.
	fewLikes  = 20
	fewsPower = 0.4

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
	// least this many, and at most the preset's or half of the default preset's. If items have many users, further
	// epochs add next to nothing; if they have few, twice as many add 1%, for twice the time.
	itemVisits   = 2600
	largePairs   = 10_000_000
	fewestEpochs = 4
	largeEpochs  = 15

	// κ and K, if items have fewer than shrinkLikes likes on average; with more, they gain nothing.
	largeShrinkage      = 10
	largeShrinkageItems = 10
	shrinkLikes         = 25

	largeTop = 20 // links per title: 10 are about 1% worse, 50 little better

	// The dimension from this many items and interactions on, or from enoughLikes interactions on with any number of
	// items. 200 costs twice the time and the bytes and, together with links, gains nothing above the noise.
	manyItems, manyLikes, enoughLikes, largeDim = 10_000, 200_000, 500_000, 100

	choiceSample = 200_000   // trials learn from users with this many interactions, and all items
	choicePairs  = 2_000_000 // and from this many pairs, if the data are large
)

// withSchedule returns c with the schedule and, on large data, the dimension and the number of links, except settings
// set by hand. A step learns parts of users' likes. That costs a third and is as good. Settings that do not allow parts
// learn each like separately. On tens of millions of interactions an epoch has ten thousand steps, and the preset's
// epochs would take hours. In trials on a sample of users, 50 dimensions look sufficient, so a rule sets 100 if the
// data have many items or many likes. If items have few likes, their rows are drawn towards their neighbours' rows.
func withSchedule(c Settings, train *dataset.Matrix, byHand []string) Settings {
	free := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(byHand, name) })
	}
	if c.SharedNegatives > 1 && c.UserWeight > 0 && free("user_pairs", "user_parts") {
		c.UserParts = largeUserParts
	}
	if train.Len() < largeData {
		return c
	}
	if free("epochs") {
		c.Epochs = min(max(min(itemVisits*train.Cols, largePairs)/train.Len(), fewestEpochs), c.Epochs, largeEpochs)
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
		if free("loss_power") && train.Len() < min(fewLikes*train.Rows(), enoughLikes) {
			c.LossPower = fewsPower
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

// onPart returns c with the schedule that the trials' training part would get as the whole data, within choicePairs.
// Trials that leave users out keep c, because calibration makes the same training.
func (a *auto) onPart(c Settings) Settings {
	if a.Left != nil {
		return c
	}
	n := a.train.Len()
	if a.all.Len() < largeData {
		if !a.isByHand("batch") { // an epoch has as many steps as one on all of the data
			c.Batch = max(1, int(math.Round(float64(c.Batch)*float64(n)/float64(a.all.Len()))))
		}
		return c
	}
	epochs := c.Epochs
	c.Epochs = min(a.mostEpochs, max(choicePairs/n, fewestEpochs))
	chosen := []string{"user_parts", "user_weight", "part_discount", "loss_power", "negatives", "shrinkage",
		"shrinkage_items", "item_top", "item_pool", "dim"}
	c = withSchedule(c, a.train, append(chosen, a.ByHand...))
	if a.isByHand("epochs") {
		c.Epochs = epochs
	}
	return c
}
