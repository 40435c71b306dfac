package results

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Ks are the list lengths of figures.
var Ks = []int{5, 10, 15, 20, 25, 30}

// K is the length of the lists of Hits: Ks[1].
const K = 10

// Results is the content of a folder.
type Results struct {
	Sets     []Set
	Measured []Measured
	Trials   []Trial
	Margins  []Margins
}

// Set is a data set with one split. Dataset and Split together identify it in the other files.
type Set struct {
	Dataset, Split             string // "ml-100k", "five folds of seed 1"
	Name                       string // in tables
	Users, Items, Interactions int
	Digest                     string // of the interactions and the split that were measured
}

// Key identifies a method on a split of a data set.
type Key struct {
	Dataset, Split string // of a Set
	Method         string
	Fold           int // from 0
	Seed           uint64
	Settings       string // digest of everything else that decides the result
}

// compare orders by the whole key, settings last.
func (k Key) compare(l Key) int {
	return cmp.Or(cmp.Compare(k.Dataset, l.Dataset), cmp.Compare(k.Split, l.Split), cmp.Compare(k.Method, l.Method),
		cmp.Compare(k.Fold, l.Fold), cmp.Compare(k.Seed, l.Seed), cmp.Compare(k.Settings, l.Settings))
}

// Trial is a trial on the validation part of a Key's training part.
type Trial struct {
	Key
	Space string // digest of the space of the trials; "" for the first, which has the defaults
	choose.Trial
}

// Measured is a measurement on the test part.
type Measured struct {
	Key
	Trial  int // the trial that chose the settings; −1: the defaults, without a trial
	Epochs int // chosen by this trial; 0 without a trial, or for a method without epochs

	Recall, NDCG []float64 // means over the users, by Ks
	Seconds      float64   // training time on the whole training part, on this number of
	Workers      int       // goroutines
	Heap         uint64    // peak bytes of memory; 0: not measured
	Device       string    // "cuda:0 (NVIDIA H100)"; "": the processor

	Hits Hits
}

// id identifies the measurement within its table.
func (m *Measured) id() id { return id{m.Dataset, m.Split, m.Method, m.Fold, m.Seed, m.Trial} }

// id is a Key without its settings, and a trial: a folder has only one settings digest per method.
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

// Add merges another folder's results into r. A method on one fold of a data set has one settings digest per seed: r
// drops rows of other settings, and rows in both come from other.
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

// without returns the rows that do not match; it changes the slice in place.
func without[T any](rows []T, match func(*T) bool) []T {
	return slices.DeleteFunc(rows, func(x T) bool { return match(&x) })
}

// sort sorts everything in the order of the files.
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
