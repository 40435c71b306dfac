package refresh

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/pmlam"
)

// train returns the rows of the newer model: the rows that move are trained, and all others are held.
func (p *plan) train(ctx context.Context, d *dataset.Dataset, cfg pmlam.Config, o Options) (*gaussian.Table, error) {
	cfg.Epochs, cfg.Validation = o.Epochs, 0
	t, err := pmlam.New(ctx, d.Positives, cfg, o.Workers)
	if err != nil {
		return nil, fmt.Errorf("training the changed items: %w", err)
	}
	rows := p.rows()
	p.startRows(d, rows)
	b := &pmlam.Beginning{Name: p.older.Digest, Items: rows, ItemOf: p.place, Margins: p.older.Margins}
	if err := t.Begin(b); err != nil {
		return nil, fmt.Errorf("training the changed items: %w", err)
	}
	held := make([]bool, len(p.moves))
	for i, moves := range p.moves {
		held[i] = !moves
	}
	t.Hold(held)
	r, err := t.Run(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("training the changed items: %w", err)
	}
	for _, i := range p.targets {
		copy(rows.Row(int(p.place[i])), r.Items.Row(i))
	}
	return rows, nil
}

// rows returns the rows of the newer model, copied from the older one where it has them.
func (p *plan) rows() *gaussian.Table {
	t := gaussian.NewTable(len(p.from), p.older.Items.Dim())
	for place, from := range p.from {
		if from >= 0 {
			copy(t.Row(place), p.older.Items.Row(int(from)))
		}
	}
	return t
}

// startRows gives new items their starting rows. The mean is near what the item's likers like; the deviations match
// items with about as many likes:
//
//	μ = a·ū        ū: mean of μ over the likers' other items
//	s = mean of s over the items of its class
//
// A class holds the items with a count from 2^k to 2^(k+1) − 1, and a is the factor that suits the class best. A class
// without items in the older model takes the values of the nearest one. O(nnz·h).
func (p *plan) startRows(d *dataset.Dataset, rows *gaussian.Table) {
	h := rows.Dim()
	tastes := p.tastes(d, h)
	users := d.Positives.Transpose()
	around := make([]float32, h)
	// liked sets around to the mean of the tastes of the users who like item i.
	liked := func(i int) []float32 {
		clear(around)
		of := users.Row(i)
		for _, u := range of {
			vec.Axpy(1/float32(len(of)), vec.Row(tastes, int(u), h), around)
		}
		return around
	}
	type class struct {
		n             int
		stddev        []float64
		along, square float64
	}
	var classes [32]class
	of := func(likes int) int { return min(bits.Len(uint(likes)), len(classes)-1) }
	for i, place := range p.place {
		if p.from[place] < 0 {
			continue
		}
		c := &classes[of(p.likes[i])]
		if c.n++; c.stddev == nil {
			c.stddev = make([]float64, h)
		}
		for k, s := range rows.Stddev(int(place)) {
			c.stddev[k] += float64(s)
		}
		mean := liked(i)
		c.along += float64(vec.Dot(mean, rows.Mean(int(place))))
		c.square += float64(vec.Dot(mean, mean))
	}
	for i, place := range p.place {
		if p.from[place] >= 0 {
			continue
		}
		k := of(p.likes[i])
		for apart := 1; classes[k].n == 0; apart++ {
			if at := of(p.likes[i]) - apart; at >= 0 && classes[at].n > 0 {
				k = at
			} else if at := of(p.likes[i]) + apart; at < len(classes) && classes[at].n > 0 {
				k = at
			}
		}
		c := &classes[k]
		row := rows.Row(int(place))
		if c.square > 0 {
			vec.Axpy(float32(c.along/c.square), liked(i), row[:h])
		}
		for k, s := range c.stddev {
			row[h+k] = float32(s / float64(c.n))
		}
		gaussian.Bound(row, p.older.Objective.Radius)
	}
}

// tastes returns for each user the mean of μ over the liked items that the older model has, or 0 without such items.
// O(nnz·h).
func (p *plan) tastes(d *dataset.Dataset, h int) []float32 {
	out := make([]float32, d.Positives.Rows()*h)
	for u := range d.Positives.Rows() {
		mean, n := vec.Row(out, u, h), 0
		for _, i := range d.Positives.Row(u) {
			if from := p.from[p.place[i]]; from >= 0 {
				vec.Axpy(1, p.older.Items.Mean(int(from)), mean)
				n++
			}
		}
		for k := range mean {
			mean[k] /= float32(max(n, 1))
		}
	}
	return out
}
