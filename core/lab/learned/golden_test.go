package learned

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// Losses, gradients and scores agree with another framework's automatic differentiation (testdata/golden.py).
func TestGolden(t *testing.T) {
	b, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Items int
		Train [][]int32
		Cases []struct {
			Method  string
			Dim     int
			Own     map[string]float64
			Samples []struct {
				User, Positive int32
				Negatives      []int32
			}
			Params, Gradients map[string][][]float64
			Loss              float64
			Scores            []float64
		}
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	var pairs []dataset.Pair
	for u, row := range golden.Train {
		for _, i := range row {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	train := dataset.NewMatrix(len(golden.Train), golden.Items, pairs)
	near := func(got, want float64) bool { return math.Abs(got-want) <= 2e-5*(1+math.Abs(want)) }
	checked := map[string]bool{}
	for _, c := range golden.Cases {
		checked[c.Method] = true
		s := Defaults(c.Method)
		s.Dim, s.Own = c.Dim, c.Own
		trainer, err := NewTrainer(train, s, 2)
		if err != nil {
			t.Fatal(err)
		}
		params := trainer.model.Params()
		if len(params) != len(c.Params) {
			t.Errorf("%s has %d parameters, not %d", c.Method, len(params), len(c.Params))
		}
		for _, p := range params {
			for r, row := range c.Params[p.Name] {
				for e, x := range row {
					p.Row(int32(r))[e] = float32(x)
				}
			}
		}
		var samples []Sample
		for k, x := range c.Samples {
			samples = append(samples, Sample{User: x.User, Positive: x.Positive, Negatives: x.Negatives, Place: k})
		}
		loss, gradients := differentiate(trainer, samples)
		if !near(loss, c.Loss) {
			t.Errorf("%s: the loss is %v, not %v", c.Method, loss, c.Loss)
		}
		for _, p := range params {
			want := c.Gradients[p.Name]
			if len(want) != p.Rows || len(want[0]) != p.Cols {
				t.Fatalf("%s: %s is %d×%d", c.Method, p.Name, p.Rows, p.Cols)
			}
			for k, got := range gradients[p] {
				if x := want[k/p.Cols][k%p.Cols]; !near(got, x) {
					t.Errorf("%s: ∂L/∂%s[%d] is %v, not %v", c.Method, p.Name, k, got, x)
				}
			}
		}
		scores := make([]float32, golden.Items)
		trainer.model.Scorer(2).Score(0, scores)
		for i, x := range c.Scores {
			if !near(float64(scores[i]), x) {
				t.Errorf("%s: the score of item %d is %v, not %v", c.Method, i, scores[i], x)
			}
		}
	}
	for _, m := range Methods() {
		if !checked[m.Name] {
			t.Errorf("%s has no golden vectors", m.Name)
		}
	}
}
