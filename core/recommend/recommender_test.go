package recommend

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

func items(s []Suggestion) []int {
	out := make([]int, len(s))
	for i, x := range s {
		out[i] = x.Item
	}
	return out
}

func TestRecommendsWhatIsLikeTheLikes(t *testing.T) {
	for name, m := range fixtures(300) {
		r := open(t, m)
		v := Visit{Likes: []int{2, 7, 12}, Dislikes: []int{3}, Seen: []int{17, 22}} // Horror, a Western, Horror
		taste := r.Taste(v, nil)
		got := r.Recommend(v, taste, Request{K: 20})
		if len(got) != 20 {
			t.Fatalf("%s: %d suggestions, want 20", name, len(got))
		}
		for i, s := range got {
			if s.Item%5 != 2 {
				t.Errorf("%s: suggestion %d is a %s", name, i, r.Item(s.Item).Genres[0])
			}
			if slices.Contains([]int{2, 7, 12, 3, 17, 22}, s.Item) {
				t.Errorf("%s: item %d was mentioned already", name, s.Item)
			}
			if i > 0 && s.Distance < got[i-1].Distance {
				t.Errorf("%s: suggestion %d is nearer than the one before it", name, i)
			}
			if s.Distance != r.Distance(taste, s.Item) {
				t.Errorf("%s: Distance is %v, the engine says %v", name, s.Distance, r.Distance(taste, s.Item))
			}
			farther := 0
			for j := range r.Len() {
				if r.Distance(taste, j) > s.Distance+1e-6 {
					farther++
				}
			}
			if math.Abs(s.Match-float64(farther)/299) > 1e-9 {
				t.Errorf("%s: Match is %v, but %d of 299 are farther away", name, s.Match, farther)
			}
			if len(s.Reasons) == 0 || len(s.Reasons) > 3 || s.Spread <= 0 || s.Chance != 0 || s.Certainty != Unsaid {
				t.Errorf("%s: suggestion %d is %+v", name, i, s)
			}
			sum := 0.0
			for _, y := range s.Reasons {
				sum += y.Share
				if !slices.Contains(v.Likes, y.Item) {
					t.Errorf("%s: item %d is a reason but was not liked", name, y.Item)
				}
			}
			if math.Abs(sum-1) > 1e-6 { // all three likes are shown unless one has the share 0
				t.Errorf("%s: the shares of three likes sum to %v", name, sum)
			}
		}
	}
}

func TestRecommendIsASort(t *testing.T) {
	r := open(t, fixtures(300)["composed"])
	v := Visit{Likes: []int{2, 8, 14}}
	taste := r.Taste(v, nil)
	var want []int
	for i := range r.Len() {
		if !slices.Contains(v.Likes, i) {
			want = append(want, i)
		}
	}
	sort.SliceStable(want, func(a, b int) bool { return r.Distance(taste, want[a]) < r.Distance(taste, want[b]) })
	for _, k := range []int{1, 10, 297, 1000} {
		if got := items(r.Recommend(v, taste, Request{K: k})); !slices.Equal(got, want[:min(k, 297)]) {
			t.Errorf("K=%d: not in the order of distances", k)
		}
	}
	if got := r.Recommend(v, taste, Request{}); len(got) != 0 {
		t.Errorf("K=0 gave %d suggestions", len(got))
	}
}

func TestFiltersKeepWhatTheySay(t *testing.T) {
	r := open(t, fixtures(300)["composed"])
	v := Visit{Likes: []int{2, 7}}
	taste := r.Taste(v, nil)
	for name, c := range map[string]struct {
		f    Filter
		pass func(i int) bool
	}{
		"none":    {Filter{}, func(int) bool { return true }},
		"genre":   {Filter{Genres: []string{"Comedy"}}, func(i int) bool { return i%5 == 1 }},
		"genres":  {Filter{Genres: []string{"Comedy", "Classic", "None such"}}, func(i int) bool { return i%5 == 1 || i%3 == 0 }},
		"from":    {Filter{FromYear: 1990}, func(i int) bool { return i%17 != 0 && 1950+i%70 >= 1990 }},
		"to":      {Filter{ToYear: 1960}, func(i int) bool { return i%17 != 0 && 1950+i%70 <= 1960 }},
		"years":   {Filter{FromYear: 1970, ToYear: 1979}, func(i int) bool { y := 1950 + i%70; return i%17 != 0 && y >= 1970 && y <= 1979 }},
		"column":  {Filter{Columns: map[string]string{"country": "it"}}, func(i int) bool { return i%2 == 1 }},
		"both":    {Filter{Genres: []string{"Drama"}, Columns: map[string]string{"country": "it"}}, func(i int) bool { return i%5 == 0 && i%2 == 1 }},
		"nothing": {Filter{Genres: []string{"None such"}}, func(int) bool { return false }},
		"no year": {Filter{FromYear: 2500}, func(int) bool { return false }},
		"no col":  {Filter{Columns: map[string]string{"actor": "x"}}, func(int) bool { return false }},
	} {
		want := 0
		for i := range r.Len() {
			if c.pass(i) && i != 2 && i != 7 {
				want++
			}
		}
		for _, q := range []Request{{K: 400, Filter: c.f}, {K: 400, Filter: c.f, Exploration: 1}, {K: 400, Filter: c.f, Diversity: 1}} {
			got := r.Recommend(v, taste, q)
			if len(got) != want {
				t.Errorf("%s: %d suggestions, want %d", name, len(got), want)
			}
			for _, s := range got {
				if !c.pass(s.Item) {
					t.Errorf("%s: item %d does not pass", name, s.Item)
				}
			}
		}
	}
}

func TestALongerListBeginsWithTheShorter(t *testing.T) {
	r := open(t, fixtures(300)["softmax"])
	v := Visit{Likes: []int{2, 7, 31}}
	taste := r.Taste(v, nil)
	for _, mode := range []Mode{ForYou, HiddenGems, OutsideBubble} {
		for _, q := range []Request{{}, {Diversity: 0.5}, {Exploration: 0.7, Seed: 3}, {Diversity: 0.3, Exploration: 0.3, Seed: 9}} {
			q.Mode, q.K = mode, 30
			long := items(r.Recommend(v, taste, q))
			q.K = 10
			short := items(r.Recommend(v, taste, q))
			if len(short) != 10 || !slices.Equal(short, long[:10]) {
				t.Errorf("%+v: ten are %v, of thirty they were %v", q, short, long)
			}
			if again := items(r.Recommend(v, taste, q)); !slices.Equal(again, short) {
				t.Errorf("%+v: the same question gave two answers", q)
			}
		}
	}
}

// In a catalogue with genres, titles outside the bubble have genres that are less than twice as typical of the visitor
// as of people. In one without, and for visitors without likes, they are beyond the nearest tenth.
func TestModes(t *testing.T) {
	m := fixtures(300)["composed"]
	bare := *m
	bare.Catalogue = &catalogue.Catalogue{Columns: m.Catalogue.Columns, Items: slices.Clone(m.Catalogue.Items)}
	for i := range bare.Catalogue.Items {
		bare.Catalogue.Items[i].Genres = nil
	}
	for name, m := range map[string]*model.Model{"genres": m, "none": &bare} {
		r := open(t, m)
		v := Visit{Likes: []int{2, 7, 12, 17}} // horror
		taste := r.Taste(v, nil)
		for _, s := range r.Recommend(v, taste, Request{K: 15, Mode: HiddenGems}) {
			if s.Item < 44 {
				t.Errorf("%s: item %d with a count of %d is not a hidden gem", name, s.Item, r.Item(s.Item).Count)
			}
		}
		for _, v := range []Visit{v, {}} {
			place := map[int]int{}
			for i, s := range r.Recommend(Visit{Dislikes: v.Dislikes}, taste, Request{K: 300}) {
				place[s.Item] = i
			}
			got := r.Recommend(v, taste, Request{K: 15, Mode: OutsideBubble})
			if len(got) != 15 {
				t.Fatalf("%s: %d suggestions outside of the bubble", name, len(got))
			}
			for _, s := range got {
				usual := place[s.Item] < 30
				if name == "genres" && len(v.Likes) > 0 {
					usual = slices.Contains(r.Item(s.Item).Genres, "Horror")
				}
				if usual || s.Item < 44 {
					t.Errorf("%s: item %d, the %dth nearest, is not outside", name, s.Item, place[s.Item])
				}
			}
			if slices.Equal(items(got), items(r.Recommend(v, taste, Request{K: 15, Mode: OutsideBubble, Exploration: 1}))) {
				t.Errorf("%s: exploration changes nothing outside of the bubble", name)
			}
		}
	}
}

func TestExplorationChangesTheListWithItsSeed(t *testing.T) {
	r := open(t, fixtures(300)["composed"])
	v := Visit{Likes: []int{2, 7, 12}}
	taste := r.Taste(v, nil)
	plain := items(r.Recommend(v, taste, Request{K: 20, Seed: 5}))
	differing := func(a []int) (n int) {
		for _, i := range a {
			if !slices.Contains(plain, i) {
				n++
			}
		}
		return
	}
	var little, much int
	for seed := range uint64(10) {
		little += differing(items(r.Recommend(v, taste, Request{K: 20, Exploration: 0.1, Seed: seed})))
		much += differing(items(r.Recommend(v, taste, Request{K: 20, Exploration: 1, Seed: seed})))
	}
	if !(little < much) {
		t.Errorf("of ten lists, a little exploration brought %d new titles and much of it %d", little, much)
	}
	if !slices.Equal(plain, items(r.Recommend(v, taste, Request{K: 20, Seed: 6}))) {
		t.Error("without exploration the seed must not matter")
	}
}

func TestAVisitIsCleaned(t *testing.T) {
	r := open(t, fixtures(100)["softmax"])
	clean := Visit{Likes: []int{5, 1}, Dislikes: []int{9}, Seen: []int{30}}
	messy := Visit{Likes: []int{5, 1, 5, -1, 100}, Dislikes: []int{9, 1, 1000}, Seen: []int{30, 9, 5, -7}}
	a, b := r.Taste(clean, nil), r.Taste(messy, nil)
	if !reflect.DeepEqual(a, b) {
		t.Error("invalid or duplicate items changed the taste")
	}
	if !reflect.DeepEqual(r.Recommend(clean, a, Request{K: 9}), r.Recommend(messy, b, Request{K: 9})) {
		t.Error("invalid or duplicate items changed the list")
	}
	if r.Taste(Visit{Likes: []int{1, 5}, Dislikes: []int{9}}, a) != a {
		t.Error("seen titles and order must not change the taste")
	}
	if other := r.Taste(Visit{Likes: []int{1, 6}}, a); other == a ||
		!reflect.DeepEqual(other, r.Taste(Visit{Likes: []int{6, 1}}, nil)) {
		t.Error("a warm taste changed the answer")
	}
	order := r.Recommend(Visit{Likes: []int{1, 5}, Dislikes: []int{9}, Seen: []int{30}}, a, Request{K: 9})
	if !reflect.DeepEqual(order, r.Recommend(clean, a, Request{K: 9})) {
		t.Error("the order of the likes changed the suggestions")
	}
}

func TestNothingSaid(t *testing.T) {
	for name, m := range fixtures(100) {
		r := open(t, m)
		taste := r.Taste(Visit{}, nil)
		got := r.Recommend(Visit{}, taste, Request{K: 10})
		if taste.Evidence != 0 || len(got) != 10 || len(got[0].Reasons) != 0 {
			t.Errorf("%s: %d pieces of evidence, %d suggestions", name, taste.Evidence, len(got))
		}
	}
}

// scanBackwards is a Scan that sums in descending order, so its distances differ in their last bits.
func scanBackwards(dst, query, rows []float32) {
	w := len(query)
	for i := range dst {
		var s float32
		for d := w - 1; d >= 0; d-- {
			x := query[d] - rows[i*w+d]
			s += float32(x * x)
		}
		dst[i] = s
	}
}

func TestAScanOfOnesOwnGivesTheSameAnswers(t *testing.T) {
	m := fixtures(300)["composed"]
	plain := open(t, m)
	calls := 0
	other, err := Open(m, Options{ScanName: "backwards", Scan: func(dst, query, rows []float32) {
		calls++
		scanBackwards(dst, query, rows)
	}})
	if err != nil {
		t.Fatal(err)
	}
	v := Visit{Likes: []int{2, 7, 12, 40}}
	for _, q := range []Request{{K: 50}, {K: 20, Diversity: 0.6}, {K: 20, Mode: HiddenGems}} {
		a, b := plain.Recommend(v, plain.Taste(v, nil), q), other.Recommend(v, other.Taste(v, nil), q)
		if !slices.Equal(items(a), items(b)) {
			t.Errorf("%+v: two scans gave two orders", q)
		}
	}
	if calls == 0 || other.About().Scan != "backwards" || plain.About().Scan == "" {
		t.Errorf("the scan was called %d times and is named %q", calls, other.About().Scan)
	}
}

func TestSimilar(t *testing.T) {
	r := open(t, fixtures(300)["hinge"])
	got := r.Similar(8, Visit{}, 20)
	if len(got) != 20 {
		t.Fatalf("%d items, want 20", len(got))
	}
	for i, s := range got {
		want := math.Sqrt(W2Squared(r.items.Row(8), r.items.Row(s.Item)))
		if s.Item == 8 || s.Item%5 != 3 || s.Distance != want || len(s.Reasons) != 0 ||
			i > 0 && s.Distance < got[i-1].Distance {
			t.Errorf("place %d: %+v", i, s)
		}
	}
	if len(r.Similar(8, Visit{}, 0)) != 0 || len(r.Similar(8, Visit{}, 1000)) != 299 {
		t.Error("k must bound the list, and the catalogue must too")
	}
}

func TestFind(t *testing.T) {
	r := openShipped(t)
	for title, want := range map[string]string{
		"Heat": "Heat", "Heat (1995)": "Heat", "toy story": "Toy Story", "matrix": "The Matrix", "The Matrix (1999)": "The Matrix",
		"Amélie": "Amelie (Le Fabuleux destin d'Amélie Poulain)", "pulp ficton": "Pulp Fiction", "empire strikes back": "Star Wars: Episode V - The Empire Strikes Back",
	} {
		i, err := r.Find(title)
		if err != nil {
			t.Errorf("%q: %v", title, err)
		} else if got := r.Item(i).Title; got != want {
			t.Errorf("%q is %q, want %q", title, got, want)
		}
	}
	var te *catalogue.TitleError
	if _, err := r.Find("star wars"); !errors.As(err, &te) || len(te.Candidates) < 3 ||
		!strings.Contains(err.Error(), "Empire Strikes Back (1980)") {
		t.Errorf("an ambiguous title gave %v", err)
	}
	if _, err := r.Find("qqqqzzzz"); !errors.As(err, &te) || len(te.Candidates) != 0 ||
		!strings.Contains(err.Error(), "no title") {
		t.Errorf("an unknown title gave %v", err)
	}
}

// The first twelve vary: at most two films of each of eight decades, and two films in languages other than English;
// five of the first 36. The catalogue lacks languages, so they were looked up by hand.
func TestTheFirstStartersDiffer(t *testing.T) {
	r := openShipped(t)
	abroad := []string{"Amelie", "The Good, the Bad and the Ugly", "Spirited Away", "Life Is Beautiful",
		"Crouching Tiger, Hidden Dragon", "Run Lola Run", "Pan's Labyrinth", "City of God", "Seven Samurai"}
	decades, others := map[int]int{}, 0
	for k, i := range r.Starters(36, 0) {
		name, _, _ := strings.Cut(r.Item(i).Title, " (")
		if slices.Contains(abroad, name) {
			others++
		}
		if k < 12 {
			decades[r.Item(i).Year/10]++
		}
		if k == 11 && others < 2 {
			t.Errorf("%d of the first twelve are in other languages", others)
		}
	}
	for d, n := range decades {
		if n > 2 {
			t.Errorf("%d of the first twelve are of the %d0s", n, d)
		}
	}
	if len(decades) < 8 || others < 5 {
		t.Errorf("the first twelve cover %d decades, and %d of the first 36 are in other languages", len(decades), others)
	}
	for title, want := range map[string]bool{
		"Amelie (Le Fabuleux destin d'Amélie Poulain)": true, "Seven Samurai (Shichinin no samurai)": true,
		"Seven (a.k.a. Se7en)": false, "Heat": false,
		"Raiders of the Lost Ark (Indiana Jones and the Raiders of the Lost Ark)": false,
	} {
		if foreign(title) != want {
			t.Errorf("foreign(%q) = %t", title, !want)
		}
	}
}

// Titles that are years belong to no series, so several may come close together.
func TestStartersNamedByAYear(t *testing.T) {
	c := &catalogue.Catalogue{}
	for i := range 40 {
		c.Items = append(c.Items, catalogue.Item{Title: strings.Repeat("q", 5+i), Count: 100 - i})
	}
	c.Items[3].Title, c.Items[5].Title = "1917", "1984"
	all := newStarters(c, nil, nil)
	var order []int
	for place := range c.Items {
		order = append(order, all.at(place))
	}
	if a, b := slices.Index(order, 3), slices.Index(order, 5); b-a > 5 {
		t.Errorf("they are at %d and %d", a, b)
	}
}

func TestStartersAreVariedAndCycle(t *testing.T) {
	r := openShipped(t)
	const n = 12
	seen := map[int]int{}
	for page := range wellKnown / n {
		got := r.Starters(n, page)
		if len(got) != n {
			t.Fatalf("page %d has %d titles", page, len(got))
		}
		genres, decades := map[string]bool{}, map[int]bool{}
		for _, i := range got {
			if p, ok := seen[i]; ok {
				t.Errorf("%q is on pages %d and %d", r.Item(i).Title, p, page)
			}
			seen[i] = page
			for _, g := range r.Item(i).Genres {
				genres[g] = true
			}
			decades[r.Item(i).Year/10] = true
		}
		// Towards the end only films of the 1990s and 2000s are left.
		if len(genres) < 7 || len(decades) < 5 && page < 6 || len(decades) < 3 && page < 12 {
			t.Errorf("page %d covers %d genres and %d decades", page, len(genres), len(decades))
		}
	}
	if !slices.Equal(r.Starters(n, 0), r.Starters(n, wellKnown/n)) ||
		!slices.Equal(r.Starters(n, -1), r.Starters(n, wellKnown/n-1)) {
		t.Error("the pages must cycle")
	}
	// A last page that is not full is filled up from the first.
	last := r.Starters(7, 34)
	if len(last) != 7 || !slices.Equal(last[2:], r.Starters(7, 0)[:5]) {
		t.Errorf("the last page of seven is %v", last)
	}
	small := open(t, fixtures(10)["composed"])
	if len(small.Starters(12, 3)) != 10 || len(small.Starters(0, 0)) != 0 {
		t.Error("a small catalogue gives what it has")
	}
}

func TestAboutAndShapes(t *testing.T) {
	r := open(t, fixtures(100)["composed"])
	a := r.About()
	if a.Dataset != "Fixture" || a.Users != 7 || a.Items != 100 || a.Positives != 70 || a.Preset != "test" || a.Program != "v0" ||
		a.Metrics["recall@10"] != 0.5 || a.Licence != "none" ||
		a.Attribution != "us" ||
		a.Digest != "abc" {
		t.Errorf("About is %+v", a)
	}
	if g := r.Genres(); !slices.Equal(g, []string{"Classic", "Comedy", "Drama", "Horror", "Musical", "Western"}) {
		t.Errorf("the genres are %v", g)
	}
	// The map shows the first two dimensions, each scaled and moved.
	ax, ay := r.Point(3)
	bx, by := r.Point(4)
	third, fourth := r.items.Mean(3), r.items.Mean(4)
	unit := (ax - bx) / float64(third[0]-fourth[0])
	if !(unit > 0) || math.Abs((ay-by)/float64(third[1]-fourth[1])/unit-1) > 1e-4 {
		t.Errorf("items 3 and 4 are at %v, %v and %v, %v", ax, ay, bx, by)
	}
}

func TestOpenRefusesWhatDoesNotFit(t *testing.T) {
	for want, change := range map[string]func(*model.Model){
		"no items":               func(m *model.Model) { m.Items = nil },
		"no catalogue":           func(m *model.Model) { m.Catalogue = nil },
		"describes 29 items":     func(m *model.Model) { m.Catalogue.Items = m.Catalogue.Items[:29] },
		"map has 29 x":           func(m *model.Model) { m.Map = &model.Map{X: make([]float32, 29), Y: make([]float32, 30)} },
		"taste: the radius":      func(m *model.Model) { m.Objective.Radius = 0 },
		"taste: the temperature": func(m *model.Model) { m.Objective.Loss = gaussian.Loss{Kind: gaussian.Softmax} },
		"taste: a visitor": func(m *model.Model) {
			m.Items, m.Catalogue.Items, m.Map = gaussian.NewTable(0, 12), nil, nil
		},
	} {
		m := fixture(30, gaussian.Composition{Weight: 1}, softmax)
		change(m)
		if _, err := Open(m, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	if _, err := Open(nil, Options{}); err == nil {
		t.Error("no model at all was accepted")
	}
	m := fixture(30, gaussian.Composition{Weight: 1}, softmax)
	m.Map = nil
	r := open(t, m)
	if x, y := r.Point(3); x != 0.5 || y != 0.5 || len(r.Regions()) != 0 {
		t.Error("a model without a map must still recommend")
	}
	m.Map = &model.Map{X: make([]float32, 30), Y: make([]float32, 30), Regions: []model.Region{{X: 0.5, Genre: "Drama"}}}
	m.Map.X[3], m.Map.Y[3] = 0.25, 1
	r = open(t, m)
	if x, y := r.Point(3); x != 0.25 || y != 1 || len(r.Regions()) != 1 {
		t.Errorf("item 3 is at %v, %v, with %d regions", x, y, len(r.Regions()))
	}
}

func TestManyAskAtOnce(t *testing.T) {
	r := open(t, fixtures(300)["adaptive"])
	ask := func(g int) []any {
		v := Visit{Likes: []int{g, g + 5, g + 10}, Dislikes: []int{g + 1}}
		taste := r.Taste(v, nil)
		return []any{taste.Row, taste.Spread,
			r.Recommend(v, taste, Request{K: 10, Diversity: 0.4, Exploration: 0.3, Seed: uint64(g)}),
			r.Recommend(
				v,
				taste,
				Request{K: 10, Mode: OutsideBubble},
			), r.Similar(g, Visit{}, 5), r.Search("horror number", 5), r.Starters(5, g)}
	}
	want := make([][]any, 8)
	for g := range want {
		want[g] = ask(g)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for range 5 {
				if !reflect.DeepEqual(ask(g), want[g]) {
					t.Errorf("visitor %d got a different answer in parallel", g)
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkRecommend(b *testing.B) {
	for name, m := range map[string]*model.Model{"1947": nil, "10000x24": fixture(10000, gaussian.Composition{Weight: 1}, softmax)} {
		var r *Recommender
		if m == nil {
			r = openShipped(b)
		} else {
			r = open(b, m)
		}
		v := Visit{Likes: []int{2, 7, 12, 100, 200}}
		taste := r.Taste(v, nil)
		for what, q := range map[string]Request{
			"plain": {K: 10}, "diverse": {K: 10, Diversity: 0.5}, "explore": {K: 10, Exploration: 1}, "outside": {K: 10, Mode: OutsideBubble},
		} {
			b.Run(name+"/"+what, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r.Recommend(v, taste, q)
				}
			})
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	m, err := shipped()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open(b, m)
		}
	})
	b.Run("starters", func(b *testing.B) {
		for b.Loop() {
			open(b, m).Starters(12, 0)
		}
	})
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			open(b, m).Search("", 1)
		}
	})
}
