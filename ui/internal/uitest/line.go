package uitest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// Line is an engine with titles on a line, so that its answers are predictable: item i is "Film i" at place i, of the
// year 1950+i, with the genre Even or Odd and, every fifth, Rare. A visitor is at the mean of their likes.
type Line struct {
	Items  []catalogue.Item
	Names  []string            // of further columns
	Left   []string            // titles that LeftOut finds by their beginning
	Asked  []recommend.Request // in order
	Before func()              // called before each answer, unless nil
	Surely func()              // called before certainties are computed, unless nil
	Order  bool                // About.Order: titles are ranked around the latest of recommend.Visit.Recent

	n  int
	mu sync.Mutex
}

// NewLine returns a line of n titles.
func NewLine(n int) *Line {
	e := &Line{n: n}
	for i := range n {
		it := catalogue.Item{ID: fmt.Sprint("id", i), Title: fmt.Sprint("Film ", i), Year: 1950 + i, Count: n - i,
			Genres: []string{"Even"}}
		if i%2 == 1 {
			it.Genres[0] = "Odd"
		}
		if i%5 == 0 {
			it.Genres = append(it.Genres, "Rare")
		}
		e.Items = append(e.Items, it)
	}
	return e
}

func (e *Line) About() recommend.About {
	return recommend.About{Dataset: "A line", Users: 12, Items: e.n, Positives: 3456,
		Metrics: map[string]float64{"recall@10": 0.2,
			"ndcg@10": 0.3}, Licence: "Free as a line", Scan: "go", Digest: "0123456789abcdef",
		Reliability: recommend.Reliability{People: 3}, Order: e.Order}
}
func (e *Line) Len() int                   { return e.n }
func (e *Line) Item(i int) *catalogue.Item { return &e.Items[i] }
func (e *Line) Columns() []string          { return e.Names }
func (e *Line) Genres() []string           { return []string{"Even", "Odd", "Rare"} }
func (e *Line) Search(query string, limit int) []recommend.Found {
	var out []recommend.Found
	for i := range e.Items {
		if strings.Contains(strings.ToLower(e.Items[i].Title), strings.ToLower(query)) && len(out) < limit {
			out = append(out, recommend.Found{Item: i, Score: 0.5})
		}
	}
	return out
}
func (e *Line) LeftOut(query string, limit int) (names []string, score float64) {
	for _, name := range e.Left {
		if strings.HasPrefix(strings.ToLower(name), strings.ToLower(query)) && len(names) < limit {
			names, score = append(names, name), 0.88
		}
	}
	return names, score
}
func (e *Line) Starters(n, page int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = (i + n*page) % e.n
	}
	return out
}
func (e *Line) Taste(v recommend.Visit, _ *recommend.Taste) *recommend.Taste {
	sum := 0
	for _, i := range v.Likes {
		sum += i
	}
	k := max(len(v.Likes), 1)
	return &recommend.Taste{
		Row: []float32{float32(sum) / float32(k), 1}, Spread: []float32{1 / float32(k)}, Evidence: k + len(v.Dislikes),
	}
}
func (e *Line) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	if e.Before != nil {
		e.Before()
	}
	e.mu.Lock()
	e.Asked = append(e.Asked, r)
	e.mu.Unlock()
	out := []recommend.Suggestion{}
	order := e.near(float64(t.Row[0]))
	switch r.Order {
	case recommend.BestKnown, recommend.ByTitle: // the lower, the better known
		order = e.near(0)
	case recommend.Newest:
		order = e.near(float64(e.n))
	}
	if n := len(v.Recent); e.Order && n > 0 {
		order = e.near(float64(v.Recent[n-1]))
	}
	skip := r.Skip
	for _, i := range order {
		said := slices.Contains(v.Likes, i) || slices.Contains(v.Dislikes, i) || slices.Contains(v.Seen, i)
		if said || !e.keeps(r.Filter, i) || len(out) == r.K || slices.Contains(r.Instead, i) {
			continue
		}
		if skip--; skip >= 0 {
			continue
		}
		s := recommend.Suggestion{Item: i, Distance: e.Distance(t, i), Match: 0.9, Chance: 0.7,
			Certainty: recommend.FairlySure, Spread: 0.5}
		if r.Later || !e.About().Reliability.States(v) {
			s.Chance, s.Certainty = 0, recommend.Unsaid
		}
		for _, l := range v.Likes {
			s.Reasons = append(s.Reasons, recommend.Reason{Item: l, Share: 1 / float64(len(v.Likes))})
		}
		s.Reasons = s.Reasons[:min(len(s.Reasons), 3)]
		out = append(out, s)
	}
	return out
}
func (e *Line) Together(a, b recommend.Visit, ta, tb *recommend.Taste, r recommend.Request) []recommend.Shared {
	said := slices.Concat(a.Likes, a.Dislikes, a.Seen, b.Likes, b.Dislikes, b.Seen)
	var out []recommend.Shared
	for _, i := range e.near(float64(ta.Row[0]+tb.Row[0]) / 2) {
		if slices.Contains(said, i) || slices.Contains(r.Instead, i) || len(r.Filter.Genres) > 0 &&
			!share(e.Items[i].Genres, r.Filter.Genres) || len(out) == r.K {
			continue
		}
		s := recommend.Shared{Item: i}
		for side, v := range []recommend.Visit{a, b} {
			s.Each[side] = recommend.Suggestion{Item: i, Spread: 0.5, Certainty: recommend.Certainty(side),
				Reasons: []recommend.Reason{{Item: v.Likes[0], Share: 0.5}}}
		}
		out = append(out, s)
	}
	return out
}
func (e *Line) Count(v recommend.Visit, f recommend.Filter) (n int) {
	for i := range e.Items {
		if e.keeps(f, i) && !slices.Contains(slices.Concat(v.Likes, v.Dislikes, v.Seen), i) {
			n++
		}
	}
	return n
}
func (e *Line) Keeps(f recommend.Filter) recommend.ItemSet {
	keep := recommend.NewItemSet(e.n)
	for i := range e.Items {
		if e.keeps(f, i) {
			keep.Add(i)
		}
	}
	return keep
}

// keeps reports whether item i passes the filter. The first region holds the first half.
func (e *Line) keeps(f recommend.Filter, i int) bool {
	it := &e.Items[i]
	return (len(f.Genres) == 0 || share(it.Genres, f.Genres)) && (f.FromYear == 0 || it.Year >= f.FromYear &&
		it.Year <= f.ToYear) && (f.Region != 1 || 2*i < e.n) && (f.Region != 2 || 2*i >= e.n)
}
func (e *Line) Change(v recommend.Visit, t *recommend.Taste, r recommend.Request, item int) recommend.Change {
	if item == 1 {
		return recommend.Change{Variance: 0.5}
	}
	return recommend.Change{In: []int{30, 31}, Out: []int{9}, Variance: 0.8}
}
func (e *Line) Stability(_ recommend.Visit, _ *recommend.Taste, _ recommend.Request, items []int) []float64 {
	if e.Surely != nil {
		e.Surely()
	}
	out := make([]float64, len(items))
	for k := range out {
		out[k] = 0.7
	}
	return out
}
func (e *Line) near(place float64) []int {
	out := make([]int, e.n)
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int {
		d := math.Abs(float64(a)-place) - math.Abs(float64(b)-place)
		switch {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	return out
}
func (e *Line) Similar(item int, mentioned recommend.Visit, k int) []recommend.Suggestion {
	var out []recommend.Suggestion
	said := slices.Concat(mentioned.Likes, mentioned.Dislikes, mentioned.Seen)
	for _, i := range e.near(float64(item))[1:] {
		if len(out) < k && !slices.Contains(said, i) {
			out = append(out, recommend.Suggestion{Item: i, Spread: 0.5})
		}
	}
	return out
}
func (e *Line) Point(i int) (x, y float64) { return float64(i), 0 }

// Regions returns two halves, and an unnamed quarter around the first film.
func (e *Line) Regions() []model.Region {
	at := func(share float64) float32 { return float32(share * float64(e.n)) }
	return []model.Region{{X: at(0.25), Genre: "Even"}, {X: at(0.75), Genre: "Even", From: 1980, To: 1990},
		{Level: 1, X: at(0)}, {Level: 1, X: at(0.5), Words: "1 & 2"}}
}

// Places returns one taste, at the mean of the likes.
func (e *Line) Places(v recommend.Visit, t *recommend.Taste) recommend.Places {
	x, s := float64(t.Row[0]), float64(t.Spread[0])
	return recommend.Places{Tastes: []recommend.Place{{Share: 1, Likes: v.Likes, Ellipses: recommend.Ellipses{
		{X: x, A: s, B: s}, {X: x, A: 2 * s, B: 2 * s}, {X: x, A: 3 * s, B: 3 * s}}}},
		Next: []int{1, 2, 3}, Calibrated: true}
}
func (e *Line) Distance(t *recommend.Taste, i int) float64 {
	return math.Abs(float64(t.Row[0]) - float64(i))
}
func (e *Line) Radii(_ recommend.Visit, t *recommend.Taste) []float32 {
	out := make([]float32, e.n)
	for i := range out {
		out[i] = float32(e.Distance(t, i))
	}
	return out
}
func (e *Line) Question(v recommend.Visit, _ *recommend.Taste) (a, b int, ok bool) {
	var left []int
	for i := range e.n {
		if !slices.Contains(slices.Concat(v.Likes, v.Dislikes, v.Seen), i) {
			left = append(left, i)
		}
	}
	if len(left) < 2 {
		return 0, 0, false
	}
	return left[0], left[1], true
}

// share reports whether two lists have a common element.
func share(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
