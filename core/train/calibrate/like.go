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
	ridge         = 1  // of the logistic regression; negligible for thousands of answers
	visitsPerUser = 12 // visits of each user, each with different random likes
	bins          = 10
)

// evidenceSizes are the numbers of likes that a simulated visitor states.
var evidenceSizes = [...]int{1, 2, 3, 5, 8, 13, 20, 30, 50}

// Answer is one rating of a user that the training has not seen, with the model's inputs and score for it.
type Answer struct {
	Person int // user
	model.LikeInput
	Features model.LikeFeatures // computed from the LikeInput
	Score    float64            // ranking score without genres: the links' bonus less W2²
	Liked    bool
}

// Answers simulates visitsPerUser visits of each user. Every user must have been left out of the training. Each visit
// takes the user's ratings in random order. It starts with the visitor's statements, until their likes reach a random
// one of evidenceSizes or half of the user's likes. Ratings that are not likes count as seen; in half of the visits,
// the lowest count as dislikes. The next maxRatings ratings are the answers. So the answers are a random part of the
// ratings, and a fitted chance is the probability of a like given a rating. rates are the Rates of other users. The
// number of workers does not change the result. O(users·I·h).
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
		c.Items = p.Model.Items.Len() // in a training on everybody, each item has a like
		score := c.Bonus*unit - recommend.W2Squared(taste.Row, p.Model.Items.Row(asked[i]))
		out[i] = Answer{u, c, c.Features(), score, p.Likes.Contains(u, int32(asked[i]))}
	}
	return out
}

// visit draws a visit, and the items whose ratings are the answers.
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

// FitWeights fits the weights of a model.LikeRegression on answers and corrects their level. The users left out are
// few, and users differ in how often they like an item that they rate, so their mean differs from the mean of all
// users. The intercept is shifted until the mean chance of the answers is
//
//	mean(y) + level(users) − mean(y − σ(rate))
//
// which is the share of likes among the answers, less the excess of the answering users over the average user. On
// MovieLens small, fitted on a tenth of the users, this reduces the expected calibration error on the others from .039
// to .017.
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

// shift moves the intercept until the mean chance is mean, in (0,1), by Newton's method on a monotone function.
func shift(b []float64, phi []model.LikeFeatures, mean float64) {
	for range logisticSteps {
		at, slope := 0.0, 0.0
		for i := range phi {
			p := sigmoid(dot(b, &phi[i]))
			at += p
			slope += p * (1 - p)
		}
		n := float64(len(phi))
		step := (mean - at/n) / max(slope/n, 1e-3)
		b[0] += step
		if step > -1e-12 && step < 1e-12 {
			return
		}
	}
}

// Like fits the chance that a user likes an item that they rate. It uses the left-out users of all folds, each with the
// model that has not seen them. It returns nil if the data hold too few ratings, or only likes. Reliability is measured
// by nesting: the chances in each fold come from weights fitted on the other folds' users, so neither the training nor
// the fit has seen the users that they are tested on. A single fold is split in half for this. The final weights are
// fitted on all folds. Rates are computed for the first fold's model; Transfer replaces them.
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

// Nested holds the answers of the left-out users of all folds, with chances from weights that were fitted without them.
type Nested struct {
	Answers [][]Answer // by fold, or by half of a single fold
	Stated  []Stated   // for each answer, in the same order
	Lists   []Listed
}

// Nest simulates the left-out users of all folds and states the chance of each answer by weights fitted on the other
// folds. It returns nil if the data hold too few ratings, or only likes.
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

// scaled scales a title's number of likes in p's training up to a training on everybody, because the fitted weights
// will be applied to such numbers.
func (p *People) scaled(count int) int {
	seen := max(len(p.Seen), 1)
	return (count*(seen+len(p.Left)) + seen/2) / seen
}

// group is a set of users with their answers and lists.
type group struct {
	people  []int
	answers []Answer
	lists   []list
}

// halved splits a group into its even and its odd users.
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

// nested states the chance of every answer, and of every title in a list, by weights fitted on the other groups.
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

// without returns users less some, both ascending.
func without(users, some []int) []int {
	return slices.DeleteFunc(users, func(u int) bool {
		_, is := slices.BinarySearch(some, u)
		return is
	})
}

// allEqual reports whether the answers are all likes or all not.
func allEqual(answers []Answer) bool {
	return !slices.ContainsFunc(answers, func(a Answer) bool { return a.Liked != answers[0].Liked })
}

// minAnswers is the minimum number of answers in each fold for a fit.
const minAnswers = 200

// Stated is a stated chance and its outcome.
type Stated struct {
	Person int // user
	Chance float64
	True   bool
}

// Reliability sorts statements by chance and cuts them into n bins of equal count (±1), or fewer if there are fewer
// statements. It sorts stated in place.
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
