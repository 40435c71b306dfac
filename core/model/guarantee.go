package model

// Guarantee is the rule of a list with a guarantee: of its first titles, as many as Length says, no more than Share
// will disappoint, on average over people who are given such a list and rate titles of it.
type Guarantee struct {
	Share  float32 // α, in (0,1)
	Chance float32 // t, in [0,1]
}

// MaxGuaranteed is the greatest length of a list with a guarantee.
const MaxGuaranteed = 10

// Length returns how many of the first titles of a list carry the guarantee, by their chances of being liked: the
// greatest number k ≤ MaxGuaranteed whose mean chance is at least t. A list of fewer than 1/α titles carries none: 0.
// O(MaxGuaranteed).
func (g Guarantee) Length(chances []float64) int {
	sum, length := 0.0, 0
	for k, p := range chances[:min(len(chances), MaxGuaranteed)] {
		sum += p
		if sum >= float64(float64(g.Chance)*float64(k+1)) {
			length = k + 1
		}
	}
	if float64(float64(length)*float64(g.Share)) < 1-1e-6 { // a share such as 0.2 is a little off
		return 0
	}
	return length
}
