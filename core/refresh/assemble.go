package refresh

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// assemble builds the newer model: rows by place; part (links) and rates of the items that move, by their numbers in
// the data; order, the links in order of all items of the data. All three may be nil. O(I·h + links).
func (p *plan) assemble(d *dataset.Dataset, rows *gaussian.Table, part, order *model.ItemLinks,
	rates []float32) *model.Model {
	m := *p.older
	m.Digest, m.Items = "", rows
	m.Provenance.Users, m.Provenance.Interactions = d.Users.Len(), d.Positives.Len()
	m.Provenance.Metrics = nil // they describe the older training
	m.Catalogue = p.catalogue(d)
	if m.Map != nil {
		m.Map = p.layout(rows).For(m.Catalogue)
	}
	if m.ItemItem != nil {
		m.ItemItem = p.links(m.ItemItem, part)
	}
	if m.Next != nil {
		m.Next = p.order(order)
	}
	if c := m.Calibration; c != nil && c.Like != nil {
		calibration, like := *c, *c.Like
		like.Rates = make([]float32, len(p.from))
		for place, from := range p.from {
			switch i := p.data[place]; {
			case i >= 0 && p.moves[i] && rates != nil:
				like.Rates[place] = rates[i]
			case from >= 0:
				like.Rates[place] = c.Like.Rates[from]
			}
		}
		calibration.Like, m.Calibration = &like, &calibration
	}
	return &m
}

// catalogue describes the items as the data do. Items without likes in the data take their description from
// Options.Kept, and columns missing there from the model. An item's count is the number of likes that its row was
// learned from.
func (p *plan) catalogue(d *dataset.Dataset) *catalogue.Catalogue {
	c := &catalogue.Catalogue{Columns: d.Catalogue.Columns, Items: make([]catalogue.Item, len(p.from)),
		LeftOut: d.Catalogue.LeftOut}
	for place, i := range p.data {
		it := &c.Items[place]
		if i >= 0 {
			*it = d.Catalogue.Items[i]
			if it.Count = p.likes[i]; !p.moves[i] {
				it.Count = p.older.Catalogue.Items[p.from[place]].Count
			}
			continue
		}
		was, is := &p.older.Catalogue.Items[p.from[place]], &p.about.Items[p.kept[place]]
		*it = *is
		it.Count, it.Values = was.Count, make([]string, len(c.Columns))
		for k, name := range c.Columns {
			if at := p.about.Column(name); at >= 0 {
				if at < len(is.Values) {
					it.Values[k] = is.Values[at]
				}
			} else if at := p.older.Catalogue.Column(name); at >= 0 {
				it.Values[k] = was.Values[at]
			}
		}
	}
	c.DropListed()
	return c
}

// near is the number of nearest items that place a new one on the map.
const near = 3

// layout returns the older map, with each new item at the mean place of its near nearest items by row. O(new·I·h).
func (p *plan) layout(rows *gaussian.Table) *model.Map {
	was := p.older.Map
	m := &model.Map{X: make([]float32, len(p.from)), Y: make([]float32, len(p.from)), Regions: was.Regions}
	for place, from := range p.from {
		if from >= 0 {
			m.X[place], m.Y[place] = was.X[from], was.Y[from]
			continue
		}
		type neighbour struct {
			distance float32
			of       int32
		}
		var nearest []neighbour
		for other, of := range p.from {
			if of < 0 {
				continue
			}
			next := neighbour{gaussian.W2Squared(rows.Row(place), rows.Row(other)), of}
			at := len(nearest)
			for at > 0 && nearest[at-1].distance > next.distance {
				at--
			}
			if at < near {
				nearest = append(nearest[:at], append([]neighbour{next}, nearest[at:]...)...)
				nearest = nearest[:min(near, len(nearest))]
			}
		}
		for _, n := range nearest {
			m.X[place] += was.X[n.of] / float32(len(nearest))
			m.Y[place] += was.Y[n.of] / float32(len(nearest))
		}
		m.X[place], m.Y[place] = min(m.X[place], 1), min(m.Y[place], 1)
	}
	return m
}

// links keeps the older links of targets that stay, without sources that are gone, and takes part's links for targets
// that move. Without a part all targets keep theirs.
func (p *plan) links(was, part *model.ItemLinks) *model.ItemLinks {
	at := make([]int32, was.Len()) // place now + 1 of each of the older model's items
	for place, from := range p.from {
		if from >= 0 {
			at[from] = int32(place) + 1
		}
	}
	out := &model.ItemLinks{Gamma: was.Gamma, Offsets: make([]int32, 1, len(p.from)+1)}
	for place, from := range p.from {
		if i := p.data[place]; part != nil && i >= 0 && p.moves[i] {
			p.add(out, part, int(i))
		} else if from >= 0 {
			sources, weights := was.Row(int(from))
			for k, j := range sources {
				if at[j] > 0 { // places are in the order of the older model
					out.Sources, out.Weights = append(out.Sources, at[j]-1), append(out.Weights, weights[k])
				}
			}
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}

// order renumbers the links in order of the data. Without them the older model's stay.
func (p *plan) order(of *model.ItemLinks) *model.ItemLinks {
	if of == nil {
		return p.links(p.older.Next, nil)
	}
	out := &model.ItemLinks{Gamma: of.Gamma, Offsets: make([]int32, 1, len(p.from)+1)}
	for _, i := range p.data {
		if i >= 0 {
			p.add(out, of, int(i))
		}
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}

// add appends the links of target i of the data, with sources ascending by place.
func (p *plan) add(out, part *model.ItemLinks, i int) {
	sources, weights := part.Row(i)
	first := len(out.Sources)
	for k, j := range sources {
		place, weight := p.place[j], weights[k]
		if place < 0 {
			continue
		}
		at := len(out.Sources)
		out.Sources, out.Weights = append(out.Sources, place), append(out.Weights, weight)
		for ; at > first && out.Sources[at-1] > place; at-- {
			out.Sources[at], out.Weights[at] = out.Sources[at-1], out.Weights[at-1]
		}
		out.Sources[at], out.Weights[at] = place, weight
	}
}
