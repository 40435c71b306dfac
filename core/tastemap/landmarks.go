package tastemap

import (
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

const (
	maxLandmarks = 16 // best-known titles of a region that can be a landmark
	maxName      = 28 // bytes of a landmark's title: two must fit on the map
)

// landmarks names regions after well-known titles in them. Each title is used once.
type landmarks struct {
	places    Rows
	catalogue *catalogue.Catalogue
	names     *names
	used      map[int]bool
}

// around returns Words (model.Region) for region r of these centres, given its titles: two of the best-known titles
// that most others lie around, the best-known such two, or "". They share a genre or a value, and are not of one
// series.
func (l *landmarks) around(centres []centre, r int, titles []int) string {
	items := l.catalogue.Items
	known := slices.Clone(titles)
	slices.SortStableFunc(known, func(a, b int) int { return items[b].Count - items[a].Count })
	var tried []int
	for _, i := range known {
		t := items[i].Title
		if len(tried) < maxLandmarks && !l.used[i] && t != "" && len(t) <= maxName && !strings.ContainsAny(t, "\t\n") {
			tried = append(tried, i)
		}
	}
	// The best-known pairs first: by the place of the lesser-known title, then of the other.
	for b := 1; b < len(tried); b++ {
		for a := range b {
			i, j := tried[a], tried[b]
			if catalogue.SameSeries(catalogue.Series(items[i].Title), catalogue.Series(items[j].Title)) ||
				!l.names.alike(i, j) {
				continue
			}
			fit := 0
			for _, t := range titles {
				if liesAround(l.places, centres, r, t, i, j) {
					fit++
				}
			}
			if float64(fit) >= leastFit*float64(len(titles)) {
				l.used[i], l.used[j] = true, true
				return model.Around(items[i].Title, items[j].Title)
			}
		}
	}
	return ""
}

// liesAround reports whether title t lies around title i or j, both of region r: nearer to one of them than to the
// centre of any other region.
func liesAround(places Rows, centres []centre, r, t, i, j int) bool {
	at := places.Row(t)
	least := math.Inf(1)
	for k, c := range centres {
		if k != r {
			least = min(least, apartSquared(at, c.x, c.y))
		}
	}
	own := func(i int) float64 { return apartSquared(at, places.Row(i)[0], places.Row(i)[1]) }
	return min(own(i), own(j)) < least
}

func apartSquared(at []float32, x, y float32) float64 {
	dx, dy := float64(at[0]-x), float64(at[1]-y)
	return float64(dx*dx) + float64(dy*dy)
}
