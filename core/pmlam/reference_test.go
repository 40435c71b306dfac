package pmlam

import (
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// both builds the same random problem for the reference and for a task: n rows of dimension h, and b pairs with q
// negatives. Rows recur in several roles and so receive several contributions.
func both(seed uint64, in margin.Input, adaptive, noise, points bool) (*reference, *task, []float32) {
	const n, h, hidden, b, q = 9, 4, 5, 6, 3
	r := rand.New(rand.NewPCG(seed, 3))
	only := &relation{fixed: 0.7}
	o := &reference{h: h, points: points, alpha: alpha, outerMargin: outerMargin, relations: []*relation{only}}
	x := make([]float32, n*2*h)
	for i := range n {
		row := x[i*2*h : (i+1)*2*h]
		for d := range row {
			row[d] = float32(r.NormFloat64() * 0.4)
			if d >= h {
				row[d] = float32(0.1 + 0.3*r.Float64())
			}
		}
		o.theta = append(o.theta, to64(row))
	}
	o.adam = make([]momentum, n)
	t := &task{name: "user-item", weight: 1, points: points}
	t.loss.Margin, t.outerLoss.Margin = 0.7, outerMargin
	if adaptive {
		t.net = margin.NewNetwork(in, h, hidden, r)
		s := in.Width(h)
		only.phi = &phi{input: in, b1: to64(t.net.B1), w2: to64(t.net.W2), b2: float64(t.net.B2)}
		for j := range hidden {
			only.phi.w1 = append(only.phi.w1, to64(t.net.W1[j*s:(j+1)*s]))
		}
	}
	t.batch.q = q
	for range b {
		a, p := r.IntN(n), r.IntN(n)
		pair := pair{anchor: a, positive: p}
		t.batch.anchor = append(t.batch.anchor, int32(a))
		t.batch.positive = append(t.batch.positive, int32(p))
		for range q {
			k := r.IntN(n)
			pair.negatives = append(pair.negatives, k)
			t.batch.negative = append(t.batch.negative, int32(k))
		}
		if noise {
			for range 2 + q {
				eps := make([]float32, h)
				for d := range eps {
					eps[d] = float32(r.NormFloat64())
				}
				t.batch.eps = append(t.batch.eps, padded(eps)...)
				pair.eps = append(pair.eps, to64(eps[:h]))
			}
		}
		only.pairs = append(only.pairs, pair)
	}
	return o, t, x
}

func to64(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// Complete steps, with Adam and the bounds, match the reference, for one relation and for three.
func TestAStepIsThatOfTheReference(t *testing.T) {
	for name, relations := range map[string]int{"one relation": 1, "three relations": 3} {
		t.Run(name, func(t *testing.T) {
			r, first, x := both(5, margin.Difference, true, true, false)
			trainer := &Trainer{workers: 2, opt: newAdam(len(x)), theta: gaussian.TableOf(r.h, x)}
			trainer.cfg = Config{
				Dim: r.h, LearnRate: 0.02, Radius: 1,
				MarginConfig: MarginConfig{Alpha: alpha, Lambda: 0.01, OuterRate: 0.03},
			}
			r.lambda, r.rate, r.outerRate, r.bounds.Radius = 0.01, 0.02, 0.03, 1
			tasks := []*task{first}
			for k := 1; k < relations; k++ { // other pairs, another network, the same rows
				other, task, _ := both(uint64(5+k), margin.Difference, true, true, false)
				tasks, r.relations = append(tasks, task), append(r.relations, other.relations[0])
			}
			s := &trainer.step
			s.reset(len(r.theta), margin.Pad(r.h))
			for e := range r.theta {
				s.row(int32(e))
			}
			for _, task := range tasks {
				task.opt = newAdam(len(task.net.W1) + len(task.net.B1) + len(task.net.W2) + 1)
			}
			for range 3 {
				s.gather(2, trainer.theta, false)
				inner, outer := trainer.next(tasks)
				wantInner, wantOuter := r.step()
				for k, task := range tasks {
					compare(t, "J_inner", []float32{float32(inner[k])}, wantInner[k:k+1], 1e-4)
					compare(t, "J_outer", []float32{float32(outer[k])}, wantOuter[k:k+1], 1e-4)
					var got []float32
					task.net.Parameters(func(_ string, values []float32) { got = append(got, values...) })
					var want []float64
					for _, v := range r.relations[k].phi.parameters() {
						want = append(want, *v)
					}
					compare(t, "Φ", got, want, 1e-4)
				}
				compare(t, "Θ", trainer.theta.Data(), flatten(r.theta), 1e-4)
			}
		})
	}
}
