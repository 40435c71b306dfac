package calibrate

import "math"

// maxRatings bounds the weight of one user, in ratings.
const maxRatings = 100

// counts are the numbers of likes and ratings of each item.
type counts struct {
	likes, ratings []float64 // I
	share          float64   // likes per rating, over all items
	priorStrength  float64   // s: the weight of the prior of an item's share, in ratings
}

// count counts the feedback of users. O(their ratings).
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
	// One extra of each kind keeps the share off 0 and 1.
	c.share = (likes + 1) / (ratings + 2)
	c.priorStrength = c.choose()
	return c
}

// priorStrengths are the candidate strengths of the prior.
var priorStrengths = [...]float64{1, 2, 3, 5, 8, 12, 20, 30, 50, 100}

// choose returns the prior strength s of the highest likelihood, if an item's share of likes is drawn from the beta
// distribution Beta(s·share, s·(1−share)) and its likes are binomial: empirical Bayes, on a grid. O(I).
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

// Rates returns, for every item, the logit of its share of likes among the users' ratings, shrunk towards the overall
// share: model.LikeRegression.Rates. O(ratings).
func Rates(d Data, users []int) []float32 {
	c := count(d, users)
	out := make([]float32, len(c.likes))
	for i := range out {
		out[i] = float32(c.rate(c.likes[i], c.ratings[i]))
	}
	return out
}

// level returns how much more often the users' ratings are likes than the item rates predict: the mean of y − σ(rate),
// each rate computed without the rating itself. A user's weight is their number of ratings, at most maxRatings. It does
// not depend on the model, so users seen by a training may take part. O(ratings).
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
