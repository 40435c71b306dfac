package recommend

import (
	"strconv"

	"github.com/pmlam/pmlam/core/model"
)

// ChanceOf says what Suggestion.Chance is the chance of.
type ChanceOf uint8

// What chances are of.
const (
	// Staying: that the title stays in the visitor's top ten (Recommender.Stability), where the data hold no ratings or
	// the model is not calibrated.
	Staying ChanceOf = iota
	// Liking: that the visitor likes it, if they rate it (model.LikeRegression).
	Liking
)

// Certainty is a chance in a word.
type Certainty uint8

// The steps of certainty. Each begins at a stated chance, see ChanceOf.From.
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

// from are the chances at which the steps begin. They are chosen so that lists of real visitors hold all four words;
// what came true of each on people whom the training had not seen is measured by uncertainty.Reliability and Stability.
var from = [...][4]float64{
	Staying: {0, 0.40, 0.60, 0.85},
	Liking:  {0, 0.65, 0.75, 0.85},
}

// From returns the chance at which a step begins.
func (o ChanceOf) From(c Certainty) float64 { return from[o][c] }

// Certainty returns the step that a chance belongs to.
func (o ChanceOf) Certainty(chance float64) Certainty {
	c := VerySure
	for c > Gamble && !(chance >= from[o][c]) {
		c--
	}
	return c
}

// Reliability says how true the chances of liking are, on people whom the training had not seen.
type Reliability struct {
	Of     ChanceOf        // what Suggestion.Chance is
	People int             // left out of a training to calibrate the model; 0: it is not calibrated
	Bins   []model.LikeBin // of the chances of liking, ascending; none: they are not known
	Error  float64         // expected calibration error of the bins: mean of |stated − observed|, by count

	Guarantee []model.Guarantee // lists with a guarantee, by ascending share; none: there is none
}

// Guaranteed returns how many of the first titles of a list carry the guarantee that at most the given share of them
// will disappoint, 0 where it holds for none: for a visitor's own list as it comes, without filters, whose chances are
// stated (model.Guarantee).
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

// States reports whether chances are stated to a visitor: where the model is calibrated and they like something that it
// knows. Without calibration or likes the number would have no meaning, and would often be 1.
func (r Reliability) States(v Visit) bool { return r.People > 0 && len(v.Likes) > 0 }

// of returns what Suggestion.Chance is the chance of.
func (r *Recommender) of() ChanceOf {
	if r.like != nil {
		return Liking
	}
	return Staying
}

func (r *Recommender) reliability() Reliability {
	out := Reliability{Of: r.of()}
	if c := r.model.Calibration; c != nil {
		out.People = c.Users
	}
	if r.like != nil {
		out.Bins, out.Error = r.like.Bins, r.like.Error()
		out.Guarantee = r.rules.guarantee(r.like.Guarantee)
	}
	return out
}
