package model

import (
	"math"
	"testing"
)

func TestFeaturesAreTheirFormula(t *testing.T) {
	c := LikeInput{Rate: 0.5, Count: 30, Items: 1000, Place: 40, Bonus: 0.25, Likes: 6, Dislikes: 2, Liked: 0.75}
	e, n, a := 6.0/11, math.Log(31), math.Log(1000.0/50)
	want := LikeFeatures{1, 0.5, n, 0.5 * n, a, e * a, 0.25, e, 1, math.Log(10.0 / 3), e * 0.75, e * 0.5, e * 0.375, 0.25}
	for k, f := range c.Features() {
		if math.Abs(f-want[k]) > 1e-12 {
			t.Errorf("feature %d is %v, want %v", k, f, want[k])
		}
	}
	// A visitor without any statement.
	for k, f := range (&LikeInput{Items: 1}).Features() {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Errorf("feature %d of a visitor without statements is %v", k, f)
		}
	}
}

func TestChanceIsLogistic(t *testing.T) {
	l := LikeRegression{Weights: make([]float32, NumLikeFeatures)}
	f := (&LikeInput{Rate: 2, Items: 10}).Features()
	if p := l.Chance(&f); p != 0.5 {
		t.Errorf("without weights the chance is %v", p)
	}
	l.Weights[0], l.Weights[FeatureRate] = -1, 1.5
	if p := l.Chance(&f); math.Abs(p-1/(1+math.Exp(-2))) > 1e-6 {
		t.Errorf("the chance is %v", p)
	}
	for _, w := range []float32{-1e30, 1e30} {
		l.Weights[0] = w
		if p := l.Chance(&f); !(p >= 0 && p <= 1) {
			t.Errorf("at weight %v the chance is %v", w, p)
		}
	}
}

func TestCheckOfALike(t *testing.T) {
	l := LikeRegression{Weights: make([]float32, NumLikeFeatures), Rates: make([]float32, 7)}
	if err := l.Check(7); err != nil {
		t.Error(err)
	}
	if l.Check(8) == nil {
		t.Error("seven rates for eight items are accepted")
	}
	l.Weights = l.Weights[1:]
	if l.Check(7) == nil {
		t.Error("a missing weight is accepted")
	}
}
