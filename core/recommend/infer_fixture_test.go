package recommend

import (
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/model"
)

const (
	fixtureDim      = 16
	fixtureClusters = 6
	fixtureEach     = 40
)

// clusters returns items in 6 clusters of 40, cluster c being items 40c to 40c+39, around centres of norm 0.8.
func clusters(seed uint64) (*gaussian.Table, []int) {
	r := rand.New(rand.NewPCG(seed, 1))
	items := gaussian.NewTable(fixtureClusters*fixtureEach, fixtureDim)
	counts := make([]int, items.Len())
	for c := range fixtureClusters {
		center := make([]float32, fixtureDim)
		for d := range center {
			center[d] = float32(r.NormFloat64())
		}
		gaussian.ScaleInto(center, 0.8)
		for k := range fixtureEach {
			i := c*fixtureEach + k
			for d := range center {
				items.Mean(i)[d] = center[d] + float32(0.05*r.NormFloat64())
				items.Stddev(i)[d] = float32(0.1 + 0.02*r.Float64())
			}
			gaussian.Bound(items.Row(i), 1)
			counts[i] = 5 + r.IntN(100)
		}
	}
	return items, counts
}

// settings holds one case for each kind of model.
func settings(t testing.TB) map[string]InferenceSettings {
	t.Helper()
	items, counts := clusters(1)
	soft := gaussian.Loss{Kind: gaussian.Softmax, Temperature: 0.5}
	hinge := gaussian.Loss{Kind: gaussian.Hinge, Margin: 1}
	base := InferenceSettings{Items: items, Counts: counts, Radius: 1}
	with := func(l gaussian.Loss, c gaussian.Composition, n *margin.Network) InferenceSettings {
		s := base
		s.Loss, s.Composition, s.Margins = l, c, n
		return s
	}
	out := map[string]InferenceSettings{
		"composed":       with(soft, gaussian.Composition{Weight: 1}, nil),
		"composed twice": with(soft, gaussian.Composition{Weight: 2}, nil),
		"prior":          with(soft, gaussian.Composition{Weight: 2, Prior: 1.5}, nil),
		"softmax table":  with(soft, gaussian.Composition{Free: true}, nil),
		"hinge table":    with(hinge, gaussian.Composition{Free: true}, nil),
		"both":           with(soft, gaussian.Composition{Free: true, Weight: 2}, nil),
		"both hinge":     with(hinge, gaussian.Composition{Free: true, Weight: 1}, nil),
	}
	for _, in := range []margin.Input{margin.Difference, margin.Cat, margin.Add} {
		net := margin.NewNetwork(in, fixtureDim, 12, rand.New(rand.NewPCG(3, 3)))
		out["adaptive "+in.String()] = with(hinge, gaussian.Composition{Free: true}, net)
	}
	for _, name := range []string{"composed", "composed twice", "prior", "softmax table", "both"} {
		s := out[name]
		s.Posterior = &model.Posterior{Within: within(), Strength: 4}
		out[name+", calibrated"] = s
	}
	return out
}

// within is a covariance of likes across clusters, as for one person's likes: 0.05·I + 0.02·vvᵀ.
func within() (w []float32) {
	for d := range fixtureDim {
		for e := range d + 1 {
			v := 0.02 * float32(1-2*(d%2)) * float32(1-2*(e%2))
			if d == e {
				v += 0.05
			}
			w = append(w, v)
		}
	}
	return w
}

func inferrer(t testing.TB, s InferenceSettings) *Inferrer {
	t.Helper()
	f, err := NewInferrer(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// distanceTo returns the mean W2² from the row to the items of cluster c.
func distanceTo(items *gaussian.Table, row []float32, c int) float64 {
	sum := 0.0
	for k := range fixtureEach {
		sum += float64(gaussian.W2Squared(row, items.Row(c*fixtureEach+k)))
	}
	return sum / fixtureEach
}
