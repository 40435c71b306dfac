package recommend

import (
	"fmt"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/yield"
)

// Options configure a recommender. The zero value takes the defaults.
type Options struct {
	Scan     Scan            // the kernel that scans; nil: the processor's own
	ScanName string          // its name, for people; "": the default for Scan, or "custom"
	Stats    *CatalogueStats // the whole catalogue, if the model's items are a part of it; nil: they are all
}

// Recommender implements Engine. It is safe for concurrent use.
type Recommender struct {
	*titles // answers from the catalogue alone

	model     *model.Model
	items     *gaussian.Table
	whole     int        // items of the whole catalogue; I unless these are a part
	layout    *model.Map // places of the items
	scan      string
	kernel    Scan
	index     *Index
	infer     *Inferrer
	links     *model.LinksBySource  // nil: the model has no item-item links
	next      *model.LinksBySource  // nil: the model does not know the order of likes
	average   []float32             // 2h: the row of the neutral visitor
	plainMean []float32             // 2h: the mean of all items' rows, each counted once
	tau       float64               // unit of the reasons' shares, in W2²
	spreads   itemSpreads           // uncertainty of the items' means
	rare      []float32             // I: newRare
	like      *model.LikeRegression // nil: the model states no chances of liking
	pool      *sync.Pool            // of *work
	rules     rules                 // of the owner
	near      *fromNearby           // of WithNearby; nil: all items are scanned

	starters func() *starters // well-known items in the order of offering; made at the first call
}

var _ Engine = (*Recommender)(nil)

// work is the scratch space of one question.
type work struct {
	distances []float32 // I: W2² from the visitor
	bonus     []float32 // I: bonuses from the visit's likes and dislikes; nil: none
	niche     float64   // evidence of a niche taste
	costs     []float32 // I: distances minus bonus; the same slice as distances without a bonus
	sorted    []float32 // I: for quantiles
	row       []float32 // 2h
	keep      ItemSet
	hits      []Hit
	limits    []float32
	farther   []int
	rows      []float32 // of the items that take part in draws
	among     []int32   // those items
	own       []float32 // I: bonus of one draw
	shared    []float32 // I: for likeness
	ranking   []float32 // I: bonus plus boosts
	block     []float32 // for several items or draws: distances, bonuses, rows

	linked         []float32 // I: the links' part of bonus
	summed, costed []float32 // I: storage of bonus and costs
	history        []int32   // likes or dislikes
	shares         []float32 // by like
	sampled        int       // the number of last items that are a sample of others
	of             []int32   // of a part: the whole's items
	each           float64   // the number of items that each of these stands for
}

// Open builds a recommender on a model, which must not change afterwards. It returns an error if the model's parts do
// not match, so no later question can fail. The search index is built at the first Search (even with an empty query),
// and the starters at the first Starters. O(I·h).
func Open(m *model.Model, o Options) (*Recommender, error) {
	if m == nil || m.Items == nil || m.Catalogue == nil {
		return nil, fmt.Errorf("the model has no items or no catalogue")
	}
	n, h := m.Items.Len(), m.Items.Dim()
	if m.Catalogue.Len() != n {
		return nil, fmt.Errorf("the model's catalogue describes %d items, but it has %d Gaussians",
			m.Catalogue.Len(), n)
	}
	if p := m.Map; p != nil && (len(p.X) != n || len(p.Y) != n) {
		return nil, fmt.Errorf("the map has %d x and %d y for %d items", len(p.X), len(p.Y), n)
	}
	if o.Stats != nil {
		if err := o.Stats.check(n, h); err != nil {
			return nil, err
		}
	}
	r := &Recommender{model: m, items: m.Items, whole: n, layout: m.Layout(), scan: o.ScanName, kernel: o.Scan}
	if o.Stats != nil {
		r.whole = o.Stats.Items
	}
	if r.scan == "" {
		r.scan = "custom"
		if o.Scan == nil {
			r.scan = vec.Kernel()
		}
	}
	yield.Now()
	var err error
	inference := InferenceSettingsOf(m)
	inference.Stats = o.Stats
	if r.infer, err = NewInferrer(inference); err != nil {
		return nil, fmt.Errorf("the model cannot infer a visitor's taste: %w", err)
	}
	yield.Now()
	if m.ItemItem != nil {
		if err := m.ItemItem.Check(n); err != nil {
			return nil, fmt.Errorf("the model's item-item links are invalid: %w", err)
		}
		yield.Now()
		r.links = m.ItemItem.BySource()
		yield.Now()
	}
	if m.Next != nil {
		if err := m.Next.Check(n); err != nil {
			return nil, fmt.Errorf("the model's links in order are invalid: %w", err)
		}
		r.next = m.Next.BySource()
		yield.Now()
	}
	if c := m.Calibration; c != nil && c.Like != nil {
		if err := c.Like.Check(n); err != nil {
			return nil, fmt.Errorf("the model's chances of liking are invalid: %w", err)
		}
		r.like = c.Like
	}
	r.index = NewIndex(m.Items, o.Scan)
	r.average = r.infer.Prior()
	r.plainMean = plainMean(m.Items, o.Stats)
	r.tau = lossUnit(m.Objective.Loss)
	r.titles = newTitles(m.Catalogue, r.layout, o.Stats)
	yield.Now()
	r.rare = r.newRare()
	r.spreads = newItemSpreads(r.infer, n, h)
	r.pool = &sync.Pool{New: func() any {
		return &work{
			distances: make([]float32, n), sorted: make([]float32, n),
			row: make([]float32, 2*h), keep: NewItemSet(n),
		}
	}}
	r.starters = r.newStarters()
	return r, nil
}

// itemSpreads holds the uncertainty of the items' means. It depends only on counts, so there are far fewer rows than
// items.
type itemSpreads struct {
	dim      int
	rows     []float32 // a row of h for each distinct count: standard deviations
	row      []int32   // I: index of each item's row
	variance []float32 // I: Σ of the row's squares
}

// newItemSpreads returns the spreads of n items of dimension h. O(I + different counts·h).
func newItemSpreads(f *Inferrer, n, h int) itemSpreads {
	s := itemSpreads{dim: h, row: make([]int32, n), variance: make([]float32, n)}
	rows := map[int]int32{}
	var sums []float32
	for i := range n {
		yieldAfter(i)
		count := max(f.s.Counts[i], 0)
		row, ok := rows[count]
		if !ok {
			row = int32(len(sums))
			rows[count] = row
			s.rows = append(s.rows, make([]float32, h)...)
			f.ItemSpread(s.rows[int(row)*h:], i)
			sums = append(sums, float32(sumOfSquares(s.rows[int(row)*h:])))
		}
		s.row[i], s.variance[i] = row, sums[row]
	}
	return s
}

// of returns the standard deviations of our knowledge of item i's mean, h of them, read only.
func (s *itemSpreads) of(i int) []float32 {
	at := int(s.row[i]) * s.dim
	return s.rows[at : at+s.dim : at+s.dim]
}

// costStddev returns the standard deviation of the cost at W2² = distance that comes from the uncertainty of item i's
// mean. One draw for the item replaces draws in its h dimensions, which share the variance.
func (s *itemSpreads) costStddev(distance float32, i int) float32 {
	return distanceStddev(distance, s.variance[i], s.dim)
}

func sumOfSquares(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(float64(v) * float64(v))
	}
	return sum
}

// yieldAfter yields the thread after every few hundred items.
func yieldAfter(item int) {
	if item&511 == 511 {
		yield.Now()
	}
}

// sorted returns a sorted copy, so that sums over likes do not depend on their order.
func sorted(x []int) []int {
	out := slices.Clone(x)
	slices.Sort(out)
	return out
}

// InferenceSettingsOf returns the settings for inferring visitors of the model.
func InferenceSettingsOf(m *model.Model) InferenceSettings {
	s := InferenceSettings{
		Items: m.Items, Counts: make([]int, m.Catalogue.Len()),
		Loss: m.Objective.Loss, Composition: m.Objective.Composition, Radius: m.Objective.Radius,
		Margins: m.Margins.UserItem,
	}
	for i := range s.Counts {
		s.Counts[i] = m.Catalogue.Items[i].Count
	}
	if m.Calibration != nil {
		s.Posterior = &m.Calibration.Posterior
	}
	return s
}

// lossUnit returns τ of Reasons: the temperature of a softmax, or the margin of a hinge. Both are the difference in W2²
// that matters to the training.
func lossUnit(l gaussian.Loss) float64 {
	if l.Kind == gaussian.Softmax {
		return float64(l.Temperature)
	}
	if l.Margin > 0 {
		return float64(l.Margin)
	}
	return 1
}

// price computes W2² from the row to every item, the bonuses for the visitor, and the costs. O(I·h + links of the
// visit).
func (r *Recommender) price(w *work, row []float32, v Visit) {
	r.index.Distances(w.distances, row)
	r.addBonus(w, v, len(v.Likes), r.niche(v.Likes))
}

// Again reports whether people choose items again: the default of Visit.Again.
func (r *Recommender) Again() bool { return r.model.Again }

func (r *Recommender) About() About {
	p := &r.model.Provenance
	metrics := make(map[string]float64, len(p.Metrics))
	for k, v := range p.Metrics {
		metrics[k] = v
	}
	return About{
		Dataset: p.Dataset, Users: p.Users, Items: r.whole, Positives: p.Interactions,
		Program: p.Program, Preset: p.Preset, Metrics: metrics, Reliability: r.reliability(), Order: r.next != nil,
		Again:   r.model.Again,
		Licence: p.Licence, Attribution: p.Attribution, Digest: r.model.Digest, Scan: r.scan,
	}
}
