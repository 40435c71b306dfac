package refresh

import (
	"cmp"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// plan says which items stay and which move. Items have a number in the data, i, and a place in the newer model. Places
// follow the order of the older model, then come new items.
type plan struct {
	older *model.Model
	about *catalogue.Catalogue // Options.Kept
	from  []int32              // by place: the place in the older model; −1: new
	data  []int32              // by place: the number in the data; −1: no likes in the data
	kept  []int32              // by place: the number in Options.Kept where data is −1; −1 elsewhere

	place   []int32 // by i
	likes   []int   // by i
	moves   []bool  // by i
	targets []int   // i of all items that move, ascending
	report  Report
}

// newPlan decides which items move. O(I log I).
func newPlan(older *model.Model, d *dataset.Dataset, o Options) *plan {
	n := d.Items.Len()
	p := &plan{older: older, about: o.Kept, place: make([]int32, n), likes: make([]int, n), moves: make([]bool, n)}
	for _, i := range d.Positives.Indices {
		p.likes[i]++
	}
	number := make(map[string]int32, n)
	for i, id := range d.Items.Strings() {
		number[id], p.place[i] = int32(i), -1
	}
	kept := map[string]int32{}
	if o.Kept != nil {
		for at := range o.Kept.Items {
			kept[o.Kept.Items[at].ID] = int32(at)
		}
	}
	for at := range older.Catalogue.Items {
		id := older.Catalogue.Items[at].ID
		i, in := number[id]
		k, stays := kept[id]
		switch {
		case in:
			p.place[i], k = int32(len(p.from)), -1
		case stays:
			i = -1
		default:
			p.report.Gone++
			continue
		}
		p.from, p.data, p.kept = append(p.from, int32(at)), append(p.data, i), append(p.kept, k)
	}
	most := o.Share * float64(len(p.from)) // number of rows that may change
	fresh := 0
	for _, at := range p.place {
		if at < 0 {
			fresh++
		}
	}
	p.choose(int(max(most-float64(fresh), most/3)))
	for i := range p.place {
		if p.place[i] < 0 {
			p.place[i] = int32(len(p.from))
			p.from, p.data, p.kept = append(p.from, -1), append(p.data, int32(i)), append(p.kept, -1)
			p.moves[i] = true
			p.report.New++
		}
	}
	for i, moves := range p.moves {
		if moves {
			p.targets = append(p.targets, i)
		}
	}
	p.report.Kept = len(p.from) - len(p.targets)
	return p
}

// choose selects the known items to move, at most most: those whose likes have changed most. Items that had no likes
// always move.
func (p *plan) choose(most int) {
	type change struct {
		item int
		z    float64
	}
	var changes []change
	for place, i := range p.data {
		if i < 0 {
			continue
		}
		count := p.older.Catalogue.Items[p.from[place]].Count
		switch z := math.Abs(float64(p.likes[i]-count)) / math.Sqrt(float64(count+1)); {
		case count == 0:
			p.moves[i] = true
			p.report.Moved++
		case z > 0:
			changes = append(changes, change{int(i), z})
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(b.z, a.z) })
	for _, c := range changes[:min(most, len(changes))] {
		p.moves[c.item] = true
		p.report.Moved++
	}
}
