package uncertainty

import (
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/study/calibrate"
)

// People returns what the given users said. O(their rows).
func People(d *dataset.Dataset, users []int) []Person {
	out := make([]Person, len(users))
	for k, u := range users {
		p := &out[k]
		p.Likes = calibrate.Ints(d.Positives.Row(u))
		if d.Unliked == nil {
			continue
		}
		for _, i := range d.Unliked.Row(u) {
			if d.Low.Contains(u, i) {
				p.Dislikes = append(p.Dislikes, int(i))
			} else {
				p.Others = append(p.Others, int(i))
			}
		}
	}
	return out
}

// Parts splits the numbers 0…users−1 at random into n parts of equal size (±1), each ascending.
func Parts(users, n int, seed uint64) [][]int {
	order := rand.New(rand.NewPCG(seed, 0x7061727473)).Perm(users)
	parts := make([][]int, n)
	for k, u := range order {
		parts[k%n] = append(parts[k%n], u)
	}
	for _, p := range parts {
		slices.Sort(p)
	}
	return parts
}

// Without returns m with the given rows, ascending, empty. O(nnz).
func Without(m *dataset.Matrix, rows []int) *dataset.Matrix {
	out := &dataset.Matrix{Cols: m.Cols, Offsets: make([]int, 1, m.Rows()+1)}
	for u := range m.Rows() {
		if !contains(rows, u) {
			out.Indices = append(out.Indices, m.Row(u)...)
		}
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}
