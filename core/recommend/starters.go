package recommend

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/topk"
)

// wellKnown is the number of best-known items to start from.
const wellKnown = 240

// starter holds the properties that should vary between consecutive well-known items.
type starter struct {
	series  int    // index of the first title of the same series in the pool
	decade  int    // 0: unknown
	genres  uint64 // bit g: the catalogue's g-th most frequent genre; only the first 64
	foreign bool   // the title includes its name in another language
}

// starters orders the best-known items so that any stretch of them is varied. The order is computed only as far as
// needed. Each step takes the item with the lowest cost: its place among the best known, plus, over the last eleven
// items,
//
//	1000    for each of its series
//	50·n²   with n of its decade
//	30·s    for each, with s the share of its genres that the other has too
//	60      if it is foreign and one of the last five is too; −150 if it is foreign and none of them is
//
// Catalogues have no column of languages. A title that includes its original name, "Seven Samurai (Shichinin no
// samurai)", counts as foreign. starters is safe for concurrent use.
type starters struct {
	pool  []int     // the best known
	marks []starter // properties, by pool

	mu    sync.Mutex
	used  []bool // by pool
	order []int  // indices into pool
}

// newStarters returns a function that makes the starters of the items that may be listed, once.
func (r *Recommender) newStarters() func() *starters {
	return sync.OnceValue(func() *starters { return newStarters(r.cat, r.genres, r.Keeps(Filter{})) })
}

// newStarters finds the best-known items of keep. O(I + 240²).
func newStarters(c *catalogue.Catalogue, genres []string, keep ItemSet) *starters {
	var best topk.Heap[float64]
	best.Resize(wellKnown)
	for i := range c.Items {
		if keep.Has(i) {
			best.Offer(int32(i), float64(c.Items[i].Count))
		}
	}
	s := &starters{}
	for _, h := range best.Sorted() {
		s.pool = append(s.pool, int(h.Item))
	}
	names := make([][]string, len(s.pool))
	s.marks, s.used = make([]starter, len(s.pool)), make([]bool, len(s.pool))
	for i, p := range s.pool {
		it := &c.Items[p]
		names[i] = catalogue.Series(it.Title)
		same := func(other []string) bool { return catalogue.SameSeries(names[i], other) }
		series := slices.IndexFunc(names[:i], same)
		if series < 0 {
			series = i // a title such as "1984" has no name, so it belongs to no series
		}
		s.marks[i] = starter{series: series, decade: it.Year / 10, foreign: foreign(it.Title)}
		for _, g := range it.Genres {
			if at := slices.Index(genres, g); at >= 0 && at < 64 {
				s.marks[i].genres |= 1 << at
			}
		}
	}
	return s
}

// at returns the item at a place of the order, in [0, len(pool)). O(240·12) for each new one.
func (s *starters) at(place int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.order) <= place {
		s.order = append(s.order, s.next())
	}
	return s.pool[s.order[place]]
}

// next takes the item with the lowest cost.
func (s *starters) next() int {
	const window, abroad = 11, 5
	best, least := -1, 0.0
	for i := range s.pool {
		if s.used[i] {
			continue
		}
		m := &s.marks[i]
		cost, decade, others := float64(i), 0, 0
		for back, place := range s.order[max(len(s.order)-window, 0):] {
			o := &s.marks[place]
			if m.series == o.series {
				cost += 1000
			}
			if m.decade != 0 && m.decade == o.decade {
				decade++
			}
			if o.foreign && min(len(s.order), window)-back <= abroad {
				others++
			}
			cost += float64(30 * shared(m.genres, o.genres))
		}
		cost += float64(50 * decade * decade)
		switch {
		case m.foreign && others > 0:
			cost += 60
		case m.foreign && len(s.order) >= abroad:
			cost -= 150
		}
		if best < 0 || cost < least {
			best, least = i, cost
		}
	}
	s.used[best] = true
	return best
}

// shared returns the share of the genres of a that are in b, in [0,1].
func shared(a, b uint64) float64 {
	if a == 0 {
		return 0
	}
	return float64(bits.OnesCount64(a&b)) / float64(bits.OnesCount64(a))
}

// foreign reports whether a title includes its name in another language in brackets: a name that is not an alternative
// in the same language ("a.k.a."), and does not contain the title itself.
func foreign(title string) bool {
	name, other, found := strings.Cut(title, " (")
	name, other = catalogue.Fold(name), catalogue.Fold(other)
	same := strings.HasPrefix(other, "a k a") || strings.Contains(name, " ") && strings.Contains(other, name)
	return found && !same
}

// Starters returns page (from 0, or back from the end) of n well-known titles of varied genre and decade. Pages repeat
// no title until all well-known ones were shown. The last page is filled up from the first, and then pages start again.
// Fewer than n are returned only if the catalogue has fewer.
func (r *Recommender) Starters(n, page int) []int {
	all := r.starters()
	size := len(all.pool)
	n = min(n, size)
	if n <= 0 {
		return nil
	}
	pages := (size + n - 1) / n
	page = ((page % pages) + pages) % pages
	out := make([]int, n)
	for i := range out {
		out[i] = all.at((page*n + i) % size)
	}
	return out
}
