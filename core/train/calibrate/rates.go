package calibrate

import "math"

// maxRatings bounds the weight of one person, in ratings.
const maxRatings = 100

// counts are how often each item was liked and rated.
type counts struct {
	likes, ratings []float64 // I
	share          float64   // of all ratings that are likes
	priorStrength  float64   // s: how many ratings the prior of an item's share is worth
}

// count counts what the users said. O(their ratings).
func count(d Data, users []int) *counts {
	c := &counts{likes: make([]float64, d.Likes.Cols), ratings: make([]float64, d.Likes.Cols)}
	likes, ratings := 0.0, 0.0
	for _, u := range users {
		for _, i := range d.Likes.Row(u) {
			c.likes[i]++
			c.ratings[i]++
		}
		for _, i := range d.Unliked.Row(u) {
			c.ratings[i]++
		}
		likes += float64(len(d.Likes.Row(u)))
		ratings += float64(len(d.Likes.Row(u)) + len(d.Unliked.Row(u)))
	}
	// One more of each kind, so that no share is 0 or 1.
	c.share = (likes + 1) / (ratings + 2)
	c.priorStrength = c.choose()
	return c
}

// priorStrengths are the strengths of the prior to choose from.
var priorStrengths = [...]float64{1, 2, 3, 5, 8, 12, 20, 30, 50, 100}

// choose returns the prior strength s with the highest likelihood, where an item's share of likes is drawn from the
// beta distribution Beta(s·share, s·(1−share)) and its likes are binomial: empirical Bayes, on a grid. O(I).
func (c *counts) choose() float64 {
	best, at := math.Inf(-1), 0.0
	for _, s := range priorStrengths {
		a, b, sum := s*c.share, s*(1-c.share), 0.0
		for i, n := range c.ratings {
			if n > 0 {
				sum += beta(c.likes[i]+a, n-c.likes[i]+b) - beta(a, b)
			}
		}
		if sum > best {
			best, at = sum, s
		}
	}
	return at
}

// beta returns ln B(a, b).
func beta(a, b float64) float64 {
	x, _ := math.Lgamma(a)
	y, _ := math.Lgamma(b)
	z, _ := math.Lgamma(a + b)
	return x + y - z
}

// rate returns the logit of an item's shrunk share of likes, k of n ratings: ln((k + s·share)/(n − k + s·(1 − share))).
func (c *counts) rate(k, n float64) float64 {
	return logit((k + c.priorStrength*c.share) / (n + c.priorStrength))
}

// Rates returns for every item the logit of the share of its ratings by the users that are likes, shrunk towards the
// share of all ratings: model.LikeRegression.Rates. O(ratings).
func Rates(d Data, users []int) []float32 {
	c := count(d, users)
	out := make([]float32, len(c.likes))
	for i := range out {
		out[i] = float32(c.rate(c.likes[i], c.ratings[i]))
	}
	return out
}

// level returns by how much the users' ratings are likes more often than the rates of the others say: the mean of y −
// σ(rate), every rating's rate computed without itself. A person counts by their number of ratings, at most maxRatings.
// It does not depend on the model, so users whom a training has seen may take part. O(ratings).
func level(d Data, users []int) float64 {
	c := count(d, users)
	sum, weight := 0.0, 0.0
	for _, u := range users {
		likes, unliked := d.Likes.Row(u), d.Unliked.Row(u)
		own := 0.0
		for _, i := range likes {
			own += 1 - sigmoid(c.rate(c.likes[i]-1, c.ratings[i]-1))
		}
		for _, i := range unliked {
			own -= sigmoid(c.rate(c.likes[i], c.ratings[i]-1))
		}
		n := float64(len(likes) + len(unliked))
		if n == 0 {
			continue
		}
		w := min(n, maxRatings)
		sum += w * own / n
		weight += w
	}
	if weight == 0 {
		return 0
	}
	return sum / weight
}
