package recommend

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// ruledShop is linked with a shop's columns: stock, artist, margin.
func ruledShop(t testing.TB, n int) *Recommender {
	m := linked(n)
	m.Catalogue.Columns = append(m.Catalogue.Columns, "stock", "artist", "margin")
	for i := range m.Catalogue.Items {
		it := &m.Catalogue.Items[i]
		stock, artist, margin := "3", fmt.Sprint("artist ", i*7%23), fmt.Sprint(i%9, ",5")
		if i%4 == 1 {
			stock = []string{"0", "", "no", "Out_of_stock", "-2", "FALSE"}[i/4%6]
		}
		if i%6 == 0 {
			artist = ""
		}
		if i%10 == 0 {
			margin = "?"
		}
		it.Values = append(it.Values, stock, artist, margin)
	}
	return open(t, m)
}

// randomRules returns random rules, each of which is sometimes left out.
func randomRules(x *rand.Rand, r *Recommender) (o Rules) {
	ids := func(most int) (out []string) {
		for range x.IntN(most + 1) {
			out = append(out, r.Item(x.IntN(r.Len())).ID)
		}
		return out
	}
	if x.IntN(2) == 0 {
		o.InStock = "stock"
	}
	if x.IntN(2) == 0 {
		o.Excluded = ids(40)
	}
	if x.IntN(2) == 0 {
		o.Pinned = ids(6)
	}
	if x.IntN(3) > 0 {
		o.AtMost = AtMost{1 + x.IntN(3), []string{"artist", "country"}[x.IntN(5)/4]}
	}
	if x.IntN(2) == 0 {
		o.Boosts = append(o.Boosts, Boost{Column: "margin", Weight: 4*x.Float64() - 2})
	}
	if x.IntN(3) == 0 {
		o.Boosts = append(o.Boosts, Boost{Column: "country", Value: "fr", Weight: 3})
	}
	return o
}

// holds checks that a list follows the rules from its start. passes tells whether the question itself allows an item; a
// pinned item must be listed if it is allowed.
func holds(t *testing.T, r *Recommender, o Rules, way string, list []int, k int, passes func(i int) bool) {
	t.Helper()
	value := func(i int, column string) string {
		if column == "" {
			return ""
		}
		return r.Item(i).Values[slices.Index(r.Columns(), column)]
	}
	listable := func(i int) bool {
		return passes(i) && !slices.Contains(o.Excluded, r.Item(i).ID) && (o.InStock == "" || Available(value(i, o.InStock)))
	}
	groups := map[string]int{}
	room := func(i int) bool {
		group := value(i, o.AtMost.Column)
		groups[group]++
		return group == "" || groups[group] <= o.AtMost.N
	}
	for k, i := range list {
		if !listable(i) || slices.Contains(list[:k], i) || !room(i) {
			t.Fatalf("%s, %+v: item %d, %q, must not be in %v", way, o, i, r.Item(i).Values, list)
		}
	}
	clear(groups)
	var pinned []int
	for _, id := range o.Pinned {
		if i := r.IDs()[id]; listable(i) && !slices.Contains(pinned, i) && room(i) {
			pinned = append(pinned, i)
		}
	}
	if pinned = pinned[:min(k, len(pinned))]; len(list) < len(pinned) || !slices.Equal(list[:len(pinned)], pinned) {
		t.Fatalf("%s, %+v: %v does not begin with the pinned %v", way, o, list, pinned)
	}
}

// The rules hold for every question: all modes, orders, filters and pages, with diversity and exploration, for one
// person and for two, and for Similar, Starters and Question.
func TestRulesHold(t *testing.T) {
	plain := ruledShop(t, 200)
	x := rand.New(rand.NewPCG(8, 1))
	pick := func(most int) (out []int) {
		for range x.IntN(most + 1) {
			out = append(out, x.IntN(plain.Len()))
		}
		return out
	}
	for range 400 {
		o := randomRules(x, plain)
		r, unknown, err := plain.WithRules(o)
		if err != nil || unknown != nil {
			t.Fatal(unknown, err)
		}
		v := Visit{Likes: append(pick(5), 3), Dislikes: pick(2), Seen: pick(20)}
		bought := func(v Visit) []int { return slices.Concat(v.Likes, v.Dislikes, v.Seen) }
		taste := r.Taste(v, nil)
		q := Request{K: 1 + x.IntN(30), Mode: Mode(x.IntN(3)), Order: Order(max(x.IntN(8)-4, 0)), Seed: x.Uint64()}
		if x.IntN(2) == 0 {
			q.Diversity = x.Float64()
		}
		if x.IntN(2) == 0 {
			q.Exploration = x.Float64()
		}
		if x.IntN(3) == 0 {
			q.Filter = Filter{Genres: []string{"Drama", "Classic"}, FromYear: 1960}
		}
		if x.IntN(3) == 0 && q.Order == BestFirst {
			q.Instead = pick(10)
		}
		filter := plain.Keeps(q.Filter)
		passes := func(i int) bool {
			return filter.Has(i) && !slices.Contains(bought(v), i) && !slices.Contains(q.Instead, i)
		}
		list := r.Recommend(v, taste, q)
		holds(t, r, o, fmt.Sprintf("recommend %+v", q), items(list), q.K, passes)
		for _, s := range list {
			if s.Pinned != slices.Contains(o.Pinned, r.Item(s.Item).ID) {
				t.Fatalf("%+v: %+v is marked wrongly", o, s)
			}
		}
		// The pages together are the same list, as long as Count says.
		whole := q
		whole.K = r.Len()
		all := items(r.Recommend(v, taste, whole))
		var paged []int
		for whole.Skip = 0; whole.Skip < len(all); whole.Skip += whole.K {
			whole.K = 7
			paged = append(paged, items(r.Recommend(v, taste, whole))...)
		}
		if !slices.Equal(paged, all) || !slices.Equal(all[:len(list)], items(list)) {
			t.Fatalf("%+v, %+v: %v by pages, %v at once", o, q, paged, all)
		}
		if n := r.Count(v, q.Filter); len(q.Instead) == 0 && (q.Mode == ForYou || q.Order != BestFirst) && n != len(all) {
			t.Fatalf("%+v, %+v: Count says %d, the list has %d", o, q, n, len(all))
		}
		other := Visit{Likes: append(pick(4), 8), Seen: pick(9)}
		var both []int
		for _, s := range r.Together(v, other, taste, r.Taste(other, nil), q) {
			both = append(both, s.Item)
		}
		holds(t, r, o, "together", both, q.K, func(i int) bool { return passes(i) && !slices.Contains(bought(other), i) })
		of := x.IntN(r.Len())
		like := items(r.Similar(of, v, q.K))
		holds(t, r, o, "similar", like, q.K, func(i int) bool { return i != of && !slices.Contains(bought(v), i) })
		if !slices.Equal(items(r.Similar(of, Visit{}, q.K)), r.SimilarItems([]int{of}, q.K)[0]) {
			t.Fatalf("%+v: SimilarItems is not Similar", o)
		}
		if a, b, ok := r.Question(v, taste); ok {
			holds(t, r, Rules{InStock: o.InStock, Excluded: o.Excluded}, "question", []int{a, b}, 2,
				func(i int) bool { return !slices.Contains(bought(v), i) })
		}
		for _, ids := range [][]int{r.Starters(12, x.IntN(3)), r.Places(v, taste).Next} {
			holds(t, r, Rules{InStock: o.InStock, Excluded: o.Excluded}, "starters, places", ids, 0,
				func(int) bool { return true })
		}
	}
}

// A limit keeps from each group the items that a walk down the unlimited list would keep.
func TestLimitIsAWalkDownTheList(t *testing.T) {
	plain := ruledShop(t, 300)
	r, _, err := plain.WithRules(Rules{AtMost: AtMost{2, "artist"}, Boosts: []Boost{{Column: "margin", Weight: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	boosted, _, _ := plain.WithRules(Rules{Boosts: []Boost{{Column: "margin", Weight: 1}}})
	v := Visit{Likes: []int{4, 9, 77}, Dislikes: []int{5}}
	taste := r.Taste(v, nil)
	for _, ask := range []func(r *Recommender) []int{
		func(r *Recommender) []int { return items(r.Recommend(v, taste, Request{K: r.Len(), Order: ByTitle})) },
		func(r *Recommender) []int { return r.SimilarItems([]int{8}, r.Len())[0] },
	} {
		groups := map[string]int{}
		want := slices.DeleteFunc(ask(boosted), func(i int) bool {
			artist := r.Item(i).Values[2]
			groups[artist]++
			return artist != "" && groups[artist] > 2
		})
		if got := ask(r); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// Boosts change the order according to the formula, and no description of a title.
func TestBoosts(t *testing.T) {
	plain := ruledShop(t, 120)
	o := Rules{Boosts: []Boost{{Column: "margin", Weight: 1.5}, {Column: "country", Value: "it", Weight: -0.5}}}
	r, _, err := plain.WithRules(o)
	if err != nil {
		t.Fatal(err)
	}
	v := Visit{Likes: []int{3, 50}, Dislikes: []int{6}}
	taste := plain.Taste(v, nil)
	cost := costs(plain, v, taste)
	margins := make([]float64, r.Len())
	var numbers []float64
	for i := range margins {
		margins[i] = math.NaN()
		if x, ok := Number(r.Item(i).Values[3]); ok {
			margins[i] = x
			numbers = append(numbers, x)
		}
	}
	for i := range cost {
		less := 0
		for _, x := range numbers {
			if x < margins[i] {
				less++
			}
		}
		cost[i] -= 1.5 * plain.tau * float64(less) / float64(len(numbers))
		if r.Item(i).Values[0] == "it" {
			cost[i] += 0.5 * plain.tau
		}
	}
	said := map[int]Suggestion{}
	for _, s := range plain.Recommend(v, taste, Request{K: plain.Len()}) {
		said[s.Item] = s
	}
	list := r.Recommend(v, taste, Request{K: r.Len(), Mode: ForYou})
	moved := 0
	for k, s := range list {
		if k >= seriesTop && k > 0 && cost[list[k-1].Item] > cost[s.Item]+1e-5 && k > seriesTop+SeriesSlack {
			t.Errorf("place %d: %v before %v", k, cost[list[k-1].Item], cost[s.Item])
		}
		if !reflect.DeepEqual(s, said[s.Item]) {
			t.Errorf("with a boost %+v, without %+v", s, said[s.Item])
		}
		if k > 0 && said[list[k-1].Item].Match < s.Match {
			moved++
		}
	}
	if moved == 0 || len(list) != r.Len()-3 {
		t.Errorf("%d of %d titles moved", moved, len(list))
	}
}

// Adding rules combines both, and leaves the original recommender unchanged.
func TestRulesAddUp(t *testing.T) {
	plain := ruledShop(t, 100)
	first, _, err := plain.WithRules(Rules{InStock: "stock", Pinned: []string{"2"}, AtMost: AtMost{1, "artist"}})
	if err != nil {
		t.Fatal(err)
	}
	before := first.SimilarItems([]int{9}, 100)[0]
	both, unknown, err := first.WithRules(Rules{Excluded: []string{"3", "gone", "gone"}, Pinned: []string{"4", "lost", "2"},
		AtMost: AtMost{5, "country"}})
	if err != nil || !slices.Equal(unknown, []string{"gone", "lost"}) {
		t.Fatalf("unknown are %q, %v", unknown, err)
	}
	list := both.SimilarItems([]int{9}, 100)[0]
	if len(list) > 10 || !slices.Equal(list[:2], []int{2, 4}) || slices.Contains(list, 3) {
		t.Errorf("both are %v", list)
	}
	for k, i := range list {
		if !Available(plain.Item(i).Values[1]) || slices.ContainsFunc(list[:k], func(j int) bool {
			return plain.Item(i).Values[2] != "" && plain.Item(i).Values[2] == plain.Item(j).Values[2]
		}) {
			t.Errorf("%d is in %v", i, list)
		}
	}
	if !slices.Equal(before, first.SimilarItems([]int{9}, 100)[0]) || len(plain.SimilarItems([]int{9}, 100)[0]) != 99 {
		t.Error("the original recommender has changed")
	}
	if same, _, err := first.WithRules(Rules{}); same != first || err != nil {
		t.Error("empty rules make a new recommender")
	}
}

// Lists changed by rules have no guarantee.
func TestNoGuaranteeByRules(t *testing.T) {
	r := openShipped(t)
	with, _, err := r.WithRules(Rules{Excluded: []string{r.Item(0).ID}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.About().Reliability.Guarantee) == 0 || len(with.About().Reliability.Guarantee) != 0 {
		t.Error("the guarantee is not where it should be")
	}
}

func TestWrongRules(t *testing.T) {
	r := ruledShop(t, 20)
	for _, c := range []struct {
		rules      Rules
		rule, want string
	}{
		{Rules{InStock: "stok"}, "inStock", `no column "stok"; it has country, stock, artist, margin`},
		{Rules{Boosts: []Boost{{Column: "price", Weight: 1}}}, "boost", `no column "price"`},
		{Rules{Boosts: []Boost{{Weight: 1}}}, "boost", "needs a column"},
		{Rules{Boosts: []Boost{{Column: "margin"}}}, "boost", "is 0"},
		{Rules{Boosts: []Boost{{Column: "margin", Weight: math.NaN()}}}, "boost", "NaN"},
		{Rules{Boosts: []Boost{{Column: "margin", Weight: -101}}}, "boost", "between -100 and 100"},
		{Rules{Boosts: slices.Repeat([]Boost{{Column: "margin", Weight: 1}}, 17)}, "boost", "there are 17; at most 16"},
		{Rules{AtMost: AtMost{Column: "artist"}}, "atMost", "n of 1 or more"},
		{Rules{AtMost: AtMost{N: 2}}, "atMost", "needs a column"},
		{Rules{AtMost: AtMost{2, "group"}}, "atMost", `no column "group"`},
	} {
		_, _, err := r.WithRules(c.rules)
		e, ok := errors.AsType[*RuleError](err)
		if !ok || e.Rule != c.rule || !strings.Contains(e.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.rules, err, c.want)
		}
	}
	for text, want := range map[string]bool{"": false, " 0 ": false, "0.0": false, "-1": false, "No": false, "NEIN": false,
		"out-of-stock": false, "Sold out": false, "1": true, "yes": true, "12": true, "in stock": true, "preorder": true} {
		if Available(text) != want {
			t.Errorf("%q: available is %t", text, !want)
		}
	}
}

// SimilarItems agrees with Similar for each item.
func TestSimilarItems(t *testing.T) {
	r := openShipped(t)
	ruled, _, err := r.WithRules(Rules{Pinned: []string{"50"}, AtMost: AtMost{1, "imdbId"}, Excluded: []string{"1"}})
	if err != nil {
		t.Fatal(err)
	}
	var some []int
	for i := 0; i < r.Len(); i += 97 {
		some = append(some, i)
	}
	for _, r := range []*Recommender{r, ruled} {
		for q, list := range r.SimilarItems(some, 12) {
			if want := items(r.Similar(some[q], Visit{}, 12)); !slices.Equal(list, want) {
				t.Errorf("similar to %d: %v, want %v", some[q], list, want)
			}
		}
	}
}
