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

// Options are what a recommender can be opened with. The zero value is fine.
type Options struct {
	Scan     Scan            // the kernel that scans; nil: the processor's own
	ScanName string          // its name, for people; "": what Scan nil is called, or "custom"
	Stats    *CatalogueStats // the catalogue that the model's items are a part of; nil: they are all of it
}

// Recommender answers everything that Engine asks. It is safe for concurrent use.
type Recommender struct {
	*titles // what the catalogue alone tells

	model     *model.Model
	items     *gaussian.Table
	whole     int        // items of the catalogue that these are a part of; I where they are all of it
	layout    *model.Map // where the items lie
	scan      string
	kernel    Scan
	index     *Index
	infer     *Inferrer
	links     *model.LinksBySource  // nil: the model has no item-item part
	average   []float32             // 2h: the row of a visitor who has said nothing
	plainMean []float32             // 2h: the mean of all items' rows, each counted once
	tau       float64               // unit of the reasons' shares, in W2²
	spreads   itemSpreads           // how well the items' means are known
	like      *model.LikeRegression // nil: the model does not say how likely somebody likes what they rate
	pool      *sync.Pool            // of *work
	rules     rules                 // of the owner

	starters func() *starters // well-known items in the order of offering; made at the first call
}

var _ Engine = (*Recommender)(nil)

// work is the working memory of one question.
type work struct {
	distances []float32 // I: W2² from the visitor
	bonus     []float32 // I: what the likes and dislikes add to the score by item-item weights; nil: nothing
	costs     []float32 // I: distances less bonus; the distances themselves where there is none
	sorted    []float32 // I: for quantiles
	row       []float32 // 2h
	keep      ItemSet
	hits      []Hit
	limits    []float32
	farther   []int
	rows      []float32 // of the items that take part in draws
	among     []int32   // those items
	own       []float32 // I: bonus of one draw
	ranking   []float32 // I: bonus and boosts
	block     []float32 // of several items or draws: distances, bonuses, rows

	linked         []float32 // I: what links add, as long as bonus is there
	summed, costed []float32 // I: memory of bonus and costs
	history        []int32   // likes or dislikes
	shares         []float32 // by like
}

// Open builds a recommender on a model, which must not change afterwards. It returns an error where the model's parts
// do not fit one another, so that no later question can fail. The search's vocabulary is built at the first Search (an
// empty query does), the starters' order at the first Starters. O(I·h).
func Open(m *model.Model, o Options) (*Recommender, error) {
	if m == nil || m.Items == nil || m.Catalogue == nil {
		return nil, fmt.Errorf("the model has no items or no catalogue, so there is nothing to recommend")
	}
	n, h := m.Items.Len(), m.Items.Dim()
	if m.Catalogue.Len() != n {
		return nil, fmt.Errorf("the model's catalogue describes %d items, but it has the Gaussians of %d",
			m.Catalogue.Len(), n)
	}
	if p := m.Map; p != nil && (len(p.X) != n || len(p.Y) != n) {
		return nil, fmt.Errorf("the map has positions for %d and %d items, but there are %d", len(p.X), len(p.Y), n)
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
		return nil, fmt.Errorf("the model cannot tell a visitor's taste: %w", err)
	}
	yield.Now()
	if m.ItemItem != nil {
		if err := m.ItemItem.Check(n); err != nil {
			return nil, fmt.Errorf("the model's item-item part cannot be used: %w", err)
		}
		yield.Now()
		r.links = m.ItemItem.BySource()
		yield.Now()
	}
	if c := m.Calibration; c != nil && c.Like != nil {
		if err := c.Like.Check(n); err != nil {
			return nil, fmt.Errorf("the model cannot tell how likely somebody likes a title: %w", err)
		}
		r.like = c.Like
	}
	r.index = NewIndex(m.Items, o.Scan)
	r.average = r.infer.Prior()
	r.plainMean = plainMean(m.Items, o.Stats)
	r.tau = lossUnit(m.Objective.Loss)
	r.titles = newTitles(m.Catalogue, r.layout, o.Stats)
	yield.Now()
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

// itemSpreads says how well the items' means are known. That depends on their counts alone, so there are far fewer rows
// than items.
type itemSpreads struct {
	dim      int
	rows     []float32 // a row of h for each count that occurs: standard deviations
	row      []int32   // I: each item's
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

// of returns how well item i's mean is known, per dimension: h standard deviations, to be read only.
func (s *itemSpreads) of(i int) []float32 {
	at := int(s.row[i]) * s.dim
	return s.rows[at : at+s.dim : at+s.dim]
}

// costStddev returns the standard deviation that the uncertainty of item i's mean gives to the cost at W2² = distance.
// One draw for the item stands for those of its h dimensions, each of which has its share of the variance.
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

// sorted returns a sorted copy: sums over the likes must not depend on their order.
func sorted(x []int) []int {
	out := slices.Clone(x)
	slices.Sort(out)
	return out
}

// InferenceSettingsOf returns what a visitor of the model is inferred by.
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

// lossUnit returns τ of Reasons: the temperature of a softmax, the margin of a hinge. Both are the difference of W2²
// that the model was trained to take seriously.
func lossUnit(l gaussian.Loss) float64 {
	if l.Kind == gaussian.Softmax {
		return float64(l.Temperature)
	}
	if l.Margin > 0 {
		return float64(l.Margin)
	}
	return 1
}

// price fills in W2² from the row to every item, what the visitor's likes and dislikes add to the score, and the costs.
// O(I·h + links of what was said).
func (r *Recommender) price(w *work, row []float32, v Visit) {
	r.index.Distances(w.distances, row)
	r.addBonus(w, v)
}

// About tells what is known of the model.
func (r *Recommender) About() About {
	p := &r.model.Provenance
	metrics := make(map[string]float64, len(p.Metrics))
	for k, v := range p.Metrics {
		metrics[k] = v
	}
	return About{
		Dataset: p.Dataset, Users: p.Users, Items: r.whole, Positives: p.Interactions,
		Program: p.Program, Preset: p.Preset, Metrics: metrics, Reliability: r.reliability(),
		Licence: p.Licence, Attribution: p.Attribution, Digest: r.model.Digest, Scan: r.scan,
	}
}
