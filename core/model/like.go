package model

import (
	"errors"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// LikeRegression is the calibrated chance that a visitor likes what they rate, as a logistic regression on what the
// model and the visitor say.
type LikeRegression struct {
	Weights []float32 // of the features, the constant first
	Rates   []float32 // I: logit of the share of an item's ratings that are likes, shrunk towards the mean
	Bins    []LikeBin // reliability on people that took no part in the fit, by ascending Predicted

	Guarantee []Guarantee // by ascending Share; none: no list has a guarantee
}

// LikeBin is one point of a reliability diagram.
type LikeBin struct {
	Predicted float32 // mean chance stated, in [0,1]
	Observed  float32 // share that came true, in [0,1]
	Count     int32   // how many statements
	People    int32   // how many people they are about; 0: not known
}

// NumLikeFeatures is the number of LikeFeatures, and of LikeRegression.Weights.
const NumLikeFeatures = 14

// LikeFeatures are the inputs of the chance that a visitor likes an item if they rate it, a logistic regression
//
//	P(like | rated) = 1/(1 + e^{−b·φ})        b = LikeRegression.Weights
//	φ = [1, r, c, r·c, a, e·a, β, e, 1{m>0}, ln((n+4)/(m+1)), e·r̄, e·r, e·r̄·r, r²]
//
// of the item and how it stands with the visitor, none of which has a unit:
//
//	r = LikeRegression.Rates[i]         logit of the share of the item's ratings that are likes
//	c = ln(1 + count)         count: how many liked it in training
//	a = ln(I/(10 + place))    I: titles that somebody liked in training; place: how many titles, those that the
//	                          visitor mentioned left out, cost less
//	β = bonus/τ               what the likes add by item-item weights, in units of the loss's temperature
//	n, m                      numbers of likes and dislikes
//	e = n/(n+5)               how much is known of the visitor
//	r̄                         mean of r over the liked items: a visitor who likes what few like is easier to please
//
// The zero value is no statement; Of makes one.
type LikeFeatures [NumLikeFeatures]float64

// The places of the features that studies also use alone, as a baseline.
const (
	FeatureRate  = 1 // r
	FeatureCount = 2 // c
)

// LikeInput is what the features are computed from: an item, and a visitor's evidence.
type LikeInput struct {
	Rate     float64 // r
	Count    int     // likes of the item in training
	Items    int     // I, those that somebody liked in training
	Place    int     // how many titles that were not mentioned cost less, ≥ 0
	Bonus    float64 // β
	Likes    int     // n
	Dislikes int     // m
	Liked    float64 // r̄; 0 where nothing is liked
}

// Features returns the features of a case: the same bits everywhere. O(1).
func (c *LikeInput) Features() LikeFeatures {
	known := float64(c.Likes) / float64(c.Likes+5)
	count := vec.Log(float64(1 + c.Count))
	near := vec.Log(float64(c.Items) / float64(10+c.Place))
	disliked := 0.0
	if c.Dislikes > 0 {
		disliked = 1
	}
	return LikeFeatures{
		1, c.Rate, count, float64(c.Rate * count), near, float64(known * near), c.Bonus, known, disliked,
		vec.Log(float64(c.Likes+4) / float64(c.Dislikes+1)), float64(known * c.Liked), float64(known * c.Rate),
		float64(float64(known*c.Liked) * c.Rate), float64(c.Rate * c.Rate),
	}
}

// Chance returns P(like | rated) by the weights, in [0,1] to 2e-7: the same bits everywhere. O(1).
func (l *LikeRegression) Chance(f *LikeFeatures) float64 {
	sum := 0.0
	for k, w := range l.Weights {
		sum += float64(float64(w) * f[k])
	}
	return float64(vec.Sigmoid(float32(sum)))
}

// Error returns the expected calibration error of the bins: the mean of |Predicted − Observed|, by Count; 0 without
// bins.
func (l *LikeRegression) Error() float64 {
	sum, n := 0.0, 0.0
	for _, b := range l.Bins {
		e := float64(b.Predicted) - float64(b.Observed)
		sum += float64(max(e, -e) * float64(b.Count))
		n += float64(b.Count)
	}
	return sum / max(n, 1)
}

// Check returns an error where l is not one for the given number of items.
func (l *LikeRegression) Check(items int) error {
	switch {
	case len(l.Weights) != NumLikeFeatures:
		return errors.New("its weights are of another version of this program")
	case len(l.Rates) != items:
		return errors.New("it has not one rate for each title")
	}
	return nil
}
