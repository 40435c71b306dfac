package results

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/train/choose"
)

// The columns of the files, in order.

// Bounds of cell values, far above real ones.
const (
	maxCount   = 1<<31 - 1
	maxSeed    = 1 << 53
	maxFold    = 99
	maxEpochs  = 1e6
	maxTrial   = 999
	maxWorkers = 1 << 16
	maxSteps   = 1000
	digestSize = 16
)

const most = math.MaxFloat64

// setColumns are the columns of table1.csv.
var setColumns = []column[Set]{
	text("dataset", false, func(s *Set) *string { return &s.Dataset }),
	text("split", false, func(s *Set) *string { return &s.Split }),
	text("name", false, func(s *Set) *string { return &s.Name }),
	whole("users", 1, maxCount, func(s *Set) *int { return &s.Users }),
	whole("items", 1, maxCount, func(s *Set) *int { return &s.Items }),
	whole("interactions", 1, maxCount, func(s *Set) *int { return &s.Interactions }),
	digest("digest", digestSize, false, func(s *Set) *string { return &s.Digest }),
}

// keyColumns begin the lines of all other tables.
func keyColumns[T any](at func(*T) *Key) []column[T] {
	return []column[T]{
		text("dataset", false, func(x *T) *string { return &at(x).Dataset }),
		text("split", false, func(x *T) *string { return &at(x).Split }),
		text("method", false, func(x *T) *string { return &at(x).Method }),
		whole("fold", 0, maxFold, func(x *T) *int { return &at(x).Fold }),
		whole("seed", 0, maxSeed, func(x *T) *uint64 { return &at(x).Seed }),
		digest("settings", digestSize, false, func(x *T) *string { return &at(x).Settings }),
	}
}

// measuredColumns are the columns of table2.csv and table3.csv.
var measuredColumns = slices.Concat(
	keyColumns(func(m *Measured) *Key { return &m.Key }),
	[]column[Measured]{
		optional("trial", maxTrial, func(m *Measured) *int { return &m.Trial }),
		whole("epochs", 0, maxEpochs, func(m *Measured) *int { return &m.Epochs }),
	},
	figureColumns("recall", func(m *Measured) *[]float64 { return &m.Recall }),
	figureColumns("ndcg", func(m *Measured) *[]float64 { return &m.NDCG }),
	[]column[Measured]{
		number("seconds", 0, most, func(m *Measured) *float64 { return &m.Seconds }),
		whole("workers", 1, maxWorkers, func(m *Measured) *int { return &m.Workers }),
		whole("bytes", 0, 1<<50, func(m *Measured) *uint64 { return &m.Heap }),
		text(lateColumn, true, func(m *Measured) *string { return &m.Device }),
	},
)

// figureColumns are a metric at each list length.
func figureColumns(name string, at func(*Measured) *[]float64) (all []column[Measured]) {
	for j, k := range Ks {
		all = append(all, number(fmt.Sprintf("%s@%d", name, k), 0, 1, func(m *Measured) *float64 {
			if *at(m) == nil {
				*at(m) = make([]float64, len(Ks))
			}
			return &(*at(m))[j]
		}))
	}
	return all
}

// trialColumns are the columns of trials.csv.
var trialColumns = slices.Concat(
	keyColumns(func(t *Trial) *Key { return &t.Key }),
	[]column[Trial]{
		whole("trial", 0, maxTrial, func(t *Trial) *int { return &t.Number }),
		digest("space", digestSize, true, func(t *Trial) *string { return &t.Space }),
		{"state", func(t *Trial) string { return string(t.State) }, func(t *Trial, cell string) error {
			if t.State = choose.State(cell); t.State != choose.Complete && t.State != choose.Diverged {
				return errors.New(`it must be "complete" or "diverged"`)
			}
			return nil
		}},
		number("ndcg@10", 0, 1, func(t *Trial) *float64 { return &t.NDCG }),
		whole("epochs", 0, maxEpochs, func(t *Trial) *int { return &t.Epochs }),
		number("seconds", 0, most, func(t *Trial) *float64 { return &t.Seconds }),
		number("work", 0, most, func(t *Trial) *float64 { return &t.Work }),
		settings("values", func(t *Trial) *map[string]string { return &t.Values }),
		part("part", func(t *Trial) **choose.Part { return &t.Part }),
		text("note", true, func(t *Trial) *string { return &t.Note }),
		list("steps", maxSteps, func(t *Trial) *[]float64 { return &t.Steps }),
	},
)

// marginColumns are the columns of table4.csv.
var marginColumns = slices.Concat(
	keyColumns(func(m *Margins) *Key { return &m.Key }),
	[]column[Margins]{
		whole("epochs", 1, maxEpochs, func(m *Margins) *int { return &m.Epochs }),
		whole("triplets", 1, maxCount, func(m *Margins) *int { return &m.Count }),
		whole("users", 1, maxCount, func(m *Margins) *int { return &m.Users }),
		number("same genre", 0, most, func(m *Margins) *float64 { return &m.Same }),
		number("other genre", 0, most, func(m *Margins) *float64 { return &m.Other }),
		number("gap", -most, most, func(m *Margins) *float64 { return &m.Gap.Value }),
		number("gap low", -most, most, func(m *Margins) *float64 { return &m.Gap.Low }),
		number("gap high", -most, most, func(m *Margins) *float64 { return &m.Gap.High }),
		number("share smaller", 0, 1, func(m *Margins) *float64 { return &m.Share }),
		whole("t users", 0, maxCount, func(m *Margins) *int { return &m.T.N }),
		number("t", -most, most, func(m *Margins) *float64 { return &m.T.Statistic }),
		number("t p", 0, 1, func(m *Margins) *float64 { return &m.T.P }),
		whole("w users", 0, maxCount, func(m *Margins) *int { return &m.W.N }),
		number("w", 0, most, func(m *Margins) *float64 { return &m.W.Statistic }),
		number("w p", 0, 1, func(m *Margins) *float64 { return &m.W.P }),
	},
)

// tripletRow is a line of table4-triplets.csv.
type tripletRow struct {
	Key
	Drawn bool // of a user drawn at random, not from the paper
	Triplet
}

var tripletColumns = slices.Concat(
	keyColumns(func(t *tripletRow) *Key { return &t.Key }),
	[]column[tripletRow]{
		flag("drawn", func(t *tripletRow) *bool { return &t.Drawn }),
		text("user", false, func(t *tripletRow) *string { return &t.User }),
		text("positive", false, func(t *tripletRow) *string { return &t.Positive }),
		text("negative", false, func(t *tripletRow) *string { return &t.Negative }),
		flag("same genre", func(t *tripletRow) *bool { return &t.Same }),
		number("margin", 0, most, func(t *tripletRow) *float64 { return &t.Margin }),
		number("paper", 0, most, func(t *tripletRow) *float64 { return &t.Paper }),
		text("missing", true, func(t *tripletRow) *string { return &t.Missing }),
	},
)
