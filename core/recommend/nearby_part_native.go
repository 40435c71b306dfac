//go:build !js

package recommend

import (
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/topk"
	"github.com/pmlam/pmlam/core/model"
)

// part is a recommender over some items of another, the whole. It belongs to one question at a time, and keeps its
// memory for the next.
type part struct {
	Recommender
	whole *Recommender
	of    []int32 // the whole's item of each item: ascending, then a sample

	in, keep  ItemSet   // of the whole: items gathered, and those that may be listed
	said      ItemSet   // of the whole: for links
	sums      []float32 // I
	distances []float32
	targets   []int32 // items whose sums are not 0
	near      topk.Heap[float32]
	best      topk.Heap[float32]
	known     titles
	facts     model.Model
	choices   catalogue.Catalogue
	scratch   work
	rows      []float32
	rates     []float32
	regress   model.LikeRegression
	out       ItemSet
	boosts    []float32
	sets      []ItemSet // of genres
	has       []bool    // by genre
	weights   []float32
}

func (r *Recommender) newPart() *part {
	n := r.Len()
	p := &part{in: NewItemSet(n), keep: NewItemSet(n), said: NewItemSet(n), sums: make([]float32, n)}
	p.index = NewIndex(r.items, r.kernel)
	p.pool = &sync.Pool{New: func() any { return &p.scratch }}
	return p
}

// assemble makes p a recommender over p.of, with the links of these items.
func (p *part) assemble(likes, dislikes, recent []int) {
	r, of := p.whole, p.of
	width := 2 * r.items.Dim()
	p.rows = grow(p.rows, len(of)*width)
	p.choices.Columns = r.cat.Columns
	p.choices.Items = grow(p.choices.Items, len(of))
	for k, i := range of {
		copy(p.rows[k*width:(k+1)*width], r.items.Row(int(i)))
		p.choices.Items[k] = r.cat.Items[i]
	}
	c := &p.Recommender
	c.items = gaussian.TableOf(r.items.Dim(), p.rows)
	c.index.items = c.items
	c.whole, c.scan, c.average, c.plainMean, c.tau = r.whole, r.scan, r.average, r.plainMean, r.tau
	c.kernel = r.kernel
	c.infer = &Inferrer{s: r.infer.s, mean: r.infer.mean, prior: r.infer.prior, variance: r.infer.variance,
		total: r.infer.total, within: r.infer.within}
	c.infer.s.Items, c.infer.s.Counts = c.items, nil
	c.rare = pick(c.rare, r.rare, of)
	c.spreads.dim, c.spreads.rows = r.spreads.dim, r.spreads.rows
	c.spreads.row = pick(c.spreads.row, r.spreads.row, of)
	c.spreads.variance = pick(c.spreads.variance, r.spreads.variance, of)
	p.assembleTitles()
	p.assembleRules()
	p.facts = *r.model
	if c.like = nil; r.like != nil {
		p.rates = pick(p.rates, r.like.Rates, of)
		p.regress = *r.like
		p.regress.Rates = p.rates
		c.like = &p.regress
	}
	c.links, c.next = nil, nil
	if r.links != nil {
		p.facts.ItemItem = p.within(r.model.ItemItem, r.links, likes, dislikes)
		c.links = p.facts.ItemItem.BySource()
	}
	if r.next != nil {
		p.facts.Next = p.within(r.model.Next, r.next, recent)
		c.next = p.facts.Next.BySource()
	}
	c.model = &p.facts
	p.resize()
}

// resize makes the scratch space fit.
func (p *part) resize() {
	w, n := &p.scratch, len(p.of)
	w.of = p.of
	for _, x := range []*[]float32{&w.distances, &w.sorted, &w.own, &w.linked, &w.summed, &w.costed} {
		*x = grow(*x, n)
	}
	w.keep = grow(w.keep, len(NewItemSet(n)))
	w.row = grow(w.row, 2*p.items.Dim())
}

func (p *part) assembleTitles() {
	r, of := p.whole, p.of
	t := &p.known
	p.titles = t
	t.cat, t.known, t.fewest = &p.choices, r.known, r.fewest
	t.genreWeights = pick(t.genreWeights, r.genreWeights, of)
	t.fewKnow = pickSet(t.fewKnow, r.fewKnow, of)
	p.has = grow(p.has, len(r.genres))
	clear(p.has)
	if p.sets == nil {
		p.sets, t.byGenre = make([]ItemSet, len(r.genres)), map[string]ItemSet{}
	}
	for k, i := range of {
		for _, g := range r.near.at(r.near.place[i]) {
			if !p.has[g] {
				p.has[g] = true
				p.sets[g] = grow(p.sets[g], (len(of)+63)/64)
				clear(p.sets[g])
			}
			p.sets[g].Add(k)
		}
	}
	clear(t.byGenre)
	t.genres, t.genreShares = t.genres[:0], t.genreShares[:0]
	for g, name := range r.genres {
		if p.has[g] {
			t.genres, t.genreShares = append(t.genres, name), append(t.genreShares, r.genreShares[g])
			t.byGenre[name] = p.sets[g]
		}
	}
}

func (p *part) assembleRules() {
	from, of := &p.whole.rules, p.of
	p.rules = rules{any: from.any, pinned: p.places(from.pinned)}
	if from.out != nil {
		p.out = pickSet(p.out, from.out, of)
		p.rules.out = p.out
	}
	if from.boost != nil {
		p.boosts = pick(p.boosts, from.boost, of)
		p.rules.boost = p.boosts
	}
	for _, l := range from.limits {
		p.rules.limits = append(p.rules.limits, limit{l.n, pick(nil, l.group, of)})
	}
}

// within returns the links from the sources to the items of the part.
func (p *part) within(all *model.ItemLinks, by *model.LinksBySource, sources ...[]int) *model.ItemLinks {
	history := int32s(slices.Concat(sources...))
	p.targets = by.Targets(p.targets[:0], history)
	clear(p.said)
	for _, i := range p.targets {
		p.said.Add(int(i))
	}
	place := make(map[int32]int32, len(history))
	for _, j := range history {
		place[j] = int32(p.place(int(j)))
	}
	out := &model.ItemLinks{Gamma: all.Gamma, Offsets: make([]int32, 1, len(p.of)+1)}
	for _, i := range p.of {
		if p.said.Has(int(i)) {
			from, weights := all.Row(int(i))
			for k, j := range from {
				if at, ok := place[j]; ok {
					out.Sources, out.Weights = append(out.Sources, at), append(out.Weights, weights[k])
				}
			}
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}

// place returns the part's number of one of its items.
func (p *part) place(i int) int {
	at, _ := slices.BinarySearch(p.of[:len(p.of)-p.scratch.sampled], int32(i))
	return at
}

func (p *part) places(items []int) []int {
	out := make([]int, len(items))
	for k, i := range items {
		out[k] = p.place(i)
	}
	return out
}

// visit returns a clean visit by the part's numbers.
func (p *part) visit(v Visit) Visit {
	return Visit{Likes: p.places(v.Likes), Dislikes: p.places(v.Dislikes), Seen: p.places(v.Seen),
		Recent: p.places(v.Recent), Again: v.Again, Weights: p.weighted(v.Weights)}
}

// taste returns a taste by the part's numbers.
func (p *part) taste(t *Taste) *Taste {
	out := *t
	out.of = Evidence{p.places(t.of.Likes), p.places(t.of.Dislikes), p.weighted(t.of.Weights)}
	return &out
}

// weighted returns the weights of the part's items; items beyond the weights have none.
func (p *part) weighted(from []float32) []float32 {
	if from == nil {
		return nil
	}
	p.weights = grow(p.weights, len(p.of))
	clear(p.weights)
	for k, i := range p.of {
		if int(i) < len(from) {
			p.weights[k] = from[i]
		}
	}
	return p.weights
}

// named replaces the part's numbers by the whole's.
func (p *part) named(list []Suggestion) []Suggestion {
	for k := range list {
		list[k].Item = int(p.of[list[k].Item])
		for j := range list[k].Reasons {
			list[k].Reasons[j].Item = int(p.of[list[k].Reasons[j].Item])
		}
	}
	return list
}

// pick returns the values of some items, in dst's memory; nil of nil.
func pick[T any](dst, from []T, of []int32) []T {
	if from == nil {
		return nil
	}
	dst = grow(dst, len(of))
	for k, i := range of {
		dst[k] = from[i]
	}
	return dst
}

func pickSet(dst, from ItemSet, of []int32) ItemSet {
	dst = grow(dst, (len(of)+63)/64)
	clear(dst)
	for k, i := range of {
		if from.Has(int(i)) {
			dst.Add(k)
		}
	}
	return dst
}

func int32s(x []int) []int32 {
	out := make([]int32, len(x))
	for k, i := range x {
		out[k] = int32(i)
	}
	return out
}
