package uncertainty

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
)

// QuestionReport compares ways to ask "which of these two?", in the simulation of ExploreReport: of a pair the visitor
// chooses the title that they rated higher (either of two likes), or neither if they like none.
type QuestionReport struct {
	People int            `json:"people"`
	Asked  []PolicyReport `json:"asked"` // any title can be asked about
	Known  []PolicyReport `json:"known"` // only titles that they rated can be asked about

	Model AnswerModel `json:"answer_model"`
	// recall after ten questions: the best pair minus popular pairs, any title
	Chosen eval.Estimate `json:"best_less_popular"`
	Random eval.Estimate `json:"best_less_random"` // the same, minus random pairs
}

// pairPolicies returns the compared policies: pairs, and single titles.
func pairPolicies() []policy {
	out := []policy{
		{"best pair", "", func(s *session) (int, int, bool) {
			return s.Engine.Question(s.askable(), s.taste)
		}},
		{"popular pair", "", func(s *session) (int, int, bool) { return s.pairOf(2) }},
		{"random pair of the best known 100", "", func(s *session) (int, int, bool) { return s.pairOf(100) }},
	}
	for _, p := range policies() {
		if p.name == "popularity" || p.name == "greedy" {
			out = append(out, p)
		}
	}
	return out
}

// pairOf shows a random two of the n most popular open items.
func (s *session) pairOf(n int) (int, int, bool) {
	pool := s.popular(n)
	if len(pool) < 2 {
		return -1, -1, false
	}
	a, b := s.random.IntN(len(pool)), s.random.IntN(len(pool)-1)
	if b >= a {
		b++
	}
	return pool[a], pool[b], true
}

// Questions simulates all pairPolicies and measures the AnswerModel.
func Questions(ctx context.Context, cases []Case, seed uint64, workers int,
	progress func(done, total int)) (*QuestionReport, error) {
	ps := pairPolicies()
	asked, known, err := simulate(ctx, cases, ps, seed, workers, progress)
	if err != nil {
		return nil, err
	}
	r := &QuestionReport{People: len(asked[0]) / 2, Asked: report(ps, asked, seed), Known: report(ps, known, seed)}
	half := len(asked[0]) / 2
	after := slices.Index(Steps[:], 10)
	less := func(k int) eval.Estimate {
		var d []float64
		for i := range asked[0][half:] {
			d = append(d, asked[0][half+i].recall[after]-asked[k][half+i].recall[after])
		}
		return eval.Mean(d, seed)
	}
	r.Chosen, r.Random = less(1), less(2)
	r.Model = answerModel(cases, seed)
	return r, nil
}
