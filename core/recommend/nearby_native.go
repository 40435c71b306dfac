//go:build !js

package recommend

import (
	"math"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/topk"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Recommend and Similar scan all items, O(I·h). With a Nearby they compute the costs of a part of them, in the order of
// its groups: a number of the first, and as many that pass each test of the question, such as its filter, so a filter
// that few items pass is answered from all of these. Items that links of the likes lead to count too. The cheapest of
// these then make a recommender of their own, a part, which answers as the whole would. If its list is too short, more
// items are visited, and in the end all are scanned.
//
// Items that were not visited may be missing in a list (core/lab/docs/server.md). Everything else has the bits of the
// full scan, except numbers that count the items which cost more or less, Match and Chance, and chances of staying.
// They take an item outside of the part for one that costs more; if items far down can be listed, by a filter, a mode
// or rules, a sample of all items tells how many cost less.

const canBeNear = true

const (
	nearLeast  = 8000 // items to visit,
	nearPassed = 4    // a quarter of that for each test,
	nearEach   = 16   // more for each item wanted
	nearKept   = 16   // items visited for each that the part has
	nearWider  = 8    // factor of the next try
	nearMost   = 4    // the part of the catalogue to visit at most
	nearSample = 2048 // items, at most twice as many
)

// fromNearby is a recommender's Nearby, and the numbers of the items in its order, in which they are read.
type fromNearby struct {
	Nearby
	order  []int32   // I: the item at each place
	place  []int32   // I: the place of each item
	rows   []float32 // I×2h
	rare   []float32 // I; nil as in Recommender
	years  []int32   // I
	first  []int32   // I+1: where the genres at each place begin in genres
	genres []int32   // by place in titles.genres
	parts  *sync.Pool
}

// WithNearby returns a recommender whose Recommend (unless an Order is asked for) and Similar, and Change with them,
// rank the items near the visitor instead of all: for some 400,000 items or more. r is unchanged; both share their
// memory, but for a copy of the items' rows. It takes no effect for models whose users have a learned part. O(I·h).
//
// A question for ten items takes O(n·h) for the n items that it visits, some 5,000, and more with filters and rules.
func (r *Recommender) WithNearby(x Nearby) *Recommender {
	c := *r
	if r.infer.s.Composition.Free {
		return &c
	}
	places := make(map[string]int32, len(r.genres))
	for g, name := range r.genres {
		places[name] = int32(g)
	}
	n := r.Len()
	c.near = &fromNearby{Nearby: x, order: x.Order(), place: make([]int32, n), first: make([]int32, 1, n+1),
		years: make([]int32, n), rows: make([]float32, 0, len(r.items.Data()))}
	c.near.rare = pick(nil, r.rare, c.near.order)
	for at, i := range c.near.order {
		it := r.Item(int(i))
		c.near.place[i], c.near.years[at] = int32(at), int32(it.Year)
		c.near.rows = append(c.near.rows, r.items.Row(int(i))...)
		for k, name := range it.Genres {
			if g, ok := places[name]; ok && !slices.Contains(it.Genres[:k], name) {
				c.near.genres = append(c.near.genres, g)
			}
		}
		c.near.first = append(c.near.first, int32(len(c.near.genres)))
	}
	c.near.parts = &sync.Pool{New: func() any { return r.newPart() }}
	c.starters = c.newStarters()
	return &c
}

// at returns the genres at a place.
func (n *fromNearby) at(place int32) []int32 { return n.genres[n.first[place]:n.first[place+1]] }

// test selects items, given with their places.
type test func(item, place int32) bool

func (s ItemSet) has(item, _ int32) bool { return s.Has(int(item)) }

// recommendNear is Recommend by Nearby; ok is false if all items must be scanned.
func recommendNear(r *Recommender, told *Visit, t *Taste, q *Request) (out []Suggestion, ok bool) {
	if q.Order != BestFirst || q.Filter.Region != 0 {
		return nil, false
	}
	v := r.clean(*told)
	if q.Mode == OutsideBubble && (len(r.genres) == 0 || len(v.Likes) == 0) {
		return nil, false // the usual is then a tenth of all items
	}
	instead := r.clean(Visit{Likes: q.Instead}).Likes
	skip := min(max(q.Skip, 0), r.Len())
	wanted := q.wanted(min(q.K, r.Len()-skip)+skip) + len(v.Likes) + len(v.Dislikes) + len(v.Seen) + len(instead)
	least := nearLeast
	switch q.Mode {
	case HiddenGems:
		wanted *= 2
	case OutsideBubble: // far from the visitor
		least = max(least, min(3*least, r.Len()/nearMost/2))
	}
	p := r.near.parts.Get().(*part)
	defer r.near.parts.Put(p)
	for n := least + nearEach*wanted; n < r.Len()/nearMost; n *= nearWider {
		p.begin(r)
		tests, narrow := p.tests(v, instead, q)
		tendency := r.tendency(t.Row, v, q.Mode)
		bonus := func(_, place int32) float32 { return r.near.adds(&tendency, place) }
		all, ok := p.gather(tendency, bonus, tests, n, v.Likes, v.Dislikes, v.Recent,
			v.Likes, v.Dislikes, v.Seen, v.Recent, instead, t.of.Likes, t.of.Dislikes)
		if !ok {
			break
		}
		if narrow {
			p.sample()
		}
		p.assemble(v.Likes, v.Dislikes, v.Recent)
		here := *q
		here.Instead = p.places(instead)
		out = p.Recommend(p.visit(v), p.taste(t), here)
		if len(out) == min(q.K, r.Len()-skip) || all {
			return p.named(out), true
		}
	}
	return nil, false
}

// similarNear is Similar by Nearby.
func similarNear(r *Recommender, item int, mentioned *Visit, k int) (out []Suggestion, ok bool) {
	if k <= 0 {
		return nil, false
	}
	v := r.clean(*mentioned)
	p := r.near.parts.Get().(*part)
	defer r.near.parts.Put(p)
	for n := nearLeast + nearEach*k; n < r.Len()/nearMost; n *= nearWider {
		p.begin(r)
		r.fill(p.keep, Filter{})
		p.keep.Remove(item)
		dropMentioned(p.keep, v)
		tests := p.boosted([]test{p.keep.has})
		if r.links != nil && len(r.Item(item).Genres) > 0 {
			related := NewItemSet(r.Len()) // of a common genre: others rank far lower (likeness)
			r.titles.fill(related, Filter{Genres: r.Item(item).Genres})
			tests = append(tests, func(i, _ int32) bool { return related.Has(int(i)) && p.keep.Has(int(i)) })
		}
		of := []int{item}
		all, ok := p.gather(r.resembling(item), r.likenessOf(item), tests, n, of, nil, nil,
			of, v.Likes, v.Dislikes, v.Seen, v.Recent)
		if !ok {
			break
		}
		p.assemble(of, nil, nil)
		out = p.Similar(p.places(of)[0], p.visit(v), k)
		if len(out) == k || all {
			return p.named(out), true
		}
	}
	return nil, false
}

// tendency returns the costs of a clean visit (addTaste).
func (r *Recommender) tendency(row []float32, v Visit, mode Mode) Tendency {
	t := Tendency{Row: row, Genres: make([]float32, len(r.genres))}
	n := len(v.Likes)
	if r.links == nil || n == 0 || r.model.Objective.Loss.Kind != gaussian.Softmax {
		return t
	}
	niche, likes := r.niche(v.Likes), int32s(sorted(v.Likes))
	for g, odds := range r.genreOdds(likes, v.weights(likes)) {
		t.Genres[g] = float32(genreWeight * (1 + float64(nicheGenres*niche)) * r.tau * odds)
	}
	if r.rare != nil {
		t.Rare = r.rareness(n, niche)
		if mode == HiddenGems {
			t.Rare *= 2
		}
	}
	return t
}

// adds returns what genres and being little known add to a score.
func (n *fromNearby) adds(t *Tendency, place int32) (b float32) {
	for _, g := range n.at(place) {
		b += t.Genres[g]
	}
	if n.rare != nil {
		b += t.Rare * n.rare[place]
	}
	return b
}

// likenessOf returns likeness by item, except for links.
func (r *Recommender) likenessOf(item int) func(item, place int32) float32 {
	if r.links == nil {
		return func(_, _ int32) float32 { return 0 }
	}
	own := map[int32]float32{}
	for _, g := range r.near.at(r.near.place[item]) {
		own[g] = r.informative(int(g))
	}
	return func(i, place int32) float32 {
		b, all := -r.spreads.variance[i], r.genreWeights
		if all[i] == 0 || all[item] == 0 {
			return b
		}
		x := float32(0)
		for _, g := range r.near.at(place) {
			x += own[g]
		}
		common := float64(x) / float64(all[i]+(all[item]-x))
		if common < alike {
			common -= unlike
		}
		return b + float32(r.tau*common)
	}
}

// resembling returns the costs of Similar, roughly: as if other genres of a title did not count.
func (r *Recommender) resembling(item int) Tendency {
	t := Tendency{Row: r.items.Row(item), Genres: make([]float32, len(r.genres))}
	if all := r.genreWeights[item]; r.links != nil && all > 0 {
		for g, name := range r.genres {
			if r.byGenre[name].Has(item) {
				t.Genres[g] = float32(r.tau) * r.informative(g) / all
			}
		}
	}
	return t
}

// begin forgets the last question.
func (p *part) begin(r *Recommender) {
	p.whole = r
	clear(p.in)
	p.scratch.sampled = 0
}

// tests fills p.keep and returns the tests of a question, and whether items can be listed that cost
// more than many others.
func (p *part) tests(v Visit, instead []int, q *Request) (tests []test, narrow bool) {
	r := p.whole
	r.fill(p.keep, Filter{Genres: q.Filter.Genres})
	dropMentioned(p.keep, v)
	dropMentioned(p.keep, Visit{Seen: instead})
	all := []test{p.keep.has}
	items := r.cat.Items
	if from, to := q.Filter.FromYear, q.Filter.ToYear; from != 0 || to != 0 {
		all = append(all, func(_, place int32) bool {
			y := int(r.near.years[place])
			return y != 0 && (from == 0 || y >= from) && (to == 0 || y <= to)
		})
	}
	for name, want := range q.Filter.Columns {
		c := r.cat.Column(name)
		all = append(all, func(i, _ int32) bool {
			return c >= 0 && c < len(items[i].Values) && items[i].Values[c] == want
		})
	}
	if q.Mode != ForYou {
		p.keep.And(r.fewKnow)
	}
	if q.Mode == OutsideBubble {
		all = append(all, r.outside(v.Likes))
	}
	if q.Exploration > 0 {
		most := mostKnown(r.fewest, q.Exploration)
		all = append(all, func(i, _ int32) bool { return float64(items[i].Count) <= most })
	}
	narrow = len(all) > 1 || len(q.Filter.Genres) > 0 || q.Mode != ForYou ||
		len(r.rules.pinned)+len(r.rules.limits)+len(r.rules.boost) > 0
	return p.boosted([]test{func(i, place int32) bool {
		for _, pass := range all {
			if !pass(i, place) {
				return false
			}
		}
		return true
	}}), narrow
}

// outside is the test of keepOutside for a visitor with likes in a catalogue with genres.
func (r *Recommender) outside(likes []int) test {
	said := make([]int32, len(likes))
	for k, j := range sorted(likes) {
		said[k] = int32(j)
	}
	odds := r.genreOdds(said, nil)
	return func(_, place int32) bool {
		typical := 0.0
		for _, g := range r.near.at(place) {
			typical += odds[g]
		}
		return typical < math.Ln2
	}
}

// boosted adds tests for items that boosts raise by a quarter, a half and three quarters of their range, however far
// they are: where boosts have two values, the three are one.
func (p *part) boosted(tests []test) []test {
	boost := p.whole.rules.boost
	if boost == nil {
		return tests
	}
	low, high := slices.Min(boost), slices.Max(boost)
	pass, last := tests[0], low
	for q := float32(1); q < 4; q++ {
		least := low + (high-low)*q/4
		if slices.ContainsFunc(boost, func(b float32) bool { return b >= last && b < least }) {
			tests = append(tests, func(i, place int32) bool { return boost[i] >= least && pass(i, place) })
		}
		last = least
	}
	return tests
}

// gather fills p.of, ascending, with the items of also, pinned items, and the cheapest of the items visited, with and
// without the tests. It visits n items, the items that links raise, and some that pass each test; all that do if these
// are few. bonus returns what is subtracted from an item's W2², except for links. ok is false if too few items pass
// near the visitor. all reports whether p has all items that pass the first test, which p.keep has and the others
// imply.
func (p *part) gather(t Tendency, bonus func(item, place int32) float32, tests []test, n int,
	likes, dislikes, recent []int, also ...[]int) (all, ok bool) {
	r, boost := p.whole, p.whole.rules.boost
	left, open, passed := make([]int, len(tests)), len(tests), 0
	for k := range left {
		left[k] = n / nearPassed
	}
	p.near.Resize(n / nearKept)
	p.best.Resize(n / nearKept)
	visit := func(place int32, distance float32, near bool) {
		i := r.near.order[place]
		if p.in.Has(int(i)) {
			return
		}
		passes := false
		for k, pass := range tests {
			if (k == 0 || left[k] > 0) && pass(i, place) {
				passes = true
				if left[k]--; left[k] == 0 {
					open--
				}
			}
		}
		if !passes && !near {
			return
		}
		score := bonus(i, place) - distance
		if p.near.Offer(i, score); passes {
			if passed++; boost != nil {
				score += boost[i]
			}
			p.best.Offer(i, score)
		}
	}
	alone := func(i int, linked float32) {
		visit(r.near.place[i], vec.SquaredDistance(t.Row, r.items.Row(i))-linked, true)
		p.in.Add(i)
	}
	p.link(likes, dislikes, recent)
	for _, i := range p.targets {
		alone(int(i), p.sums[i])
		p.sums[i] = 0
	}
	few := p.keep.Len() <= 2*n
	if few {
		for i := range p.keep.All() {
			alone(i, 0)
		}
		open = 0
	}
	visited, width := 0, len(t.Row)
	for from, to := range r.near.Near(t) {
		if visited >= n && open == 0 || visited >= r.Len()/nearMost {
			break
		}
		p.distances = grow(p.distances, to-from)
		vec.SquaredDistances(p.distances, t.Row, r.near.rows[from*width:to*width])
		for k, d := range p.distances {
			visit(int32(from+k), d, visited < n)
			visited++
		}
	}
	p.of = p.of[:0]
	for _, items := range append(also, r.rules.pinned) {
		p.of = append(p.of, int32s(items)...)
	}
	for _, heap := range []*topk.Heap[float32]{&p.near, &p.best} {
		for _, e := range heap.Sorted() {
			p.of = append(p.of, e.Item)
		}
	}
	slices.Sort(p.of)
	p.of = slices.Compact(p.of)
	clear(p.in)
	for _, i := range p.of {
		p.in.Add(int(i))
	}
	return few && passed <= n/nearKept, open <= 0
}

// link fills p.sums with the links' part of the bonuses, and p.targets with the items that have one.
func (p *part) link(likes, dislikes, recent []int) {
	r := p.whole
	p.targets = p.targets[:0]
	if r.links != nil {
		liked, disliked := int32s(sorted(likes)), int32s(sorted(dislikes))
		r.links.Add(p.sums, liked)
		r.links.Subtract(p.sums, disliked)
		p.targets = r.links.Targets(r.links.Targets(p.targets, liked), disliked)
	}
	if r.next != nil {
		AddNext(p.sums, r.next, recent)
		p.targets = r.next.Targets(p.targets, int32s(recent))
	}
	slices.Sort(p.targets)
	p.targets = slices.Compact(p.targets)
}

// sample adds every so many-th of the other items, for which extrapolate accounts.
func (p *part) sample() {
	n, own := p.whole.Len(), len(p.of)
	for at := 0; at < n; at += max(n/nearSample, 1) {
		if i := p.whole.near.order[at]; !p.in.Has(int(i)) {
			p.of = append(p.of, i)
		}
	}
	if size := len(p.of) - own; size > 0 {
		p.scratch.sampled, p.scratch.each = size, float64(n-own)/float64(size)
	}
}

// extrapolate changes w.farther, the numbers of items that cost more than w.limits, such that a part's length less
// these is the number of items of the whole catalogue that do not.
func extrapolate(w *work) {
	of := make([]int, len(w.farther))
	countFarther(of, w.costs[len(w.costs)-w.sampled:], w.limits)
	for k, f := range of {
		w.farther[k] += w.sampled - f - int(float64(w.each*float64(w.sampled-f))+.5)
	}
}

// surpriseAmong is surprise of w.hits, whose draws depend on the numbers that the items have in the whole.
func surpriseAmong(w *work, k int, q *Request) {
	here := make(map[int]int, len(w.hits))
	for k, h := range w.hits {
		w.hits[k].Item = int(w.of[h.Item])
		here[w.hits[k].Item] = h.Item
	}
	w.hits = surprise(w.hits, k, q.Exploration, q.Seed)
	for k := range w.hits {
		w.hits[k].Item = here[w.hits[k].Item]
	}
}
