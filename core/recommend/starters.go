package recommend

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/yield"
)

// wellKnown is how many of the best known items are offered to start from.
const wellKnown = 240

// starter is what varies between well-known items.
type starter struct {
	series string
	decade int    // 0: unknown
	genres uint64 // bit g: the catalogue's g-th most frequent genre; the first 64 take part
}

// starters orders the best known items so that any stretch of the order is varied. At each step comes the item of the
// lowest cost: its place among the best known, plus for each of the last twelve items up to 12 times what the two share
// (alike), weighted by how recently it came, plus 1000 for the same series. O(I + 240²·12).
func starters(c *catalogue.Catalogue, genres []string) []int {
	const window = 12
	var best topK
	best.Reset(wellKnown)
	for i := range c.Items {
		best.Offer(Hit{Item: i, Score: -float64(c.Items[i].Count)})
	}
	var pool []int
	for _, h := range best.Sorted() {
		pool = append(pool, h.Item)
	}
	marks := make([]starter, len(pool))
	for i, p := range pool {
		if i&31 == 31 {
			yield.Now()
		}
		it := &c.Items[p]
		marks[i] = starter{series: head(it.Title), decade: it.Year / 10}
		for _, g := range it.Genres {
			if at := slices.Index(genres, g); at >= 0 && at < 64 {
				marks[i].genres |= 1 << at
			}
		}
	}
	order, placed := make([]int, 0, len(pool)), make([]*starter, 0, len(pool))
	used := make([]bool, len(pool))
	for range pool {
		yield.Now()
		best, least := -1, 0.0
		for i := range pool {
			if used[i] {
				continue
			}
			cost := float64(i)
			for back := 1; back <= min(window, len(placed)); back++ {
				o := placed[len(placed)-back]
				if marks[i].series == o.series {
					cost += 1000
				}
				cost += float64(float64(window+1-back) * alike(&marks[i], o))
			}
			if best < 0 || cost < least {
				best, least = i, cost
			}
		}
		used[best] = true
		placed = append(placed, &marks[best])
		order = append(order, pool[best])
	}
	return order
}

// alike says how much two items share, in [0,2]: 1 for the decade, and the share of the one's genres that the other has
// too.
func alike(a, b *starter) float64 {
	v := 0.0
	if a.decade != 0 && a.decade == b.decade {
		v = 1
	}
	if a.genres == 0 {
		return v
	}
	return v + float64(bits.OnesCount64(a.genres&b.genres))/float64(bits.OnesCount64(a.genres))
}

// head returns what the titles of a series have in common: the first two words, or what stands before a colon.
func head(title string) string {
	if i := strings.IndexByte(title, ':'); i > 0 {
		title = title[:i]
	}
	words := strings.Fields(catalogue.Fold(title))
	return strings.Join(words[:min(len(words), 2)], " ")
}

// Starters returns page (from 0, or back from the end) of n well-known titles of varied genre and decade. Pages do not
// repeat a title until all well-known ones were shown; the last is filled up from the first, and then they begin again.
// Fewer than n are returned only where the catalogue has fewer.
func (t *titles) Starters(n, page int) []int {
	all := t.starters()
	n = min(n, len(all))
	if n <= 0 {
		return nil
	}
	pages := (len(all) + n - 1) / n
	page = ((page % pages) + pages) % pages
	out := make([]int, n)
	for i := range out {
		out[i] = all[(page*n+i)%len(all)]
	}
	return out
}
