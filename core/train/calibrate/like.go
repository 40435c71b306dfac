package calibrate

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

const (
	ridge         = 1  // of the logistic regression: negligible for thousands of answers
	visitsPerUser = 12 // visits of each person, each time with other likes
	bins          = 10
)

// evidenceSizes are the numbers of likes that a simulated visitor names.
var evidenceSizes = [...]int{1, 2, 3, 5, 8, 13, 20, 30, 50}

// Answer is one rating of somebody whom the training has not seen, with what the model computed for it.
type Answer struct {
	Person int // user
	model.LikeInput
	Features model.LikeFeatures // of the case
	Score    float64            // what the list goes by: the links' bonus less W2², genres aside
	Liked    bool
}

// Answers simulates visitsPerUser visits of each of the users, who must have been left out of the training. The ratings
// of a person are taken in random order. The first of them are what the visitor says, until one of evidenceSizes of
// them are likes, or half of their likes; what they do not like counts as seen, and in half of the visits the lowest
// ratings as dislikes. The next maxRatings ratings are the answers. So the answers are a random part of what was rated,
// and a chance is that of a like given that there is a rating. rates are the Rates of other users. The result does not
// depend on the number of workers. O(users·I·h).
func (p *People) Answers(ctx context.Context, users []int, rates []float32, workers int) ([]Answer, error) {
	of := make([][]Answer, len(users))
	err := parallel.Each(ctx, len(users), workers, func() func(int) {
		return func(i int) {
			for k := range visitsPerUser {
				of[i] = append(of[i], p.answersOf(users[i], k, rates)...)
			}
		}
	})
	return slices.Concat(of...), err
}

// answersOf returns the answers of the user's k-th visit.
func (p *People) answersOf(u, k int, rates []float32) []Answer {
	v, asked := p.visit(u, rand.New(rand.NewPCG(p.Seed, uint64(u)<<8|uint64(k))))
	if len(asked) == 0 {
		return nil
	}
	out := make([]Answer, len(asked))
	taste, unit := p.Engine.Taste(v, nil), max(float64(p.Model.Objective.Loss.Temperature), 0)
	for i, c := range p.Engine.LikeInputs(v, taste, asked, rates) {
		c.Items = p.Model.Items.Len() // in a training on everybody somebody likes each
		score := c.Bonus*unit - recommend.W2Squared(taste.Row, p.Model.Items.Row(asked[i]))
		out[i] = Answer{u, c, c.Features(), score, p.Likes.Contains(u, int32(asked[i]))}
	}
	return out
}

// visit draws what a visitor says, and the items that the answers are about.
func (p *People) visit(u int, r *rand.Rand) (v recommend.Visit, asked []int) {
	likes := p.Likes.Row(u)
	rated := slices.Concat(likes, p.Unliked.Row(u))
	r.Shuffle(len(rated), func(i, j int) { rated[i], rated[j] = rated[j], rated[i] })
	n := min(evidenceSizes[r.IntN(len(evidenceSizes))], len(likes)/2)
	dislikes := r.IntN(2) == 0
	for _, i := range rated {
		item := int(i)
		switch {
		case len(v.Likes) == n:
			if len(asked) == maxRatings {
				return v, asked
			}
			asked = append(asked, item)
		case p.Likes.Contains(u, i):
			v.Likes = append(v.Likes, item)
		case dislikes && p.Low.Contains(u, i):
			v.Dislikes = append(v.Dislikes, item)
		default:
			v.Seen = append(v.Seen, item)
		}
	}
	return v, asked
}

// FitWeights fits the weights of a model.LikeRegression on answers, and corrects their level. The users left out are
// few, and how often people like what they rate varies from one to the next, so the mean of those left out is not that
// of all users. The constant is shifted until the mean chance of the answers is
//
//	mean(y) + level(users) − mean(y − σ(rate))
//
// the share of likes among the answers, less what the answering people exceed the average person by. On MovieLens
// small, fitted on a tenth of the users, that takes the expected calibration error on the others from .039 to .017.
func FitWeights(answers []Answer, d Data, users []int) ([]float32, error) {
	phi, liked := make([]model.LikeFeatures, len(answers)), make([]bool, len(answers))
	likes, easy := 0.0, 0.0
	for i, a := range answers {
		phi[i], liked[i] = a.Features, a.Liked
		easy -= sigmoid(a.Rate)
		if a.Liked {
			likes++
			easy++
		}
	}
	b, err := Logistic(phi, liked, ridge)
	if err != nil {
		return nil, err
	}
	n := float64(len(answers))
	shift(b, phi, min(max(likes/n+level(d, users)-easy/n, 0.01), 0.99))
	out := make([]float32, len(b))
	for k, w := range b {
		out[k] = float32(w)
	}
	return out, nil
}

// shift moves the constant until the mean chance is the given one, in (0,1), by Newton's method on a monotone function.
func shift(b []float64, phi []model.LikeFeatures, mean float64) {
	for range logisticSteps {
		at, logLoss := 0.0, 0.0
		for i := range phi {
			p := sigmoid(dot(b, &phi[i]))
			at += p
			logLoss += p * (1 - p)
		}
		n := float64(len(phi))
		step := (mean - at/n) / max(logLoss/n, 1e-3)
		b[0] += step
		if step > -1e-12 && step < 1e-12 {
			return
		}
	}
}

// Like fits the chance that somebody likes what they rate, on the people of all folds, each judged by the model that
// has not seen them; nil where the data hold too few ratings, or only likes. The reliability is nested: every fold's
// statements are made by the weights that the other folds' people give, so they are about people that neither the
// training nor the fit has seen; a single fold's people are halved for that. The weights are then fitted on all of
// them. Rates are those of the first fold's model; Transfer replaces them.
func Like(ctx context.Context, folds []*People, workers int) (*model.LikeRegression, error) {
	n, err := Nest(ctx, folds, workers)
	if n == nil || err != nil {
		return nil, err
	}
	d := folds[0].Data
	l := &model.LikeRegression{Rates: Rates(d, folds[0].Seen)}
	l.Bins = Reliability(slices.Clone(n.Stated), bins)
	l.Guarantee = Guarantees(n.Lists, folds[0].Seed)
	l.Weights, err = FitWeights(slices.Concat(n.Answers...), d, everybody(d))
	return l, err
}

// Nested are the answers of the people of all folds, and what is stated of them by weights that they have no part in.
type Nested struct {
	Answers [][]Answer // by fold, or by half of a single fold
	Stated  []Stated   // of each answer, in the same order
	Lists   []Listed
}

// Nest asks the people of all folds and states the chances of what they answer, each by the weights that the other
// folds' people give; nil where the data hold too few ratings, or only likes.
func Nest(ctx context.Context, folds []*People, workers int) (*Nested, error) {
	d := folds[0].Data
	if d.Unliked == nil || d.Low == nil || d.Unliked.Len() == 0 {
		return nil, nil
	}
	var groups []group
	for _, p := range folds {
		rates := Rates(p.Data, p.Seen)
		answers, err := p.Answers(ctx, p.Left, rates, workers)
		if err != nil {
			return nil, err
		}
		for i := range answers {
			answers[i].Count = p.scaled(answers[i].Count)
			answers[i].Features = answers[i].LikeInput.Features()
		}
		lists, err := p.lists(ctx, rates, workers)
		if err != nil {
			return nil, err
		}
		groups = append(groups, group{p.Left, answers, lists})
	}
	if len(groups) == 1 {
		groups = groups[0].halved()
	}
	n := &Nested{}
	for _, g := range groups {
		if len(g.answers) < minAnswers || allEqual(g.answers) {
			return nil, nil
		}
		n.Answers = append(n.Answers, g.answers)
	}
	var err error
	n.Stated, n.Lists, err = nested(groups, d)
	return n, err
}

// scaled brings the number of likes that a title has in p's training to what it is in a training on everybody: that is
// what the fitted weights will meet.
func (p *People) scaled(count int) int {
	seen := max(len(p.Seen), 1)
	return (count*(seen+len(p.Left)) + seen/2) / seen
}

// group is some people, their answers and their lists.
type group struct {
	people  []int
	answers []Answer
	lists   []list
}

// halved returns every second of the people, and the others.
func (g group) halved() []group {
	out := make([]group, 2)
	half := map[int]int{}
	for k, u := range g.people {
		half[u] = k % 2
		out[k%2].people = append(out[k%2].people, u)
	}
	for _, a := range g.answers {
		h := &out[half[a.Person]]
		h.answers = append(h.answers, a)
	}
	for _, l := range g.lists {
		h := &out[half[l.Person]]
		h.lists = append(h.lists, l)
	}
	return out
}

// nested states the chance of every answer, and of every title in a list, by the weights that the other groups give,
// none of whose people is the one who answered.
func nested(groups []group, d Data) (stated []Stated, lists []Listed, err error) {
	for k, g := range groups {
		var others []Answer
		for j, o := range groups {
			if j != k {
				others = append(others, o.answers...)
			}
		}
		one := model.LikeRegression{}
		if one.Weights, err = FitWeights(others, d, without(everybody(d), g.people)); err != nil {
			return nil, nil, err
		}
		for i := range g.answers {
			a := &g.answers[i]
			stated = append(stated, Stated{a.Person, one.Chance(&a.Features), a.Liked})
		}
		lists = append(lists, state(g.lists, &one)...)
	}
	return stated, lists, nil
}

// everybody returns all users.
func everybody(d Data) []int {
	all := make([]int, d.Likes.Rows())
	for u := range all {
		all[u] = u
	}
	return all
}

// without returns the users that are not among some, both ascending.
func without(users, some []int) []int {
	return slices.DeleteFunc(users, func(u int) bool {
		_, is := slices.BinarySearch(some, u)
		return is
	})
}

// allEqual reports whether all answers are likes, or none.
func allEqual(answers []Answer) bool {
	return !slices.ContainsFunc(answers, func(a Answer) bool { return a.Liked != answers[0].Liked })
}

// minAnswers is the fewest answers of each fold for which a chance is fitted.
const minAnswers = 200

// Stated is a chance that was stated to somebody, and whether it came true.
type Stated struct {
	Person int // user
	Chance float64
	True   bool
}

// Reliability sorts statements by their chance and cuts them into n bins of equal count (±1); fewer where there are
// fewer statements. stated is sorted in place.
func Reliability(stated []Stated, n int) []model.LikeBin {
	slices.SortStableFunc(stated, func(a, b Stated) int { return cmp.Compare(a.Chance, b.Chance) })
	n = min(n, len(stated))
	out := make([]model.LikeBin, n)
	for k := range out {
		part := stated[k*len(stated)/n : (k+1)*len(stated)/n]
		people := map[int]bool{}
		p, y := 0.0, 0.0
		for _, s := range part {
			people[s.Person] = true
			p += s.Chance
			if s.True {
				y++
			}
		}
		m := float64(len(part))
		out[k] = model.LikeBin{Predicted: float32(p / m), Observed: float32(y / m), Count: int32(len(part)),
			People: int32(len(people))}
	}
	return out
}
