package baseline

import "github.com/pmlam/pmlam/core/dataset"

// EASEWeights returns the whole matrix B of EASE, I×I: row j holds what an item j of the history adds to the score of
// every target; the diagonal is 0. It costs and refuses what EASE does.
func EASEWeights(train *dataset.Matrix, lambda float64) ([]float32, error) {
	s, err := EASE(train, lambda)
	if err != nil {
		return nil, err
	}
	return s.(*ease).weights, nil
}
