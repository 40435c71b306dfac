package tastemap

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// MaxItems is the largest number of items that Compute lays out by t-SNE. The page is measured with as many. The
// neighbours cost n²: on two busy cores 41,000 items took 79 s in all, and a million did not reach the first step
// within 39 minutes.
const MaxItems = 200_000

// Compute returns the map of the items, with its regions: t-SNE of their rows with a weak pull by genre (Pulled), in
// the unit square. Coordinates are rounded as in a file. The same items give the same map (TSNE). step, which may be
// nil, is also called after the regions, which count as a quarter of t-SNE's steps. With fewer items than TSNE takes,
// or more than MaxItems, the map is Plain. Compute returns an error if a row is not finite, or if ctx ends. O(n²·h) for
// the neighbours and O(n log n) for each step.
func Compute(ctx context.Context, items *gaussian.Table, c *catalogue.Catalogue, workers int,
	step Step) (*model.Map, error) {
	if n := items.Len(); n < leastRows || n > MaxItems {
		return Plain(items), nil
	}
	return draw(ctx, Pulled(W2(items), c, pull), c, Default, workers, step)
}

// Place is Compute without the regions.
func Place(ctx context.Context, items *gaussian.Table, c *catalogue.Catalogue, workers int, step Step) (*model.Map,
	error) {
	if n := items.Len(); n < leastRows || n > MaxItems {
		return Plain(items), nil
	}
	xy, err := TSNE(ctx, Pulled(W2(items), c, pull), Default, workers, step)
	if err != nil {
		return nil, err
	}
	return inUnit(xy), nil
}

// regionsShare: the regions take as long as one in this many steps of t-SNE.
const regionsShare = 4

// Draw is Compute for other rows and settings, for comparisons. With zero settings the places are the rows' two
// principal components.
func Draw(ctx context.Context, rows Rows, c *catalogue.Catalogue, s Settings, workers int) (*model.Map, error) {
	return draw(ctx, rows, c, s, workers, nil)
}

func draw(ctx context.Context, rows Rows, c *catalogue.Catalogue, s Settings, workers int,
	step Step) (m *model.Map, err error) {
	if s == (Settings{}) {
		m = inUnit(components(rows))
	} else {
		search, rest := lead(rows)
		inner, all := step, search+rest+s.Steps+s.Steps/regionsShare
		if step != nil {
			inner = func(done, _ int, xy []float64) { step(done, all, xy) }
		}
		xy, err := TSNE(ctx, rows, s, workers, inner)
		if err != nil {
			return nil, err
		}
		m = inUnit(xy)
		if step != nil {
			defer func() {
				if err == nil {
					step(all, all, xy)
				}
			}()
		}
	}
	m.Regions, err = Regions(ctx, Places(m), c, workers)
	return m, err
}

// Plain returns a map that takes almost no time: the rows' two principal components, without regions. O(n·h²).
func Plain(items *gaussian.Table) *model.Map { return inUnit(components(W2(items))) }

// Places returns the titles' places on a map as rows. O(n).
func Places(m *model.Map) Rows {
	r := Rows{make([]float32, 0, 2*len(m.X)), 2}
	for i, x := range m.X {
		r.Data = append(r.Data, x, m.Y[i])
	}
	return r
}

// inUnit moves and uniformly scales places into the unit square, centred.
func inUnit(xy []float64) *model.Map {
	n := len(xy) / 2
	m := &model.Map{X: make([]float32, n), Y: make([]float32, n)}
	lowX, lowY, side := frame(xy)
	highX, highY := lowX, lowY
	for i := range n {
		highX, highY = max(highX, xy[2*i]), max(highY, xy[2*i+1])
	}
	if !(side > 0) {
		side = 1
	}
	round := func(v, low, high float64) float32 {
		const steps = 1<<16 - 1
		in := min(max((v-low/2-high/2)/side+0.5, 0), 1)
		return float32(math.Floor(float64(in*steps)+0.5)) / steps
	}
	for i := range n {
		m.X[i], m.Y[i] = round(xy[2*i], lowX, highX), round(xy[2*i+1], lowY, highY)
	}
	return m
}

// pull is the strength of genres in the map. A larger one gives purer regions and less accurate neighbourhoods
// (core/lab/docs/RESULTS.md).
const pull = 0.25

// maxPulls is the largest number of genres that pull.
const maxPulls = 64

// Pulled returns the rows with an extra dimension for each genre, in which titles with and without it are apart by
//
//	strength · √(−ln(share of the titles that have it)/2) · the rows' root mean square deviation from their mean
//
// so rare genres pull more. A title with several genres has all their pulls. With more than 64 genres, such as tags,
// only the 64 most frequent count, or fewer if there are ties. O(n·(width + genres)).
func Pulled(rows Rows, c *catalogue.Catalogue, strength float64) Rows {
	n := rows.Len()
	number, counts := map[string]int{}, []int(nil)
	for i := range c.Items {
		for _, g := range c.Items[i].Genres {
			if _, ok := number[g]; !ok {
				number[g] = len(counts)
				counts = append(counts, 0)
			}
			counts[number[g]]++
		}
	}
	least := 0
	if byCount := slices.Sorted(slices.Values(counts)); len(counts) > maxPulls {
		least = byCount[len(counts)-maxPulls] + 1 // ties at the limit are all dropped
	}
	kept := 0
	place := make([]int, len(counts))
	for g, count := range counts {
		if place[g] = -1; count >= least {
			place[g] = kept
			kept++
		}
	}
	apart := make([]float32, len(counts))
	unit := strength * deviation(rows)
	for g, count := range counts {
		apart[g] = float32(unit * math.Sqrt(vec.Log(float64(n)/float64(min(count, n)))/2))
	}
	out := Rows{make([]float32, 0, n*(rows.Width+kept)), rows.Width + kept}
	for i := range n {
		at := len(out.Data) + rows.Width
		out.Data = append(append(out.Data, rows.Row(i)...), make([]float32, kept)...)
		for _, g := range c.Items[i].Genres {
			if g := number[g]; place[g] >= 0 {
				out.Data[at+place[g]] = apart[g]
			}
		}
	}
	return out
}

// deviation returns the root mean square distance of the rows from their mean.
func deviation(rows Rows) float64 {
	n := rows.Len()
	mean, sum := make([]float64, rows.Width), 0.0
	for i := range n {
		for d, v := range rows.Row(i) {
			mean[d] += float64(v)
		}
	}
	for i := range n {
		for d, v := range rows.Row(i) {
			dev := float64(v) - mean[d]/float64(n)
			sum += float64(dev * dev)
		}
	}
	return math.Sqrt(sum / float64(n))
}
