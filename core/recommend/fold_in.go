package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Constants of the fold-in, our choice, tuned on held-out users of MovieLens small with three kinds of models (softmax
// and hinge user tables; composed users with a free part).
const (
	steps       = 50    // of Adam
	learnRate   = 0.004 // for a ball of radius 1, falls linearly to 0 over the steps; faster overfits the negatives
	sampleSize  = 256   // Q, negatives of a step if all likes share one anchor
	sampleOwn   = 96    // Q if each like has its own anchor, which costs n·Q·h
	ownLikes    = 24    // likes of a step if each has its own anchor
	sampleNet   = 64    // upper bound of Q if margins come from a network,
	pairsNet    = 3200  // with this many pairs (like, negative), n·Q·H
	refresh     = 25    // steps between evaluations of the margin network
	pushWeight  = 3     // weight of a dislike, in negatives
	maxSample   = 1024  // enough to find Q unmentioned items even for a visitor who mentioned many
	adamBeta1   = 0.9
	adamBeta2   = 0.999
	adamEpsilon = 1e-8
)

// fold is the scratch space of one fold-in.
type fold struct {
	neg         []float32 // (Q+m)×2h: the negatives' rows, then the dislikes'
	dq, cq      []float32 // Q+m
	dp, cp      []float32 // n: distances to the likes, ∂J/∂d_p
	total       []float32 // Q+m: Σ over the likes of ∂L/∂d_q
	free        []float32 // 2h: the row being fitted
	theta       []float32 // 2h: the anchor
	grad, sub   []float32 // 2h: gradient by free, and by one anchor
	m, v        []float32 // 2h: Adam's moments
	sum, others []float32 // 2h: Σ of the liked rows; the same without one
	margins     []float32 // n×(Q+m)
	pair, z     []float32 // margin network: H, h
	shared      []float32 // (Q+m)×H
}

// foldIn fits the visitor's row to the evidence with all items frozen, using the training's own loss:
//
//	J(free) = Σ_{p liked} L(d_p; d_q over the negatives and the dislikes),   d = W2² to the anchor
//
// The anchor is Π(free) without composition, and Π(free + w·mean of the other likes) with it: as in training, a like's
// own row is left out of its mean while fitting, or the like would explain itself. The descent is Adam from the mean of
// the likes (from free = 0 with composition), bounded after every step, for a fixed number of steps. It stops early on
// purpose, to keep the row near the likes. Negatives are a fixed sample of unmentioned items, so the fit depends on the
// evidence alone. The derivatives of a dislike's distance count pushWeight-fold. Margins of a network are taken at the
// means, as constants that are renewed every few steps.
//
// Without likes the catalogue's mean replaces them. It returns the factor by which the bounds scaled a composed mean.
func (f *Inferrer) foldIn(row []float32, e Evidence) (scale float32) {
	w := f.pool.Get().(*fold)
	defer f.pool.Put(w)
	width := len(row)
	composed := f.s.Composition.Weight > 0
	likes := make([][]float32, 0, len(e.Likes)+1)
	for _, i := range e.Likes {
		likes = append(likes, f.s.Items.Row(i))
	}
	if len(likes) == 0 {
		likes = append(likes, f.mean)
	}
	for _, x := range []*[]float32{&w.free, &w.theta, &w.grad, &w.sub, &w.m, &w.v, &w.sum, &w.others} {
		*x = grow(*x, width)
		clear(*x)
	}
	for _, x := range likes {
		vec.Axpy(1, x, w.sum)
	}
	q := sampleSize
	switch {
	case composed:
		q = sampleOwn
	case f.folded != nil:
		q = min(max(pairsNet/len(likes), 16), sampleNet)
	}
	q = f.negatives(w, e, q)
	n := len(w.neg) / width
	w.dq, w.cq, w.total = grow(w.dq, n), grow(w.cq, n), grow(w.total, n)
	if !composed {
		vec.Axpy(1/float32(len(likes)), w.sum, w.free)
		gaussian.Bound(w.free, f.s.Radius)
	}
	b1, b2 := float32(1), float32(1)
	radius := f.s.Radius
	if math.IsInf(float64(radius), 1) {
		radius = 1
	}
	for t := range steps {
		clear(w.grad)
		if composed {
			f.ownAnchors(w, likes, q, t)
		} else {
			copy(w.theta, w.free)
			if f.folded != nil && t%refresh == 0 {
				f.networkMargins(w, likes)
			}
			f.sharedAnchor(w, likes, q)
		}
		b1 *= adamBeta1
		b2 *= adamBeta2
		rate := learnRate * radius * float32(steps-t) / steps
		adam(w.free, w.grad, w.m, w.v, rate/(1-b1), 1/(1-b2))
		if !composed {
			gaussian.Bound(w.free, f.s.Radius)
		}
	}
	if composed {
		return gaussian.Compose(row, w.free, w.sum, f.s.Composition.Weight/float32(len(likes)), f.s.Radius)
	}
	copy(row, w.free)
	return 1
}

// negatives gathers up to q unmentioned rows, followed by the dislikes' rows, and returns the number of the former.
func (f *Inferrer) negatives(w *fold, e Evidence, q int) int {
	w.neg = w.neg[:0]
	found := 0
	for _, i := range f.sample {
		if found == q {
			break
		}
		_, liked := slices.BinarySearch(e.Likes, int(i))
		_, disliked := slices.BinarySearch(e.Dislikes, int(i))
		if !liked && !disliked {
			w.neg = append(w.neg, f.s.Items.Row(int(i))...)
			found++
		}
	}
	for _, i := range e.Dislikes {
		w.neg = append(w.neg, f.s.Items.Row(i)...)
	}
	return found
}

// sharedAnchor adds ∂J/∂θ at w.theta to w.grad. As every d is ‖θ−x‖², the gradient is 2[(Σc)·θ − Σ c_p θ_p − Σ c_q
// θ_q], so each row is read once. O((n+Q)·h), and n·Q more for a hinge.
func (f *Inferrer) sharedAnchor(w *fold, likes [][]float32, q int) {
	vec.SquaredDistances(w.dq, w.theta, w.neg)
	w.dp, w.cp = grow(w.dp, len(likes)), grow(w.cp, len(likes))
	for j, p := range likes {
		w.dp[j] = vec.SquaredDistance(w.theta, p)
	}
	f.coefficients(w)
	scaleDislikes(w.total[q:])
	var all float32
	for j, p := range likes {
		all += w.cp[j]
		vec.Axpy(-2*w.cp[j], p, w.grad)
	}
	for k, c := range w.total {
		if c != 0 {
			all += c
			vec.Axpy(-2*c, w.neg[k*len(w.theta):(k+1)*len(w.theta)], w.grad)
		}
	}
	vec.Axpy(2*all, w.theta, w.grad)
}

// coefficients fills w.cp with ∂J/∂d_p and w.total with ∂J/∂d_q for likes that share their negatives' distances. The
// result is the sum of gaussian.Coefficients over the likes. The softmax factors: with E_q = exp((d_min−d_q)/τ), S = Σ
// E_q,
//
//	c_p = 1/(τ·(1 + exp((d_min−d_p)/τ)/S))        Σ_p ∂L/∂d_q = −(Σ_p c_p)·E_q/S
//
// so it takes n+Q exponentials instead of n·Q.
func (f *Inferrer) coefficients(w *fold) {
	clear(w.total)
	if f.s.Loss.Kind != gaussian.Softmax || len(w.dq) == 0 {
		for j, d := range w.dp {
			var margins []float32
			if f.folded != nil {
				margins = w.margins[j*len(w.dq) : (j+1)*len(w.dq)]
			}
			_, w.cp[j] = f.s.Loss.Coefficients(d, w.dq, margins, w.cq)
			vec.Axpy(1, w.cq, w.total)
		}
		return
	}
	inv := 1 / f.s.Loss.Temperature
	nearest := slices.Min(w.dq)
	var sum, all float32
	for k, d := range w.dq {
		w.total[k] = vec.Exp(float32((nearest - d) * inv))
		sum += w.total[k]
	}
	for j, d := range w.dp {
		w.cp[j] = inv / (1 + vec.Exp(float32((nearest-d)*inv))/sum)
		all += w.cp[j]
	}
	c := -all / sum
	for k := range w.total {
		w.total[k] *= c
	}
}

// ownAnchors adds ∂J/∂free to w.grad if each like is measured from a row composed of the others. With many likes, step
// t takes the next ownLikes in turn. O(min(n, ownLikes)·Q·h).
func (f *Inferrer) ownAnchors(w *fold, likes [][]float32, q, t int) {
	width := len(w.theta)
	for i := range min(len(likes), ownLikes) {
		p := likes[(t*ownLikes+i)%len(likes)]
		copy(w.others, w.sum)
		vec.Axpy(-1, p, w.others)
		c := float32(0)
		if len(likes) > 1 {
			c = f.s.Composition.Weight / float32(len(likes)-1)
		}
		scale := gaussian.Compose(w.theta, w.free, w.others, c, f.s.Radius)
		vec.SquaredDistances(w.dq, w.theta, w.neg)
		_, cp := f.s.Loss.Coefficients(vec.SquaredDistance(w.theta, p), w.dq, nil, w.cq)
		scaleDislikes(w.cq[q:])
		clear(w.sub)
		all := cp
		vec.Axpy(-2*cp, p, w.sub)
		for k, c := range w.cq {
			if c != 0 {
				all += c
				vec.Axpy(-2*c, w.neg[k*width:(k+1)*width], w.sub)
			}
		}
		vec.Axpy(2*all, w.theta, w.sub)
		gaussian.ComposeBackward(w.sub, w.theta, scale, f.s.Radius)
		vec.Axpy(1, w.sub, w.grad)
	}
}

// scaleDislikes makes the dislikes' derivatives count pushWeight-fold. It does not scale c_p, or a dislike would also
// pull the visitor towards the likes.
func scaleDislikes(c []float32) {
	for k := range c {
		c[k] *= pushWeight
	}
}

// adam moves x along −g by rate·m/(√(v·c)+ε), Adam's step with rate and c already corrected for bias.
func adam(x, g, m, v []float32, rate, c float32) {
	for i, d := range g {
		m[i] = float32(adamBeta1*m[i]) + float32((1-adamBeta1)*d)
		v[i] = float32(adamBeta2*v[i]) + float32((1-adamBeta2)*float32(d*d))
		x[i] -= float32(rate*m[i]) / (float32(math.Sqrt(float64(v[i]*c))) + adamEpsilon)
	}
}
