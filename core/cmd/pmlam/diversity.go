package main

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// Values of --diversity: measures of how different the items of a list are.
const (
	byGenres = "genres"
	byModel  = "model"
)

// distance returns the difference of two items as a function, nil if it is unknown. by is --diversity; "" means genres
// if the data have any.
func distance(by string, d *dataset.Dataset, m *model.Model) eval.Distance {
	if by == byModel {
		return modelDistance(d, m)
	}
	return genreDistance(d)
}

// genreDistance is 1 less the cosine of the items' genres, each a vector of 0 and 1: 1 − |A∩B| / √(|A|·|B|). It is
// unknown if one of the items has none, and nil if no item has any.
func genreDistance(d *dataset.Dataset) eval.Distance {
	numbers := map[string]int32{}
	genres := make([][]int32, d.Items.Len())
	for i := range d.Catalogue.Items {
		for _, name := range d.Catalogue.Items[i].Genres {
			if _, ok := numbers[name]; !ok {
				numbers[name] = int32(len(numbers))
			}
			genres[i] = append(genres[i], numbers[name])
		}
		slices.Sort(genres[i])
		genres[i] = slices.Compact(genres[i])
	}
	if len(numbers) == 0 {
		return nil
	}
	return func(i, j int32) float64 {
		a, b := genres[i], genres[j]
		if len(a) == 0 || len(b) == 0 {
			return math.NaN()
		}
		common := 0
		for x, y := 0, 0; x < len(a) && y < len(b); {
			switch {
			case a[x] < b[y]:
				x++
			case a[x] > b[y]:
				y++
			default:
				common, x, y = common+1, x+1, y+1
			}
		}
		return 1 - float64(common)/math.Sqrt(float64(len(a)*len(b)))
	}
}

// modelDistance is W2 of the items' Gaussians, unknown for an item that is not in the model.
func modelDistance(d *dataset.Dataset, m *model.Model) eval.Distance {
	to, _ := scoring.Numbers(m, d.Items.Strings())
	return func(i, j int32) float64 {
		if to[i] < 0 || to[j] < 0 {
			return math.NaN()
		}
		return math.Sqrt(float64(gaussian.W2Squared(m.Items.Row(int(to[i])), m.Items.Row(int(to[j])))))
	}
}
