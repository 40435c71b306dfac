package learned

import (
	"math"
	"testing"
)

// Scores computed in blocks of items equal each method's formula for single pairs, over several blocks and a remainder,
// and for concurrent callers.
func TestScoresByBlocks(t *testing.T) {
	const users, items = 6, 2*atOnce + 37
	m := random(users, items, 40)
	pairwise := map[string]func(Model) func(u, i int32) float32{
		"ncf": func(m Model) func(u, i int32) float32 {
			n := m.(*neumf)
			return func(u, i int32) float32 {
				p := pass{users: []int32{u}, items: []int32{i}}
				n.forward(&p)
				return p.x[0]
			}
		},
		"lrml": func(m Model) func(u, i int32) float32 {
			l := m.(*lrml)
			return func(u, i int32) float32 {
				x, p, q := l.newRelation(), l.users.Row(u), l.items.Row(i)
				l.relate(x, p, q)
				return -distance(p, q, func(e int) float32 { return x.r[e] })
			}
		},
		"transcf": func(m Model) func(u, i int32) float32 {
			c := m.(*transcf)
			c.means(1)
			return func(u, i int32) float32 {
				a, b := c.ofUser.Row(u), c.ofItem.Row(i)
				return -distance(c.users.Row(u), c.items.Row(i), func(e int) float32 { return a[e] * b[e] })
			}
		},
	}
	for name, of := range pairwise {
		for _, dim := range []int{1, 7, 16} {
			s := Defaults(name)
			s.Dim, s.Epochs = dim, 0
			trainer, err := NewTrainer(m, s, 1)
			if err != nil {
				t.Fatal(err)
			}
			model := trainer.model
			for _, p := range model.Params() {
				for k := range p.Data { // so that relations, layers and attention matter
					p.Data[k] = float32(math.Sin(float64(k*k + 3*k + p.Rows)))
				}
			}
			want, scorer := of(model), model.Scorer(2)
			done := make(chan [users][items]float32)
			for range 2 {
				go func() {
					var got [users][items]float32
					for u := range got {
						scorer.Score(u, got[u][:])
					}
					done <- got
				}()
			}
			for range 2 {
				got := <-done
				for u := range got {
					for i, x := range got[u] {
						if w := want(int32(u), int32(i)); math.Abs(float64(x-w)) > 1e-5*(1+math.Abs(float64(w))) {
							t.Fatalf("%s, %d dimensions: the score of user %d and item %d is %v, not %v", name, dim, u,
								i, x, w)
						}
					}
				}
			}
		}
	}
}

// distance is ‖p + r − q‖².
func distance(p, q []float32, r func(int) float32) (sum float32) {
	for e, v := range p {
		d := v + r(e) - q[e]
		sum += d * d
	}
	return sum
}
