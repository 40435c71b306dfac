package recommender

import (
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/search"
)

// wellKnown is how many of the best known items are offered to start from.
const wellKnown = 240

// starters orders the best known items so that any stretch of the order is varied: at each step the best known item
// that differs from the ones just before it. Differing is counted in places lost: 12 for the same decade and 10 for each
// shared genre with each of the last twelve items, less the longer ago, and a hundred for the same series. O(240²).
func starters(c *catalogue.Catalogue) []int {
	const window = 12
	pool := make([]int, c.Len())
	for i := range pool {
		pool[i] = i
	}
	slices.SortStableFunc(pool, func(a, b int) int { return c.Items[b].Count - c.Items[a].Count })
	pool = pool[:min(len(pool), wellKnown)]
	series := make([]string, len(pool))
	for i, p := range pool {
		series[i] = head(c.Items[p].Title)
	}
	order := make([]int, 0, len(pool))
	placed := make([]int, 0, len(pool)) // positions in pool
	used := make([]bool, len(pool))
	for range pool {
		best, cost := -1, 0
		for i, p := range pool {
			if used[i] {
				continue
			}
			v := 2 * i
			for back := 1; back <= min(window, len(placed)); back++ {
				o := placed[len(placed)-back]
				if series[i] == series[o] {
					v += 1000
				}
				v += (window + 1 - back) * alike(&c.Items[p], &c.Items[pool[o]])
			}
			if best < 0 || v < cost {
				best, cost = i, v
			}
		}
		used[best] = true
		placed = append(placed, best)
		order = append(order, pool[best])
	}
	return order
}

// alike counts what two items share: 2 for the decade, 1 for each genre, 3 more for the first genre.
func alike(a, b *catalogue.Item) int {
	v := 0
	if a.Year != 0 && a.Year/10 == b.Year/10 {
		v += 2
	}
	for _, g := range a.Genres {
		if slices.Contains(b.Genres, g) {
			v++
		}
	}
	if len(a.Genres) > 0 && len(b.Genres) > 0 && a.Genres[0] == b.Genres[0] {
		v += 3
	}
	return v
}

// head returns what the titles of a series have in common: the first two words, or what stands before a colon.
func head(title string) string {
	if i := strings.IndexByte(title, ':'); i > 0 {
		title = title[:i]
	}
	words := strings.Fields(search.Fold(title))
	return strings.Join(words[:min(len(words), 2)], " ")
}

// Starters returns page (from 0, or back from the end) of n well-known titles of varied genre and decade. Pages do not
// repeat a title until all well-known ones were shown; the last is filled up from the first, and then they begin again.
// Fewer than n are returned only where the catalogue has fewer.
func (r *Recommender) Starters(n, page int) []int {
	all := r.starters
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
