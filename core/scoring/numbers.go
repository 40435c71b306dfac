package scoring

import (
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// RenumberPart returns p with items numbered as in the data. to[i] is the model's number of the data's item i, or −1 if
// the model does not know it.
func RenumberPart(p *model.ItemLinks, to []int32) *model.ItemLinks {
	from := make([]int32, p.Len())
	for i := range from {
		from[i] = -1
	}
	for i, at := range to {
		if at >= 0 {
			from[at] = int32(i)
		}
	}
	out := &model.ItemLinks{Gamma: p.Gamma, Offsets: make([]int32, 1, len(to)+1)}
	type link struct {
		source int32
		weight float32
	}
	var row []link
	for _, at := range to {
		row = row[:0]
		if at >= 0 {
			sources, weights := p.Row(int(at))
			for k, j := range sources {
				if from[j] >= 0 {
					row = append(row, link{from[j], weights[k]})
				}
			}
		}
		slices.SortFunc(row, func(a, b link) int { return int(a.source - b.source) })
		for _, l := range row {
			out.Sources, out.Weights = append(out.Sources, l.source), append(out.Weights, l.weight)
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}

// Numbers returns the model's number of every item of the data, −1 for items that the model does not know, and the
// numbers of these unknown items in the data.
func Numbers(m *model.Model, items []string) (to []int32, missing []int) {
	numbers := make(map[string]int32, m.Catalogue.Len())
	for i := range m.Catalogue.Items {
		numbers[m.Catalogue.Items[i].ID] = int32(i)
	}
	to = make([]int32, len(items))
	for i, id := range items {
		n, ok := numbers[id]
		if !ok {
			n = -1
			missing = append(missing, i)
		}
		to[i] = n
	}
	return to, missing
}

// Renumber returns m with column c moved to to[c]. Columns with to[c] = −1 are dropped.
func Renumber(m *dataset.Matrix, to []int32, cols int) *dataset.Matrix {
	var pairs []dataset.Pair
	for r := range m.Rows() {
		for _, c := range m.Row(r) {
			if to[c] >= 0 {
				pairs = append(pairs, dataset.Pair{Row: int32(r), Col: to[c]})
			}
		}
	}
	return dataset.NewMatrix(m.Rows(), cols, pairs)
}
