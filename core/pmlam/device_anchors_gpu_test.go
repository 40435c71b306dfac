//go:build gpu && linux

package pmlam

import (
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/training"
)

// No batch has more members than were allocated, whatever parts its users have in it.
func TestDeviceHasRoomForMembers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var likes []dataset.Pair
	for u := range int32(120) {
		for i := range int32(60) {
			if r.IntN(61) <= int(1+u%40) {
				likes = append(likes, dataset.Pair{Row: u, Col: i})
			}
		}
	}
	m := dataset.NewMatrix(120, 60, likes)
	for _, parts := range []int{0, 2, 5, 7} {
		c := small(t, "composed")
		c.Negatives, c.SharedNegatives, c.UserParts, c.Batch = 7, 4, parts, 40
		trainer := newTrainer(t, m, c, 1)
		g := &onGPU{t: trainer, last: make([]int32, m.Rows())}
		most, room := 0, g.mostMembers(c.Batch)
		for epoch := range uint64(40) {
			var order []int32
			if parts > 0 {
				order = training.OrderParts(nil, runsOf(trainer), parts, 1, 2, epoch)
			} else {
				for _, at := range r.Perm(len(trainer.pairs)) {
					order = append(order, int32(at))
				}
			}
			for from := 0; from < len(order); from += c.Batch {
				b := &training.Batch{From: from, To: min(from+c.Batch, len(order)), Order: order,
					Number: len(order)*int(epoch) + from + 1}
				g.anchors(b)
				most = max(most, g.members(b.Number))
			}
		}
		if most > room || most < room/5 {
			t.Errorf("%d parts: batches have up to %d members, but only %d are allocated", parts, most, room)
		}
	}
}
