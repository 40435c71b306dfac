package tastemap

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/topk"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Quality measures how well a map represents the space of the rows, and its genres.
type Quality struct {
	// Overlap is the share of a title's k nearest that are also among its k nearest on the map: 1 for the space itself,
	// k/(n−1) for a random map.
	Overlap float64 `json:"knnOverlap"`
	// Trustworthiness is 1 minus a penalty for strangers: titles among the k nearest on the map that are not among the
	// k nearest, weighted by their rank beyond k (Venna and Kaski 2001),
	//
	//	T(k) = 1 − 2/(nk(2n − 3k − 1)) Σ_i Σ_{j ∈ strangers of i} (rank(i,j) − k)
	Trustworthiness float64 `json:"trustworthiness"`
	// SameGenre is the share of the k nearest on the map that have the title's first genre.
	SameGenre float64 `json:"sameGenre"`
}

// Neighbours is k of the reported qualities.
const Neighbours = 10

// qualitySample is the largest number of titles whose neighbours are compared.
const qualitySample = 5000

// Measure compares the map of places (n×2) with the space of the rows; kind numbers each title's first genre, negative
// if it has none. With more than 5,000 titles it compares 5,000, evenly spaced, each with all others. Ties go to the
// lower index. It returns an error unless n > 2k, or if ctx ends. O(min(n, 5000)·n·width).
func Measure(ctx context.Context, rows, places Rows, kind []int32, k, workers int) (q Quality, err error) {
	n := rows.Len()
	if n <= 2*k {
		return q, fmt.Errorf("the quality of a map at %d neighbours needs more than %d titles, got %d", k, 2*k, n)
	}
	m := min(n, qualitySample)
	each := make([]Quality, m)
	err = parallel.Each(ctx, m, workers, func() func(int) {
		squares, onMap := make([]float32, n), make([]float32, n)
		return func(at int) {
			i := at * n / m
			vec.SquaredDistances(squares, rows.Row(i), rows.Data)
			vec.SquaredDistances(onMap, places.Row(i), places.Data)
			near := nearestOf(squares, i, k)
			e := &each[at]
			last := near[len(near)-1]
			for _, x := range nearestOf(onMap, i, k) {
				j := x.Item
				if kind[i] >= 0 && kind[i] == kind[j] {
					e.SameGenre++
				}
				own := neighbour{Score: -squares[j], Item: j}
				if !last.Before(own) {
					e.Overlap++
					continue
				}
				rank := 1
				for l, s := range squares {
					if l != i && (neighbour{Score: -s, Item: int32(l)}).Before(own) {
						rank++
					}
				}
				e.Trustworthiness += float64(rank - k)
			}
		}
	})
	if err != nil {
		return q, err
	}
	for _, e := range each {
		q.Overlap += e.Overlap
		q.SameGenre += e.SameGenre
		q.Trustworthiness += e.Trustworthiness
	}
	q.Overlap /= float64(m * k)
	q.SameGenre /= float64(m * k)
	q.Trustworthiness = 1 - 2*q.Trustworthiness/(float64(m*k)*float64(2*n-3*k-1))
	return q, nil
}

// nearestOf returns the k points with the smallest squares except i, the nearest first.
func nearestOf(squares []float32, i, k int) []neighbour {
	h := topk.New[float32](k)
	for j, s := range squares {
		if j != i {
			h.Offer(int32(j), -s)
		}
	}
	return h.Sorted()
}

// Kinds numbers the titles' first genres for Measure. O(n).
func Kinds(c *catalogue.Catalogue) []int32 {
	number := map[string]int32{}
	kinds := make([]int32, c.Len())
	for i := range kinds {
		kinds[i] = -1
		if g := c.Items[i].Genres; len(g) > 0 {
			if _, ok := number[g[0]]; !ok {
				number[g[0]] = int32(len(number))
			}
			kinds[i] = number[g[0]]
		}
	}
	return kinds
}
