package next

import (
	"math"
	"testing"
)

// Scores of a small set agree with the formula, computed by hand.
func TestKNN(t *testing.T) {
	s, err := newSet([]string{"u", "v", "w"}, [][]string{{"a", "b", "c", "d"}, {"b", "c", "e", "f"}, {"a", "e", "g", "h"}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i := range s.Data.Items.Len() {
		at[s.Data.Items.ID(i)] = i
	}
	got := make([]float32, s.Data.Items.Len())
	NewKNN(s, KNN{Neighbours: 1, Decay: 0.5}).Score(0, got)
	sim := 1.5 / math.Sqrt(3) // v has c, the latest, and b, one before
	for id, want := range map[string]float64{"e": sim, "b": sim, "a": 0, "g": 0} {
		if d := math.Abs(float64(got[at[id]]) - want); d > 1e-6 {
			t.Errorf("%s: %v, want %v", id, got[at[id]], want)
		}
	}
	NewKNN(s, KNN{Neighbours: 2, Decay: 0.5, IDF: true}).Score(0, got)
	idf := math.Log(1.5) // each of a, b, c has two of three users
	if want, d := 1.5*idf/math.Sqrt(3)+0.25*0.25*idf/math.Sqrt(3), got[at["e"]]; math.Abs(float64(d)-want) > 1e-6 {
		t.Errorf("e: %v, want %v", d, want)
	}
}
