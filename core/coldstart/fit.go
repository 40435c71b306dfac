package coldstart

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	wellKnown   = 10 // κ: an item with κ likes has half the weight of one with very many
	leastWarm   = 20 // least number of items to learn a map from
	maxVisitors = 64
)

// Map predicts an item's part of the model file from its features.
type Map struct {
	model    *model.Model
	features *features
	warm     []int     // items of the model, ascending
	fit      *fit      // to [μ; s] and the logit of the chance for a typical visitor, 0 if the model states no chances
	residual []float64 // for each of these: mean square leave-one-out error over warm items
	variance []float64 // of each: the variance among the warm items

	nobody   []float32 // 2h: the row of the neutral visitor
	visitors []visitor // visitors whose rankings give the place of an item
	rate     float64   // mean logit of a like's item
	// mean leave-one-out error of the chance's logit over likes: popular items are liked more than their features
	// predict
	level float64
}

// Fit learns the map from the warm items of m. about describes warm items too; for those that it does not mention, the
// model's own catalogue does. It returns an error if the number of vectors is wrong, if there are too few warm items,
// if no warm item has a vector, if m cannot recommend, if the features are not usable numbers, or if ctx ends. O(Σ
// nnz_i² + strengths·(f³ + Σ nnz_i²) + I·f·h).
func Fit(ctx context.Context, m *model.Model, about Items, workers int) (*Map, error) {
	if err := about.check(); err != nil {
		return nil, err
	}
	inferrer, err := recommend.NewInferrer(recommend.InferenceSettingsOf(m))
	if err != nil {
		return nil, err
	}
	p := &Map{model: m, nobody: inferrer.Prior()}
	at := make(map[string]int, about.Len())
	for i := range about.Items {
		at[about.Items[i].ID] = i
	}
	var known []described
	for i := range m.Catalogue.Items {
		d := described{Item: &m.Catalogue.Items[i], columns: m.Catalogue.Columns}
		if d.Count == 0 {
			continue
		}
		if k, ok := at[d.ID]; ok {
			d = about.item(k)
		}
		p.warm, known = append(p.warm, i), append(known, d)
	}
	if len(p.warm) < leastWarm {
		return nil, fmt.Errorf("the model has %d items with likes; placing items without ratings "+
			"needs at least %d", len(p.warm), leastWarm)
	}
	p.features = newFeatures(known)
	if about.Vectors != nil && p.features.dim == 0 {
		return nil, errors.New("no warm item has a non-zero vector, so nothing can be learned from the vectors; " +
			"add vectors of the model's own items, with a catalogue that describes them")
	}
	rows, weights := make([]row, len(known)), make([]float64, len(known))
	for k := range known {
		rows[k] = p.features.row(&known[k])
		n := float64(m.Catalogue.Items[p.warm[k]].Count)
		weights[k] = n / (n + wellKnown)
	}
	p.makeVisitors(inferrer)
	targets, width := p.targets()
	s := newSystem(rows, weights, p.features.count)
	var errs []float64
	if p.fit, errs, err = s.choose(ctx, targets, width, len(p.nobody), workers); err != nil {
		return nil, err
	}
	p.residual, p.variance = make([]float64, width), make([]float64, width)
	likes := 0.0
	for k, w := range weights {
		for j := range width {
			e, v := errs[k*width+j], targets[k*width+j]-p.fit.mean[j]
			p.residual[j] += w * e * e / s.total
			p.variance[j] += w * v * v / s.total
		}
		n := float64(m.Catalogue.Items[p.warm[k]].Count)
		p.level += n * errs[k*width+width-1]
		likes += n
	}
	p.level /= likes
	return p, nil
}

// visitor likes one item and the items that it is linked to.
type visitor struct {
	row       []float32
	distances []float64 // W2² from the row to the warm items, ascending
}

// makeVisitors makes visitors from warm items, evenly spaced over all.
func (p *Map) makeVisitors(f *recommend.Inferrer) {
	n := min(maxVisitors, len(p.warm))
	for v := range n {
		i := p.warm[v*len(p.warm)/n]
		e := recommend.Evidence{Likes: []int{i}}
		if l := p.model.ItemItem; l != nil {
			sources, _ := l.Row(i)
			for _, j := range sources {
				e.Likes = append(e.Likes, int(j))
			}
		}
		x := visitor{row: f.Infer(e, nil).Row}
		for _, i := range p.warm {
			x.distances = append(x.distances, recommend.W2Squared(x.row, p.model.Items.Row(i)))
		}
		slices.Sort(x.distances)
		p.visitors = append(p.visitors, x)
	}
}

// nearer returns how many warm items are nearer to a visitor than the row: the mean over visitors on the logarithmic
// scale that the chances use (model.LikeFeatures).
func (p *Map) nearer(row []float32) int {
	sum := 0.0
	for _, v := range p.visitors {
		n, _ := slices.BinarySearch(v.distances, recommend.W2Squared(v.row, row))
		sum += math.Log(10 + float64(n))
	}
	return int(math.Round(math.Exp(sum/float64(len(p.visitors))) - 10))
}

// targets returns the regression's targets by warm item, and sets rate.
func (p *Map) targets() (targets []float64, width int) {
	m, likes := p.model, 0.0
	if l := p.likeRegression(); l != nil {
		for _, i := range p.warm {
			count := float64(m.Catalogue.Items[i].Count)
			p.rate += float64(l.Rates[i]) * count
			likes += count
		}
		p.rate /= likes
	}
	for _, i := range p.warm {
		row := m.Items.Row(i)
		for _, v := range row {
			targets = append(targets, float64(v))
		}
		chance := 0.0
		if l := p.likeRegression(); l != nil {
			chance = p.chance(float64(l.Rates[i]), m.Catalogue.Items[i].Count, p.nearer(row))
		}
		targets = append(targets, chance)
	}
	return targets, len(p.nobody) + 1
}

// likeRegression returns the regression that states chances, or nil.
func (p *Map) likeRegression() *model.LikeRegression {
	if p.model.Calibration == nil {
		return nil
	}
	return p.model.Calibration.Like
}

// Explained returns the share of the variance of the warm items' rows that the map explains, leaving out one item at a
// time: 0 is as good as predicting the mean, and a negative value is worse.
func (p *Map) Explained() float64 {
	left, all := 0.0, 0.0
	for d := range p.nobody {
		left, all = left+p.residual[d], all+p.variance[d]
	}
	if all == 0 {
		return 0
	}
	return 1 - left/all
}

// Stddev returns the error of a new item's mean as one standard deviation for each of h dimensions.
func (p *Map) Stddev() []float64 {
	out := make([]float64, p.model.Items.Dim())
	for d := range out {
		out[d] = math.Sqrt(p.residual[d])
	}
	return out
}
