package uncertainty

import (
	"context"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// ReliabilityReport measures the stated chance that a person likes a title that they rate (model.LikeRegression).
type ReliabilityReport struct {
	People      int      `json:"people"`       // left out of the training
	All         Reliable `json:"all"`          // every rating asked about
	Shown       Reliable `json:"shown"`        // of these, titles among the visitor's first fifty
	First       Reliable `json:"first"`        // among their first ten
	Few         Reliable `json:"few_likes"`    // after three likes or fewer
	Many        Reliable `json:"many_likes"`   // after twenty or more
	LittleKnown Reliable `json:"little_known"` // titles with fewer than ten likes in training
	Words       []Word   `json:"words"`        // of titles among the first ten
	AllWords    []Word   `json:"all_words"`    // of every title asked about
}

// Reliable compares stated chances with outcomes.
type Reliable struct {
	Statements int     `json:"statements"`
	Liked      float64 `json:"liked"` // share that came true
	// expected calibration error: Σ n_b/n·|p̄_b − ȳ_b| over ten bins of equal count
	ECE   eval.Estimate `json:"ece"`
	Brier eval.Estimate `json:"brier"` // mean (p − y)²
	// Brier scores of simpler statements minus the model's; above 0, the model is better.
	OverBase       eval.Estimate `json:"brier_below_base_rate"`  // the share of likes among all ratings
	OverPopularity eval.Estimate `json:"brier_below_popularity"` // a logistic regression on ln(1 + count) alone
	OverRate       eval.Estimate `json:"brier_below_like_rate"`  // on the title's own share of likes alone
	Bins           []Bin         `json:"bins"`
}

// Bin is one point of a reliability diagram.
type Bin struct {
	Stated   float64       `json:"stated"`
	Observed eval.Estimate `json:"observed"`
	Count    int           `json:"count"`
}

// Word is one of the page's words for a chance, with the outcomes of its statements.
type Word struct {
	Certainty recommend.Certainty `json:"certainty"` // 0 a gamble … 3 very sure
	From      float64             `json:"from"`      // the range of its chances
	To        float64             `json:"to"`
	Stated    float64             `json:"stated"` // their mean
	Observed  eval.Estimate       `json:"observed"`
	Count     int                 `json:"count"`
	Share     float64             `json:"share"` // of all statements
}

// statement is a chance stated by the model, those of simpler methods, and the outcome.
type statement struct {
	person                      int
	answer                      *calibrate.Answer
	chance, base, popular, rate float64
}

// Reliability measures the models' chances of liking, on people unseen by trainings and calibrations; d has all users'
// data. The simpler statements are fitted on every second of the same people and measured on the others, which favours
// them. The report is nil if no model states such a chance.
func Reliability(ctx context.Context, d calibrate.Data, cases []Case, seed uint64) (*ReliabilityReport, error) {
	var all []statement
	r := &ReliabilityReport{}
	for _, c := range cases {
		if c.Model.Calibration == nil || c.Model.Calibration.Like == nil || d.Unliked == nil || d.Low == nil {
			continue
		}
		p, err := calibrate.NewPeople(d, c.Model, c.LeftOut, seed)
		if err != nil {
			return nil, err
		}
		answers, err := p.Answers(ctx, c.LeftOut, c.Model.Calibration.Like.Rates, 0)
		if err != nil {
			return nil, err
		}
		for i := range answers {
			a := &answers[i]
			all = append(all, statement{person: a.Person, answer: a,
				chance: c.Model.Calibration.Like.Chance(&a.Features)})
		}
		r.People += len(c.LeftOut)
	}
	if len(all) == 0 {
		return nil, nil
	}
	if err := addAlternatives(all); err != nil {
		return nil, err
	}
	pick := func(keep func(*statement) bool) []statement {
		return slices.DeleteFunc(slices.Clone(all), func(s statement) bool { return !keep(&s) })
	}
	first := pick(func(s *statement) bool { return s.answer.Place < recommend.Top })
	r.All = reliable(all, seed)
	r.Shown = reliable(pick(func(s *statement) bool { return s.answer.Place < 50 }), seed)
	r.First = reliable(first, seed)
	r.Few = reliable(pick(func(s *statement) bool { return s.answer.Likes <= 3 }), seed)
	r.Many = reliable(pick(func(s *statement) bool { return s.answer.Likes >= 20 }), seed)
	r.LittleKnown = reliable(pick(func(s *statement) bool { return s.answer.Count < 10 }), seed)
	claims := func(of []statement) (out []claim) {
		for _, s := range of {
			out = append(out, claim{s.person, s.chance, s.answer.Liked})
		}
		return out
	}
	r.Words, r.AllWords = words(claims(first), recommend.Liking, seed), words(claims(all), recommend.Liking, seed)
	return r, nil
}

// addAlternatives adds the simpler statements, fitted on people of odd numbers for those of even numbers and the
// reverse.
func addAlternatives(all []statement) error {
	for parity := range 2 {
		var phi []model.LikeFeatures
		var liked []bool
		base := 0.0
		for _, s := range all {
			if s.person%2 != parity {
				phi, liked = append(phi, s.answer.Features), append(liked, s.answer.Liked)
				if s.answer.Liked {
					base++
				}
			}
		}
		base /= max(float64(len(liked)), 1)
		alone := func(feature int) (func(*calibrate.Answer) float64, error) {
			one := make([]model.LikeFeatures, len(phi))
			for i := range phi {
				one[i][0], one[i][feature] = 1, phi[i][feature]
			}
			b, err := calibrate.Logistic(one, liked, 1)
			if err != nil {
				return nil, err
			}
			return func(a *calibrate.Answer) float64 {
				return 1 / (1 +
					math.Exp(-b[0]-b[feature]*a.Features[feature]))
			}, nil
		}
		byRate, err := alone(model.FeatureRate)
		if err != nil {
			return err
		}
		byCount, err := alone(model.FeatureCount)
		if err != nil {
			return err
		}
		for i := range all {
			if s := &all[i]; s.person%2 == parity {
				s.base, s.rate, s.popular = base, byRate(s.answer), byCount(s.answer)
			}
		}
	}
	return nil
}

func reliable(all []statement, seed uint64) Reliable {
	r := Reliable{Statements: len(all)}
	if len(all) == 0 {
		return r
	}
	stated := make([]claim, len(all))
	people := newPeopleIndex(len(all), func(i int) int { return all[i].person })
	// Sums for a person: count, and the squared errors of each statement.
	sums := make([][5]float64, people.len)
	for i, s := range all {
		y := 0.0
		if s.answer.Liked {
			y = 1
			r.Liked += 1 / float64(len(all))
		}
		stated[i] = claim{s.person, s.chance, s.answer.Liked}
		sum := &sums[people.of[i]]
		sum[0]++
		for k, p := range [...]float64{s.chance, s.base, s.popular, s.rate} {
			sum[k+1] += (p - y) * (p - y)
		}
	}
	score := func(of func(*[5]float64) float64) eval.Estimate {
		return eval.Bootstrap(people.len, seed, func(at []int) float64 {
			n, e := 0.0, 0.0
			for _, i := range at {
				n += sums[i][0]
				e += of(&sums[i])
			}
			return e / n
		})
	}
	r.Brier = score(func(s *[5]float64) float64 { return s[1] })
	r.OverBase = score(func(s *[5]float64) float64 { return s[2] - s[1] })
	r.OverPopularity = score(func(s *[5]float64) float64 { return s[3] - s[1] })
	r.OverRate = score(func(s *[5]float64) float64 { return s[4] - s[1] })
	r.ECE, r.Bins = calibrated(stated, seed)
	return r
}
