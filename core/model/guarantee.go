package model

// Guarantee is the rule of a guaranteed list: of its first Length titles, at most Share disappoint, on average over
// users who get such a list and rate titles of it.
type Guarantee struct {
	Share  float32 // α, in (0,1)
	Chance float32 // t, in [0,1]
}

// MaxGuaranteed is the maximum length of a guaranteed list.
const MaxGuaranteed = 10

// Length returns the number of titles at the start of a list that carry the guarantee, given their chances of being
// liked: the largest k ≤ MaxGuaranteed whose mean chance is at least t. It is 0 for fewer than 1/α titles.
// O(MaxGuaranteed).
func (g Guarantee) Length(chances []float64) int {
	sum, length := 0.0, 0
	for k, p := range chances[:min(len(chances), MaxGuaranteed)] {
		sum += p
		if sum >= float64(float64(g.Chance)*float64(k+1)) {
			length = k + 1
		}
	}
	if float64(float64(length)*float64(g.Share)) < 1-1e-6 { // tolerates the rounding of shares such as 0.2
		return 0
	}
	return length
}
