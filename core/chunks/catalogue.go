package chunks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Catalogue combines an index with the parts fetched so far. It is not safe for concurrent use; the recommenders that
// it returns are.
type Catalogue struct {
	index   *Index
	options recommend.Options
	common  map[uint32]int // common items by number

	ids    map[int]map[string]uint32
	cells  map[int]*Items
	links  map[int]*Links
	groups map[int]*Group
	titles map[int][]Title

	directory *Directory // of titles; nil: not fetched yet

	held   int // bytes of all parts put
	sizes  map[string]int
	recent []gathered // the latest last
}

// gathered is a recommender and the cells that it covers.
type gathered struct {
	cells       []int
	sources     []int
	recommender *recommend.Recommender
}

// maxRecent is the number of recommenders that are kept. A question uses one over the items that it names, and one over
// all cells gathered.
const maxRecent = 4

// MaxHeld is the size limit in bytes of the parts kept for later questions.
const MaxHeld = 8 << 20

// Open opens the catalogue of an index. Its recommenders are opened with o, after Stats is set.
func Open(index []byte, o recommend.Options) (*Catalogue, error) {
	x, err := ReadIndex(index)
	if err != nil {
		return nil, err
	}
	o.Stats = x.Stats
	c := &Catalogue{index: x, options: o, common: map[uint32]int{}}
	for i, number := range x.Common.Numbers {
		c.common[number] = i
	}
	c.forget()
	// Find out now whether the index makes a valid recommender.
	if _, err := c.recommender(nil, nil); err != nil {
		return nil, &PartError{IndexName, err.Error()}
	}
	return c, nil
}

func (c *Catalogue) forget() {
	c.ids, c.cells = map[int]map[string]uint32{}, map[int]*Items{}
	c.links, c.groups = map[int]*Links{}, map[int]*Group{}
	c.titles, c.directory = map[int][]Title{}, nil
	c.held, c.sizes = 0, map[string]int{}
}

// Len returns I, the number of items of the whole catalogue.
func (c *Catalogue) Len() int { return c.index.Stats.Items }

// Most returns the size limit of a part in bytes. Put refuses larger ones, so callers can stop reading there.
func (c *Catalogue) Most() int { return c.index.Most }

// Missing is the error for parts that a question needs and that have not been Put yet.
type Missing struct{ Names []string }

func (m *Missing) Error() string { return "missing parts: " + strings.Join(m.Names, ", ") }

// Put adds a part. Errors are of type *PartError, and leave the catalogue unchanged. O(size of the part).
func (c *Catalogue) Put(name string, b []byte) error {
	kind, number, sections := c.index.Set.parse(name)
	limit := 1 // for a directory
	switch kind {
	case KindIDs:
		limit = c.index.Buckets
	case KindCell, KindLinks:
		limit = c.index.cells()
	case KindGroup:
		limit = len(c.index.Cells)
	case KindTitles:
		if limit = 0; c.directory != nil {
			limit = len(c.directory.First)
		}
	}
	if sections == 0 || number >= limit {
		return &PartError{name, "unknown part"}
	}
	if len(b) > c.index.Most {
		return &PartError{name, fmt.Sprintf("it has %d bytes; the limit is %d", len(b), c.index.Most)}
	}
	s, err := split(name, b, kind, number, sections, c.index.Set.proves)
	if err != nil {
		return err
	}
	switch kind {
	case KindIDs:
		err = take(c.ids, number)(readIDs(s, c.index))
	case KindCell:
		err = take(c.cells, number)(readCell(s, c.index))
	case KindLinks:
		err = take(c.links, number)(readLinks(s, c.index))
	case KindGroup:
		err = take(c.groups, number)(readGroup(s, c.index, number))
	case KindDirectory:
		var d *Directory
		if d, err = readDirectory(s); err == nil {
			c.directory = d
		}
	case KindTitles:
		err = take(c.titles, number)(readTitles(s))
	}
	if err != nil {
		return &PartError{name, err.Error()}
	}
	c.held += len(b) - c.sizes[name]
	c.sizes[name] = len(b)
	return nil
}

// take stores a part that was read without an error.
func take[T any](in map[int]T, number int) func(part T, err error) error {
	return func(part T, err error) error {
		if err == nil {
			in[number] = part
		}
		return err
	}
}

// recommender opens a recommender over the common items and the items of cells, which ascend. sources are the items
// whose links count.
func (c *Catalogue) recommender(cells []int, sources []int) (*recommend.Recommender, error) {
	for _, g := range c.recent {
		if slices.Equal(g.cells, cells) && slices.Equal(g.sources, sources) {
			return g.recommender, nil
		}
	}
	r, err := recommend.Open(c.assemble(cells, sources), c.options)
	if err != nil {
		return nil, fmt.Errorf("the parts do not match: %w", err)
	}
	c.recent = append(c.recent, gathered{slices.Clone(cells), slices.Clone(sources), r})
	c.recent = c.recent[max(len(c.recent)-maxRecent, 0):]
	return r, nil
}

// place locates an item in the items of a part.
type place struct {
	of     *Items
	at     int
	number uint32
}

// places returns the places of the common items and the items of cells by ascending number, without duplicates.
func (c *Catalogue) places(cells []int) []place {
	var out []place
	add := func(of *Items) {
		for at, number := range of.Numbers {
			out = append(out, place{of, at, number})
		}
	}
	add(&c.index.Common)
	for _, cell := range cells {
		add(c.cells[cell])
	}
	// Sort indices, as elsewhere: sorting another type would enlarge the browser's program more than it saves.
	order := orderOf(len(out), func(a, b int) int { return cmp.Or(cmp.Compare(out[a].number, out[b].number), a-b) })
	all := make([]place, 0, len(out))
	for _, k := range order {
		if n := len(all); n == 0 || all[n-1].number != out[k].number {
			all = append(all, out[k])
		}
	}
	return all
}

// assemble returns the model of the common items and the items of cells.
func (c *Catalogue) assemble(cells []int, sources []int) *model.Model {
	of := c.index.Common.Model
	all := c.places(cells)
	m := &model.Model{
		Provenance: of.Provenance, Objective: of.Objective, Precision: of.Precision,
		Items:     gaussian.NewTable(len(all), of.Items.Dim()),
		Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item, len(all)), Columns: of.Catalogue.Columns},
		Digest:    c.index.Digest,
	}
	var rates []float32
	for i, p := range all {
		copy(m.Items.Row(i), p.of.Model.Items.Row(p.at))
		m.Catalogue.Items[i] = p.of.Model.Catalogue.Items[p.at]
		if p.of.Rates != nil {
			rates = append(rates, p.of.Rates[p.at])
		}
	}
	if of.Calibration != nil {
		calibration := *of.Calibration
		if calibration.Like != nil {
			like := *calibration.Like
			like.Rates = rates
			calibration.Like = &like
		}
		m.Calibration = &calibration
	}
	if c.index.Gamma > 0 {
		m.ItemItem = c.itemItem(all, sources)
	}
	return m
}

// itemItem returns the links from the sources to all.
func (c *Catalogue) itemItem(all []place, sources []int) *model.ItemLinks {
	at := make(map[uint32]int32, len(all))
	for i, p := range all {
		at[p.number] = int32(i)
	}
	// Sources ascend both by number and by place, so the sources of each target ascend too.
	of, weights := make([][]int32, len(all)), make([][]float32, len(all))
	for _, number := range sources {
		links := c.links[number/MaxCell]
		source, here := at[uint32(number)]
		if links == nil || !here {
			continue
		}
		links.each(number%MaxCell, func(target uint32, weight float32) {
			i, ok := at[target]
			if n := len(of[i]); ok && i != source && (n == 0 || of[i][n-1] != source) {
				of[i], weights[i] = append(of[i], source), append(weights[i], weight)
			}
		})
	}
	out := &model.ItemLinks{Gamma: c.index.Gamma, Offsets: make([]int32, 1, len(all)+1)}
	for i := range of {
		out.Sources, out.Weights = append(out.Sources, of[i]...), append(out.Weights, weights[i]...)
		out.Offsets = append(out.Offsets, int32(len(out.Sources)))
	}
	return out
}
