package pmlam

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// Shared negatives change the order of computation, not the loss. Value and gradient match the definition with the same
// lists written out pair by pair, without the users' likes.
func TestSharedNegativesAreTheFiniteDifference(t *testing.T) {
	for seed := range uint64(4) {
		o, task, x := both(seed, margin.Difference, false, false, false)
		const tau, size, q = 0.7, 4, 5 // six pairs: a full block and a short one
		task.loss = gaussian.Loss{Kind: gaussian.Softmax, Temperature: tau}
		task.weight = 0.8
		task.batch.q = q
		task.batch.negative = []int32{0, 2, 4, 6, 8, 1, 3, 5, 7, 0}
		task.batch.shared = &shared{size: size, hide: [][]int32{{2*size + 1, 4*size + 3}, {0*size + 0}}}
		value := func(theta [][]float64) (total float64) {
			for i, p := range o.relations[0].pairs {
				n, sum := i/size, 1.0
				for k, r := range task.batch.negative[n*q : (n+1)*q] {
					if slices.Contains(task.batch.shared.hide[n], int32(k*size+i-n*size)) {
						continue
					}
					sum += math.Exp((o.w2Squared(theta[p.anchor], theta[p.positive]) -
						o.w2Squared(theta[p.anchor], theta[r])) / tau)
				}
				total += 0.8 * math.Log(sum)
			}
			return total
		}
		s := localStep(x, o.h, o.h, false)
		got := task.inner(2, s, 1, 0)
		if want := value(o.theta); !(math.Abs(got-want) <= 1e-5*want) {
			t.Errorf("loss = %v, want %v", got, want)
		}
		compare(t, "∇", s.gradient(o.h), flatten(gradient(o.theta, value)), 3e-5)
	}
}

func TestSharedNegativesAreDifferentAndHidden(t *testing.T) {
	train := clustered(40, 60, 12)
	c, err := Preset("composed")
	if err != nil {
		t.Fatal(err)
	}
	c.Negatives, c.SharedNegatives, c.Batch = 7, 4, 30
	trainer, err := New(context.Background(), train, c, 3)
	if err != nil {
		t.Fatal(err)
	}
	trainer.now = whole(trainer)
	trainer.now.To = 30
	trainer.sample()
	task := trainer.tasks[userItem]
	users := make([]int32, 30)
	hidden := 0
	for i := range users {
		users[i] = trainer.pairs[trainer.now.Order[i]].Row
	}
	for n := range 8 {
		list := task.batch.negative[n*7 : (n+1)*7]
		for k, row := range list {
			if slices.Contains(list[:k], row) {
				t.Fatalf("block %d has a negative twice: %v", n, list)
			}
			item := trainer.step.entities[row] - int32(trainer.items)
			for i := n * 4; i < min((n+1)*4, 30); i++ {
				_, likes := slices.BinarySearch(train.Row(int(users[i])), item)
				is := slices.Contains(task.batch.shared.hide[n], int32(k*4+i-n*4))
				if likes != is {
					t.Fatalf("user %d likes item %d: %v, hidden: %v", users[i], item, likes, is)
				}
				if is {
					hidden++
				}
			}
		}
	}
	if hidden == 0 {
		t.Error("no negative is hidden, so hiding is not tested")
	}
}
