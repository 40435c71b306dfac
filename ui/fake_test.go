package ui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/staticrender"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// line is an engine whose titles lie on a line, so that every answer can be told by heart: item i is "Film i" at place
// i, of year 1950+i, with the genres Even or Odd and, every fifth, Rare. A visitor lies at the mean of their likes.
type line struct {
	n      int
	items  []catalogue.Item
	mu     sync.Mutex
	asked  []recommend.Request
	before func() // called before each answer, if not nil
	surely func() // called before it is said how sure a list is, if not nil
}

func newLine(n int) *line {
	e := &line{n: n}
	for i := range n {
		it := catalogue.Item{ID: fmt.Sprint("id", i), Title: fmt.Sprint("Film ", i), Year: 1950 + i, Count: n - i,
			Genres: []string{"Even"}}
		if i%2 == 1 {
			it.Genres[0] = "Odd"
		}
		if i%5 == 0 {
			it.Genres = append(it.Genres, "Rare")
		}
		e.items = append(e.items, it)
	}
	return e
}

func (e *line) About() recommend.About {
	return recommend.About{Dataset: "A line", Users: 12, Items: e.n, Positives: 3456,
		Metrics: map[string]float64{"recall@10": 0.2,
			"ndcg@10": 0.3}, Licence: "Free as a line", Scan: "go", Digest: "0123456789abcdef",
		Reliability: recommend.Reliability{People: 3}}
}
func (e *line) Len() int                   { return e.n }
func (e *line) Item(i int) *catalogue.Item { return &e.items[i] }
func (e *line) Columns() []string          { return nil }
func (e *line) Genres() []string           { return []string{"Even", "Odd", "Rare"} }
func (e *line) Search(query string, limit int) []recommend.Found {
	var out []recommend.Found
	for i := range e.items {
		if strings.Contains(strings.ToLower(e.items[i].Title), strings.ToLower(query)) && len(out) < limit {
			out = append(out, recommend.Found{Item: i, Score: 0.5})
		}
	}
	return out
}
func (e *line) Starters(n, page int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = (i + n*page) % e.n
	}
	return out
}
func (e *line) Taste(v recommend.Visit, _ *recommend.Taste) *recommend.Taste {
	sum := 0
	for _, i := range v.Likes {
		sum += i
	}
	k := max(len(v.Likes), 1)
	return &recommend.Taste{
		Row: []float32{float32(sum) / float32(k), 1}, Spread: []float32{1 / float32(k)}, Evidence: k + len(v.Dislikes),
	}
}
func (e *line) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	if e.before != nil {
		e.before()
	}
	e.mu.Lock()
	e.asked = append(e.asked, r)
	e.mu.Unlock()
	out := []recommend.Suggestion{}
	order := e.near(float64(t.Row[0]))
	switch r.Order {
	case recommend.BestKnown, recommend.ByTitle: // the lower, the better known
		order = e.near(0)
	case recommend.Newest:
		order = e.near(float64(e.n))
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
func (e *line) Together(a, b recommend.Visit, ta, tb *recommend.Taste, r recommend.Request) []recommend.Shared {
	said := slices.Concat(a.Likes, a.Dislikes, a.Seen, b.Likes, b.Dislikes, b.Seen)
	var out []recommend.Shared
	for _, i := range e.near(float64(ta.Row[0]+tb.Row[0]) / 2) {
		if slices.Contains(said, i) || slices.Contains(r.Instead, i) || len(r.Filter.Genres) > 0 &&
			!meet(e.items[i].Genres, r.Filter.Genres) || len(out) == r.K {
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
func (e *line) Count(v recommend.Visit, f recommend.Filter) (n int) {
	for i := range e.items {
		if e.keeps(f, i) && !slices.Contains(slices.Concat(v.Likes, v.Dislikes, v.Seen), i) {
			n++
		}
	}
	return n
}
func (e *line) Keeps(f recommend.Filter) recommend.ItemSet {
	keep := recommend.NewItemSet(e.n)
	for i := range e.items {
		if e.keeps(f, i) {
			keep.Add(i)
		}
	}
	return keep
}

// keeps reports whether item i passes the filter. Of the regions, the first holds the first half.
func (e *line) keeps(f recommend.Filter, i int) bool {
	it := &e.items[i]
	return (len(f.Genres) == 0 || meet(it.Genres, f.Genres)) && (f.FromYear == 0 || it.Year >= f.FromYear &&
		it.Year <= f.ToYear) && (f.Region != 1 || 2*i < e.n) && (f.Region != 2 || 2*i >= e.n)
}
func (e *line) Change(v recommend.Visit, t *recommend.Taste, r recommend.Request, item int) recommend.Change {
	if item == 1 {
		return recommend.Change{Variance: 0.5}
	}
	return recommend.Change{In: []int{30, 31}, Out: []int{9}, Variance: 0.8}
}
func (e *line) Stability(_ recommend.Visit, _ *recommend.Taste, _ recommend.Request, items []int) []float64 {
	if e.surely != nil {
		e.surely()
	}
	out := make([]float64, len(items))
	for k := range out {
		out[k] = 0.7
	}
	return out
}
func (e *line) near(place float64) []int {
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
func (e *line) Similar(item int, mentioned recommend.Visit, k int) []recommend.Suggestion {
	var out []recommend.Suggestion
	said := slices.Concat(mentioned.Likes, mentioned.Dislikes, mentioned.Seen)
	for _, i := range e.near(float64(item))[1:] {
		if len(out) < k && !slices.Contains(said, i) {
			out = append(out, recommend.Suggestion{Item: i, Spread: 0.5})
		}
	}
	return out
}
func (e *line) Point(i int) (x, y float64) { return float64(i), 0 }

// Regions are two halves, and the quarter around the first film, which has no name.
func (e *line) Regions() []model.Region {
	at := func(share float64) float32 { return float32(share * float64(e.n)) }
	return []model.Region{{X: at(0.25), Genre: "Even"}, {X: at(0.75), Genre: "Even", From: 1980, To: 1990},
		{Level: 1, X: at(0)}, {Level: 1, X: at(0.5), Words: "1 & 2"}}
}

// Places are one taste at the mean of the likes.
func (e *line) Places(_ recommend.Visit, t *recommend.Taste) recommend.Places {
	x, s := float64(t.Row[0]), float64(t.Spread[0])
	return recommend.Places{Tastes: []recommend.Place{{Share: 1, Ellipses: recommend.Ellipses{
		{X: x, A: s, B: s}, {X: x, A: 2 * s, B: 2 * s}, {X: x, A: 3 * s, B: 3 * s}}}}, Next: []int{1, 2, 3}, Calibrated: true}
}
func (e *line) Distance(t *recommend.Taste, i int) float64 {
	return math.Abs(float64(t.Row[0]) - float64(i))
}
func (e *line) Radii(_ recommend.Visit, t *recommend.Taste) []float32 {
	out := make([]float32, e.n)
	for i := range out {
		out[i] = float32(e.Distance(t, i))
	}
	return out
}
func (e *line) Question(v recommend.Visit, _ *recommend.Taste) (a, b int, ok bool) {
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

// memory is a Store that tabs share and that can fail.
type memory struct {
	mu     sync.Mutex
	m      map[string][]byte
	saves  int
	fail   error
	before func() // called before each update, if not nil
	tabs   []func(erased bool)
}

func newMemory() *memory { return &memory{m: map[string][]byte{}} }

func (s *memory) Update(keys []string, change func([][]byte) error) error {
	if s.before != nil {
		s.before()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	values := make([][]byte, len(keys))
	for i, k := range keys {
		values[i] = slices.Clone(s.m[k])
	}
	if err := change(values); err != nil {
		return err
	}
	for i, k := range keys {
		if string(values[i]) != string(s.m[k]) {
			s.saves++
		}
		delete(s.m, k)
		if values[i] != nil {
			s.m[k] = slices.Clone(values[i])
		}
	}
	return nil
}

func (s *memory) Erase() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return s.fail
	}
	clear(s.m)
	return nil
}

func (s *memory) Listen(f func(erased bool)) { s.tabs = append(s.tabs, f) }

// ledger is what is stored.
func (s *memory) ledger(t *testing.T) *keep.Ledger {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	l, err := keep.Decode(s.m[visit.StateKey])
	if err != nil {
		t.Fatal(err)
	}
	return &l
}

// visitor is somebody at the page.
type visitor struct {
	t     *testing.T
	root  *Root
	p     *Page
	env   *staticrender.RWMutexEventEnv
	build *vugu.BuildEnv
}

func come(t *testing.T, e recommend.Engine, s Store) *visitor {
	t.Helper()
	return comeTo(t, New(Config{Engine: e, Store: s}))
}

// comeTo opens that page.
func comeTo(t *testing.T, root *Root) *visitor {
	t.Helper()
	v := &visitor{t: t, root: root, env: &staticrender.RWMutexEventEnv{}}
	v.p = v.root.P
	var err error
	if v.build, err = vugu.NewBuildEnv(v.env); err != nil {
		t.Fatal(err)
	}
	v.html()
	v.p.Wait()
	return v
}

// does what an event handler would do, and waits until the page has come to rest.
func (v *visitor) does(f func()) {
	v.env.Lock()
	f()
	v.env.UnlockRender()
	v.p.Wait()
}

// html renders the page as text.
func (v *visitor) html() string {
	v.t.Helper()
	v.env.RLock()
	defer v.env.RUnlock()
	var b strings.Builder
	if err := staticrender.New(&b).Render(v.build.RunBuild(v.root)); err != nil {
		v.t.Fatal(err)
	}
	return b.String()
}

// sees fails unless the page shows all texts.
func (v *visitor) sees(texts ...string) {
	v.t.Helper()
	page := v.html()
	for _, s := range texts {
		if !strings.Contains(page, s) {
			v.t.Errorf("the page does not show %q", s)
		}
	}
}

// misses fails if the page shows any of the texts.
func (v *visitor) misses(texts ...string) {
	v.t.Helper()
	page := v.html()
	for _, s := range texts {
		if strings.Contains(page, s) {
			v.t.Errorf("the page shows %q", s)
		}
	}
}

// state is what the page shows of whoever it is shown for, with the settings.
func (v *visitor) state() State {
	s := v.p.Log.Now().State
	s.Settings = v.p.Log.Settings
	return s
}

func (v *visitor) titles() []int {
	out := make([]int, len(v.p.List.Titles))
	for k, s := range v.p.List.Titles {
		out[k] = s.Item
	}
	return out
}
