package pmlam

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
	"github.com/pmlam/pmlam/core/training"
)

// Value and gradient of a part match its definition, written out like by like: the user composed of the items outside
// the part, the part's negatives without the user's likes, and the discount. Parts have one to three likes.
func TestPartsAreTheFiniteDifference(t *testing.T) {
	const h, radius, size, q, beta = 4, 0.9, 2, 3, 0.5
	tau := 0.7
	// Rows 0..1 are the users' free parts, 2..8 items.
	liked := [][]int32{{2, 3, 4, 5}, {4, 6, 7, 8}}
	parts := []struct {
		user  int32
		likes []int32
	}{{0, []int32{2, 4, 5}}, {1, []int32{6}}, {1, []int32{4, 8}}}
	for _, free := range []bool{false, true} {
		for _, weight := range []float64{1, 6} { // 6 pushes means out of the ball
			power := map[float64]float64{1: 0.4}[weight] // q
			t.Run(fmt.Sprintf("free=%v,w=%v,q=%v", free, weight, power), func(t *testing.T) {
				o, task, x := both(7, margin.Difference, false, false, false)
				task.loss = gaussian.Loss{Kind: gaussian.Softmax, Temperature: float32(tau)}
				task.weight, task.discount, task.power = 0.8, beta, float32(power)
				g := &groups{weight: float32(weight), users: []int32{0, 1}, start: []int32{0, 4, 8}}
				g.members = slices.Concat(liked...)
				task.batch = pairs{q: q, groups: g, starts: []int32{0}}
				for _, p := range parts {
					a := int32(-1)
					if free {
						a = p.user
					}
					task.batch.anchor = append(task.batch.anchor, a)
					g.of = append(g.of, p.user)
					task.batch.positive = append(task.batch.positive, p.likes...)
					task.batch.starts = append(task.batch.starts, int32(len(task.batch.positive)))
				}
				// Two blocks: of two parts and of one. A user's own items are hidden.
				task.batch.negative = []int32{6, 3, 5, 2, 6, 3}
				task.batch.shared = &shared{size: size, hide: [][]int32{
					{0*size + 1, 1*size + 0, 2*size + 0}, {1*size + 0}}}
				compose := func(theta [][]float64, i int) []float64 {
					p := parts[i]
					row := make([]float64, 2*h)
					for d := range row {
						if free {
							row[d] = theta[p.user][d]
						}
						for _, j := range liked[p.user] {
							if !slices.Contains(p.likes, j) {
								row[d] += weight / float64(4-len(p.likes)) * theta[j][d]
							}
						}
					}
					return within(row, radius)
				}
				value := func(theta [][]float64) (total float64) {
					for i, part := range parts {
						a, n := compose(theta, i), i/size
						for _, p := range part.likes {
							sum := 1.0
							for _, r := range task.batch.negative[n*q : (n+1)*q] {
								if !slices.Contains(liked[part.user], r) {
									sum += math.Exp((o.w2Squared(a, theta[p]) - o.w2Squared(a, theta[r])) / tau)
								}
							}
							loss := math.Log(sum)
							if power > 0 {
								loss = (1 - math.Pow(sum, -power)) / power
							}
							total += 0.8 * math.Pow(float64(len(part.likes)), -beta) * loss
						}
					}
					return total
				}
				s := localStep(x, h, h, false)
				got := task.inner(2, s, radius, 0)
				if want := value(o.theta); !(math.Abs(got-want) <= 1e-5*want) {
					t.Errorf("loss = %v, want %v", got, want)
				}
				if bent := slices.ContainsFunc(g.scales, func(s float32) bool { return s != 1 }); weight == 6 && !bent {
					t.Error("no anchor left the ball, so the projection is not tested")
				}
				compare(t, "∇", s.gradient(h), flatten(gradient(o.theta, value)), 3e-5)

				// Logits of several hundred do not overflow. (The loss is then too steep for finite differences.)
				tau = 0.003
				defer func() { tau = 0.7 }()
				task.loss.Temperature = float32(tau)
				s = localStep(x, h, h, false)
				got = task.inner(2, s, radius, 0)
				if want := value(o.theta); !(math.Abs(got-want) <= 1e-4*want) {
					t.Errorf("at τ = %v the loss is %v, want %v", tau, got, want)
				}
				for _, v := range s.gradient(h) {
					if v-v != 0 {
						t.Fatalf("at τ = %v the gradient holds %v", tau, v)
					}
				}
			})
		}
	}
}

// In an epoch every like is learned once, in a part of its user that does not exceed the maximum size, wherever batches
// end, and that never holds all of the user's likes.
func TestEveryLikeIsInOnePart(t *testing.T) {
	train := clustered(40, 60, 12)
	c := small(t, "composed")
	c.Negatives, c.SharedNegatives, c.UserParts, c.Batch = 7, 4, 3, 50
	trainer, err := New(context.Background(), train, c, 2)
	if err != nil {
		t.Fatal(err)
	}
	trainer.now = whole(trainer)
	trainer.now.Order = training.OrderParts(nil, runsOf(trainer), c.UserParts, 1, 2, 3)
	seen, several := map[[2]int32]int{}, 0
	for from := 0; from < len(trainer.pairs); from += c.Batch {
		trainer.now.From, trainer.now.To = from, min(from+c.Batch, len(trainer.pairs))
		trainer.sample()
		batch := &trainer.tasks[userItem].batch
		for i := range batch.anchor {
			first, last := batch.of(i)
			u := batch.groups.users[batch.groups.of[i]]
			if most := training.PartSize(len(train.Row(int(u))), c.UserParts); last-first < 1 || last-first > most {
				t.Fatalf("a part of user %d has %d likes, not 1 to %d", u, last-first, most)
			}
			if last-first > 1 {
				several++
			}
			for _, row := range batch.positive[first:last] {
				item := trainer.step.entities[row] - int32(trainer.items)
				if _, likes := slices.BinarySearch(train.Row(int(u)), item); !likes {
					t.Fatalf("user %d does not like %d", u, item)
				}
				seen[[2]int32{u, item}]++
			}
		}
	}
	if len(seen) != len(trainer.pairs) || several == 0 {
		t.Errorf("%d of %d likes were learned, %d times several together", len(seen), len(trainer.pairs), several)
	}
}

// If likes are learned in parts, a relation has one pair for every meanPart likes, wherever batches end, and all its
// pairs together weigh the same as one per like.
func TestRelationsOfParts(t *testing.T) {
	train := clustered(40, 60, 12)
	c := small(t, "composed")
	c.Negatives, c.SharedNegatives, c.UserParts, c.Batch = 7, 4, 3, 50
	c.Relations, c.RelationWeight, c.RelationThreshold = FixedRelations, 0.3, 0.01
	trainer, err := New(context.Background(), train, c, 2)
	if err != nil {
		t.Fatal(err)
	}
	parts := 0
	for u := range train.Rows() {
		if n := len(train.Row(u)); n > 1 {
			size := training.PartSize(n, c.UserParts)
			parts += (n + size - 1) / size
		}
	}
	task, apart := trainer.tasks[itemItem], len(trainer.pairs)/parts
	if apart < 2 || task.weight != float32(0.3*float64(apart)) {
		t.Fatalf("%d likes in %d parts: a relation's pair weighs %v", len(trainer.pairs), parts, task.weight)
	}
	trainer.now = whole(trainer)
	trainer.now.Order = training.OrderParts(nil, runsOf(trainer), c.UserParts, 1, 2, 3)
	var got []int32
	for from := 0; from < len(trainer.pairs); from += c.Batch {
		trainer.now.From, trainer.now.To = from, min(from+c.Batch, len(trainer.pairs))
		trainer.sample()
		got = append(got, task.batch.position...)
	}
	var want []int32
	for i := 0; i < len(trainer.pairs); i += apart {
		item := trainer.pairs[trainer.now.Order[i]].Col
		if n := len(trainer.neighbours[itemItem].Row(int(item))); n > 0 && n+1 < train.Cols {
			want = append(want, int32(i))
		}
	}
	if !slices.Equal(got, want) || len(want) < len(trainer.pairs)/apart/2 {
		t.Errorf("relations at %v, want %v", got, want)
	}
}

// runsOf returns the starts of the users' pairs, and their number.
func runsOf(t *Trainer) (runs []int32) {
	for i, p := range t.pairs {
		if i == 0 || p.Row != t.pairs[i-1].Row {
			runs = append(runs, int32(i))
		}
	}
	return append(runs, int32(len(t.pairs)))
}
