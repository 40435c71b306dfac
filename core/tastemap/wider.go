package tastemap

import (
	"cmp"
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/model"
)

const (
	leastPart = 0.2     // least share of titles for each genre in a name of two
	mostYears = 2. / 3. // largest share of all titles that the years of a name may fit
)

// wider gives regions without a name a wider one, if one holds: a genre or either of two, years (one decade or two, all
// before a decade, all from one on), or both, by the same rule as for other names. of is the region of each title.
// O(n·names).
func (n *names) wider(ctx context.Context, of []int, regions []model.Region) error {
	in := make([][]int, len(regions))
	for i, r := range of {
		in[r] = append(in[r], i)
	}
	var called []model.Region // names in use
	for _, r := range regions {
		if r.Claims() {
			called = append(called, r)
		}
	}
	periods := n.periods()
	type found struct {
		name  model.Region
		score float64
		at    int
	}
	var all []found
	shares := map[model.Region]float64{} // share of all titles that fit a name
	for at := range regions {
		if regions[at].Claims() || len(in[at]) == 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, genres := range n.pairs(in[at]) {
			for _, period := range periods {
				name := genres
				name.From, name.To = period.From, period.To
				if !name.Claims() {
					continue
				}
				count := n.count(in[at], &name)
				if float64(count) < leastFit*float64(len(in[at])) {
					continue
				}
				share, known := shares[name]
				if !known {
					share = float64(n.count(nil, &name)) / float64(len(of))
					shares[name] = share
				}
				if score, ok := score(count, len(in[at]), share); ok {
					all = append(all, found{name, score, at})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.score, a.score) })
	for _, f := range all {
		if !regions[f.at].Claims() && !slices.Contains(called, f.name) {
			regions[f.at] = f.name
			called = append(called, f.name)
		}
	}
	return nil
}

// count returns the number of titles that fit a name; nil: of all titles.
func (n *names) count(titles []int, name *model.Region) (count int) {
	if titles == nil {
		for i := range n.catalogue.Items {
			if name.Fits(&n.catalogue.Items[i]) {
				count++
			}
		}
		return count
	}
	for _, i := range titles {
		if name.Fits(&n.catalogue.Items[i]) {
			count++
		}
	}
	return count
}

// pairs returns the empty name, each genre, and each pair of genres that both have leastPart of the titles.
func (n *names) pairs(titles []int) []model.Region {
	out := []model.Region{{}}
	var parts []string
	for _, g := range n.genres {
		if float64(n.count(titles, &model.Region{Genre: g})) >= leastPart*float64(len(titles)) {
			parts = append(parts, g)
			out = append(out, model.Region{Genre: g})
		}
	}
	for i, g := range parts {
		for _, or := range parts[i+1:] {
			out = append(out, model.Region{Genre: g, Or: or})
		}
	}
	return out
}

// periods returns each decade, each two consecutive ones, all years before a decade, all from one on, and no years. Two
// decades at either end become all years before, or from, a decade. Periods that fit most titles are left out.
func (n *names) periods() []model.Region {
	var out []model.Region
	for k, d := range n.decades {
		last := len(n.decades) - 1
		out = append(out, model.Region{From: d, To: d + 10})
		if 0 < k && k+1 < last && n.decades[k+1] == d+10 {
			out = append(out, model.Region{From: d, To: d + 20})
		}
		if k > 1 {
			out = append(out, model.Region{To: d})
		}
		if 0 < k && k < last {
			out = append(out, model.Region{From: d})
		}
	}
	out = slices.DeleteFunc(out, func(years model.Region) bool {
		return float64(n.count(nil, &years)) > mostYears*float64(len(n.catalogue.Items))
	})
	return append(out, model.Region{})
}
