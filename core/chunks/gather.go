package chunks

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
)

// Person is a visitor, or an item, whose nearest items are gathered.
type Person struct {
	Likes, Dislikes []string // ids; unknown ones are ignored
	Item            string   // an id: gather the items nearest to this one, instead of a visitor's
}

func (p *Person) ids() []string {
	all := slices.Concat(p.Likes, p.Dislikes)
	if p.Item != "" {
		all = append(all, p.Item)
	}
	return all
}

// Question describes the items to gather.
type Question struct {
	People []Person
	Also   []string // ids of further items to include, such as pinned ones
	// Items to gather for each person besides the common ones, counting guests, repeats and own cells. 0: Enough, and
	// further ones for a niche taste.
	Items int
}

// Enough is the number of items to gather for a list of ten. core/lab/docs/scale.md has the share of the whole model's
// list that this gives.
const Enough = 1000

// spread times a visitor's weight of little-known items, recommend.Rareness, is the share of further items to gather
// for each of these and of the own cells, because such items are spread over more cells.
const spread = 1.25

// centres is the number of mean rows to compare: groups are read until they have this many cells.
const centres = 1200

// Gather returns a recommender over the items that the question needs. The same question gives the same recommender,
// whatever other parts have been Put. The error is a *Missing that names parts to Put before asking again, or it says
// that parts do not match. A question takes at most four rounds of parts. For a neutral visitor and at most Enough
// items, the common ones suffice. With all parts at hand: O(n·h + centres·h).
func (c *Catalogue) Gather(q Question) (*recommend.Recommender, error) {
	numbers, err := c.numbers(&q)
	if err != nil {
		return nil, err
	}
	named, sources, err := c.named(&q, numbers)
	if err != nil {
		return nil, err
	}
	first, err := c.recommender(named, sources)
	if err != nil {
		return nil, err
	}
	var rows []wanted
	for _, p := range q.People {
		// The items nearest to a neutral visitor are common.
		known := slices.ContainsFunc(p.ids(), func(id string) bool { _, ok := numbers[id]; return ok })
		if known || q.Items > Enough {
			row, rare := row(first, &p)
			rows = append(rows, wanted{row, rare, c.linked(&p, numbers), c.own(&p, numbers)})
		}
	}
	cells, err := c.nearest(rows, max(q.Items, 0))
	if err != nil {
		return nil, err
	}
	all := union(named, cells)
	r, err := c.recommender(all, sources)
	if err == nil && c.held > MaxHeld {
		c.forget()
	}
	return r, err
}

// row returns the row whose nearest items the person asks for, and the weight of being little known.
func row(r *recommend.Recommender, p *Person) (row []float32, rare float32) {
	if i, ok := r.IDs()[p.Item]; ok && p.Item != "" {
		return r.Row(i), 0
	}
	items := func(ids []string) (out []int) {
		for _, id := range ids {
			if i, ok := r.IDs()[id]; ok {
				out = append(out, i)
			}
		}
		return out
	}
	v := recommend.Visit{Likes: items(p.Likes), Dislikes: items(p.Dislikes)}
	return r.Taste(v, nil).Row, r.Rareness(v.Likes)
}

// wanted describes a search for the nearest items.
type wanted struct {
	row   []float32
	rare  float32         // recommend.Rareness
	bonus map[int]float32 // by cell: the largest bonus that one of its items has by links
	own   map[int]bool    // cells that are already gathered for the person's items
}

// own returns the cells of a person's items, except common items.
func (c *Catalogue) own(p *Person, numbers map[string]uint32) map[int]bool {
	out := map[int]bool{}
	for _, id := range p.ids() {
		number, ok := numbers[id]
		if _, common := c.common[number]; ok && !common {
			out[int(number)/MaxCell] = true
		}
	}
	return out
}

// linked returns by cell the largest bonus that a person's likes give to one of its items.
func (c *Catalogue) linked(p *Person, numbers map[string]uint32) map[int]float32 {
	if c.index.Gamma == 0 {
		return nil
	}
	of, out := map[uint32]float32{}, map[int]float32{}
	share := c.index.Common.Model.Objective.LinkShare(len(p.Likes) + len(p.Dislikes))
	for _, id := range p.Likes {
		number, ok := numbers[id]
		if !ok {
			continue
		}
		c.links[int(number)/MaxCell].each(int(number)%MaxCell, func(target uint32, weight float32) {
			of[target] += share * c.index.Gamma * weight
			cell := int(target) / MaxCell
			out[cell] = max(out[cell], of[target])
		})
	}
	return out
}

// numbers returns the numbers of the question's ids, without unknown ones.
func (c *Catalogue) numbers(q *Question) (map[string]uint32, error) {
	out, missing := map[string]uint32{}, map[int]bool{}
	add := func(id string) {
		b := Bucket(id, c.index.Buckets)
		if of, ok := c.ids[b]; !ok {
			missing[b] = true
		} else if number, ok := of[id]; ok {
			out[id] = number
		}
	}
	for _, p := range q.People {
		for _, id := range p.ids() {
			add(id)
		}
	}
	for _, id := range q.Also {
		add(id)
	}
	return out, c.missing(KindIDs, missing)
}

// missing returns a *Missing for these parts, or nil for none.
func (c *Catalogue) missing(k Kind, parts map[int]bool) error {
	if len(parts) == 0 {
		return nil
	}
	m := &Missing{}
	for _, number := range sortedKeys(parts) {
		m.Names = append(m.Names, c.index.Set.Name(k, number))
	}
	return m
}

// named returns the cells of the question's items, and the items whose links count, both ascending.
func (c *Catalogue) named(q *Question, numbers map[string]uint32) (cells []int, sources []int, err error) {
	need, missing, links := map[int]bool{}, map[int]bool{}, map[int]bool{}
	for _, number := range numbers {
		cell := int(number) / MaxCell
		if _, common := c.common[number]; common {
			continue
		}
		need[cell] = true
		if c.cells[cell] == nil {
			missing[cell] = true
		}
	}
	for _, p := range q.People {
		for _, id := range slices.Concat(p.Likes, p.Dislikes) {
			number, ok := numbers[id]
			if !ok || c.index.Gamma == 0 {
				continue
			}
			sources = append(sources, int(number))
			if cell := int(number) / MaxCell; c.links[cell] == nil {
				links[cell] = true
			}
		}
	}
	slices.Sort(sources)
	err = c.missing(KindCell, missing)
	if more := c.missing(KindLinks, links); err == nil {
		err = more
	} else if more != nil {
		err.(*Missing).Names = append(err.(*Missing).Names, more.(*Missing).Names...)
	}
	return sortedKeys(need), slices.Compact(sources), err
}

// nearest returns the cells with the nearest items of each row, in addition to its own cells.
func (c *Catalogue) nearest(rows []wanted, items int) ([]int, error) {
	further := float32(0)
	if items == 0 {
		items, further = Enough, spread
	}
	x := c.index
	step := KnownStep * x.Common.Model.Objective.Loss.Temperature
	groups, open := make([][]int, len(rows)), map[int]bool{}
	for k, w := range rows {
		cells := 0
		for _, g := range ascending(x.Groups.scores(w.row, nil)) {
			if cells >= max(centres, items/10) {
				break
			}
			cells += x.Cells[g]
			groups[k] = append(groups[k], g)
			if c.groups[g] == nil {
				open[g] = true
			}
		}
	}
	if err := c.missing(KindGroup, open); err != nil {
		return nil, err
	}
	var out []int
	missing := map[int]bool{}
	for k, w := range rows {
		var score []float64
		var cell, size []int
		for _, g := range groups[k] {
			first, group := x.first(g), c.groups[g]
			score = append(score, group.Cells.scores(w.row, func(n int) float32 {
				bonus := w.bonus[first+n]
				if n < len(group.Known) {
					bonus -= float32(w.rare * step * float32(group.Known[n]))
				}
				return bonus
			})...)
			for n := range group.Items {
				cell = append(cell, first+n)
			}
			size = append(size, group.Items...)
		}
		own := 0
		for cell := range w.own {
			own += len(c.cells[cell].Numbers)
		}
		left := items - own + int(further*w.rare*float32(items+own))
		more := 0
		for _, n := range ascending(score) {
			if w.own[cell[n]] {
				continue
			}
			if left -= size[n]; left < 0 && more > 0 {
				break
			}
			more++ // at least one cell
			out = append(out, cell[n])
			if c.cells[cell[n]] == nil {
				missing[cell[n]] = true
			}
		}
	}
	return out, c.missing(KindCell, missing)
}

func sortedKeys(of map[int]bool) []int {
	out := make([]int, 0, len(of))
	for key := range of {
		out = append(out, key)
	}
	slices.Sort(out)
	return out
}

// union returns the sorted union of a and b.
func union(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
