package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Case is a model with people left out of its training.
type Case struct {
	Model   *model.Model
	Engine  *recommend.Recommender // opened on Model
	LeftOut []int                  // the people's numbers in the data, ascending
	People  []Person
}

// Answers is the number of answers of a simulated visitor.
const Answers = 20

// ReportedAfter are the numbers of answers with figures and intervals in the report.
var ReportedAfter = [...]int{5, 10, 20}

// Steps are the numbers of answers after which figures are computed; they include ReportedAfter.
var Steps = [...]int{0, 1, 2, 3, 5, 7, 10, 14, Answers}

// recallAt is the length of the list in which hidden likes are looked for.
const recallAt = 20

// minLikes is the number of likes that a person needs to take part: half are for answers, the others are hidden.
const minLikes = 10

// maxAsked bounds the number of simulated people.
const maxAsked = 1000

// ExploreReport compares ways to choose questions for a new visitor. The visitor sees one title, or two, and answers;
// then their taste is inferred again and the next title is chosen. A random half of their likes, and everything else
// they rated, is available for answers. The other half is hidden: it is never asked about, and its recall is the
// measure. Figures are of people who took no part in choosing the best member of each family (Chosen).
type ExploreReport struct {
	People int `json:"people"` // reported on
	// any title can be asked about; people say that they do not know titles they did not rate
	Asked []PolicyReport `json:"asked"`
	Known []PolicyReport `json:"known"` // only titles that they rated can be asked about
}

// PolicyReport is one way to choose questions. Estimates are after ReportedAfter answers.
type PolicyReport struct {
	Name     string          `json:"name"`
	Chosen   bool            `json:"chosen,omitempty"` // the best of its family on the choosing people
	Recall   []eval.Estimate `json:"recall"`           // at 20, of the hidden likes
	OfGreedy []eval.Estimate `json:"of_greedy"`        // recall minus greedy's, on the same people
	Likes    []eval.Estimate `json:"likes"`            // mean number of likes named
	// recommend.Taste.Variance relative to before the first answer (geometric mean)
	Variance  []eval.Estimate `json:"variance"`
	Recalls   []float64       `json:"recalls"`   // mean recall after each of Steps
	Variances []float64       `json:"variances"` // variance
	Liked     []float64       `json:"liked"`     // mean number of likes told
}

// policy chooses the next question: item a, or items a and b; b is −1 for a single item. ok is false if none is left.
type policy struct {
	name, family string
	next         func(s *session) (a, b int, ok bool)
}

// session is one simulated visitor under one policy.
type session struct {
	*Case
	level    map[int]int // rating of the items available for answers: like, other, dislike
	hidden   []int       // likes to find, ascending
	visit    recommend.Visit
	taste    *recommend.Taste // of visit
	excluded []int            // items that are never asked about, ascending
	random   *rand.Rand
}

const (
	dislike = iota + 1
	other
	like
)

// policies returns all compared policies. Those of one family differ in the amount of exploration, or in the number of
// items that a draw is taken from; the best member of each family is chosen.
func policies() []policy {
	all := []policy{
		{"random", "", func(s *session) (int, int, bool) { return s.any() }},
		{"popularity", "", func(s *session) (int, int, bool) { return s.mostPopular() }},
		{"greedy", "", func(s *session) (int, int, bool) { return s.draw(0, 1) }},
		{"greedy, best known of 10", "", func(s *session) (int, int, bool) { return s.draw(0, 10) }},
		{"Thompson 1, half popularity", "", func(s *session) (int, int, bool) {
			if s.random.IntN(2) == 0 {
				return s.mostPopular()
			}
			return s.draw(1, 1)
		}},
	}
	for _, amount := range []float64{0.5, 1} {
		name := fmt.Sprintf("Thompson %g", amount)
		all = append(all,
			policy{name, "Thompson", func(s *session) (int, int, bool) { return s.draw(amount, 1) }},
			policy{name + ", best known of 10", "Thompson, best known", func(s *session) (int, int,
				bool) {
				return s.draw(amount, 10)
			}},
		)
	}
	for _, amount := range []float64{0.5, 1, 2, 4} {
		all = append(all, policy{fmt.Sprintf("Thompson %g, visitor only", amount), "Thompson, visitor only",
			func(s *session) (int, int, bool) { return s.drawVisitor(amount) }})
	}
	return all
}

// askable returns the visit with all items that are never asked about marked as seen, so that no list has them.
func (s *session) askable() recommend.Visit {
	v := s.visit
	v.Seen = slices.Concat(v.Seen, s.excluded)
	return v
}

// list returns the recommended items, best first.
func (s *session) list(v recommend.Visit, t *recommend.Taste, r recommend.Request) []int {
	r.Bare = true
	found := s.Engine.Recommend(v, t, r)
	items := make([]int, len(found))
	for k, x := range found {
		items[k] = x.Item
	}
	return items
}

// popular returns the n most popular open items, the most popular first.
func (s *session) popular(n int) []int {
	return s.list(s.askable(), s.taste, recommend.Request{K: n, Order: recommend.BestKnown})
}

// bestKnown returns the most popular of the items; −1 means no second item.
func (s *session) bestKnown(items []int) (int, int, bool) {
	best := -1
	for _, i := range items {
		if best < 0 || s.Engine.Item(i).Count > s.Engine.Item(best).Count {
			best = i
		}
	}
	return best, -1, best >= 0
}

// draw shows the most popular of the first pool items ranked by Thompson draws of that amount; amount 0: by distance.
func (s *session) draw(amount float64, pool int) (int, int, bool) {
	if amount == 0 {
		return s.bestKnown(s.list(s.askable(), s.taste, recommend.Request{K: pool}))
	}
	var items []int
	for _, h := range s.Engine.Thompson(s.askable(), s.taste, pool, amount, s.random.Uint64()) {
		items = append(items, h.Item)
	}
	return s.bestKnown(items)
}

// drawVisitor draws the visitor's mean alone and takes the items' means as known. The amount may be above 1.
func (s *session) drawVisitor(amount float64) (int, int, bool) {
	row := slices.Clone(s.taste.Row)
	h := len(row) / 2
	spread := slices.Clone(s.taste.Spread)
	for d := range spread {
		spread[d] *= float32(amount)
	}
	recommend.DrawMean(row[:h], s.taste.Row[:h], spread, 1, s.random.Uint64())
	return s.bestKnown(s.list(s.askable(), &recommend.Taste{Row: row}, recommend.Request{K: 1}))
}

// open reports whether an item may still be asked about.
func (s *session) open(i int) bool {
	return !slices.Contains(s.visit.Likes, i) && !slices.Contains(s.visit.Dislikes, i) &&
		!slices.Contains(s.visit.Seen, i) && !contains(s.excluded, i)
}

// mostPopular shows the most popular open item.
func (s *session) mostPopular() (int, int, bool) { return s.bestKnown(s.popular(1)) }

// any shows a random item.
func (s *session) any() (int, int, bool) {
	n := s.Engine.Len()
	if n <= len(s.excluded)+len(s.visit.Likes)+len(s.visit.Dislikes)+len(s.visit.Seen) {
		return -1, -1, false
	}
	for {
		if i := s.random.IntN(n); s.open(i) {
			return i, -1, true
		}
	}
}

// answer records the visitor's answer: whether they like a title, or which of two they rated higher.
func (s *session) answer(a, b int) {
	if b >= 0 {
		switch x, y := s.level[a], s.level[b]; {
		case y > x, y == x && s.random.IntN(2) == 0:
			a, b = b, a
		}
		s.visit.Seen = append(s.visit.Seen, b)
		if s.level[a] == like {
			s.visit.Likes = append(s.visit.Likes, a)
		} else { // "neither": not a like
			s.visit.Seen = append(s.visit.Seen, a)
		}
		return
	}
	switch s.level[a] {
	case like:
		s.visit.Likes = append(s.visit.Likes, a)
	case dislike:
		s.visit.Dislikes = append(s.visit.Dislikes, a)
	default:
		s.visit.Seen = append(s.visit.Seen, a)
	}
}

// recall returns the share of the hidden likes in a list of recallAt.
func (s *session) recall() float64 {
	n := 0
	for _, i := range s.list(s.visit, s.taste, recommend.Request{K: recallAt}) {
		if contains(s.hidden, i) {
			n++
		}
	}
	return float64(n) / float64(len(s.hidden))
}

// sessionResult has a session's figures after each of Steps.
type sessionResult struct{ recall, variance, likes [len(Steps)]float64 }

func (s *session) run(p policy) (c sessionResult) {
	for n, at := 0, 0; at < len(Steps); n++ {
		if n > 0 {
			if a, b, ok := p.next(s); ok {
				s.answer(a, b)
			}
		}
		s.taste = s.Engine.Taste(s.visit, s.taste)
		if n == Steps[at] {
			c.recall[at], c.likes[at] = s.recall(), float64(len(s.visit.Likes))
			c.variance[at] = math.Log(max(s.taste.Variance(), 1e-300))
			at++
		}
	}
	return c
}

// newSession prepares a person's session. The hidden likes are the same for all policies. known: only rated titles are
// asked about.
func newSession(c *Case, p *Person, known bool, seed uint64) *session {
	r := rand.New(rand.NewPCG(seed, 0x66696e64))
	likes := slices.Clone(p.Likes)
	r.Shuffle(len(likes), func(i, j int) { likes[i], likes[j] = likes[j], likes[i] })
	half := len(likes) / 2
	s := &session{Case: c, hidden: likes[:half], level: map[int]int{}, random: r}
	for _, i := range likes[half:] {
		s.level[i] = like
	}
	for _, i := range p.Others {
		s.level[i] = other
	}
	for _, i := range p.Dislikes {
		s.level[i] = dislike
	}
	slices.Sort(s.hidden)
	s.excluded = s.hidden
	if known {
		s.excluded = nil
		for i := range c.Engine.Len() {
			if s.level[i] == 0 {
				s.excluded = append(s.excluded, i)
			}
		}
	}
	s.taste = c.Engine.Taste(s.visit, nil)
	return s
}

// Explore simulates all policies. The seed draws the people who choose and those who are reported on.
func Explore(ctx context.Context, cases []Case, seed uint64, workers int,
	progress func(done, total int)) (*ExploreReport, error) {
	ps := policies()
	asked, known, err := simulate(ctx, cases, ps, seed, workers, progress)
	if err != nil {
		return nil, err
	}
	return &ExploreReport{People: len(asked[0]) / 2, Asked: report(ps, asked, seed), Known: report(ps, known, seed)},
		nil
}

// simulate runs every policy with all people who have enough likes. It returns results by policy and person, in a
// random order of the people that is the same for all policies.
func simulate(ctx context.Context, cases []Case, ps []policy, seed uint64, workers int,
	progress func(done, total int)) (asked, known [][]sessionResult, err error) {
	type task struct {
		c *Case
		p *Person
	}
	var tasks []task
	for k := range cases {
		c := &cases[k]
		for i := range c.People {
			if len(c.People[i].Likes) >= minLikes {
				tasks = append(tasks, task{c, &c.People[i]})
			}
		}
	}
	if len(tasks) < 4 {
		return nil, nil, errors.New("too few of the people left out like ten items or more; leave out more")
	}
	r := rand.New(rand.NewPCG(seed, 0x6f72646572))
	r.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	tasks = tasks[:min(len(tasks), maxAsked)]
	asked, known = make([][]sessionResult, len(ps)), make([][]sessionResult, len(ps))
	for k := range ps {
		asked[k], known[k] = make([]sessionResult, len(tasks)), make([]sessionResult, len(tasks))
	}
	step := progressCounter(progress, len(tasks))
	err = parallel.Each(ctx, len(tasks), workers, func() func(k int) {
		return func(k int) {
			t := tasks[k]
			for j, p := range ps {
				own := seed + uint64(k)<<20
				asked[j][k] = newSession(t.c, t.p, false, own).run(p)
				known[j][k] = newSession(t.c, t.p, true, own).run(p)
			}
			step()
		}
	})
	return asked, known, err
}

// report summarises the results. The first half of the people choose within a family, by the mean recall over
// ReportedAfter; the second half is reported on.
func report(ps []policy, results [][]sessionResult, seed uint64) []PolicyReport {
	half := len(results[0]) / 2
	chosenBy := func(k int) (sum float64) {
		for _, c := range results[k][:half] {
			for _, n := range ReportedAfter {
				sum += c.recall[slices.Index(Steps[:], n)]
			}
		}
		return sum
	}
	best := map[string]int{}
	for k, p := range ps {
		if b, ok := best[p.family]; p.family != "" && (!ok || chosenBy(k) > chosenBy(b)) {
			best[p.family] = k
		}
	}
	greedy := slices.IndexFunc(ps, func(p policy) bool { return p.name == "greedy" })
	var out []PolicyReport
	for k, p := range ps {
		of := results[k][half:]
		r := PolicyReport{Name: p.name, Recalls: make([]float64, len(Steps)), Variances: make([]float64, len(Steps)),
			Liked: make([]float64, len(Steps))}
		if b, ok := best[p.family]; ok {
			r.Chosen = b == k
		}
		values := func(f func(i int, c *sessionResult) float64) []float64 {
			out := make([]float64, len(of))
			for i := range of {
				out[i] = f(i, &of[i])
			}
			return out
		}
		for n := range Steps {
			for i := range of {
				r.Recalls[n] += of[i].recall[n] / float64(len(of))
				r.Variances[n] += (of[i].variance[n] - of[i].variance[0]) / float64(len(of))
				r.Liked[n] += of[i].likes[n] / float64(len(of))
			}
			r.Variances[n] = math.Exp(r.Variances[n])
		}
		for _, answers := range ReportedAfter {
			n := slices.Index(Steps[:], answers)
			r.Recall = append(r.Recall, eval.Mean(values(func(_ int, c *sessionResult) float64 { return c.recall[n] }),
				seed))
			if greedy >= 0 {
				r.OfGreedy = append(r.OfGreedy,
					eval.Mean(values(func(i int,
						c *sessionResult) float64 {
						return c.recall[n] - results[greedy][half+i].recall[n]
					}), seed))
			}
			r.Likes = append(r.Likes, eval.Mean(values(func(_ int, c *sessionResult) float64 { return c.likes[n] }),
				seed))
			a := eval.Mean(values(func(_ int, c *sessionResult) float64 { return c.variance[n] - c.variance[0] }), seed)
			r.Variance = append(r.Variance, eval.Estimate{Value: math.Exp(a.Value), Low: math.Exp(a.Low),
				High: math.Exp(a.High)})
		}
		out = append(out, r)
	}
	return out
}
