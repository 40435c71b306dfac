package tastemap

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// TestLayoutOfMany reports the time for PMLAM_BIG rows of 100 numbers (make measure-map-size).
func TestLayoutOfMany(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("PMLAM_BIG"))
	if n <= 2*Neighbours {
		t.Skip("SKIPPED: a benchmark with PMLAM_BIG rows (make measure-map-size)")
	}
	r := rand.New(rand.NewPCG(1, 1))
	const groups, width = 500, 100
	var centres [groups][width]float32
	for g := range centres {
		for d := range width {
			centres[g][d] = float32(r.NormFloat64())
		}
	}
	rows, kinds := Rows{make([]float32, 0, n*width), width}, make([]int32, n)
	for i := range n {
		g := r.IntN(groups)
		kinds[i] = int32(g)
		for d := range width {
			rows.Data = append(rows.Data, centres[g][d]+float32(r.NormFloat64()))
		}
	}
	from := time.Now()
	var first time.Duration
	xy, err := TSNE(context.Background(), rows, Default, 0, func(done, all int, _ []float64) {
		if done == 1 {
			first = time.Since(from)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d rows: %.0f s, of which %.0f s for the neighbours", n, time.Since(from).Seconds(), first.Seconds())
	q, err := Measure(context.Background(), rows, rowsOf(xy), kinds, Neighbours, 0)
	t.Logf("%+v, %v", q, err)
	if q.SameGenre < 0.5 {
		t.Errorf("groups are split: %+v", q)
	}
}
