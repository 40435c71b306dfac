package uncertainty

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// StabilityReport measures the chance that a title stays among a visitor's first ten (recommend.Recommender.Stability).
// A visitor with n likes gets a list of ten with the chance of each title. Then the list is computed again for other
// likes of the same person:
//
//   - halves: a random half of the n likes, the event that the chance describes.
//   - fresh: n other likes. The list changes more, because the first n likes were a sample too.
//
// In both cases titles that neither visit mentions are ranked.
type StabilityReport struct {
	People  int            `json:"people"`
	Halves  Stable         `json:"halves"`
	Fresh   Stable         `json:"fresh"`
	Words   []Word         `json:"words"` // of Halves
	ByLikes []StabilityRow `json:"told"`
}

// StabilityRow has visitors with this number of likes, refitted on halves.
type StabilityRow struct {
	Likes int `json:"likes"`
	Stable
}

// Stable compares stated chances to stay with outcomes.
type Stable struct {
	Statements int           `json:"statements"`
	Stated     float64       `json:"stated"` // their mean
	Stayed     eval.Estimate `json:"stayed"` // share that came true
	ECE        eval.Estimate `json:"ece"`    // as Reliable's
	Bins       []Bin         `json:"bins"`
}

// stabilityLikes are the visitors' numbers of likes. Everybody with that many takes part; in Fresh, everybody with
// twice as many.
var stabilityLikes = [...]int{2, 4, 8, 16, 32}

// maxPeople bounds the people of a case: each costs some hundreds of scans of the catalogue.
const maxPeople = 600

// Stability measures the chances to stay on people left out of the trainings (with more than maxPeople, every k-th); d
// has all users' data.
func Stability(ctx context.Context, d calibrate.Data, cases []Case, seed uint64) (*StabilityReport, error) {
	r := &StabilityReport{}
	var halves, fresh []claim
	by := make([][]claim, len(stabilityLikes))
	for _, c := range cases {
		for at := 0; at < len(c.LeftOut); at += (len(c.LeftOut) + maxPeople - 1) / maxPeople {
			u := c.LeftOut[at]
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			likes := calibrate.Ints(d.Likes.Row(u))
			r.People++
			rng := rand.New(rand.NewPCG(seed, uint64(u)^0x73746179))
			for k, n := range stabilityLikes {
				if n > len(likes) {
					break
				}
				rng.Shuffle(len(likes), func(i, j int) { likes[i], likes[j] = likes[j], likes[i] })
				by[k] = append(by[k], c.stays(u, likes[:n], likes[:n/2])...)
				if 2*n <= len(likes) {
					fresh = append(fresh, c.stays(u, likes[:n], likes[n:2*n])...)
				}
			}
		}
	}
	for k, n := range stabilityLikes {
		halves = append(halves, by[k]...)
		r.ByLikes = append(r.ByLikes, StabilityRow{n, stable(by[k], seed)})
	}
	r.Halves, r.Fresh = stable(halves, seed), stable(fresh, seed)
	r.Words = words(halves, recommend.Staying, seed)
	return r, nil
}

// stays returns the chances stated to a visitor with the likes, and whether each title stayed with the others.
func (c *Case) stays(person int, likes, others []int) []claim {
	first, second := recommend.Visit{Likes: likes, Seen: others}, recommend.Visit{Likes: others, Seen: likes}
	taste := c.Engine.Taste(first, nil)
	ten := recommend.Request{K: recommend.Top, Bare: true}
	var items []int
	for _, s := range c.Engine.Recommend(first, taste, ten) {
		items = append(items, s.Item)
	}
	after := c.Engine.Recommend(second, c.Engine.Taste(second, nil), ten)
	out := make([]claim, len(items))
	for k, chance := range c.Engine.Stability(first, taste, ten, items) {
		there := slices.ContainsFunc(after, func(s recommend.Suggestion) bool { return s.Item == items[k] })
		out[k] = claim{person, chance, there}
	}
	return out
}

func stable(claims []claim, seed uint64) Stable {
	s := Stable{Statements: len(claims)}
	if len(claims) == 0 {
		return s
	}
	people := newPeopleIndex(len(claims), func(i int) int { return claims[i].person })
	by := make([]claimSums, people.len)
	for i := range claims {
		by[people.of[i]].add(&claims[i])
		s.Stated += claims[i].chance / float64(len(claims))
	}
	s.Stayed = observed(by, seed)
	s.ECE, s.Bins = calibrated(claims, seed)
	return s
}
