package recommend

import (
	"strconv"

	"github.com/pmlam/pmlam/core/model"
)

// ChanceOf says which event Suggestion.Chance is about.
type ChanceOf uint8

// The events of Suggestion.Chance.
const (
	// Staying: the title stays in the visitor's top ten (Recommender.Stability). Used if the data have no ratings or
	// the model is not calibrated.
	Staying ChanceOf = iota
	// Liking: the visitor likes the title if they rate it (model.LikeRegression).
	Liking
)

// Certainty is a chance expressed as a word.
type Certainty uint8

// The steps of certainty. For the chance at which a step begins, see ChanceOf.From.
const (
	Gamble Certainty = iota
	Hunch
	FairlySure
	VerySure
	Unsaid // not computed yet (Request.Later), or not stated at all (Reliability.States)
)

// String returns the step in English, as in "fairly sure"; "" for Unsaid.
func (c Certainty) String() string {
	names := [...]string{"a gamble", "a hunch", "fairly sure", "very sure", ""}
	if int(c) < len(names) {
		return names[c]
	}
	return "Certainty(" + strconv.Itoa(int(c)) + ")"
}

// from holds the chances at which the steps begin. They are chosen so that lists of real visitors use all four words.
// uncertainty.Reliability and Stability measure on held-out people how often each step comes true.
var from = [...][4]float64{
	Staying: {0, 0.40, 0.60, 0.85},
	Liking:  {0, 0.65, 0.75, 0.85},
}

func (o ChanceOf) From(c Certainty) float64 { return from[o][c] }

// Certainty returns the step of a chance.
func (o ChanceOf) Certainty(chance float64) Certainty {
	c := VerySure
	for c > Gamble && !(chance >= from[o][c]) {
		c--
	}
	return c
}

// Reliability says how accurate the chances of liking are for people held out of the training.
type Reliability struct {
	Of     ChanceOf        // the event of Suggestion.Chance
	People int             // held out to calibrate the model; 0: it is not calibrated
	Bins   []model.LikeBin // of the chances of liking, ascending; none: unknown
	Error  float64         // expected calibration error of the bins: mean of |stated − observed|, by count

	Guarantee []model.Guarantee // by ascending share; none: no guarantee
}

// Guaranteed returns the number of titles at the top of a list that carry the guarantee that at most the given share of
// them will disappoint, or 0 without a guarantee. It is valid only for a visitor's unchanged, unfiltered list with
// stated chances (model.Guarantee).
func (r Reliability) Guaranteed(list []Suggestion, share float64) int {
	chances := make([]float64, 0, model.MaxGuaranteed)
	for _, s := range list[:min(len(list), model.MaxGuaranteed)] {
		if s.Certainty == Unsaid {
			return 0
		}
		chances = append(chances, s.Chance)
	}
	for _, g := range r.Guarantee {
		if g.Share == float32(share) {
			return g.Length(chances)
		}
	}
	return 0
}

// States reports whether chances are stated to a visitor: the model must be calibrated, and the visitor must like a
// title that it knows. Otherwise the number would be meaningless, and often 1.
func (r Reliability) States(v Visit) bool { return r.People > 0 && len(v.Likes) > 0 }

// chanceOf returns the event of Suggestion.Chance.
func (r *Recommender) chanceOf() ChanceOf {
	if r.like != nil {
		return Liking
	}
	return Staying
}

func (r *Recommender) reliability() Reliability {
	out := Reliability{Of: r.chanceOf()}
	if c := r.model.Calibration; c != nil {
		out.People = c.Users
	}
	if r.like != nil {
		out.Bins, out.Error = r.like.Bins, r.like.Error()
		out.Guarantee = r.rules.guarantee(r.like.Guarantee)
	}
	return out
}
