package recommend

import (
	"math"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// The genres' evidence for a title is the log odds of naive Bayes, computed here title by title. It favours titles of
// the visitor's genres, more so with more likes.
func TestGenresAreNaiveBayes(t *testing.T) {
	r := open(t, linked(300))
	total := 0.0
	for i := range r.Len() {
		total += float64(r.Item(i).Count)
	}
	last := float32(0)
	for n := 1; n <= 20; n += 3 {
		var likes []int32
		for k := range n {
			likes = append(likes, int32(5*k+2)) // horror
		}
		got := make([]float32, r.Len())
		r.addGenres(got, likes, nil, genreWeight)
		for i, b := range got {
			want := 0.0
			for _, g := range r.Item(i).Genres {
				p, q := 0.0, 0.0
				for j := range r.Len() {
					if slices.Contains(r.Item(j).Genres, g) {
						p += float64(r.Item(j).Count) / total
						if slices.Contains(likes, int32(j)) {
							q++
						}
					}
				}
				q = (q + 10*p) / float64(n+10)
				want += 0.3 * 0.5 * math.Log(q/(1-q)*(1-p)/p) // the fixture's temperature is ½
			}
			if math.Abs(float64(b)-want) > 1e-6 {
				t.Fatalf("%d likes, item %d: %v, want %v", n, i, b, want)
			}
		}
		if !(got[7] > last && got[11] < 0) {
			t.Errorf("%d likes of horror: horror gains %v (before %v), comedy %v", n, got[7], last, got[11])
		}
		last = got[7]
		weights := slices.Repeat([]float32{1}, n)
		again := make([]float32, r.Len())
		if r.addGenres(again, likes, weights, genreWeight); !slices.Equal(again, got) {
			t.Error("likes that count once are not the same as likes")
		}
	}
	m := linked(300)
	m.Objective.Loss = gaussian.Loss{Kind: gaussian.Hinge, Margin: 1}
	none := make([]float32, 300)
	if open(t, m).addTaste(none, []int32{2}, nil, 1, 0); slices.Max(none) != 0 || slices.Min(none) != 0 {
		t.Error("with a hinge loss genres must add nothing")
	}
}
