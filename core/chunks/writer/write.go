package writer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Settings control how a model is cut. The zero value takes the defaults.
type Settings struct {
	Size    int                              // average items of a cell, 10 to 200; 0: 100
	Workers int                              // goroutines; 0: one for each processor
	Step    func(what string, done, all int) // reports progress; may be nil
}

// bucketSize is the average number of ids in a part.
const bucketSize = 250

// writer is one run of Write.
type writer struct {
	model *model.Model
	part  func(k chunks.Kind, number int, content []byte) error // receives each part
	step  func(what string, done, all int)

	links  *model.ItemLinks
	of     []uint32 // I: the number of each item
	rates  []float32
	points points
}

// Write cuts a model into parts and passes each of them to put, the index last. The same model and settings give the
// same parts for any number of workers. m.Digest must be the digest of the model's file. Write returns an error if the
// model's users have a learned part, which takes all items to fit, or if it has too few items to cut; and the errors of
// put and ctx. O(I·√C·h + K log K) for K keys of titles.
func Write(ctx context.Context, m *model.Model, s Settings, put func(name string, part []byte) error) error {
	if s.Size == 0 {
		s.Size = 100
	}
	if s.Step == nil {
		s.Step = func(string, int, int) {}
	}
	n := m.Items.Len()
	switch {
	case m.Objective.Composition.Free:
		return errors.New("the model's users have a learned part, which is fitted to all items, so the model " +
			"cannot be cut; train with users composed from their likes, the default")
	case s.Size < 10 || s.Size > 200:
		return fmt.Errorf("cells of %d items are not possible; choose 10 to 200", s.Size)
	case n < 2*s.Size:
		return fmt.Errorf("a model of %d items is too small to cut", n)
	}
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	p := points{m.Items.Data(), 2 * m.Items.Dim()}
	cells, err := p.cells(ctx, s.Size, s.Workers, func(done, all int) { s.Step("cells", done, all) })
	if err != nil {
		return err
	}
	cells, groups, err := p.groups(ctx, cells, s.Workers)
	if err != nil {
		return err
	}
	v := newVisitors(m, r, cells)
	common, invited, err := v.chosen(ctx, prior(r), s.Workers)
	if err != nil {
		return err
	}
	w := &writer{model: m, step: s.Step, points: p, of: make([]uint32, n), links: m.ItemItem}
	if c := m.Calibration; c != nil && c.Like != nil {
		w.rates = c.Like.Rates
	}
	for c, of := range cells {
		for at, i := range of {
			w.of[i] = uint32(c*chunks.MaxCell + at)
		}
	}
	x := &chunks.Index{Stats: r.Stats(), Digest: m.Digest, Buckets: (n + bucketSize - 1) / bucketSize, Cells: groups}
	if w.links != nil {
		x.Gamma = w.links.Gamma
	}
	// All parts are made twice: first for the digests, which their proofs and the name of the set need.
	tree, parts := chunks.Tree{}, 0
	w.part = func(_ chunks.Kind, _ int, content []byte) error {
		tree.Add(content)
		x.Most = max(x.Most, len(content))
		return nil
	}
	if err := w.all(ctx, x, cells, invited); err != nil {
		return err
	}
	x.Set = tree.Set()
	x.Most += len(chunks.Seal(nil, tree.Proof(0))) // the first part's proof is among the longest
	w.part = func(k chunks.Kind, number int, content []byte) error {
		parts++
		return put(x.Set.Name(k, number), chunks.Seal(content, tree.Proof(parts-1)))
	}
	if err := w.all(ctx, x, cells, invited); err != nil {
		return err
	}
	index, err := w.index(x, common)
	if err != nil {
		return err
	}
	return put(chunks.IndexName, index)
}

// all makes all parts except the index, and adds the groups' centres to x.
func (w *writer) all(ctx context.Context, x *chunks.Index, cells, guests [][]int) (err error) {
	if err := w.ids(ctx, x.Buckets); err != nil {
		return err
	}
	if err := w.titles(ctx); err != nil {
		return err
	}
	if err := w.cells(ctx, cells, guests); err != nil {
		return err
	}
	x.Groups, err = w.groups(ctx, x, cells, guests)
	return err
}

// file returns the model file of some items, with their numbers and rates. shared includes the data that all items
// share.
func (w *writer) file(items []int, shared bool) (file []byte, of chunks.Items, err error) {
	m := w.model
	p := &model.Model{
		Objective: m.Objective, Precision: m.Precision,
		Items:     gaussian.NewTable(len(items), m.Items.Dim()),
		Catalogue: &catalogue.Catalogue{Items: make([]catalogue.Item, len(items)), Columns: m.Catalogue.Columns},
	}
	for at, i := range items {
		copy(p.Items.Row(at), m.Items.Row(i))
		p.Catalogue.Items[at] = m.Catalogue.Items[i]
		of.Numbers = append(of.Numbers, w.of[i])
		if w.rates != nil {
			of.Rates = append(of.Rates, w.rates[i])
		}
	}
	if shared {
		p.Provenance, p.Calibration = m.Provenance, m.Calibration
		if w.rates != nil {
			calibration, like := *m.Calibration, *m.Calibration.Like
			like.Rates, calibration.Like = of.Rates, &like
			p.Calibration = &calibration
		}
	}
	of.Model = p
	file, err = model.Encode(p)
	return file, of, err
}

// ids makes the parts of ids.
func (w *writer) ids(ctx context.Context, buckets int) error {
	of := make([]map[string]uint32, buckets)
	for i, it := range w.model.Catalogue.Items {
		b := chunks.Bucket(it.ID, buckets)
		if of[b] == nil {
			of[b] = map[string]uint32{}
		}
		of[b][it.ID] = w.of[i]
	}
	for b, numbers := range of {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := w.part(chunks.KindIDs, b, chunks.EncodeIDs(b, numbers)); err != nil {
			return err
		}
	}
	return nil
}

// cells makes the cells and their links.
func (w *writer) cells(ctx context.Context, cells, guests [][]int) error {
	var by *model.LinksBySource
	if w.links != nil {
		by = w.links.BySource()
	}
	for c, of := range cells {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		file, items, err := w.file(append(of[:len(of):len(of)], guests[c]...), false)
		if err != nil {
			return err
		}
		content := chunks.EncodeCell(c, file, items.Numbers, items.Rates)
		if err := w.part(chunks.KindCell, c, content); err != nil {
			return err
		}
		if by != nil {
			if err := w.part(chunks.KindLinks, c, chunks.EncodeLinks(c, w.linksOf(by, of))); err != nil {
				return err
			}
		}
		w.step("parts", c+1, len(cells))
	}
	return nil
}

func (w *writer) linksOf(by *model.LinksBySource, cell []int) *chunks.Links {
	l := &chunks.Links{}
	byNumber := func(a, b int32) int { return cmp.Compare(w.of[a], w.of[b]) }
	sources := make([]int32, len(cell))
	for p, source := range cell {
		sources[p] = int32(source)
	}
	targets := by.Targets(nil, sources)
	slices.SortFunc(targets, byNumber)
	targets = slices.Compact(targets)
	at := make(map[int32]int, len(targets))
	for k, t := range targets {
		at[t] = k
		l.Targets, l.Steps = append(l.Targets, w.of[t]), append(l.Steps, w.links.Step(int(t)))
	}
	for _, source := range sources {
		var of []int
		var weights []byte
		own := by.Targets(nil, []int32{source})
		slices.SortFunc(own, byNumber)
		for _, t := range own {
			of, weights = append(of, at[t]), append(weights, w.links.Steps(int(t), int(source)))
		}
		l.Of, l.Weights = append(l.Of, of), append(l.Weights, weights)
	}
	return l
}

// groups makes the groups and returns their centres.
func (w *writer) groups(ctx context.Context, x *chunks.Index, cells, guests [][]int) (all chunks.Centres, err error) {
	means, mean, first, numbers := w.points.means(cells), x.Stats.Mean, 0, upTo(len(cells))
	all.Rows = gaussian.NewTable(len(x.Cells), w.model.Items.Dim())
	for g, n := range x.Cells {
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		group := &chunks.Group{Cells: chunks.Centres{Rows: gaussian.NewTable(n, w.model.Items.Dim())}}
		for c := range n {
			of := cells[first+c]
			group.Cells.Variance = append(group.Cells.Variance, w.points.centre(group.Cells.Rows.Row(c), of, mean))
			group.Items = append(group.Items, len(of)+len(guests[first+c]))
			group.Known = append(group.Known, w.known(of))
		}
		all.Variance = append(all.Variance, means.centre(all.Rows.Row(g), numbers[first:first+n], mean))
		first += n
		if err := w.part(chunks.KindGroup, g, chunks.EncodeGroup(g, group, mean)); err != nil {
			return all, err
		}
	}
	return all, nil
}

// known returns the mean of ln(1 + count) over some items in steps of chunks.KnownStep, as a byte.
func (w *writer) known(items []int) byte {
	sum := 0.0
	for _, i := range items {
		sum += vec.Log(float64(1 + max(w.model.Catalogue.Items[i].Count, 0)))
	}
	return byte(min(sum/float64(len(items))/chunks.KnownStep+0.5, 255))
}

// centre writes the mean of some rows into row, as it is stored, and returns the mean squared distance from it.
func (p points) centre(row []float32, of []int, catalogue []float32) (variance float32) {
	mean := p.mean(of)
	copy(row, mean)
	chunks.CodeRow(mean, catalogue)
	sum := 0.0
	for _, i := range of {
		sum += float64(vec.SquaredDistance(p.row(i), mean))
	}
	return float32(sum / float64(len(of)))
}

// index encodes the index.
func (w *writer) index(x *chunks.Index, common []int) ([]byte, error) {
	file, items, err := w.file(common, true)
	if err != nil {
		return nil, err
	}
	x.Common = items
	index := x.Encode(file)
	if len(index) > chunks.MaxIndex {
		return nil, fmt.Errorf("the index has %d bytes, above the limit of %d: the texts of its columns are too long",
			len(index), chunks.MaxIndex)
	}
	return index, nil
}
