package writer

import (
	"cmp"
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	guests   = 20     // of each cell
	frequent = 300    // common items from the most frequent guests
	silent   = 100    // common items that are nearest to a neutral visitor
	invited  = 32_768 // the best-known items, candidates for guests: others are hardly ever listed far from their cell
)

// visitors chooses common items and guests by simulating visitors.
type visitors struct {
	model *model.Model
	cell  []int32 // I: the cell of each item
	rows  points  // C×2h: rows of visitors whose likes are the cell
	known []int   // indices of the best-known items
}

type near struct {
	item     int
	distance float32
}

// nearest returns the k items of among that are nearest to a row and pass ok, the nearest first.
func (v *visitors) nearest(row []float32, among []int, k int, ok func(item int) bool) []int {
	best := make([]near, 0, k+1)
	for _, i := range among {
		if !ok(i) {
			continue
		}
		d := vec.SquaredDistance(row, v.model.Items.Row(i))
		if len(best) == k && d >= best[k-1].distance {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, d, func(n near, d float32) int {
			return cmp.Or(cmp.Compare(n.distance, d), -1) // after its equals
		})
		best = slices.Insert(best, at, near{i, d})
		best = best[:min(len(best), k)]
	}
	out := make([]int, len(best))
	for r, n := range best {
		out[r] = n.item
	}
	return out
}

// invite returns the guests of each cell: the items of other cells nearest to its visitor, without common ones.
func (v *visitors) invite(ctx context.Context, common map[int]bool, workers int) ([][]int, error) {
	out := make([][]int, v.rows.len())
	err := parallel.Each(ctx, len(out), workers, func() func(c int) {
		return func(c int) {
			out[c] = v.nearest(v.rows.row(c), v.known, guests, func(i int) bool {
				return int(v.cell[i]) != c && !common[i]
			})
		}
	})
	return out, err
}

// chosen returns the common items, ascending, and the guests of each cell.
func (v *visitors) chosen(ctx context.Context, prior []float32, workers int) (common []int, of [][]int, err error) {
	of, err = v.invite(ctx, nil, workers)
	if err != nil {
		return nil, nil, err
	}
	times := map[int]int{}
	for _, items := range of {
		for _, i := range items {
			times[i]++
		}
	}
	is := map[int]bool{}
	for _, i := range v.nearest(prior, upTo(v.model.Items.Len()), silent, func(int) bool { return true }) {
		is[i] = true
	}
	often := make([]int, 0, len(times))
	for i := range times {
		often = append(often, i)
	}
	slices.SortFunc(often, func(a, b int) int { return cmp.Or(times[b]-times[a], a-b) })
	for _, i := range often[:min(frequent, len(often))] {
		is[i] = true
	}
	of, err = v.invite(ctx, is, workers)
	for i := range is {
		common = append(common, i)
	}
	slices.Sort(common)
	return common, of, err
}

// newVisitors simulates a visitor for each cell.
func newVisitors(m *model.Model, r *recommend.Recommender, cells [][]int) *visitors {
	p := points{m.Items.Data(), 2 * m.Items.Dim()}
	v := &visitors{model: m, cell: make([]int32, p.len()), rows: points{make([]float32, len(cells)*p.w), p.w}}
	for c, of := range cells {
		copy(v.rows.row(c), r.Taste(recommend.Visit{Likes: of}, nil).Row)
		for _, i := range of {
			v.cell[i] = int32(c)
		}
	}
	v.known = upTo(p.len())
	items := m.Catalogue.Items
	slices.SortFunc(v.known, func(a, b int) int { return cmp.Or(items[b].Count-items[a].Count, a-b) })
	v.known = v.known[:min(invited, len(v.known))]
	return v
}

// prior returns the row of the neutral visitor.
func prior(r *recommend.Recommender) []float32 { return r.Taste(recommend.Visit{}, nil).Row }
