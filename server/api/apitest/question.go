package apitest

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/recommend"
)

// Question is a request in both forms.
type Question struct {
	JSON    map[string]any // for the API and pmlam.js
	Visit   recommend.Visit
	Request recommend.Request
	Rules   recommend.Rules
}

var (
	modes  = []string{"for-you", "hidden-gems", "outside-bubble"}
	orders = []string{"best", "known", "new", "title"}
)

// Random returns a request with a random selection of options.
func Random(r *rand.Rand, engine *recommend.Recommender) Question {
	q := Question{JSON: map[string]any{}, Request: recommend.Request{K: 10}}
	list := func(name string, to *[]int, most int) {
		if r.IntN(3) == 0 {
			return
		}
		ids := make([]any, r.IntN(most+1))
		for i := range ids {
			item := r.IntN(engine.Len())
			*to = append(*to, item)
			ids[i] = engine.Item(item).ID
		}
		q.JSON[name] = ids
	}
	list("likes", &q.Visit.Likes, 12)
	list("dislikes", &q.Visit.Dislikes, 4)
	list("seen", &q.Visit.Seen, 6)
	maybe := func(in int, name string, f func() any) {
		if r.IntN(in) == 0 {
			q.JSON[name] = f()
		}
	}
	maybe(2, "k", func() any { q.Request.K = 1 + r.IntN(40); return q.Request.K })
	maybe(2, "mode", func() any {
		i := r.IntN(len(modes))
		q.Request.Mode = recommend.Mode(i)
		return modes[i]
	})
	maybe(4, "order", func() any {
		i := r.IntN(len(orders))
		q.Request.Order = recommend.Order(i)
		return orders[i]
	})
	maybe(4, "genres", func() any {
		for range 1 + r.IntN(3) {
			q.Request.Filter.Genres = append(q.Request.Filter.Genres, engine.Genres()[r.IntN(len(engine.Genres()))])
		}
		return q.Request.Filter.Genres
	})
	maybe(4, "fromYear", func() any { q.Request.Filter.FromYear = 1920 + r.IntN(90); return q.Request.Filter.FromYear })
	maybe(4, "toYear", func() any { q.Request.Filter.ToYear = 1940 + r.IntN(90); return q.Request.Filter.ToYear })
	maybe(4, "skip", func() any { q.Request.Skip = r.IntN(30); return q.Request.Skip })
	maybe(4, "diversity", func() any { q.Request.Diversity = r.Float64(); return q.Request.Diversity })
	maybe(4, "exploration", func() any { q.Request.Exploration = r.Float64(); return q.Request.Exploration })
	maybe(2, "seed", func() any { q.Request.Seed = r.Uint64N(1 << 53); return q.Request.Seed })
	if r.IntN(5) == 0 {
		list("instead", &q.Request.Instead, 10)
	}
	if r.IntN(3) == 0 {
		list("recent", &q.Visit.Recent, 25)
		maybe(2, "again", func() any { q.Visit.Again = true; return true })
	}
	if columns := engine.Columns(); len(columns) > 0 && r.IntN(8) == 0 {
		c := r.IntN(len(columns))
		if values := engine.Item(r.IntN(engine.Len())).Values; c < len(values) {
			q.Request.Filter.Columns = map[string]string{columns[c]: values[c]}
			q.JSON["where"] = q.Request.Filter.Columns
		}
	}
	if r.IntN(3) == 0 {
		randomRules(r, engine, &q)
	}
	return q
}

// randomRules adds a random selection of rules.
func randomRules(r *rand.Rand, engine *recommend.Recommender, q *Question) {
	ids := func(most int) (out []string) {
		for range 1 + r.IntN(most) {
			out = append(out, engine.Item(r.IntN(engine.Len())).ID)
		}
		return out
	}
	out, columns := map[string]any{}, engine.Columns()
	if r.IntN(2) == 0 {
		q.Rules.Excluded = ids(50)
		out["excluded"] = q.Rules.Excluded
	}
	if r.IntN(2) == 0 {
		q.Rules.Pinned = ids(5)
		out["pinned"] = q.Rules.Pinned
	}
	if len(columns) > 0 {
		column := columns[r.IntN(len(columns))]
		if r.IntN(2) == 0 {
			q.Rules.Boosts = []recommend.Boost{{Column: column, Weight: 2*r.Float64() - 1}}
			out["boost"] = []any{map[string]any{"column": column, "weight": q.Rules.Boosts[0].Weight}}
		}
		if r.IntN(2) == 0 {
			q.Rules.InStock = column
			out["inStock"] = column
		}
		if r.IntN(2) == 0 {
			q.Rules.AtMost = recommend.AtMost{N: 1 + r.IntN(3), Column: column}
			out["atMost"] = map[string]any{"n": q.Rules.AtMost.N, "column": column}
		}
	}
	q.JSON["rules"] = out
}
