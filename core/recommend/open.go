package recommend

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/yield"
)

// Options are what a recommender can be opened with. The zero value is fine.
type Options struct {
	Scan     Scan   // the kernel that scans; nil: the processor's own
	ScanName string // its name, for people; "": what Scan nil is called, or "custom"
}

// Recommender answers everything that Engine asks. It is safe for concurrent use.
type Recommender struct {
	model  *model.Model
	items  *gaussian.Table
	cat    *catalogue.Catalogue
	plane  model.Plane
	scan   string
	kernel Scan
	index  *Ranker
	infer  *Inferrer
	links  *model.LinkIndex // nil: the model has no item-item part

	genres   []string                // most frequent first
	byGenre  map[string]ItemSet      // items of each genre
	gems     ItemSet                 // the little known half
	starters func() []int            // well-known items in the order they are offered; made at the first call
	search   func() *catalogue.Index // made at the first call
	crowd    []float32               // 2h: the row of a visitor who has said nothing
	tau      float64                 // unit of the reasons' shares, in W2²
	spreads  []float32               // how well the items' means are known: a row of h for each count that occurs
	spreadOf []int32                 // I: its row
	known    func() []int            // all items, the best known first; made at the first call
	like     *model.LikeModel        // nil: the model does not say how likely somebody likes what they rate
	unsure   []float32               // I: variance of what we know of each item's mean, all dimensions together
	pool     sync.Pool               // of *work
}

var _ Engine = (*Recommender)(nil)

// work is the working memory of one Recommend.
type work struct {
	distances []float32 // I: W2² from the visitor
	bonus     []float32 // I: what the likes and dislikes speak for directly; nil: nothing
	costs     []float32 // I: distances less bonus; the distances themselves where there is none
	sorted    []float32 // I: for quantiles
	row       []float32 // 2h
	keep      ItemSet
	hits      []Hit
	chosen    []Hit
	limits    []float32
	farther   []int
	rows      []float32 // of the titles that draws are about
	among     []int32   // those titles
	own       []float32 // their share of a bonus
	top       TopK

	linked, costed []float32 // I: memory of bonus and costs
	history        []int32   // the likes, then the dislikes
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
		return nil, fmt.Errorf("the model's catalogue describes %d items, but it has the Gaussians of %d", m.Catalogue.Len(), n)
	}
	// A plane is whole or not there at all.
	for _, x := range [][]float32{m.Plane.Origin, m.Plane.Axes[0], m.Plane.Axes[1]} {
		if len(x) != len(m.Plane.Origin) || len(x) != 0 && len(x) != h {
			return nil, fmt.Errorf("the map's plane has vectors of %d values, but the items have %d dimensions", len(x), h)
		}
	}
	r := &Recommender{model: m, items: m.Items, cat: m.Catalogue, plane: m.Plane, scan: o.ScanName}
	if r.scan == "" {
		r.scan = "custom"
		if o.Scan == nil {
			r.scan = vec.Kernel()
		}
	}
	inference := Inference(m)
	yield.Now()
	var err error
	if r.infer, err = NewInferrer(inference); err != nil {
		return nil, fmt.Errorf("the model cannot tell a visitor's taste: %w", err)
	}
	yield.Now()
	if m.ItemItem != nil {
		if err := m.ItemItem.Check(n); err != nil {
			return nil, fmt.Errorf("the model's titles cannot speak for each other: %w", err)
		}
		yield.Now()
		r.links = model.NewLinkIndex(m.ItemItem)
		yield.Now()
	}
	if c := m.Calibration; c != nil && c.Like != nil {
		if err := c.Like.Check(n); err != nil {
			return nil, fmt.Errorf("the model cannot tell how likely somebody likes a title: %w", err)
		}
		r.like = c.Like
	}
	r.kernel, r.index = o.Scan, NewRanker(m.Items, o.Scan)
	r.crowd = r.infer.Prior()
	r.tau = reasonUnit(m.Objective.Loss)
	r.byGenre = map[string]ItemSet{}
	for i := range n {
		yieldAfter(i)
		for _, g := range m.Catalogue.Items[i].Genres {
			if g == "" {
				continue
			}
			of := r.byGenre[g]
			if of == nil {
				of = NewItemSet(n)
				r.byGenre[g] = of
				r.genres = append(r.genres, g)
			}
			of.Add(i)
		}
	}
	slices.SortFunc(r.genres, func(a, b string) int {
		if d := r.byGenre[b].Len() - r.byGenre[a].Len(); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	yield.Now()
	r.gems = littleKnown(inference.Counts)
	// These two take longer than everything else here, and a returning visitor's first list needs neither.
	r.search = sync.OnceValue(func() *catalogue.Index { return catalogue.NewIndex(titles(m.Catalogue)) })
	r.starters = sync.OnceValue(func() []int { return starters(m.Catalogue, r.genres) })
	r.known = sync.OnceValue(r.byCount)
	r.knowItems()
	r.pool.New = func() any {
		return &work{
			distances: make([]float32, n), sorted: make([]float32, n),
			row: make([]float32, 2*h), keep: NewItemSet(n),
		}
	}
	return r, nil
}

// knowItems works out how well the items' means are known, which depends on their counts alone, so that there are far fewer
// rows than items.
func (r *Recommender) knowItems() {
	n, h := r.Len(), r.items.Dim()
	rows := map[int]int32{}
	r.spreadOf, r.unsure = make([]int32, n), make([]float32, n)
	var traces []float32
	for i := range n {
		yieldAfter(i)
		count := max(r.cat.Items[i].Count, 0)
		row, ok := rows[count]
		if !ok {
			row = int32(len(traces))
			rows[count] = row
			r.spreads = append(r.spreads, make([]float32, h)...)
			r.infer.ItemSpread(r.spreads[int(row)*h:], i)
			traces = append(traces, float32(trace(r.spreads[int(row)*h:])))
		}
		r.spreadOf[i], r.unsure[i] = row, traces[row]
	}
}

// yieldAfter yields the thread after every few hundred items.
func yieldAfter(item int) {
	if item&511 == 511 {
		yield.Now()
	}
}

// Inference returns what a visitor is inferred by.
func Inference(m *model.Model) InferenceSettings {
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

// reasonUnit returns τ of recommend.Reasons: the temperature of a softmax, the margin of a hinge, which are both the
// difference of W2² that the model was trained to take seriously.
func reasonUnit(l gaussian.Loss) float64 {
	if l.Kind == gaussian.Softmax {
		return float64(l.Temperature)
	}
	if l.Margin > 0 {
		return float64(l.Margin)
	}
	return 1
}

// littleKnown returns the items with at most the median count.
func littleKnown(counts []int) ItemSet {
	sorted := slices.Clone(counts)
	slices.Sort(sorted)
	s := NewItemSet(len(counts))
	for i, c := range counts {
		if c <= sorted[(len(sorted)-1)/2] {
			s.Add(i)
		}
	}
	return s
}

// About tells what is known of the model.
func (r *Recommender) About() About {
	p := &r.model.Provenance
	metrics := make(map[string]float64, len(p.Metrics))
	for k, v := range p.Metrics {
		metrics[k] = v
	}
	return About{
		Dataset: p.Dataset, Users: p.Users, Items: r.Len(), Positives: p.Interactions,
		Program: p.Program, Preset: p.Preset, Metrics: metrics, Reliability: r.reliability(),
		Licence: p.Licence, Attribution: p.Attribution, Digest: r.model.Digest, Scan: r.scan,
	}
}

// Len returns I, the number of items.
func (r *Recommender) Len() int { return r.items.Len() }

// Item returns what the catalogue says of item i. It must not be changed.
func (r *Recommender) Item(i int) *catalogue.Item { return &r.cat.Items[i] }

// Columns returns the names of the catalogue's further columns, to which Item(i).Values belong. It must not be changed.
func (r *Recommender) Columns() []string { return r.cat.Columns }

// Genres returns all genres, the most frequent first, equally frequent ones by name. The slice must not be changed.
func (r *Recommender) Genres() []string { return r.genres }

// Shown returns the share of the items' variance that the plane shows, in [0,1].
func (r *Recommender) Shown() float64 { return r.plane.Shown() }

// Point returns where item i lies on the plane.
func (r *Recommender) Point(i int) (x, y float64) { return r.plane.Point(r.items.Mean(i)) }

// spread returns how well item i's mean is known, per dimension: h values inside the block.
func (r *Recommender) spread(i int) []float32 {
	h := r.items.Dim()
	at := int(r.spreadOf[i]) * h
	return r.spreads[at : at+h : at+h]
}

// ItemEllipses returns our knowledge of item i's mean on the plane, at Probabilities: small for what many like
// (recommend.Inferrer.ItemSpread says why it is not the item's trained s).
func (r *Recommender) ItemEllipses(i int) Ellipses { return r.ellipses(r.items.Mean(i), r.spread(i)) }

// TasteEllipses returns our knowledge of the visitor's mean on the plane, at Probabilities. Where the model is calibrated,
// they hold so many of the refits on random halves of the visitor's likes (model.Posterior).
func (r *Recommender) TasteEllipses(t *Taste) (out Ellipses) {
	x, y := r.plane.Point(t.Row[:r.items.Dim()])
	c, likes := r.covariance(t)
	for i, prob := range Probabilities {
		radius := model.EllipseRadius(prob)
		if likes > 0 {
			radius = r.model.Calibration.Posterior.Plane.Radius(prob, likes)
		}
		out[i] = c.Within(x, y, radius)
	}
	return out
}

// covariance returns the covariance of the visitor's mean on the plane, and the likes that a calibrated one rests on.
func (r *Recommender) covariance(t *Taste) (c model.Covariance, likes int) {
	if r.plane.Origin == nil || !t.Inferred() {
		return r.plane.Covariance(t.Spread), 0
	}
	c.XX, c.XY, c.YY, likes = r.infer.Covariance(t, r.plane.Axes[0], r.plane.Axes[1])
	return c, likes
}

func (r *Recommender) ellipses(mean, spread []float32) (out Ellipses) {
	x, y := r.plane.Point(mean)
	c := r.plane.Covariance(spread)
	for i, prob := range Probabilities {
		out[i] = c.Ellipse(x, y, prob)
	}
	return out
}
