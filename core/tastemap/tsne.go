package tastemap

import (
	"context"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// Settings are the parameters of t-SNE. Default holds the best ones found (core/lab/docs/RESULTS.md).
type Settings struct {
	Perplexity   float64 // effective number of a point's neighbours
	Exaggeration float64 // factor of the affinities in the first Gathering steps, to form clusters
	Gathering    int     // steps with exaggeration
	Steps        int     // of the descent, in total
	Opening      float64 // largest side of a cell, relative to its distance, that counts as a point (Barnes-Hut θ)
}

// Default holds the settings of the shipped map.
var Default = Settings{Perplexity: 20, Exaggeration: 12, Gathering: 250, Steps: 750, Opening: 0.5}

// leastRows is the smallest number of rows for TSNE: each needs neighbours and strangers.
const leastRows = 4

// Step is called after each step of t-SNE with the places so far, x and y of each row, which it must not keep. The
// search for neighbours before counts as as many steps as it takes time, without places.
type Step func(done, all int, xy []float64)

// lead returns the number of steps that the search for neighbours counts as, and afterwards the rest of the start.
func lead(rows Rows) (search, rest int) { return 75 + rows.Len()*rows.Width/7500, 55 }

// TSNE returns a place in the plane for each of the rows, interleaved as x and y, such that neighbours among the rows
// are neighbours in the plane. It minimises Σ_ij P_ij ln(P_ij/Q_ij), where P are the affinities and
//
//	Q_ij = w_ij / Σ_kl w_kl        w_ij = 1/(1 + ‖y_i − y_j‖²)
//
// (t-SNE, van der Maaten and Hinton 2008; sums over far points by the Barnes-Hut tree, van der Maaten 2014). The
// descent starts from the two principal components, so it needs no random numbers. The same rows give the same bits,
// for any number of workers (0: one for each processor) and on every architecture. step may be nil. TSNE returns an
// error for too few rows, for a number that is not finite, or if ctx ends. O(n²·width + steps·n·(perplexity + log n)).
func TSNE(ctx context.Context, rows Rows, s Settings, workers int, step Step) ([]float64, error) {
	n := rows.Len()
	if n < leastRows {
		return nil, fmt.Errorf("a map needs at least %d titles, got %d", leastRows, n)
	}
	for at, v := range rows.Data {
		if v-v != 0 {
			return nil, fmt.Errorf("number %d of row %d is %v; a map needs finite numbers",
				at%rows.Width, at/rows.Width, v)
		}
	}
	search, rest := lead(rows)
	all := search + rest + s.Steps
	p, err := newAffinities(ctx, rows, min(s.Perplexity, float64(n-1)/3), workers, func(found int) {
		if step != nil {
			step(search*found/n, all, nil)
		}
	})
	if err != nil {
		return nil, err
	}
	d := newDescent(p, start(rows), parallel.Workers(workers))
	for k := range s.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		exaggeration, momentum := 1.0, 0.8
		if k < s.Gathering {
			exaggeration, momentum = s.Exaggeration, 0.5
		}
		d.step(exaggeration, momentum, max(float64(n)/s.Exaggeration/4, 50), s.Opening)
		if step != nil {
			step(search+rest+k+1, all, d.xy)
		}
	}
	return d.xy, nil
}

// startDeviation is the standard deviation of x at the start: so small that all points affect each other.
const startDeviation = 1e-4

// start returns the rows' first two principal components, scaled.
func start(rows Rows) []float64 {
	xy := components(rows)
	n, square := rows.Len(), 0.0
	for i := range n {
		square += float64(xy[2*i] * xy[2*i])
	}
	if scale := startDeviation / math.Sqrt(square/float64(n)); scale < math.Inf(1) {
		for i := range xy {
			xy[i] *= scale
		}
	}
	// Otherwise equal rows would stay together for ever, and a line would stay a line.
	for i := range n {
		xy[2*i+1] += float64(startDeviation / 100 * (float64(i)/float64(n) - 0.5))
	}
	return xy
}

// descent is gradient descent with momentum and a gain for each coordinate (Jacobs 1988).
type descent struct {
	p       *affinities
	xy      []float64 // 2n
	speed   []float64 // 2n
	gain    []float64 // 2n
	slope   []float64 // 2n
	push    []float64 // 2n: repulsion, before division by the sum of weights
	sums    [parallel.Chunks]float64
	tree    tree
	workers int
}

func newDescent(p *affinities, xy []float64, workers int) *descent {
	d := &descent{p: p, xy: xy, workers: workers}
	for _, x := range []*[]float64{&d.speed, &d.gain, &d.slope, &d.push} {
		*x = make([]float64, len(xy))
	}
	for i := range d.gain {
		d.gain[i] = 1
	}
	return d
}

func (d *descent) step(exaggeration, momentum, rate, opening float64) {
	d.gradient(exaggeration, opening)
	const leastGain = 0.01
	for i, g := range d.slope {
		if g > 0 != (d.speed[i] > 0) {
			d.gain[i] += 0.2
		} else {
			d.gain[i] = max(float64(d.gain[i]*0.8), leastGain)
		}
		d.speed[i] = float64(momentum*d.speed[i]) - float64(float64(rate*d.gain[i])*g)
		d.xy[i] += d.speed[i]
	}
}

// gradient sets slope to 4·(exaggeration·Σ_j P_ij w_ij (y_i − y_j) − Σ_j w_ij² (y_i − y_j) / Σ_kl w_kl).
func (d *descent) gradient(exaggeration, opening float64) {
	n := len(d.xy) / 2
	d.tree.build(d.xy)
	parallel.Do(d.workers, n, func(_, chunk, from, to int) {
		d.sums[chunk] = d.tree.repulsions(d.push, from, to, opening)
	})
	total := 0.0
	for chunk := range d.sums {
		total += d.sums[chunk]
	}
	parallel.Do(d.workers, n, func(_, _, from, to int) {
		d.slopes(from, to, exaggeration, total)
	})
}

// slopesGo sets the slopes of the points [from, to). total is the sum of all weights.
func (d *descent) slopesGo(from, to int, exaggeration, total float64) {
	for i := from; i < to; i++ {
		x, y := d.xy[2*i], d.xy[2*i+1]
		fx, fy := 0.0, 0.0
		for at := d.p.start[i]; at < d.p.start[i+1]; at++ {
			j := d.p.column[at]
			dx, dy := x-d.xy[2*j], y-d.xy[2*j+1]
			w := d.p.p[at] / (1 + (float64(dx*dx) + float64(dy*dy)))
			fx += float64(w * dx)
			fy += float64(w * dy)
		}
		d.slope[2*i] = 4 * (float64(exaggeration*fx) - d.push[2*i]/total)
		d.slope[2*i+1] = 4 * (float64(exaggeration*fy) - d.push[2*i+1]/total)
	}
}
