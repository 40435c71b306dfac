package pmlam

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/training"
)

// live returns the heap in use, in bytes.
func live() float64 {
	runtime.GC()
	runtime.GC() // frees memory that the first one only finalised
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// Memory use per entity and interaction is exactly as documented at Trainer: after New, between two batches, during a
// checkpoint, and while the result exists.
func TestMemory(t *testing.T) {
	t.Run("some", func(t *testing.T) { memory(t, 40_000) })
	t.Run("a million", func(t *testing.T) {
		if os.Getenv("PMLAM_BIG") == "" {
			t.Skip("SKIPPED: a million entities take 3 GB of memory, and of disk (PMLAM_BIG=1)")
		}
		memory(t, 1_000_000)
	})
}

func memory(t *testing.T, entities int) {
	for _, composed := range []bool{false, true} {
		const each = 3 // interactions of a user, all in a quarter of the items, so that the step is small
		users := entities * 3 / 4
		items := entities - users
		if composed {
			users, items = entities/10, entities
		}
		pairs := make([]dataset.Pair, 0, users*each)
		for u := range users {
			for k := range each {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32((u*each + k) % (items / 4))})
			}
		}
		m := dataset.NewMatrix(users, items, pairs)
		c, err := Preset("paper")
		if err != nil {
			t.Fatal(err)
		}
		c.Relations, c.Candidates, c.Margin = NoRelations, 0, Fixed
		c.Negatives, c.Batch, c.Epochs = 2, 500, 1
		if composed {
			c.FreeUsers, c.UserWeight = false, 1
		}
		pairs = nil
		before := live()
		trainer := newTrainer(t, m, c, 2)
		keep(t, trainer, training.Checkpoints{Folder: t.TempDir(), Every: time.Hour, FS: durable.OS})
		ctx, cancel := context.WithCancel(context.Background())
		trainer.Watch = func(done, _ int) {
			if done == 3 {
				cancel()
			}
		}
		// Entities: 6 tables' rows (the table and two moments, twice h each), and the row numbers of a step.
		// Interactions: a list of pairs and an order, a user's group, and the memory of a step of this size.
		allowed := float64(entities)*(3*2*50*4+4) + float64(users)*(each*(8+4)+4) + 6e6
		check := func(when string, more float64) {
			t.Helper()
			used := live() - before
			t.Logf("composed %t, %d entities, %s: %.0f bytes per entity", composed, entities, when,
				used/float64(entities))
			if used > allowed+more {
				t.Errorf("composed %t, %s: %.0f bytes per entity, want at most %.0f", composed, when,
					used/float64(entities), (allowed+more)/float64(entities))
			}
		}
		check("prepared", 0)
		r, err := trainer.Run(ctx, nil)
		cancel()
		if err == nil {
			t.Fatal("not stopped")
		}
		theirs := 0.0
		if composed {
			theirs = float64(users) * 400
		}
		check("stopped, with a checkpoint and the result", theirs)
		runtime.KeepAlive(r)
		runtime.KeepAlive(trainer)
	}
}
