package writer

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	startSteps = 8  // k-means steps for the clusters of clusters and those within them
	cellSteps  = 3  // k-means steps over all cells
	groupSteps = 12 // k-means steps over the cells' means
	groupSize  = 33 // cells of a group on average
	probed     = 12 // groups of cells that an item is compared with, nearest means first
)

// seed makes k-means reproducible: the same model gives the same cells.
const seed = 20

// cells divides all rows into cells of about size rows each, none above chunks.MaxCell. O(I·√C·h) for the start and for
// each of the cellSteps.
func (p points) cells(ctx context.Context, size, workers int, step func(done, all int)) ([][]int, error) {
	r := rand.New(rand.NewPCG(seed, seed))
	n := p.len()
	many := func(items int) int { return max((items+size/2)/size, 1) }
	first, err := p.clusters(ctx, upTo(n), int(math.Sqrt(float64(many(n)))+0.5), startSteps, workers, r)
	if err != nil {
		return nil, err
	}
	step(1, 2+cellSteps)
	var cells [][]int
	for _, of := range first {
		within, err := p.clusters(ctx, of, many(len(of)), startSteps, workers, r)
		if err != nil {
			return nil, err
		}
		cells = append(cells, within...)
	}
	step(2, 2+cellSteps)
	for k := range cellSteps {
		if cells, err = p.move(ctx, cells, workers, r); err != nil {
			return nil, err
		}
		var whole [][]int
		for _, of := range cells {
			parts, err := p.split(ctx, of, size, workers, r)
			if err != nil {
				return nil, err
			}
			whole = append(whole, parts...)
		}
		cells = whole
		step(3+k, 2+cellSteps)
	}
	return cells, nil
}

// move is one step of k-means over all cells. Each row moves to the cell with the nearest mean, among the cells of the
// probed groups with the nearest means.
func (p points) move(ctx context.Context, cells [][]int, workers int, r *rand.Rand) ([][]int, error) {
	means := p.means(cells)
	groups, err := means.clusters(ctx, upTo(len(cells)), int(math.Sqrt(float64(len(cells)))), startSteps, workers, r)
	if err != nil {
		return nil, err
	}
	middles, packed := means.means(groups), make([][]float32, len(groups))
	for g, of := range groups {
		for _, c := range of {
			packed[g] = append(packed[g], means.row(c)...)
		}
	}
	nearest, all := make([]int32, p.len()), upTo(len(groups))
	parallelDo(workers, p.len(), func(from, to int) {
		d, order, far := make([]float32, len(groups)), make([]int, len(groups)), make([]float32, len(cells))
		for i := from; i < to; i++ {
			vec.SquaredDistances(d, p.row(i), middles.data)
			copy(order, all)
			slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(d[a], d[b]), a-b) })
			best := float32(math.Inf(1))
			for _, g := range order[:min(probed, len(order))] {
				far := far[:len(groups[g])]
				vec.SquaredDistances(far, p.row(i), packed[g])
				if at := argmin(far); far[at] < best {
					best, nearest[i] = far[at], int32(groups[g][at])
				}
			}
		}
	})
	return gather(upTo(p.len()), nearest, len(cells)), ctx.Err()
}

// split returns a cell unchanged, or divides it if it is too large: by k-means or, if that fails because rows are
// equal, by number.
func (p points) split(ctx context.Context, of []int, size, workers int, r *rand.Rand) ([][]int, error) {
	if len(of) <= min(5*size/2, chunks.MaxCell) {
		return [][]int{of}, nil
	}
	parts, err := p.clusters(ctx, of, (len(of)+size-1)/size, startSteps, workers, r)
	var out [][]int
	for _, part := range parts {
		for len(part) > chunks.MaxCell {
			out, part = append(out, part[:size:size]), part[size:]
		}
		out = append(out, part)
	}
	return out, err
}

// groups sorts the cells into groups with similar means, and returns them with the number of cells in each group.
func (p points) groups(ctx context.Context, cells [][]int, workers int) (ordered [][]int, sizes []int, err error) {
	r := rand.New(rand.NewPCG(seed, seed))
	k := (len(cells) + groupSize - 1) / groupSize
	groups, err := p.means(cells).clusters(ctx, upTo(len(cells)), k, groupSteps, workers, r)
	for _, of := range groups {
		for _, c := range of {
			ordered = append(ordered, cells[c])
		}
		sizes = append(sizes, len(of))
	}
	return ordered, sizes, err
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
