package baseline

import "github.com/pmlam/pmlam/core/dataset"

// reach finds the other items of an item's users. It is the scratch memory of one goroutine.
type reach struct {
	train, users *dataset.Matrix // U×I and its transpose
	userWeight   []float64       // U: a user's weight, > 0 if they have any item
	sums         []float64       // I: zero between calls
	touched      []int32
}

func newReach(train, users *dataset.Matrix, userWeight []float64) *reach {
	return &reach{train: train, users: users, userWeight: userWeight, sums: make([]float64, train.Cols)}
}

// from calls use with every item that shares users with i, including i, and Σ userWeight of these users. O(Σ_{u∈U_i}
// |S_u|).
func (r *reach) from(i int, use func(j int32, sum float64)) {
	r.touched = r.touched[:0]
	for _, u := range r.users.Row(i) {
		userWeight := r.userWeight[u]
		for _, j := range r.train.Row(int(u)) {
			if r.sums[j] == 0 {
				r.touched = append(r.touched, j)
			}
			r.sums[j] += userWeight
		}
	}
	for _, j := range r.touched {
		sum := r.sums[j]
		r.sums[j] = 0
		use(j, sum)
	}
}
