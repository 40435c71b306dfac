package tastemap

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// leastFit is the least share of a region's titles that must fit its name.
const leastFit = 0.8

// leastDeviations is the least excess of the share of titles that fit a name over the share among all titles, in
// standard deviations for as many randomly drawn titles. A smaller excess may be chance.
const leastDeviations = 3

// leastScore is the least score of a name. Names below it say little: "comedy and drama" fits most titles.
const leastScore = 0.25

// levels has the number of regions at each level for 3,708 titles (MovieLens small), which scales with the root of the
// number of titles, and its maximum. No level has regions with fewer than leastTitles on average.
var levels = [model.MaxLevel + 1]struct{ regions, most float64 }{{8, 16}, {25, 80}, {70, 250}}

const (
	leastTitles  = 12
	maxWindows   = 2000 // places tried as centres of named regions
	apart        = 0.75 // least distance of named regions' centres, in sums of their radii
	rounds       = 40   // of k-means for the other centres
	leastOfShare = 3    // a region with less than a third of the average number of titles is dropped
)

// Regions divides a map (places in the unit square) into regions at three levels, and names those that share something:
// a genre or a value of a further column (names), either of two, years, or both, otherwise two of the best-known titles
// that the others lie around (landmarks). At least leastFit of a region's titles fit its name. No name occurs twice,
// since the map shows several levels at once. Centres of named regions are the places where a fact, a decade or both
// are most over-represented, by
//
//	f·ln(f/b)        f the share among the nearest titles that it fits, b the share among all
//
// and the others are placed between them by k-means. The same map gives the same regions, for any number of workers. It
// returns an error if ctx ends. O(n·(maxWindows + rounds·regions + pairs of facts)).
func Regions(ctx context.Context, places Rows, c *catalogue.Catalogue, workers int) ([]model.Region, error) {
	workers = parallel.Workers(workers)
	n := places.Len()
	names := namesOf(c)
	var out []model.Region
	marks := landmarks{places, c, names, map[int]bool{}}
	for level, l := range levels {
		count := int(min(l.regions*math.Sqrt(float64(n)/3708), l.most, float64(n)/leastTitles))
		if count < 2 {
			continue
		}
		seeds, err := names.seeds(ctx, places, n/count, workers)
		if err != nil {
			return nil, err
		}
		centres := fill(places, seeds[:min(len(seeds), count)], count, workers)
		in := make([][]int, len(centres))
		for i, r := range members(places, centres, workers) {
			in[r] = append(in[r], i)
		}
		called := make([]model.Region, len(centres))
		if err := names.call(ctx, in, called); err != nil {
			return nil, err
		}
		for r := range called {
			called[r].Level, called[r].X, called[r].Y = level, centres[r].x, centres[r].y
			if !called[r].Claims() {
				called[r].Words = marks.around(centres, r, in[r])
			}
		}
		out = append(out, called...)
	}
	return out, nil
}

// centre is a place with the titles around it.
type centre struct {
	x, y   float32
	radius float64 // of the circle with an average region's number of titles
}

// score returns f·ln(f/b) of a name that fits count of the titles, where f is their share and b the share among all. ok
// is false if the name must not be used.
func score(count, titles int, b float64) (score float64, ok bool) {
	f := float64(count) / float64(titles)
	chance := math.Sqrt(float64(b*max(1-b, 0)) / float64(titles))
	score = float64(f * vec.Log(f/b))
	return score, f >= leastFit && score >= leastScore && f-b > float64(leastDeviations*chance)
}

// seeds returns the centres of regions that could have a name, the strongest first. Each name occurs once, and the
// circles of size titles around the centres overlap little.
func (n *names) seeds(ctx context.Context, places Rows, size, workers int) ([]centre, error) {
	type candidate struct {
		score    float64
		name, at int // index of the window
	}
	windows := min(places.Len(), maxWindows)
	of, tried := make([]int32, windows), make([]centre, windows)
	for w := range of {
		of[w] = int32(w * places.Len() / windows)
	}
	found := make([][]candidate, windows)
	if err := nearest(ctx, places, of, min(size, places.Len()-1), workers, func(w int, near []neighbour) {
		at := places.Row(int(of[w]))
		tried[w] = centre{at[0], at[1], math.Sqrt(float64(-near[len(near)-1].Score))}
		counts := map[int]int{}
		for _, x := range near {
			n.each(int(x.Item), func(name int) { counts[name]++ })
		}
		for name, count := range counts {
			if score, ok := score(count, len(near), n.shares[name]); ok {
				found[w] = append(found[w], candidate{score, name, w})
			}
		}
	}); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), a.name-b.name, a.at-b.at)
	})
	used := map[int]bool{}
	var out []centre
	for _, c := range all {
		at := tried[c.at]
		if used[c.name] || slices.ContainsFunc(out, func(o centre) bool {
			dx, dy := float64(at.x-o.x), float64(at.y-o.y)
			return math.Sqrt(float64(dx*dx)+float64(dy*dy)) < apart*(at.radius+o.radius)
		}) {
			continue
		}
		used[c.name] = true
		out = append(out, at)
	}
	return out, nil
}

// fill returns the fixed centres and others between them, at most count in all. It uses k-means with fixed centres, and
// starts from the means of runs along the Morton curve.
func fill(places Rows, fixed []centre, count, workers int) []centre {
	n := places.Len()
	out := slices.Clone(fixed)
	var t tree
	t.build(float64s(places))
	for k := range count - len(fixed) {
		from, to := k*n/(count-len(fixed)), (k+1)*n/(count-len(fixed))
		x, y := 0.0, 0.0
		for i := from; i < to; i++ {
			x, y = x+t.x[i], y+t.y[i]
		}
		m := float64(max(to-from, 1))
		out = append(out, centre{x: float32(x / m), y: float32(y / m)})
	}
	for range rounds {
		sums := make([]struct{ x, y, n float64 }, len(out))
		for i, r := range members(places, out, workers) {
			at := places.Row(i)
			s := &sums[r]
			s.x, s.y, s.n = s.x+float64(at[0]), s.y+float64(at[1]), s.n+1
		}
		for r := len(fixed); r < len(out); r++ {
			if s := sums[r]; s.n > 0 {
				out[r].x, out[r].y = float32(s.x/s.n), float32(s.y/s.n)
			}
		}
	}
	titles := make([]int, len(out))
	for _, r := range members(places, out, workers) {
		titles[r]++
	}
	kept := out[:0]
	for r, c := range out {
		if titles[r]*leastOfShare*len(out) >= n {
			kept = append(kept, c)
		}
	}
	return kept
}

// float64s returns the places as float64.
func float64s(places Rows) []float64 {
	out := make([]float64, len(places.Data))
	for i, v := range places.Data {
		out[i] = float64(v)
	}
	return out
}

// members returns the index of the nearest centre of each place, ties to the lower.
func members(places Rows, centres []centre, workers int) []int {
	of := make([]int, places.Len())
	parallel.Do(workers, len(of), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			at := places.Row(i)
			least := math.Inf(1)
			for r, c := range centres {
				dx, dy := float64(at[0]-c.x), float64(at[1]-c.y)
				if square := float64(dx*dx) + float64(dy*dy); square < least {
					of[i], least = r, square
				}
			}
		}
	})
	return of
}
