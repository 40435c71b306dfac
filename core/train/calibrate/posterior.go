package calibrate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
)

// Sizes are the numbers of likes of the simulated visitors. A user takes part in every size that they have enough likes
// for.
var Sizes = [...]int{3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256}

// strengths are the candidate values of κ.
var strengths = [...]float32{1, 2, 3, 5, 8, 12, 20, 30, 50, 100}

const (
	Refits    = 16 // refits on random halves of the likes of one visitor
	minVisits = 20 // minimum number of visits for a size to count
)

// Posterior fits how well a visitor's mean is known, on the left-out users of all folds. Within is computed for the
// first fold's model; Transfer replaces it. κ and the radii are dimensionless, so all folds share them, each with the
// covariance within people of its own model.
//
// κ maximises the likelihood of refits, on halves of a visitor's likes and on equally many other likes, with equal
// weight. Halves alone would trust a visitor's likes too much, because they are part of them. Other likes alone would
// trust them too little, because they use up half of each user's likes (surprise).
//
// The radii are quantiles of the Mahalanobis distance between a visitor's mean and the mean of a refit on a random half
// of the same likes, both by the model's own inference, for every number of likes in Sizes. A least-squares line in
// model.Scarcity joins the sizes. With too few users they are the normal distribution's.
//
// Distances are divided by the theory's expectation for a refit (HalfDeviation, OtherDeviation), which is 1 for a half
// without a prior.
func Posterior(ctx context.Context, folds []*People, workers int) (model.Posterior, error) {
	first := folds[0].Model
	post := model.Posterior{
		Strength: strengths[len(strengths)/2], Full: Normal(first.Items.Dim()),
	}
	widths := make([][]float32, len(folds))
	var s [len(strengths)]surprise
	for k, p := range folds {
		widths[k] = p.within(workers)
		f, err := p.inferrer(post, widths[k])
		if err != nil {
			return post, err
		}
		seen, err := visits(ctx, f, p, workers)
		if err != nil {
			return post, err
		}
		if err := addSurprise(ctx, &s, f, &p.Plane, seen, workers); err != nil {
			return post, err
		}
	}
	post.Within = widths[0]
	best := math.Inf(1)
	for k, strength := range strengths {
		if loss := s[k].mean(); loss < best {
			best, post.Strength = loss, strength
		}
	}
	times := Refits
	if first.Objective.Composition.Free { // its inference iterates
		times = Refits / 4
	}
	full := map[int][]float64{}
	for k, p := range folds {
		f, err := p.inferrer(post, widths[k])
		if err != nil {
			return post, err
		}
		of := make([][]Refit, len(p.Left))
		if err := parallel.Each(ctx, len(p.Left), workers, func() func(int) {
			return func(i int) {
				u := p.Left[i]
				RefitHalves(f, &p.Plane, p.Likes.Row(u), Sizes[:], times, UserRand(p.Seed, u), func(r Refit) {
					of[i] = append(of[i], r)
				})
			}
		}); err != nil {
			return post, err
		}
		for _, r := range slices.Concat(of...) {
			full[r.Likes] = append(full[r.Likes], r.Full)
		}
	}
	FitRadii(&post.Full, full, times)
	return post, nil
}

// inferrer returns the inference of p's model with the given posterior and covariance within people.
func (p *People) inferrer(post model.Posterior, within []float32) (*recommend.Inferrer, error) {
	post.Within = within
	s := recommend.InferenceSettingsOf(p.Model)
	s.Posterior = &post
	return recommend.NewInferrer(s)
}

// UserRand returns the random source of one user.
func UserRand(seed uint64, user int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(user))) }

// Refit is the distance of a refit from a visitor's mean, in Mahalanobis units scaled to have the same expectation for
// every refit.
type Refit struct {
	Likes       int // of the visitor
	Plane, Full float64
}

// RefitHalves calls f with refits on random halves of a visitor's likes. For every n in sizes, if likes has so many, it
// draws n of them as the visitor's likes and takes the given number of random halves of these. A half of an odd number
// is rounded up or down at random.
func RefitHalves(inf *recommend.Inferrer, plane *tastemap.Plane, likes []int32, sizes []int, times int, r *rand.Rand,
	f func(Refit)) {
	all := Ints(likes)
	for _, n := range sizes {
		if n > len(all) {
			return
		}
		shuffle(r, all)
		drawn := slices.Clone(all[:n])
		v := newVisitor(inf, plane, drawn)
		for range times {
			shuffle(r, drawn)
			k := n / 2
			if n%2 == 1 {
				k += r.IntN(2)
			}
			f(v.refit(drawn[:k], HalfDeviation(inf, n, k)))
		}
	}
}

// RefitOthers calls f with one refit for every size, on equally many other likes of the same user, if there are enough.
func RefitOthers(inf *recommend.Inferrer, plane *tastemap.Plane, likes []int32, sizes []int, r *rand.Rand,
	f func(Refit)) {
	all := Ints(likes)
	for _, n := range sizes {
		if 2*n > len(all) {
			return
		}
		shuffle(r, all)
		f(newVisitor(inf, plane, all[:n]).refit(all[n:2*n], OtherDeviation(inf, n)))
	}
}

// HalfDeviation returns the standard deviation of the mean refitted on k of a visitor's n likes, relative to the
// posterior's. The mean of the likes varies by 1/k − 1/n of one like's variance, of which a share of Own(k) reaches the
// refit, and the posterior has Own(n)/n: √(n/k − 1) without a prior.
func HalfDeviation(f *recommend.Inferrer, n, k int) float64 {
	return f.LikesWeight(k) * math.Sqrt((float64(n)/float64(k)-1)/f.LikesWeight(n))
}

// OtherDeviation is HalfDeviation for a refit on n other likes, which vary as well. It is √2 without a prior.
func OtherDeviation(f *recommend.Inferrer, n int) float64 { return math.Sqrt(2 * f.LikesWeight(n)) }

// Ints converts a matrix row to ints.
func Ints(likes []int32) []int {
	all := make([]int, len(likes))
	for k, i := range likes {
		all[k] = int(i)
	}
	return all
}

func shuffle(r *rand.Rand, x []int) { r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] }) }

// visitor is a simulated visitor with n likes.
type visitor struct {
	inf        *recommend.Inferrer
	plane      *tastemap.Plane
	taste      *recommend.Taste
	n          int
	aa, ab, bb float64 // covariance in the plane
}

func newVisitor(inf *recommend.Inferrer, plane *tastemap.Plane, likes []int) *visitor {
	t := inf.Infer(recommend.Evidence{Likes: likes}, nil)
	v := &visitor{inf: inf, plane: plane, n: len(t.Likes()), taste: t}
	if plane.Origin != nil {
		v.aa, v.ab, v.bb, _ = inf.Covariance(t, plane.Axes[0], plane.Axes[1])
	}
	return v
}

// refit returns the distance of the mean of other likes; times is the theoretical standard deviation in units of the
// visitor's.
func (v *visitor) refit(likes []int, times float64) Refit {
	row := v.inf.Row(recommend.Evidence{Likes: likes})
	x, y := offset(v.plane, v.taste, row)
	full := 0.0
	for d, s := range v.taste.Spread {
		dev := float64(row[d]) - float64(v.taste.Row[d])
		full += dev / float64(s) * dev / float64(s)
	}
	return Refit{v.n, v.distance(x, y) / times, math.Sqrt(full) / times}
}

// offset returns the offset in the plane of a row's mean from a taste's; 0 without a plane.
func offset(plane *tastemap.Plane, t *recommend.Taste, row []float32) (x, y float64) {
	if plane.Origin == nil {
		return 0, 0
	}
	for d := range t.Spread {
		dev := float64(row[d]) - float64(t.Row[d])
		x += dev * float64(plane.Axes[0][d])
		y += dev * float64(plane.Axes[1][d])
	}
	return x, y
}

// distance returns the Mahalanobis distance of (x, y) from the visitor; 0 without a plane, or without spread in it.
func (v *visitor) distance(x, y float64) float64 {
	if !(v.det() > 0) {
		return 0
	}
	return math.Sqrt(max((v.bb*x*x-2*v.ab*x*y+v.aa*y*y)/v.det(), 0))
}

func (v *visitor) det() float64 { return v.aa*v.bb - v.ab*v.ab }

// surprise sums the negative log-likelihood of refits in the plane of the items' largest variance. The scale is fitted
// for each size, so only shapes are compared; the radii then fit the scale:
//
//	mean over the sizes of  mean(ln det Σ)/2 + ln mean(d²)        d the Mahalanobis distance by Σ
//
// It sums two such values: of refits on halves, and of refits on equally many other likes.
type surprise struct{ halves, fresh likelihood }

// addSurprise adds the refits of the visits to the surprise of each of the strengths, using f's posterior with that
// strength. It adds in the order of the visits, for any number of workers.
func addSurprise(ctx context.Context, s *[len(strengths)]surprise, f *recommend.Inferrer, plane *tastemap.Plane,
	seen []visit, workers int) error {
	if plane.Origin == nil {
		return ctx.Err()
	}
	type refits struct {
		det         float64 // of the visitor's covariance
		half, other float64 // distances
	}
	of := make([][len(strengths)]refits, len(seen))
	err := parallel.Each(ctx, len(seen), workers, func() func(int) {
		return func(i int) {
			x, n := &seen[i], Sizes[seen[i].size]
			half, other := HalfDeviation(f, n, n/2), OtherDeviation(f, n)
			halfX, halfY := offset(plane, x.taste, x.half)
			var otherX, otherY float64
			if x.other != nil {
				otherX, otherY = offset(plane, x.taste, x.other)
			}
			for k, c := range f.Covariances(x.taste, plane.Axes[0], plane.Axes[1], strengths[:]) {
				v := visitor{aa: c[0], ab: c[1], bb: c[2]}
				of[i][k] = refits{v.det(), v.distance(halfX, halfY) / half, v.distance(otherX, otherY) / other}
			}
		}
	})
	for i, x := range seen {
		for k, r := range of[i] {
			s[k].halves.add(x.size, r.det, r.half)
			if x.other != nil {
				s[k].fresh.add(x.size, r.det, r.other)
			}
		}
	}
	return err
}

func (s *surprise) mean() float64 { return s.halves.mean() + s.fresh.mean() }

// visit is a visitor with Sizes[size] likes: the taste, and the rows inferred from half of the likes and from equally
// many other likes; nil if there are too few.
type visit struct {
	size        int
	taste       *recommend.Taste
	half, other []float32
}

// visits makes one visit of every size for each user. The rows do not depend on f's posterior.
func visits(ctx context.Context, f *recommend.Inferrer, p *People, workers int) ([]visit, error) {
	row := func(likes []int) []float32 { return f.Row(recommend.Evidence{Likes: likes}) }
	of := make([][]visit, len(p.Left))
	err := parallel.Each(ctx, len(p.Left), workers, func() func(int) {
		return func(i int) {
			all := Ints(p.Likes.Row(p.Left[i]))
			r := UserRand(p.Seed, p.Left[i])
			for k, n := range Sizes {
				if n > len(all) {
					return
				}
				shuffle(r, all)
				v := visit{size: k, taste: f.Infer(recommend.Evidence{Likes: all[:n]}, nil), half: row(all[:n/2])}
				if 2*n <= len(all) {
					v.other = row(all[n : 2*n])
				}
				of[i] = append(of[i], v)
			}
		}
	})
	return slices.Concat(of...), err
}

// likelihood holds the sums of surprise by size.
type likelihood struct{ det, square, count [len(Sizes)]float64 }

func (l *likelihood) add(size int, det, distance float64) {
	if det > 0 {
		l.det[size] += math.Log(det) / 2
		l.square[size] += distance * distance
		l.count[size]++
	}
}

func (l *likelihood) mean() float64 {
	sum, used := 0.0, 0.0
	for k, n := range l.count {
		if n >= minVisits && l.square[k] > 0 {
			sum += l.det[k]/n + math.Log(l.square[k]/n)
			used++
		}
	}
	return sum / max(used, 1)
}

// FitRadii sets the radii of a region to the quantiles of the distances, which are keyed by the number of likes (one of
// Sizes). Each level is the weighted least-squares line in model.Scarcity, with sizes weighted by their number of
// distances. With fewer than two sizes of minVisits visits (times distances each), the region stays unchanged.
func FitRadii(region *model.FullRegion, distances map[int][]float64, times int) {
	var used []int
	for _, n := range Sizes {
		if len(distances[n]) >= minVisits*times {
			slices.Sort(distances[n])
			used = append(used, n)
		}
	}
	if len(used) < 2 {
		return
	}
	for k, level := range model.Levels {
		var w, wx, wy, wxx, wxy float64
		for _, n := range used {
			at := distances[n]
			x, y, c := model.Scarcity(n), at[int(float64(level)*float64(len(at)-1)+0.5)], float64(len(at))
			w, wx, wy, wxx, wxy = w+c, wx+c*x, wy+c*y, wxx+c*x*x, wxy+c*x*y
		}
		logLoss := (w*wxy - wx*wy) / (w*wxx - wx*wx)
		many := (wy - logLoss*wx) / w
		region.Many[k], region.Few[k] = float32(max(many, 0)), float32(max(many+logLoss, 0))
		if k > 0 { // independent lines might cross
			region.Many[k] = max(region.Many[k], region.Many[k-1])
			region.Few[k] = max(region.Few[k], region.Few[k-1])
		}
	}
}

// Normal returns the region of a normal distribution of dimension h: in the plane r² = −2 ln(1−p), otherwise the
// cube-root approximation of chi-square (Wilson and Hilferty 1931), r² = h·(1 − 2/9h + z·√(2/9h))³.
func Normal(h int) (region model.FullRegion) {
	c := 2 / (9 * float64(h))
	for k, level := range model.Levels {
		if h == 2 {
			region.Many[k] = float32(model.EllipseRadius(float64(level)))
			continue
		}
		z := math.Sqrt2 * math.Erfinv(2*float64(level)-1)
		root := max(1-c+z*math.Sqrt(c), 0)
		region.Many[k] = float32(math.Sqrt(float64(h) * root * root * root))
	}
	region.Few = region.Many
	return region
}
