package baseline

import "github.com/pmlam/pmlam/core/dataset"

// EASEWeights returns the complete matrix B of EASE, I×I: row j holds the contributions of a history item j to the
// scores of all targets; the diagonal is 0. It has the cost and the errors of EASE.
func EASEWeights(train *dataset.Matrix, lambda float64) ([]float32, error) {
	s, err := EASE(train, lambda)
	if err != nil {
		return nil, err
	}
	return s.(*ease).weights, nil
}
