package calibrate

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// placeBands are the fewest likes of each band of a model.MapRegion.
var placeBands = [...]int{1, 3, 6, 11, 21, 51}

// maxPlaced bounds the people who visit: by 1,000 a radius that holds 80% of their other likes is known to 1.3 points,
// and each of their visits costs milliseconds.
const maxPlaced = 1000

// maxTold bounds the likes that a visitor of the last band tells.
const maxTold = 400

// SplitLikes draws a visit of somebody with the given likes who tells from to to of them, to 0 for no bound, and all
// but one at most: the likes told, and the others. Both are empty for somebody who has too few.
func SplitLikes(likes []int32, from, to int, r *rand.Rand) (told, others []int) {
	if to == 0 {
		to = maxTold
	}
	if to = min(to, len(likes)-1); to < from {
		return nil, nil
	}
	all := Ints(likes)
	shuffle(r, all)
	n := from + r.IntN(to-from+1)
	return all[:n:n], all[n:]
}

// placed returns what places people on the map of p's model, with a posterior whose covariance within people is that of
// the model.
func (p *People) placed(post model.Posterior, workers int) (*recommend.Recommender, error) {
	m := *p.Model
	post.Within = p.within(workers)
	m.Calibration = &model.Calibration{Posterior: post}
	return recommend.Open(&m, recommend.Options{})
}

// distances returns how far from the visitor's tastes the others of their likes lie on the map, in Mahalanobis units.
func distances(r *recommend.Recommender, told, others []int) []float64 {
	v := recommend.Visit{Likes: told}
	places := r.Places(v, r.Taste(v, nil))
	out := make([]float64, len(others))
	for k, i := range others {
		out[k] = places.Distance(r.Point(i))
	}
	return out
}

// weighed is a distance that counts by its weight.
type weighed struct{ distance, weight float64 }

// mapRegion fits how far around people's tastes on a map their other likes lie. Everybody left out, or maxPlaced of
// them at even distances where there are more, visits once in each band that they have likes for. They tell so many
// of their likes, drawn at random, and the radii of the band are the quantiles of the distances of the others; all
// visits of a band count alike. A band of fewer than minVisits visits has none of its own: the one before it takes
// its visitors, or the one after the first. Without any the zero value is returned.
//
// Each fold's people are looked for on the map of its own model. On the map of the final model what they like lies
// together, since their likes have shaped it: radii from there held 46, 77 and 94% of what others like, where they
// should have held 50, 80 and 95. O(visits·Places).
func mapRegion(ctx context.Context, folds []*People, post model.Posterior, workers int) (out model.MapRegion,
	err error) {
	var bands [len(placeBands)][][]weighed
	people := 0
	for _, p := range folds {
		people += len(p.Left)
	}
	for _, p := range folds {
		n := len(p.Left)
		if people > maxPlaced {
			n = n * maxPlaced / people
		}
		visits, err := p.allPlaceVisits(ctx, n, post, workers)
		if err != nil {
			return out, err
		}
		for b := range bands {
			bands[b] = append(bands[b], visits[b]...)
		}
	}
	for b, visits := range bands {
		if len(visits) >= minVisits {
			out.Likes, out.Radii = append(out.Likes, placeBands[b]), append(out.Radii, quantiles(visits))
		}
	}
	if len(out.Likes) > 0 {
		out.Likes[0] = 1
	}
	return out, nil
}

// allPlaceVisits returns, by band, the visits of n of the people, at even distances. O(n·Places).
func (p *People) allPlaceVisits(
	ctx context.Context, n int, post model.Posterior, workers int,
) (bands [len(placeBands)][][]weighed, err error) {
	r, err := p.placed(post, workers)
	if err != nil {
		return bands, err
	}
	of := make([][len(placeBands)][]weighed, n)
	err = parallel.Each(ctx, n, workers, func() func(int) {
		return func(k int) { of[k] = p.placeVisits(r, p.Left[k*len(p.Left)/n]) }
	})
	if err != nil {
		return bands, err
	}
	for k := range of {
		for b, all := range of[k] {
			if len(all) > 0 {
				bands[b] = append(bands[b], all)
			}
		}
	}
	return bands, nil
}

// placeVisits returns how far user u's other likes lie, in each band that the user has likes for.
func (p *People) placeVisits(r *recommend.Recommender, u int) (of [len(placeBands)][]weighed) {
	random := UserRand(p.Seed^0x706c616365, u)
	for b, from := range placeBands {
		to := 0
		if b+1 < len(placeBands) {
			to = placeBands[b+1] - 1
		}
		told, others := SplitLikes(p.Likes.Row(u), from, to, random)
		if len(told) == 0 {
			break
		}
		for _, d := range distances(r, told, others) {
			of[b] = append(of[b], weighed{d, 1 / float64(len(others))})
		}
	}
	return of
}

// quantiles returns the distances that hold each of model.Levels of the weight of the visits.
func quantiles(visits [][]weighed) (out model.Radii) {
	all := slices.Concat(visits...)
	slices.SortFunc(all, func(a, b weighed) int { return cmp.Compare(a.distance, b.distance) })
	sum, k := 0.0, 0
	for i, x := range all {
		sum += x.weight
		for k < len(out) && (sum >= float64(model.Levels[k])*float64(len(visits)) || i+1 == len(all)) {
			out[k] = float32(x.distance)
			k++
		}
	}
	return out
}
