package writer_test

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// large returns a model of n items: copies of the shipped model's, each moved at random, with their links, genres, years
// and counts. Of the columns, shelf has a hundred values, and stock is 0 for half of the items.
func large(t testing.TB, n int) *model.Model {
	m := read(t)
	size, width, x := m.Items.Len(), 2*m.Items.Dim(), rand.New(rand.NewPCG(3, 5))
	noise := make([]float64, width)
	for d := range noise {
		var sum, square float64
		for i := range size {
			v := float64(m.Items.Row(i)[d])
			sum, square = sum+v, square+v*v
		}
		noise[d] = math.Sqrt(square/float64(size)-sum*sum/float64(size*size)) / 2
	}
	out := *m
	out.Items, out.Map, out.Next = gaussian.NewTable(n, m.Items.Dim()), nil, nil
	out.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, n), Columns: []string{"shelf", "stock"}}
	out.ItemItem = &model.ItemLinks{Gamma: m.ItemItem.Gamma, Offsets: []int32{0}}
	calibration, like := *m.Calibration, *m.Calibration.Like
	like.Rates, calibration.Like, out.Calibration = make([]float32, n), &like, &calibration
	for k := range n {
		row := out.Items.Row(k)
		for d, v := range m.Items.Row(k % size) {
			row[d] = v + float32(noise[d]*x.NormFloat64())
		}
		gaussian.Bound(row, m.Objective.Radius)
		it := m.Catalogue.Items[k%size]
		it.ID, it.Title = strconv.Itoa(k), "Title "+strconv.Itoa(k)
		it.Values = []string{strconv.Itoa(x.IntN(100)), strconv.Itoa(x.IntN(2))}
		out.Catalogue.Items[k], like.Rates[k] = it, m.Calibration.Like.Rates[k%size]
		sources, weights := m.ItemItem.Row(k % size)
		for at, j := range sources {
			if from := k - k%size + int(j); from < n {
				out.ItemItem.Sources = append(out.ItemItem.Sources, int32(from))
				out.ItemItem.Weights = append(out.ItemItem.Weights, weights[at])
			}
		}
		out.ItemItem.Offsets = append(out.ItemItem.Offsets, int32(len(out.ItemItem.Sources)))
	}
	return &out
}

// counted counts the questions that its cells were asked.
type counted struct {
	recommend.Nearby
	asked *atomic.Int64
}

func (c counted) Near(t recommend.Tendency) iter.Seq2[int, int] {
	c.asked.Add(1)
	return c.Nearby.Near(t)
}

// nearby returns recommenders that scan all items and that ask cells, and the number of questions to these.
func nearby(t testing.TB, n int) (whole, near *recommend.Recommender, asked *atomic.Int64) {
	t.Helper()
	whole, err := recommend.Open(large(t, n), recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cells, err := writer.NewCells(t.Context(), whole, 0)
	if err != nil {
		t.Fatal(err)
	}
	asked = new(atomic.Int64)
	return whole, whole.WithNearby(counted{cells, asked}), asked
}

// TestNearby compares lists by cells with those of the full scan: most items agree, and those that do agree in all that
// is said of them.
func TestNearby(t *testing.T) {
	whole, near, asked := nearby(t, 60_000)
	rules := func(o recommend.Rules) [2]*recommend.Recommender {
		a, _, err := whole.WithRules(o)
		if err != nil {
			t.Fatal(err)
		}
		b, _, err := near.WithRules(o)
		if err != nil {
			t.Fatal(err)
		}
		return [2]*recommend.Recommender{a, b}
	}
	plain := [2]*recommend.Recommender{whole, near}
	type request = recommend.Request
	for _, c := range []struct {
		name   string
		of     [2]*recommend.Recommender
		q      request
		likes  int
		recall float64
	}{
		{"one like", plain, request{}, 1, .99},
		{"ten likes", plain, request{}, 10, .99},
		{"thirty likes", plain, request{}, 30, .99},
		{"a second page", plain, request{Skip: 10}, 5, .98},
		{"a hundred", plain, request{K: 100}, 5, .97},
		{"a genre", plain, request{Filter: recommend.Filter{Genres: []string{"Crime"}}}, 5, .99},
		{"five years", plain, request{Filter: recommend.Filter{FromYear: 1990, ToYear: 1994}}, 5, .99},
		{"a rare genre", plain, request{Filter: recommend.Filter{Genres: []string{"Film-Noir"}}}, 5, .99},
		{"a rare shelf", plain, request{Filter: recommend.Filter{Columns: map[string]string{"shelf": "7"}}}, 5, .99},
		{"no such genre", plain, request{Filter: recommend.Filter{Genres: []string{"none"}}}, 5, 1},
		{"hidden gems", plain, request{Mode: recommend.HiddenGems}, 5, .97},
		{"outside the bubble", plain, request{Mode: recommend.OutsideBubble}, 5, .95},
		{"exploring", plain, request{Exploration: .5, Seed: 3}, 5, .9},
		{"the newest", plain, request{Order: recommend.Newest}, 5, 1},
		{"in stock", rules(recommend.Rules{InStock: "stock"}), request{}, 5, .99},
		{"a boost", rules(recommend.Rules{Boosts: []recommend.Boost{{Column: "shelf", Value: "7", Weight: 9}}}), request{}, 5,
			.99},
		{"pinned, excluded, one of a shelf", rules(recommend.Rules{Pinned: []string{"77", "8"}, Excluded: []string{"1"},
			AtMost: recommend.AtMost{N: 1, Column: "shelf"}}), request{}, 5, .98},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := rand.New(rand.NewPCG(9, 9))
			before, found, all := asked.Load(), 0, 0
			const visitors = 12
			for range visitors {
				of, v := whole.Similar(x.IntN(whole.Len()), recommend.Visit{}, 50), recommend.Visit{}
				for range c.likes {
					v.Likes = append(v.Likes, of[x.IntN(len(of))].Item)
				}
				v.Dislikes, v.Seen = []int{of[48].Item}, []int{of[49].Item, 5}
				q := c.q
				if q.K == 0 {
					q.K = 10
				}
				want := c.of[0].Recommend(v, c.of[0].Taste(v, nil), q)
				got := c.of[1].Recommend(v, c.of[1].Taste(v, nil), q)
				if len(got) != len(want) {
					t.Fatalf("%d items, want %d", len(got), len(want))
				}
				for _, w := range want {
					all++
					at := slices.IndexFunc(got, func(g recommend.Suggestion) bool { return g.Item == w.Item })
					if at < 0 {
						continue
					}
					found++
					g := got[at]
					if math.Abs(g.Match-w.Match) > .02 || math.Abs(g.Chance-w.Chance) > .05 {
						t.Errorf("match %v and chance %v, want %v and %v", g.Match, g.Chance, w.Match, w.Chance)
					}
					g.Match, g.Chance, g.Certainty = w.Match, w.Chance, w.Certainty
					if !reflect.DeepEqual(g, w) {
						t.Fatalf("got %+v\nwant %+v", g, w)
					}
				}
			}
			if float64(found) < c.recall*float64(all) {
				t.Errorf("%d of %d items found", found, all)
			}
			if asks := asked.Load() - before; (asks == 0) != (c.q.Order != recommend.BestFirst) {
				t.Errorf("the cells were asked %d times", asks)
			}
		})
	}
	t.Run("similar", func(t *testing.T) {
		found, all := 0, 0
		for item := 0; item < whole.Len(); item += 4999 {
			mentioned := recommend.Visit{Likes: []int{item + 1}, Seen: []int{7}}
			want, got := whole.Similar(item, mentioned, 10), near.Similar(item, mentioned, 10)
			for _, w := range want {
				all++
				if slices.ContainsFunc(got, func(g recommend.Suggestion) bool {
					return g.Item == w.Item && g.Distance == w.Distance
				}) {
					found++
				}
			}
		}
		if float64(found) < .99*float64(all) {
			t.Errorf("%d of %d items found", found, all)
		}
	})
	t.Run("at the same time", func(t *testing.T) {
		ask := func(k int) []recommend.Suggestion {
			v := recommend.Visit{Likes: []int{k, 7 * k, 1000 + k}}
			q := recommend.Request{K: 10, Filter: recommend.Filter{FromYear: 1900 + 90*(k%2)}}
			return near.Recommend(v, near.Taste(v, nil), q)
		}
		var want [24][]recommend.Suggestion
		for k := range want {
			want[k] = ask(k)
		}
		var work sync.WaitGroup
		for k := range want {
			work.Go(func() {
				if got := ask(k); !reflect.DeepEqual(got, want[k]) {
					t.Errorf("question %d has another answer", k)
				}
			})
		}
		work.Wait()
	})
}

// The cells do not depend on the number of workers, and each item is in one of them.
func TestSameCells(t *testing.T) {
	r, err := recommend.Open(large(t, 5_000), recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := func(workers int) string {
		c, err := writer.NewCells(t.Context(), r, workers)
		if err != nil {
			t.Fatal(err)
		}
		out := fmt.Sprint(c.Order())
		for from, to := range c.Near(recommend.Tendency{Row: r.Row(3), Genres: make([]float32, len(r.Genres())), Rare: 1}) {
			out += fmt.Sprint(from, to)
		}
		sorted := slices.Sorted(slices.Values(c.Order()))
		if len(slices.Compact(sorted)) != r.Len() || len(c.Order()) != r.Len() {
			t.Errorf("%d items of %d", len(sorted), r.Len())
		}
		return out
	}
	if text(1) != text(3) {
		t.Error("the cells differ by the number of workers")
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := writer.NewCells(ended, r, 0); err == nil {
		t.Error("a stopped division gave cells")
	}
}
