package learned

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// random is a matrix in which every user has a few random items.
func random(users, items, n int) *dataset.Matrix {
	r := rand.New(rand.NewPCG(1, 1))
	var pairs []dataset.Pair
	for u := range users {
		for _, i := range r.Perm(items)[:n] {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
		}
	}
	return dataset.NewMatrix(users, items, pairs)
}

// small is a training of a method with settings small enough for a test.
func small(t *testing.T, name string, own map[string]float64) *Trainer {
	t.Helper()
	s := Defaults(name)
	s.Own = own
	s.Dim, s.Negatives, s.Candidates, s.Batch, s.Epochs, s.LearnRate = 4, min(3, s.Negatives), 0, 40, 4, 0.02
	trainer, err := NewTrainer(random(12, 20, 6), s, 2)
	if err != nil {
		t.Fatal(err)
	}
	return trainer
}

// differentiate returns the loss of the samples as one batch, and the model's gradient.
func differentiate(t *Trainer, samples []Sample) (loss float64, gradient map[*Param][]float64) {
	m, g := t.model, newGradient(len(t.touched))
	loss = m.Prepare(2, samples) + m.Learn(g, samples)
	if d, ok := m.(Deriver); ok {
		for _, p := range d.Derived() {
			l := g.lists[p.index]
			for k, r := range l.rows {
				if p.sums[r] == nil {
					p.sums[r] = make([]float32, p.Cols)
				}
				for e, x := range l.grads[k] {
					p.sums[r][e] += l.scales[k] * x
				}
			}
		}
		d.Propagate(2)
		for _, p := range m.Params() {
			for r := range p.Rows {
				d.Derive(g, p, int32(r))
			}
		}
	}
	gradient = map[*Param][]float64{}
	for _, p := range m.Params() {
		gradient[p] = make([]float64, len(p.Data))
		l := g.lists[p.index]
		for k, row := range l.rows {
			for d, x := range l.grads[k] {
				gradient[p][int(row)*p.Cols+d] += float64(l.scales[k] * x)
			}
		}
	}
	return loss, gradient
}

// variant is a method with particular settings.
type variant struct {
	method string
	own    map[string]float64
}

// variants returns all methods, plus settings that take other paths through the code.
func variants() []variant {
	all := []variant{
		{"bprmf", map[string]float64{"regularizer": 0, "whole": 0.1}},
		{"lrml", map[string]float64{"learned": 1}},
		{"simplex", map[string]float64{"gamma": 0.5, "margin": 0.2}},
	}
	for _, method := range Methods() {
		all = append(all, variant{method: method.Name})
	}
	return all
}

// Every method's gradient matches central differences of its loss, in every parameter.
func TestGradients(t *testing.T) {
	for _, v := range variants() {
		if v.method == "lrml" && v.own == nil {
			continue // its memory has a gradient but does not move: TestLRMLMemory
		}
		t.Run(v.method, func(t *testing.T) {
			trainer := small(t, v.method, v.own)
			m := trainer.model
			r := rand.New(rand.NewPCG(3, 3))
			for _, p := range m.Params() {
				for i := range p.Data {
					p.Data[i] += float32(0.3 * r.NormFloat64()) // away from where everything is small or equal
				}
			}
			var samples []Sample
			for u := range int32(8) {
				row := trainer.train.Row(int(u))
				s := Sample{User: u % 5, Positive: row[u%6], Place: int(u), Counter: uint64(u)} // some users twice
				for range trainer.s.Negatives {
					s.Negatives = append(s.Negatives, int32(r.IntN(20)))
				}
				samples = append(samples, s)
			}
			loss := func() float64 {
				g := newGradient(len(trainer.touched))
				return m.Prepare(2, samples) + m.Learn(g, samples)
			}
			_, want := differentiate(trainer, samples)
			largest := 0.0
			for _, gradient := range want {
				for _, x := range gradient {
					largest = max(largest, math.Abs(x))
				}
			}
			const step = 1e-3
			checked, off := 0, 0
			for _, p := range m.Params() {
				for at, x := range p.Data {
					p.Data[at] = x + step
					up, above := loss(), p.Data[at]
					p.Data[at] = x - step
					down, below := loss(), p.Data[at]
					p.Data[at] = x
					got := (up - down) / (float64(above) - float64(below))
					checked++
					if !(math.Abs(got-want[p][at]) <= 2e-3*largest) {
						off++
						if off > 2 { // a hinge may turn within a step
							t.Fatalf("∂L/∂%s[%d] is %v, differences say %v", p.Name, at, want[p][at], got)
						}
					}
				}
			}
			if largest < 0.1 || checked < 100 {
				t.Fatalf("%d parameters, the largest gradient is %v: the test is too weak", checked, largest)
			}
		})
	}
}

// LRML's memory stays as drawn unless it is learned; users and items are not affected.
func TestLRMLMemory(t *testing.T) {
	fixed, learned := small(t, "lrml", nil), small(t, "lrml", map[string]float64{"learned": 1})
	samples := []Sample{{User: 1, Positive: fixed.train.Row(1)[0], Negatives: []int32{3, 7}},
		{User: 2, Positive: fixed.train.Row(2)[1], Negatives: []int32{0, 9}, Place: 1}}
	a, stays := differentiate(fixed, samples)
	b, moves := differentiate(learned, samples)
	if a != b {
		t.Errorf("the losses are %v and %v", a, b)
	}
	for k, p := range fixed.model.Params() {
		memory, moved := p.Name == "keys" || p.Name == "slots", false
		for i, got := range stays[p] {
			want := moves[learned.model.Params()[k]][i]
			moved = moved || want != 0
			if memory {
				want = 0
			}
			if got != want {
				t.Fatalf("∂L/∂%s[%d] is %v, not %v", p.Name, i, got, want)
			}
		}
		if !moved {
			t.Errorf("%s has no gradient with a learned memory", p.Name)
		}
	}

	before := map[string][]float32{}
	for _, p := range fixed.model.Params() {
		before[p.Name] = slices.Clone(p.Data)
	}
	if _, err := fixed.Run(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range fixed.model.Params() {
		if memory := p.Name == "keys" || p.Name == "slots"; memory != slices.Equal(p.Data, before[p.Name]) {
			t.Errorf("after a training, %s is unchanged: %v", p.Name, !memory)
		}
	}
}
