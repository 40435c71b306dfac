package tastemap

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// leastFit is the least share of a region's titles that must fit its name: have the genre, and be from the decade.
const leastFit = 0.6

// leastDeviations is the least excess of the share of titles that fit a name over the share among all titles, in
// standard deviations for as many randomly drawn titles. A smaller excess may be chance.
const leastDeviations = 3

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

// Regions divides a map (places in the unit square) into regions at three levels. It names a region if something holds
// for leastFit of its titles: a genre, a decade, or a genre of a decade; otherwise either of two genres, several
// decades, or both (names.wider). Names are distinct within a level. Centres of named regions are the places where a
// name of the first kind is most over-represented, by
//
//	f·ln(f/b)        f the share among the nearest titles that it fits, b the share among all
//
// and the others are placed between them by k-means. The same map gives the same regions, for any number of workers. It
// returns an error if ctx ends. O(n·(maxWindows + rounds·regions)).
func Regions(ctx context.Context, places Rows, c *catalogue.Catalogue, workers int) ([]model.Region, error) {
	workers = parallel.Workers(workers)
	n := places.Len()
	names := namesOf(c)
	var out []model.Region
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
		of := members(places, centres, workers)
		called := names.best(of, len(centres))
		if err := names.wider(ctx, of, called); err != nil {
			return nil, err
		}
		for i, r := range called {
			r.Level, r.X, r.Y = level, centres[i].x, centres[i].y
			out = append(out, r)
		}
	}
	return out, nil
}

// name is a possible name of a region: a genre, a decade, or both.
type name struct {
	genre  string
	decade int
	share  float64 // of all titles
}

// names holds all names of the first kind, and the names that fit each title.
type names struct {
	all       []name
	fits      [][]int32 // of each title, ascending
	catalogue *catalogue.Catalogue
	genres    []string // sorted
	decades   []int    // ascending
}

// namesOf lists the names that fit any title, by first appearance.
func namesOf(c *catalogue.Catalogue) *names {
	number := map[name]int32{}
	var found []name
	of := make([][]int32, c.Len())
	for i := range c.Items {
		item := &c.Items[i]
		own := []name{{decade: decade(item.Year)}}
		for _, g := range item.Genres {
			own = append(own, name{genre: g}, name{genre: g, decade: decade(item.Year)})
		}
		for _, x := range own {
			if x == (name{}) {
				continue
			}
			at, ok := number[x]
			if !ok {
				at = int32(len(found))
				number[x] = at
				found = append(found, x)
			}
			of[i] = append(of[i], at)
		}
		slices.Sort(of[i])
		of[i] = slices.Compact(of[i])
	}
	for _, fits := range of {
		for _, at := range fits {
			found[at].share += 1 / float64(len(of))
		}
	}
	out := &names{all: found, fits: of, catalogue: c}
	for _, x := range found {
		switch {
		case x.decade == 0:
			out.genres = append(out.genres, x.genre)
		case x.genre == "":
			out.decades = append(out.decades, x.decade)
		}
	}
	slices.Sort(out.genres)
	slices.Sort(out.decades)
	return out
}

// decade returns the first year of a year's decade, or 0 for an unknown year.
func decade(year int) int { return max(year, 0) / 10 * 10 }

// centre is a place with the titles around it.
type centre struct {
	x, y   float32
	radius float64 // of the circle with an average region's number of titles
}

// candidate is a possible name for a place.
type candidate struct {
	score float64
	name  int32
	at    int // index of the window, or of the region
}

// score returns f·ln(f/b) of a name that fits count of the titles, where f is their share and b the share among all. ok
// is false if the name must not be used.
func score(count, titles int, b float64) (score float64, ok bool) {
	f := float64(count) / float64(titles)
	chance := math.Sqrt(float64(b*max(1-b, 0)) / float64(titles))
	return float64(f * vec.Log(f/b)), f >= leastFit && f-b > float64(leastDeviations*chance)
}

// sortCandidates sorts best first, ties by the lower name, then the lower place.
func sortCandidates(all []candidate) {
	slices.SortFunc(all, func(a, b candidate) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		case a.name != b.name:
			return int(a.name - b.name)
		}
		return a.at - b.at
	})
}

// seeds returns the centres of regions that could have a name, the strongest first. Each name occurs once, and the
// circles of size titles around the centres overlap little.
func (n *names) seeds(ctx context.Context, places Rows, size, workers int) ([]centre, error) {
	windows := min(places.Len(), maxWindows)
	of, tried := make([]int32, windows), make([]centre, windows)
	for w := range of {
		of[w] = int32(w * places.Len() / windows)
	}
	found := make([][]candidate, windows)
	if err := nearest(ctx, places, of, min(size, places.Len()-1), workers, func(w int, near []neighbour) {
		at := places.Row(int(of[w]))
		tried[w] = centre{at[0], at[1], math.Sqrt(float64(-near[len(near)-1].Score))}
		counts := map[int32]int{}
		for _, x := range near {
			for _, name := range n.fits[x.Item] {
				counts[name]++
			}
		}
		for name, count := range counts {
			if score, ok := score(count, len(near), n.all[name].share); ok {
				found[w] = append(found[w], candidate{score, name, w})
			}
		}
	}); err != nil {
		return nil, err
	}
	all := slices.Concat(found...)
	sortCandidates(all)
	used := make([]bool, len(n.all))
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

// best returns the name of each region, empty if none fits: the highest scores first, each name once. of is the region
// of each title.
func (n *names) best(of []int, regions int) []model.Region {
	counts := make([]map[int32]int, regions)
	titles := make([]int, regions)
	for r := range counts {
		counts[r] = map[int32]int{}
	}
	for i, r := range of {
		titles[r]++
		for _, name := range n.fits[i] {
			counts[r][name]++
		}
	}
	var all []candidate
	for r, of := range counts {
		for name, count := range of {
			if score, ok := score(count, titles[r], n.all[name].share); ok {
				all = append(all, candidate{score, name, r})
			}
		}
	}
	sortCandidates(all)
	out, used := make([]model.Region, regions), make([]bool, len(n.all))
	for _, c := range all {
		if !out[c.at].Claims() && !used[c.name] {
			used[c.name] = true
			x := n.all[c.name]
			if out[c.at].Genre = x.genre; x.decade > 0 {
				out[c.at].From, out[c.at].To = x.decade, x.decade+10
			}
		}
	}
	return out
}
