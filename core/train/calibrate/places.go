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

// placeBands are the lower bounds, in likes, of the bands of a model.MapRegion.
var placeBands = [...]int{1, 3, 6, 11, 21, 51}

// maxPlaced bounds the number of users who visit. With 400, the standard error of a radius that holds 80% of the
// other likes is 2 points, and each visit costs milliseconds.
const maxPlaced = 400

// maxTold bounds the likes that a visitor of the last band states.
const maxTold = 400

// SplitLikes splits likes at random. A visitor states a random number of them between from and to (to 0: no upper
// bound), and at least one other like remains. Both parts are nil if there are too few likes.
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

// placed opens p's model to place its users on the map, with the given posterior and the model's own covariance within
// people.
func (p *People) placed(post model.Posterior, workers int) (*recommend.Recommender, error) {
	m := *p.Model
	post.Within = p.within(workers)
	m.Calibration = &model.Calibration{Posterior: post}
	return recommend.Open(&m, recommend.Options{})
}

// distances returns the distances on the map of the other likes from the visitor's tastes, in Mahalanobis units.
func distances(r *recommend.Recommender, told, others []int) []float64 {
	v := recommend.Visit{Likes: told}
	places := r.Places(v, r.Taste(v, nil))
	out := make([]float64, len(others))
	for k, i := range others {
		out[k] = places.Distance(r.Point(i))
	}
	return out
}

type weighed struct{ distance, weight float64 }

// mapRegion fits how far from users' tastes on the map their other likes lie. Every left-out user, or maxPlaced of them
// at even intervals, visits once in each band that they have enough likes for. They state a random part of their likes,
// and the band's radii are the quantiles of their other likes' distances. All visits of a band weigh the same. A band
// with fewer than minVisits visits is merged into the one before, the first into the one after. Without any visit the
// zero value is returned.
//
// Each fold's users are placed on the map of their fold's model. The final model's map has learned from their likes, so
// those lie closer together: radii fitted on it held 46, 77 and 94% of other users' likes instead of 50, 80 and 95.
// O(visits·Places).
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

// allPlaceVisits returns, by band, the visits of n of the users, at even intervals. O(n·Places).
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

// placeVisits returns the distances of user u's other likes, in each band that the user has enough likes for.
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

// quantiles returns the distances that hold each of model.Levels of the visits' weight.
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
