//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// kinds are the kinds of questions whose lists are compared with the full scan's.
var kinds = []struct {
	name   string
	change func(r *recommend.Recommender, x *rand.Rand, v *recommend.Visit, q *recommend.Request)
}{
	{"likes", func(*recommend.Recommender, *rand.Rand, *recommend.Visit, *recommend.Request) {}},
	{"the first 1,000 seen", func(r *recommend.Recommender, _ *rand.Rand, v *recommend.Visit, _ *recommend.Request) {
		for _, s := range r.Recommend(*v, r.Taste(*v, nil), recommend.Request{K: 1000, Bare: true}) {
			v.Seen = append(v.Seen, s.Item)
		}
	}},
	{"a genre", func(r *recommend.Recommender, x *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		if genres := r.Genres(); len(genres) > 0 {
			q.Filter.Genres = []string{genres[x.IntN(len(genres))]}
		}
	}},
	{"five years", func(_ *recommend.Recommender, x *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.Filter.FromYear = 1970 + x.IntN(40)
		q.Filter.ToYear = q.Filter.FromYear + 4
	}},
	{"a shelf of ten", func(_ *recommend.Recommender, x *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.Filter.Columns = map[string]string{"shelf": fmt.Sprint(x.IntN(10))}
	}},
	{"hidden gems", func(_ *recommend.Recommender, _ *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.Mode = recommend.HiddenGems
	}},
	{"outside the bubble", func(_ *recommend.Recommender, _ *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.Mode = recommend.OutsideBubble
	}},
	{"varied and exploring", func(_ *recommend.Recommender, _ *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.Diversity, q.Exploration = .5, .5
	}},
	{"a hundred items", func(_ *recommend.Recommender, _ *rand.Rand, _ *recommend.Visit, q *recommend.Request) {
		q.K = 100
	}},
}

// rules are rules whose lists are compared; items have the columns of enlarge.
var rules = []struct {
	name string
	recommend.Rules
}{
	{"a quarter in stock", recommend.Rules{InStock: "stock"}},
	{"a shelf boosted by 1", recommend.Rules{Boosts: []recommend.Boost{{Column: "shelf", Value: "7", Weight: 1}}}},
	{"low prices boosted by 2", recommend.Rules{Boosts: []recommend.Boost{{Column: "price", Weight: -2}}}},
	{"one of a shelf", recommend.Rules{AtMost: recommend.AtMost{N: 1, Column: "shelf"}}},
}

// spent returns the processor milliseconds of this process.
func spent() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// visitor draws a visitor with n likes: of the 40 items nearest to a random one, or any items.
func visitor(r *recommend.Recommender, x *rand.Rand, n int, near bool) (v recommend.Visit) {
	of := make([]int, 0, 40)
	if near {
		for _, s := range r.Similar(x.IntN(r.Len()), recommend.Visit{}, 40) {
			of = append(of, s.Item)
		}
	}
	for range n {
		if near {
			v.Likes = append(v.Likes, of[x.IntN(len(of))])
		} else {
			v.Likes = append(v.Likes, x.IntN(r.Len()))
		}
	}
	return v
}

// recall compares lists by cells with the full scan's, on one thread, and prints a table.
func recall(ctx context.Context, out io.Writer, m *model.Model, questions int) error {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return err
	}
	began := time.Now()
	before := processes{server: os.Getpid()}.processor()
	cells, err := writer.NewCells(ctx, r, 0)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d items; cells in %.0f s, %.0f of a processor\n\n| question | recall@10 | same list | "+
		"p50 ms of a processor | p99 ms | full scan, p50 ms |\n| --- | ---: | ---: | ---: | ---: | ---: |\n", r.Len(),
		time.Since(began).Seconds(), processes{server: os.Getpid()}.processor()-before)
	row := func(name string, r *recommend.Recommender, near bool, likes func(x *rand.Rand) int,
		change func(r *recommend.Recommender, x *rand.Rand, v *recommend.Visit, q *recommend.Request)) {
		fast := r.WithNearby(cells)
		x := rand.New(rand.NewPCG(7, 11))
		var took, exact []float64
		found, all, same := 0, 0, 0
		for k := range questions + 1 {
			if ctx.Err() != nil {
				return
			}
			v, q := visitor(fast, x, likes(x), near), recommend.Request{K: 10}
			change(fast, x, &v, &q)
			began := spent()
			got := fast.Recommend(v, fast.Taste(v, nil), q)
			t := spent() - began
			began = spent()
			want := r.Recommend(v, r.Taste(v, nil), q)
			if k == 0 {
				continue
			}
			took, exact = append(took, t), append(exact, spent()-began)
			equal := len(got) == len(want)
			for at, s := range want {
				all++
				if slices.ContainsFunc(got, func(o recommend.Suggestion) bool { return o.Item == s.Item }) {
					found++
				}
				equal = equal && got[at].Item == s.Item
			}
			if equal {
				same++
			}
		}
		slices.Sort(took)
		slices.Sort(exact)
		ms := func(of []float64, q float64) float64 { return of[int(q*float64(len(of)-1))] }
		fmt.Fprintf(out, "| %s | %.4f | %d of %d | %.1f | %.1f | %.1f |\n", name, float64(found)/float64(max(all, 1)),
			same, questions, ms(took, .5), ms(took, .99), ms(exact, .5))
	}
	for _, n := range []int{1, 3, 10, 30} {
		fixed := func(*rand.Rand) int { return n }
		row(fmt.Sprintf("likes: %d near each other", n), r, true, fixed, kinds[0].change)
		row(fmt.Sprintf("likes: any %d", n), r, false, fixed, kinds[0].change)
	}
	upTo12 := func(x *rand.Rand) int { return 1 + x.IntN(12) }
	for _, kind := range kinds {
		row(kind.name, r, true, upTo12, kind.change)
	}
	for _, rule := range rules {
		with, _, err := r.WithRules(rule.Rules)
		if err != nil {
			continue // without these columns
		}
		row(rule.name, with, true, upTo12, kinds[0].change)
	}
	return ctx.Err()
}
