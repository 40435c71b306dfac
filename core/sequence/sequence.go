// Package sequence learns from the order of likes: which items people choose after others, and with which they go.
//
// Use: Of puts the likes of each user in order of time. Links counts the pairs in these sequences and returns a few
// targets for every source, as model.ItemLinks whose source is the earlier item. Try tells whether that order helps.
//
// Data flow: dataset → sequence → model. Native only.
package sequence

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// Sequences holds the likes of U users in order of time. Likes of the same time are one step, for example one order of
// a shop.
type Sequences struct {
	Items   int      // I
	Steps   [][]Step // by user, earliest first
	Cut     int      // users with more than Longest likes; only their latest likes count
	Untimed int      // likes without a time, which are left out
	AtOnce  int      // users with several likes, all of one time: their order is unknown
}

// Step is the items of one moment, ascending.
type Step []int32

// Longest is the greatest number of likes of a user that count. More are typical of programs rather than people.
const Longest = 1000

// Of returns the sequences of likes, a part of d.Positives (U×I). It fails if d has no times. A like at the time 0 has
// none. Times in the future count as they are: only their order matters. O(likes · log of the longest row).
func Of(d *dataset.Dataset, likes *dataset.Matrix) (*Sequences, error) {
	if d.Times == nil {
		return nil, &dataset.NoTimesError{Name: d.Name}
	}
	type timed struct {
		at   int64
		item int32
	}
	s := &Sequences{Items: likes.Cols, Steps: make([][]Step, likes.Rows())}
	var row []timed
	for u := range likes.Rows() {
		all, at := d.Positives.Row(u), d.Positives.Offsets[u]
		row = row[:0]
		k := 0
		for _, i := range likes.Row(u) {
			for all[k] != i {
				k++
			}
			if t := d.Times[at+k]; t != 0 {
				row = append(row, timed{t, i})
			} else {
				s.Untimed++
			}
		}
		slices.SortFunc(row, func(a, b timed) int {
			return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.item, b.item))
		})
		if len(row) > Longest {
			s.Cut++
			row = row[len(row)-Longest:]
		}
		items, steps := make([]int32, len(row)), 0
		for k, x := range row {
			if items[k] = x.item; k == 0 || x.at != row[k-1].at {
				steps++
			}
		}
		if steps > 0 {
			s.Steps[u] = make([]Step, 0, steps)
		}
		for first, k := 0, 1; k <= len(row); k++ {
			if k == len(row) || row[k].at != row[first].at {
				s.Steps[u] = append(s.Steps[u], items[first:k:k])
				first = k
			}
		}
		if len(row) > 1 && len(s.Steps[u]) == 1 {
			s.AtOnce++
		}
	}
	return s, nil
}

// Settings of Links. Default was chosen on the validation items of three public sets (core/lab/docs/next.md).
type Settings struct {
	Top      int     // most targets to keep of each source, at least 1
	Gap      float64 // weight of a pair for each step in between, in (0,1]
	Back     float64 // weight of the opposite order, in [0,1]
	Source   float64 // power of the source's number of likes that divides
	Target   float64 // power of the target's
	Furthest int     // greatest number of steps from a source to its target
}

// Weight is the default of γ, the weight of the links in units of W2².
const Weight = 16

// Default returns the default settings.
func Default() Settings {
	return Settings{Top: 20, Gap: 0.9, Back: 0.3, Source: 0.5, Target: 0.2, Furthest: 50}
}

// Links returns for every source a its Top targets b, but no more than a has likes, by the weight
//
//	T_ab = (C_ab + Back·C_ba) / (n_a^Source · n_b^Target)      C_ab = Σ Gap^(steps from a to b − 1)
//
// over the users who have a before b, with n the numbers of likes. Items of the same step count in both orders with
// the weight 1. Ties go to the lower b. γ is 1. The only possible error is ctx's. workers is the number of goroutines,
// 0 for one per CPU; it does not change the result.
//
// O(Σ_u n_u · min(n_u, Furthest)); memory O(I) per worker beyond the result and the sequences by item.
func Links(ctx context.Context, s *Sequences, set Settings, workers int) (*model.ItemLinks, error) {
	rows, err := targets(ctx, s, set, workers)
	if err != nil {
		return nil, err
	}
	return bySource(rows), nil
}

// targets returns the targets of each source, as Links defines them, best first.
func targets(ctx context.Context, s *Sequences, set Settings, workers int) ([][]eval.Scored, error) {
	if set.Top < 1 {
		panic(fmt.Sprintf("sequence: top is %d and must be at least 1", set.Top))
	}
	type place struct{ user, step int32 }
	places := make([][]place, s.Items)
	for u, steps := range s.Steps {
		for at, step := range steps {
			for _, i := range step {
				places[i] = append(places[i], place{int32(u), int32(at)})
			}
		}
	}
	power := func(n int, p float64) float32 { return float32(vec.Pow(float64(max(n, 1)), -p)) }
	weights := make([]float32, 2*set.Furthest+1) // by the number of steps from a to b, from −Furthest on
	for k := range set.Furthest + 1 {
		w := float32(math.Pow(set.Gap, float64(max(k-1, 0))))
		weights[set.Furthest-k] = w * float32(set.Back)
		weights[set.Furthest+k] = w // after it for k = 0
	}
	target := make([]float32, s.Items)
	for i := range target {
		target[i] = power(len(places[i]), set.Target)
	}
	rows := make([][]eval.Scored, s.Items)
	err := parallel.Each(ctx, s.Items, workers, func() func(i int) {
		sums, touched := make([]float32, s.Items), []int32(nil)
		heap := eval.NewHeap(min(set.Top, s.Items))
		return func(a int) {
			touched = touched[:0]
			for _, p := range places[a] {
				steps := s.Steps[p.user]
				from, to := max(0, int(p.step)-set.Furthest), min(len(steps)-1, int(p.step)+set.Furthest)
				for at, step := range steps[from : to+1] {
					w := weights[from+at-int(p.step)+set.Furthest]
					if w == 0 {
						continue
					}
					for _, b := range step {
						sum := sums[b]
						if sum == 0 {
							touched = append(touched, b)
						}
						sums[b] = sum + w
					}
				}
			}
			sums[a] = 0 // the item itself
			heap.Reset()
			own := power(len(places[a]), set.Source)
			for _, b := range touched {
				if sums[b] > 0 {
					heap.Offer(b, sums[b]*own*target[b])
					sums[b] = 0
				}
			}
			best := heap.Sorted()
			rows[a] = slices.Clone(best[:min(len(best), len(places[a]))])
		}
	})
	if err != nil {
		return nil, fmt.Errorf("finding the order of items: %w", context.Cause(ctx))
	}
	return rows, nil
}

// bySource returns rows, the targets of each source, as links.
func bySource(rows [][]eval.Scored) *model.ItemLinks {
	p := &model.ItemLinks{Gamma: 1, Offsets: make([]int32, len(rows)+1)}
	for _, row := range rows {
		for _, b := range row {
			p.Offsets[b.Item+1]++
		}
	}
	for i := range rows {
		p.Offsets[i+1] += p.Offsets[i]
	}
	next := slices.Clone(p.Offsets[:len(rows)])
	p.Sources, p.Weights = make([]int32, p.Offsets[len(rows)]), make([]float32, p.Offsets[len(rows)])
	for a, row := range rows {
		for _, b := range row {
			to := next[b.Item]
			next[b.Item]++
			p.Sources[to], p.Weights[to] = int32(a), b.Score
		}
	}
	return p
}
