package recommend

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

// InferenceSettings are the parts of a model that inference needs. They must not change while an Inferrer is in use.
type InferenceSettings struct {
	Items       *gaussian.Table      // I×2h, frozen
	Counts      []int                // I: interactions in training, the weights of the prior; nil: all equal
	Loss        gaussian.Loss        // the training's
	Composition gaussian.Composition // the training's
	Radius      float32              // of the ball of the means, > 0; +Inf: free
	Margins     *margin.Network      // the user-item network of an adaptive hinge; nil: the loss's fixed margin

	Posterior *model.Posterior // uncertainty of a visitor's mean; nil: not calibrated
	Stats     *CatalogueStats  // the whole catalogue, if the items are a part of it; nil: they are all
}

// Inferrer turns evidence into tastes. It is safe for concurrent use.
type Inferrer struct {
	s        InferenceSettings
	mean     []float32        // 2h: the catalogue's mean row, weighted by counts
	prior    []float32        // 2h: the row of the neutral visitor
	variance []float64        // h: prior variance v₀ of a liked item's mean, spread.go
	total    float64          // Σ v₀
	counted  bool             // some count is above 0, so items are weighted by counts
	sample   []int32          // fixed pseudo-random order of the items with weight, the source of negatives
	folded   *margin.Folded   // nil without a network
	within   func() []float32 // Cholesky factor of the covariance of one like, for Draw; made at the first call
	pool     sync.Pool        // of *fold
}

// sampleSeed fixes the negatives of every fold-in on every machine: the same evidence gives the same taste.
const sampleSeed = 0x9E3779B97F4A7C15

// NewInferrer prepares inference. It returns an error for invalid settings. O(I·h).
func NewInferrer(s InferenceSettings) (*Inferrer, error) {
	switch {
	case s.Items == nil || s.Items.Len() == 0:
		return nil, fmt.Errorf("a visitor cannot be inferred from a model without items")
	case s.Counts != nil && len(s.Counts) != s.Items.Len():
		return nil, fmt.Errorf("there are %d counts for %d items; want one for each", len(s.Counts), s.Items.Len())
	case !(s.Radius > 0):
		return nil, fmt.Errorf("the radius of the ball of the means is %v; it must be positive", s.Radius)
	case !(s.Composition.Weight >= 0):
		return nil, fmt.Errorf("the weight of the composed part is %v; it must be 0 or more", s.Composition.Weight)
	case !(s.Composition.Prior >= 0) || s.Composition.Prior > 0 && s.Composition.Free:
		return nil, fmt.Errorf("a prior of %v likes is invalid: it must be 0 or more, and 0 for users with a free part",
			s.Composition.Prior)
	case !s.Composition.Free && s.Composition.Weight == 0:
		return nil, fmt.Errorf("the model's users have neither a free part nor a composed one")
	case s.Stats != nil && s.Composition.Free:
		return nil, fmt.Errorf("users with a free part are fitted to all items, so the whole catalogue is needed")
	case s.Loss.Kind == gaussian.Softmax && !(s.Loss.Temperature > 0):
		return nil, fmt.Errorf("the temperature of the softmax is %v; it must be positive", s.Loss.Temperature)
	case s.Margins != nil && s.Margins.Dim() != s.Items.Dim():
		return nil, fmt.Errorf("the margin network has dimension %d, the items have %d",
			s.Margins.Dim(), s.Items.Dim())
	case s.Posterior != nil && len(s.Posterior.Within) != triangle(s.Items.Dim()):
		return nil, fmt.Errorf("the covariance within people has %d numbers; for dimension %d want %d",
			len(s.Posterior.Within), s.Items.Dim(), triangle(s.Items.Dim()))
	}
	f := &Inferrer{s: s}
	f.makePrior()
	r := rand.New(rand.NewPCG(sampleSeed, sampleSeed))
	f.sample = make([]int32, 0, s.Items.Len())
	for i := range s.Items.Len() {
		if f.weight(i) > 0 {
			f.sample = append(f.sample, int32(i))
		}
	}
	n := len(f.sample)
	// Only the first maxSample items of a shuffle are ever used.
	for i := range min(n-1, maxSample) {
		j := i + r.IntN(n-i)
		f.sample[i], f.sample[j] = f.sample[j], f.sample[i]
	}
	f.sample = f.sample[:min(n, maxSample):min(n, maxSample)]
	if s.Margins != nil && s.Loss.Kind == gaussian.Hinge && s.Composition.Free {
		f.folded = new(margin.Folded)
		s.Margins.Fold(f.folded)
	}
	f.within = sync.OnceValue(f.factor)
	f.pool.New = func() any { return new(fold) }
	return f, nil
}

// triangle returns the number of values in the lower triangle of a symmetric matrix with h rows.
func triangle(h int) int { return h * (h + 1) / 2 }

// Infer returns the taste for the evidence.
//
//   - Without evidence: the prior, which is the catalogue's mean weighted by counts, with the prior's spread.
//   - Users composed without a free part: θ = Π(w·mean of the liked rows and the prior's); nothing is fitted
//     (compose.go).
//   - Users with a free part: fold-in (fold_in.go), with dislikes as negatives of larger weight.
//
// The answer depends only on the set of evidence, not on its order or on earlier evidence. Therefore warm, an earlier
// taste or nil, is returned unchanged if it has the same evidence, and ignored otherwise. A descent that started from
// it would end in a slightly different place, so a visitor's list would depend on the order of their clicks, and change
// on a reload. Inferring afresh takes about a millisecond (see the benchmark).
//
// It panics with IndexError. O(n·h + h²) composed, O(steps·(n+Q)·(h+…)) folded.
func (f *Inferrer) Infer(e Evidence, warm *Taste) *Taste {
	e = e.canonical(f.s.Items.Len())
	if warm != nil && warm.Inferred() && warm.of.equal(e) && len(warm.Row) == len(f.prior) {
		return warm
	}
	t := f.infer(e)
	if f.s.Posterior == nil || len(e.Likes) == 0 {
		t.Spread = f.spread(e)
	} else {
		t.known, t.Spread = f.posterior(e, t.Row, t.scale)
	}
	return t
}

// Row returns the row of Infer's taste without computing its uncertainty. Same cost as Infer without O(h²).
func (f *Inferrer) Row(e Evidence) []float32 { return f.infer(e.canonical(f.s.Items.Len())).Row }

// infer returns the taste for canonical evidence, with only its row.
func (f *Inferrer) infer(e Evidence) *Taste {
	t := &Taste{Row: make([]float32, len(f.prior)), Evidence: len(e.Likes) + len(e.Dislikes), of: e}
	t.scale = 1
	switch {
	case len(e.Likes) == 0 && len(e.Dislikes) == 0:
		copy(t.Row, f.prior)
	case f.s.Composition.Free:
		t.scale = f.foldIn(t.Row, e)
	default:
		t.scale = f.compose(t.Row, e)
	}
	return t
}

// Prior returns a copy of the neutral visitor's row.
func (f *Inferrer) Prior() []float32 { return append([]float32(nil), f.prior...) }

// center writes the mean of the items' rows, weighted by the evidence, into dst (2h). len(items) ≥ 1. O(n·h).
func (f *Inferrer) center(dst []float32, items []int, e *Evidence) {
	clear(dst)
	total := 0.0
	for _, i := range items {
		w := e.weight(i)
		total += w
		vec.Axpy(float32(w), f.s.Items.Row(i), dst)
	}
	c := 1 / float32(total)
	for d := range dst {
		dst[d] *= c
	}
}
