package coldstart

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

const (
	neighbours = 3  // warm items whose mean place on the map a new item takes
	typical    = 20 // likes of a typical visitor, whose chance of a new item is exact
)

// entry is an item's part of a model file.
type entry struct {
	item    catalogue.Item
	row     []float32 // 2h
	rate    float32   // logit of the share of its ratings that are likes
	x, y    float32   // place on the map
	sources []int32   // items that link to it, ascending
	weights []float32
}

// entry predicts the entry of an item with features x.
func (p *Map) entry(d *described, x row) entry {
	m, h2 := p.model, len(p.nobody)
	e := entry{item: *d.Item, row: make([]float32, h2)}
	e.item.Count, e.item.Values = 0, nil
	for _, c := range m.Catalogue.Columns {
		e.item.Values = append(e.item.Values, d.value(c))
	}
	all := p.fit.predict(x)
	for k := range e.row {
		e.row[k] = float32(all[k])
	}
	gaussian.Bound(e.row, m.Objective.Radius)
	p.moveAway(e.row)
	if p.likeRegression() != nil {
		e.rate = p.rateFor(all[h2]+p.level, p.nearer(e.row))
	}
	if m.Map == nil && m.ItemItem == nil {
		return e
	}
	shares := p.fit.shares(x)
	if m.Map != nil {
		e.x, e.y = p.place(shares)
	}
	if m.ItemItem != nil {
		e.sources, e.weights = p.links(shares)
	}
	return e
}

// moveAway moves s of a predicted row away from the neutral visitor's s_0 until the row is as far from this visitor as
// the true row is on average. The true row is off by ρ = Σ_d residual_d in mean square, so for any visitor's row u
//
//	E‖u − θ‖² = ‖u − θ̂‖² + ρ
//
// The file has no field for ρ. All visitors have nearly the same s, so s can hold ρ:
//
//	s = ŝ − t·(s_0 − ŝ)        (1+t)² = 1 + ρ/‖s_0 − ŝ‖²,  t ≤ 1
//
// Without this, a poorly predicted row, which is near the middle, would be nearer to every visitor than the warm items.
func (p *Map) moveAway(row []float32) {
	h := len(row) / 2
	rho, apart := 0.0, 0.0
	for d, v := range row {
		rho += p.residual[d]
		if d >= h {
			e := float64(p.nobody[d]) - float64(v)
			apart += e * e
		}
	}
	if apart == 0 {
		return
	}
	t := min(math.Sqrt(1+rho/apart)-1, 1)
	for d := h; d < len(row); d++ {
		row[d] = max(row[d]-float32(t*(float64(p.nobody[d])-float64(row[d]))), gaussian.MinStddev)
	}
	gaussian.Bound(row, p.model.Objective.Radius)
}

// rateFor returns the rate that gives a new item (count 0) at that place the wanted logit for a typical visitor. By
// bisection, to 1e-6.
func (p *Map) rateFor(want float64, place int) float32 {
	low, high := -8.0, 8.0
	for high-low > 1e-6 {
		if middle := (low + high) / 2; p.chance(middle, 0, place) < want {
			low = middle
		} else {
			high = middle
		}
	}
	return float32(low)
}

// chance returns the logit of the chance that a visitor with typical likes, neutral otherwise, likes an item with that
// rate, count and place.
func (p *Map) chance(rate float64, count, place int) float64 {
	in := model.LikeInput{Rate: rate, Count: count, Items: len(p.warm), Place: place, Likes: typical,
		Liked: p.rate}
	sum, features := 0.0, in.Features()
	for k, w := range p.likeRegression().Weights {
		sum += float64(w) * features[k]
	}
	return sum
}

// place returns the mean place on the map of the warm items with the largest shares.
func (p *Map) place(shares []float64) (x, y float32) {
	for _, k := range largest(shares, neighbours) {
		x += p.model.Map.X[p.warm[k]] / neighbours
		y += p.model.Map.Y[p.warm[k]] / neighbours
	}
	return min(x, 1), min(y, 1)
}

// links returns the largest positive weights Σ_i α_i B_ji and their items. It returns at most the number of links of
// the model's longest list. O(links + I).
func (p *Map) links(shares []float64) (sources []int32, weights []float32) {
	links, most := p.model.ItemItem, 0
	sums := make([]float64, p.model.Items.Len())
	for k, a := range shares {
		from, of := links.Row(p.warm[k])
		most = max(most, len(from))
		for l, j := range from {
			sums[j] += a * float64(of[l])
		}
	}
	best := largest(sums, most)
	slices.Sort(best)
	for _, j := range best {
		if w := float32(sums[j]); w > 0 {
			sources, weights = append(sources, int32(j)), append(weights, min(w, model.MaxWeight))
		}
	}
	return sources, weights
}

// largest returns the places of the n largest values in descending order, ties by the lower index, or all places if
// there are fewer. O(|values|·n) at worst, close to O(|values|) for values in random order.
func largest(values []float64, n int) (places []int) {
	for k, v := range values {
		if len(places) == n && (n == 0 || v <= values[places[n-1]]) {
			continue
		}
		at := len(places)
		for at > 0 && values[places[at-1]] < v {
			at--
		}
		places = slices.Insert(places[:min(len(places), n-1)], at, k)
	}
	return places
}
