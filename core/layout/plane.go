package layout

import (
	"fmt"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// FitPlane returns the plane through the average of the items' means along the two directions in which they vary most,
// and the shares of the total variance along them (principal). It returns an error for fewer than two items, for h < 2,
// and for means that are not finite. O(I·h² + h³).
func FitPlane(items *gaussian.Table) (model.Plane, error) {
	n, h := items.Len(), items.Dim()
	if n < 2 {
		return model.Plane{}, fmt.Errorf("a plane needs at least 2 items to lie through, there are %d", n)
	}
	if h < 2 {
		return model.Plane{}, fmt.Errorf("a plane needs a latent dimension of at least 2, it is %d", h)
	}
	means := Means(items)
	for at, v := range means.Data {
		if v-v != 0 {
			return model.Plane{}, fmt.Errorf("the mean of item %d is %v in dimension %d: a plane can be laid through "+
				"finite means only", at/h, v, at%h)
		}
	}
	mean, axes, shares := principal(means)
	return model.Plane{
		Origin: narrow(mean), Axes: [2][]float32{narrow(axes[0]), narrow(axes[1])}, Shares: shares,
	}, nil
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}
