package modes

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/recommend"
)

// Band is a range of the number of likes that people name.
type Band struct {
	From, To int
	OneGenre bool // all of one genre; only their other likes of that genre count
}

// Bands are the reported bands.
var Bands = [...]Band{{From: 3, To: 5}, {From: 6, To: 20}, {From: 21, To: 50}}

// focused is the band of people who come for one thing.
var focused = Band{From: 3, To: 5, OneGenre: true}

// length is the length of the lists.
const length = 10

// asked is a person who has named some of their likes.
type asked struct {
	c     *uncertainty.Case
	visit recommend.Visit
	taste *recommend.Taste
	held  map[int]bool // their other likes
	rated map[int]bool // their other ratings
}

// ask returns everybody with enough likes, with a random choice of likes named by the band; at least five stay hidden,
// and for people who name more than 20, as many as they name.
func ask(cases []uncertainty.Case, b Band, seed uint64) (out []asked) {
	for k := range cases {
		c := &cases[k]
		for u, p := range c.People {
			r := rand.New(rand.NewPCG(seed+uint64(c.LeftOut[u])<<8, uint64(b.From)))
			likes := slices.Clone(p.Likes)
			if b.OneGenre {
				likes = ofOneGenre(c, likes, r)
			}
			r.Shuffle(len(likes), func(i, j int) { likes[i], likes[j] = likes[j], likes[i] })
			most := min(b.To, len(likes)-5)
			if b.From > 20 {
				most = min(b.To, len(likes)/2)
			}
			if most < b.From {
				continue
			}
			n := b.From + r.IntN(most-b.From+1)
			a := asked{c: c, visit: recommend.Visit{Likes: likes[:n]}, held: map[int]bool{}, rated: map[int]bool{}}
			for _, i := range likes[n:] {
				a.held[i] = true
			}
			for _, i := range slices.Concat(p.Others, p.Dislikes) {
				a.rated[i] = true
			}
			a.taste = c.Engine.Taste(a.visit, nil)
			out = append(out, a)
		}
	}
	return out
}

// ofOneGenre returns the likes of a random genre with ten or more of them, if any.
func ofOneGenre(c *uncertainty.Case, likes []int, r *rand.Rand) []int {
	var enough [][]int
	for _, g := range c.Engine.Genres() {
		var of []int
		for _, i := range likes {
			if slices.Contains(c.Engine.Item(i).Genres, g) {
				of = append(of, i)
			}
		}
		if len(of) >= 10 {
			enough = append(enough, of)
		}
	}
	if len(enough) == 0 {
		return nil
	}
	return enough[r.IntN(len(enough))]
}

// list returns the first ten of the request.
func (a *asked) list(q recommend.Request) (items []int) {
	q.K, q.Bare = length, true
	for _, s := range a.c.Engine.Recommend(a.visit, a.taste, q) {
		items = append(items, s.Item)
	}
	return items
}

// found returns the number of hidden likes in the list, and the list's NDCG.
func (a *asked) found(list []int) (n, ndcg float64) {
	ideal := 0.0
	for t := range min(length, len(a.held)) {
		ideal += 1 / math.Log2(float64(t+2))
	}
	for t, i := range list {
		if a.held[i] {
			n++
			ndcg += 1 / math.Log2(float64(t+2)) / ideal
		}
	}
	return n, ndcg
}

// apart returns the mean W2 between two titles of the list.
func (a *asked) apart(list []int) (mean float64) {
	pairs := float64(len(list) * (len(list) - 1) / 2)
	for k, i := range list {
		t := recommend.Taste{Row: a.c.Model.Items.Row(i)}
		for _, j := range list[:k] {
			mean += a.c.Engine.Distance(&t, j) / pairs
		}
	}
	return mean
}
