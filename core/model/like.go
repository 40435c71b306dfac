package model

import (
	"errors"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// LikeRegression is the calibrated chance that a visitor likes an item that they rate: a logistic regression on outputs
// of the model and on the visitor's statements.
type LikeRegression struct {
	Weights []float32 // of the features, the intercept first
	Rates   []float32 // I: logit of the share of an item's ratings that are likes, shrunk towards the mean
	Bins    []LikeBin // reliability on users outside the fit, by ascending Predicted

	Guarantee []Guarantee // by ascending Share; empty: no list has a guarantee
}

// LikeBin is one point of a reliability diagram.
type LikeBin struct {
	Predicted float32 // mean stated chance, in [0,1]
	Observed  float32 // share that came true, in [0,1]
	Count     int32   // number of statements
	People    int32   // number of users they are about; 0: unknown
}

// NumLikeFeatures is the number of LikeFeatures, and of LikeRegression.Weights.
const NumLikeFeatures = 14

// LikeFeatures are the inputs of the chance that a visitor likes an item if they rate it, a logistic regression
//
//	P(like | rated) = 1/(1 + e^{−b·φ})        b = LikeRegression.Weights
//	φ = [1, r, c, r·c, a, e·a, β, e, 1{m>0}, ln((n+4)/(m+1)), e·r̄, e·r, e·r̄·r, r²]
//
// of dimensionless features of the item and the visitor:
//
//	r = LikeRegression.Rates[i]         logit of the share of the item's ratings that are likes
//	c = ln(1 + count)         count: number of likes in training
//	a = ln(I/(10 + place))    I: titles with a like in training; place: number of titles that cost less, without
//	                          those that the visitor mentioned
//	β = bonus/τ               bonus of the likes by item links, in units of the loss's temperature
//	n, m                      numbers of likes and dislikes
//	e = n/(n+5)               amount of evidence about the visitor
//	r̄                         mean of r over the liked items: visitors who like unpopular items are easier to please
//
// The zero value is not a valid input; LikeInput.Features makes one.
type LikeFeatures [NumLikeFeatures]float64

// The indices of features that studies also use alone, as a baseline.
const (
	FeatureRate  = 1 // r
	FeatureCount = 2 // c
)

// LikeInput is the source of the features: an item, and a visitor's evidence.
type LikeInput struct {
	Rate     float64 // r
	Count    int     // likes of the item in training
	Items    int     // I, those with a like in training
	Place    int     // number of unmentioned titles that cost less, ≥ 0
	Bonus    float64 // β
	Likes    int     // n
	Dislikes int     // m
	Liked    float64 // r̄; 0 without likes
}

// Features returns the features, with the same bits everywhere. O(1).
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

// Chance returns P(like | rated) by the weights, in [0,1] to 2e-7, with the same bits everywhere. O(1).
func (l *LikeRegression) Chance(f *LikeFeatures) float64 {
	sum := 0.0
	for k, w := range l.Weights {
		sum += float64(float64(w) * f[k])
	}
	return float64(vec.Sigmoid(float32(sum)))
}

// Error returns the expected calibration error of the bins: the mean of |Predicted − Observed|, weighted by Count; 0
// without bins.
func (l *LikeRegression) Error() float64 {
	sum, n := 0.0, 0.0
	for _, b := range l.Bins {
		e := float64(b.Predicted) - float64(b.Observed)
		sum += float64(max(e, -e) * float64(b.Count))
		n += float64(b.Count)
	}
	return sum / max(n, 1)
}

// Check returns an error unless l is valid for the given number of items.
func (l *LikeRegression) Check(items int) error {
	switch {
	case len(l.Weights) != NumLikeFeatures:
		return errors.New("its weights are from another version of the program")
	case len(l.Rates) != items:
		return errors.New("it needs one rate per title")
	}
	return nil
}
