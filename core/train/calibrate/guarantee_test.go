package calibrate

import (
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// exchangeable draws lists whose titles are liked with the stated chance less off. Users differ in how much they like.
func exchangeable(r *rand.Rand, people int, off float64) (out []Listed) {
	for u := range people {
		ease := 0.25 * (r.Float64() - 0.5)
		for range listsPerUser {
			l := Listed{Person: u}
			level := 0.6 + 0.35*r.Float64()
			for range model.MaxGuaranteed {
				p := min(max(level+0.1*(r.Float64()-0.5), 0), 1)
				rated := r.IntN(3) == 0
				l.Chances, l.Rated = append(l.Chances, p), append(l.Rated, rated)
				l.Liked = append(l.Liked, rated && r.Float64() < p+ease-off)
			}
			out = append(out, l)
		}
	}
	return out
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// On new users of the same kind, the share of disappointments exceeds the promised one no more often than the level
// allows, whether the chances are right or far too high.
func TestGuaranteeHolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 16))
	before := float32(0)
	for _, off := range []float64{0, 0.05} {
		crowd := exchangeable(r, 5000, off)
		broken, found, chance := 0, 0, float32(0)
		const trials = 100
		for k := range trials {
			g, ok := Guarantee(exchangeable(r, 300, off), 0.2, uint64(k))
			if !ok {
				continue
			}
			found++
			chance += g.Chance
			if mean(Losses(crowd, g)) > 0.2 {
				broken++
			}
		}
		chance /= float32(max(found, 1))
		t.Logf("chances too high by %v: %d of %d found, at %.3f; %d broken", off, found, trials, chance, broken)
		if broken > trials/20 {
			t.Errorf("chances too high by %v: %d of %d guarantees broken", off, broken, trials)
		}
		if found < trials/3 {
			t.Errorf("chances too high by %v: a guarantee found in %d of %d", off, found, trials)
		}
		if off > 0 && chance < before+0.02 {
			t.Errorf("chances too high by %v give the threshold %v, correct ones %v", off, chance, before)
		}
		before = chance
	}
	// No such list exists if nine in ten disappoint, or if there are too few users.
	if g, ok := Guarantee(exchangeable(r, 400, 0.7), 0.2, 1); ok {
		t.Errorf("a list that mostly disappoints gets the guarantee %v", g)
	}
	if g, ok := Guarantee(exchangeable(r, minGuaranteed-1, -0.3), 0.2, 1); ok {
		t.Errorf("too few users get the guarantee %v", g)
	}
}

// Losses weighs users equally, averages over their lists, and counts only rated titles that the guarantee covers.
func TestLossesCountWhatWasRated(t *testing.T) {
	g := model.Guarantee{Share: 0.5, Chance: 0.75}
	lists := []Listed{
		{2, []float64{0.9, 0.8, 0.1}, []bool{true, true, true}, []bool{true, false, false}},
		{1, []float64{0.9, 0.7}, []bool{true, false}, []bool{true, false}},
		{2, []float64{0.9, 0.8}, []bool{true, false}, []bool{false, false}},
		{3, []float64{0.9, 0.9}, []bool{false, false}, []bool{false, false}},
		{4, []float64{0.7, 0.7}, []bool{true, true}, []bool{false, false}},
	}
	if got := Losses(lists, g); len(got) != 2 || got[0] != 0 || got[1] != 0.75 {
		t.Errorf("%v, want person 1 with 0 and person 2 with (½ + 1)/2", got)
	}
}

// The test by betting rarely certifies a mean at the bound, and finds one clearly below it.
func TestBelow(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 17))
	wrong, right := 0, 0
	for range 1000 {
		same, less := make([]float64, 300), make([]float64, 300)
		for i := range same {
			if r.Float64() < 0.2 {
				same[i] = 1
			}
			if r.Float64() < 0.1 {
				less[i] = 1
			}
		}
		if below(same, 0.2) {
			wrong++
		}
		if below(less, 0.2) {
			right++
		}
	}
	t.Logf("%d wrong, %d right", wrong, right)
	if wrong > 20 || right < 900 { // at most 10 expected
		t.Errorf("certified a mean at the bound in %d of 1000 cases, one at half the bound in %d", wrong, right)
	}
}
