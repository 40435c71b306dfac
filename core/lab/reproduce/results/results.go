package results

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Ks are the lengths of the lists that figures are of, and K the one that users' values are of.
var Ks = []int{5, 10, 15, 20, 25, 30}

// K is the length of the lists of Hits: Ks[1].
const K = 10

// Results is what a folder holds.
type Results struct {
	Sets     []Set
	Measured []Measured
	Trials   []Trial
	Margins  []Margins
}

// Set is a data set, split in one way. Dataset and Split together name it in the other files.
type Set struct {
	Dataset, Split             string // "ml-100k", "five folds of seed 1"
	Name                       string // in tables
	Users, Items, Interactions int
	Digest                     string // of the interactions and the split: what was measured on it is of exactly these
}

// Key is a method on a split of a data set.
type Key struct {
	Dataset, Split string // of a Set
	Method         string
	Fold           int // from 0
	Seed           uint64
	Settings       string // digest of everything else that decides what comes of it
}

// compare orders by all of the key, the settings last.
func (k Key) compare(l Key) int {
	return cmp.Or(cmp.Compare(k.Dataset, l.Dataset), cmp.Compare(k.Split, l.Split), cmp.Compare(k.Method, l.Method),
		cmp.Compare(k.Fold, l.Fold), cmp.Compare(k.Seed, l.Seed), cmp.Compare(k.Settings, l.Settings))
}

// Trial is a trial on the validation part of a Key's training part.
type Trial struct {
	Key
	Space string // digest of what the trials varied; "" of the first, which has the defaults
	choose.Trial
}

// Measured is a measurement on the test part.
type Measured struct {
	Key
	Trial  int // that chose what it learned with; −1: the defaults, without a trial
	Epochs int // that this trial chose; 0 without one, or where a method has none

	Recall, NDCG []float64 // means over the users, by Ks
	Seconds      float64   // of learning from the whole training part, on so many
	Workers      int       // goroutines
	Heap         uint64    // bytes of memory that it took at most; 0: not measured
	Device       string    // that it learned on, "cuda:0 (NVIDIA H100)"; "": the processor

	Hits Hits
}

// id tells a measurement from the others of its table.
func (m *Measured) id() id { return id{m.Dataset, m.Split, m.Method, m.Fold, m.Seed, m.Trial} }

// id is a Key without its settings, and a trial: no folder has two settings of one method.
type id struct {
	Dataset, Split, Method string
	Fold                   int
	Seed                   uint64
	Trial                  int
}

// Margins is the study of the margins by genre: Table 4.
type Margins struct {
	Key
	Epochs, Count, Users int
	Same, Other          float64
	Gap                  eval.Estimate
	Share                float64
	T, W                 eval.Test
	Found, Drawn         []Triplet
}

// Triplet is a user with a positive and a negative.
type Triplet struct {
	User               string
	Positive, Negative string
	Same               bool
	Margin, Paper      float64
	Missing            string
}

// Add puts what another holds into r. Of one method on one fold of a data set, under one seed, there is one kind of
// settings: what r holds of others is dropped, and what both hold is taken from the other.
func (r *Results) Add(other *Results) {
	for _, s := range other.Sets {
		r.Sets = append(without(r.Sets, func(o *Set) bool { return o.Dataset == s.Dataset && o.Split == s.Split }), s)
	}
	changed := func(old, new Key) bool {
		settings := old.Settings
		old.Settings = new.Settings
		return old == new && settings != new.Settings
	}
	drop := func(k Key) {
		r.Trials = without(r.Trials, func(o *Trial) bool { return changed(o.Key, k) })
		r.Measured = without(r.Measured, func(o *Measured) bool { return changed(o.Key, k) })
	}
	for _, t := range other.Trials {
		drop(t.Key)
		r.Trials = append(without(r.Trials, func(o *Trial) bool { return o.Key == t.Key && o.Number == t.Number }), t)
	}
	for _, m := range other.Measured {
		drop(m.Key)
		r.Measured = append(without(r.Measured, func(o *Measured) bool { return o.id() == m.id() }), m)
	}
	for _, m := range other.Margins {
		same := func(o *Margins) bool { return o.Key == m.Key || changed(o.Key, m.Key) }
		r.Margins = append(without(r.Margins, same), m)
	}
	r.sort()
}

// without returns the rows that do not match; the slice is changed in place.
func without[T any](rows []T, match func(*T) bool) []T {
	return slices.DeleteFunc(rows, func(x T) bool { return match(&x) })
}

// sort brings everything into the order of the files.
func (r *Results) sort() {
	slices.SortFunc(r.Sets, func(a, b Set) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Split, b.Split))
	})
	slices.SortFunc(r.Trials, func(a, b Trial) int {
		return cmp.Or(a.Key.compare(b.Key), cmp.Compare(a.Number, b.Number))
	})
	slices.SortFunc(r.Measured, func(a, b Measured) int {
		return cmp.Or(a.Key.compare(b.Key), cmp.Compare(a.Trial, b.Trial))
	})
	slices.SortFunc(r.Margins, func(a, b Margins) int { return a.Key.compare(b.Key) })
}
