package tastemap

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// quarters is a map with a genre for each quarter, a decade for the upper ones, and 10% of random titles.
func quarters(n int) (*model.Map, *catalogue.Catalogue) {
	r := rand.New(rand.NewPCG(1, 9))
	m, c := &model.Map{}, &catalogue.Catalogue{}
	for range n {
		x, y := r.Float32(), r.Float32()
		genre, year := "Horror", 1980+r.IntN(10)
		switch {
		case x >= 0.5 && y < 0.5:
			genre = "Comedy"
		case x < 0.5 && y >= 0.5:
			genre, year = "War", 1930+r.IntN(80)
		case x >= 0.5:
			genre, year = "Western", 1930+r.IntN(80)
		}
		if r.IntN(10) == 0 {
			genre, year = []string{"Horror", "Comedy", "War", "Western"}[r.IntN(4)], 1930+r.IntN(80)
		}
		m.X, m.Y = append(m.X, x), append(m.Y, y)
		c.Items = append(c.Items, catalogue.Item{Genres: []string{"Film", genre}, Year: year})
	}
	return m, c
}

// fitsName reports whether title i fits the name of region k of the regions of one level: by its genres, values and year,
// or because it lies nearer to one of two titles than to the centre of any other region.
func fitsName(m *model.Map, c *catalogue.Catalogue, of []model.Region, k, i int) bool {
	r := of[k]
	if a, b, around := r.Around(); around {
		to, other := math.Inf(1), math.Inf(1)
		for j, it := range c.Items {
			if it.Title == a || it.Title == b {
				to = min(to, math.Hypot(float64(m.X[i]-m.X[j]), float64(m.Y[i]-m.Y[j])))
			}
		}
		for j, o := range of {
			if j != k {
				other = min(other, math.Hypot(float64(m.X[i]-o.X), float64(m.Y[i]-o.Y)))
			}
		}
		return to < other+1e-6
	}
	has := r.Genre == "" && r.Words == ""
	for _, fact := range append(strings.Split(r.Words, "|"), r.Genre, r.Or) {
		for _, own := range slices.Concat(c.Items[i].Genres, strings.Split(strings.Join(c.Items[i].Values, "|"), "|")) {
			has = has || fact != "" && fact == own
		}
	}
	year := c.Items[i].Year
	return has && (r.From == 0 || year >= r.From) && (r.To == 0 || year > 0 && year < r.To)
}

// countNames counts on the screen: whatever levels are shown, no name occurs twice, and at least leastFit of the titles
// under each name fit it. It returns the number of names of each level, and compares the report.
func countNames(t *testing.T, m *model.Map, c *catalogue.Catalogue) (names [3]int) {
	t.Helper()
	called := map[model.Region]bool{}
	for _, l := range RegionsReport(m, c) {
		var of []model.Region
		for _, r := range m.Regions {
			if r.Level == l.Level {
				of = append(of, r)
			}
		}
		all, fit := make([]int, len(of)), make([]int, len(of))
		for i := range m.X {
			best, least := 0, math.Inf(1)
			for k, r := range of {
				if d := math.Hypot(float64(m.X[i]-r.X), float64(m.Y[i]-r.Y)); d < least-1e-9 {
					best, least = k, d
				}
			}
			all[best]++
			if fitsName(m, c, of, best, i) {
				fit[best]++
			}
		}
		in, fitting := 0, 0
		for k, r := range of {
			r.Level, r.X, r.Y = 0, 0, 0
			if r == (model.Region{}) {
				continue
			}
			if names[l.Level]++; called[r] {
				t.Errorf("%+v occurs twice", r)
			}
			called[r] = true
			if share := float64(fit[k]) / float64(all[k]); share < leastFit {
				t.Errorf("%.2f of the %d titles under %+v fit the name", share, all[k], r)
			}
			in, fitting = in+all[k], fitting+fit[k]
		}
		if l.Regions != len(of) || l.Named != names[l.Level] || math.Abs(l.Covered-float64(in)/float64(len(m.X))) > 1e-9 ||
			math.Abs(l.Fit-float64(fitting)/float64(max(in, 1))) > 2e-3 {
			t.Errorf("%+v; %d regions, %d named with %d titles, %d of them fit", l, len(of), names[l.Level], in, fitting)
		}
		if want := levels[l.Level].regions * math.Sqrt(float64(len(m.X))/3708); float64(len(of)) > want ||
			float64(len(of)) < want*0.7 {
			t.Errorf("level %d has %d regions", l.Level, len(of))
		}
	}
	return names
}

// Regions have true and informative names, and the same ones for any number of workers.
func TestRegionsHaveTrueNames(t *testing.T) {
	m, c := quarters(3708)
	var err error
	if m.Regions, err = Regions(context.Background(), Places(m), c, 3); err != nil {
		t.Fatal(err)
	}
	again, err := Regions(context.Background(), Places(m), c, 1)
	if err != nil || !reflect.DeepEqual(again, m.Regions) {
		t.Errorf("one worker finds different regions from three, %v", err)
	}
	if names := countNames(t, m, c); names[0] < 4 {
		t.Errorf("the levels have %v names", names)
	}
	for _, want := range []model.Region{{Genre: "Horror", From: 1980, To: 1990}, {Genre: "Comedy", From: 1980, To: 1990},
		{Genre: "War"}, {Genre: "Western"}} {
		if !slices.ContainsFunc(m.Regions, func(r model.Region) bool {
			return r.Level == 0 && r.Genre == want.Genre && r.From == want.From && r.Or == "" && r.Words == ""
		}) {
			t.Errorf("the coarse level has no %+v: %+v", want, m.Regions[:8])
		}
	}
}

// The shipped catalogue's names are true too, and almost every region has one.
func TestNamesOfTheShippedCatalogue(t *testing.T) {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	if m.Map.Regions, err = Regions(context.Background(), Places(m.Map), m.Catalogue, 0); err != nil {
		t.Fatal(err)
	}
	if names := countNames(t, m.Map, m.Catalogue); names[0] < 7 || names[1] < 20 || names[2] < 60 {
		t.Errorf("the levels have %v names", names)
	}
}

// If neither a genre nor a decade holds for most titles, either of two genres, several decades, or values of an owner's
// columns can; prices and addresses name nothing. Otherwise the best-known titles that the others lie around do.
func TestWiderNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	m, c := &model.Map{}, &catalogue.Catalogue{Columns: []string{"vendor", "price", "url"}}
	for i := range 1000 {
		quarter := i % 4
		x, y := r.Float32()/2+float32(quarter%2)/2, r.Float32()/2+float32(quarter/2)/2
		it := catalogue.Item{Title: fmt.Sprint("Title ", i), Count: i, Year: 1930 + r.IntN(90), Values: []string{"", "9.90",
			"https://shop.example/a"}}
		switch quarter {
		case 0:
			it.Genres = []string{[]string{"Comedy", "Romance"}[i/4%2]}
		case 1:
			it.Genres, it.Year = []string{[]string{"Crime", "Drama", "Mystery", "War", "Western"}[i/4%5]}, 1930+i/4%20
		case 2:
			it.Values[0] = []string{"Loom", "Fern|sale", "Clay"}[i/4%3]
		}
		if i%100 == 0 {
			it.Genres = []string{"Musical"}
		}
		m.X, m.Y = append(m.X, x), append(m.Y, y)
		c.Items = append(c.Items, it)
	}
	var err error
	if m.Regions, err = Regions(context.Background(), Places(m), c, 2); err != nil {
		t.Fatal(err)
	}
	countNames(t, m, c)
	called := map[string]bool{}
	around := 0
	for _, r := range m.Regions {
		called[fmt.Sprintf("%s/%s/%s %d-%d", r.Words, r.Genre, r.Or, r.From, r.To)] = true
		if r.Genre == "Musical" || r.Or == "Musical" || strings.ContainsAny(r.Words, ".:") {
			t.Errorf("%+v is named after a genre of one title in a hundred, a price or an address", r)
		}
		if _, _, ok := r.Around(); ok {
			around++
		}
	}
	if !called["/Comedy/Romance 0-0"] || !called["// 0-1950"] || !called["Clay|Fern|Loom// 0-0"] || around == 0 {
		t.Errorf("the regions' names are %v, %d around titles", called, around)
	}
}

// If genres and years are unrelated to the place, no region is named by them: two titles of each are its name. Titles
// without names leave it unnamed.
func TestNothingIsNamedWithoutReason(t *testing.T) {
	m, c := quarters(2000)
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(c.Items), func(i, j int) { c.Items[i], c.Items[j] = c.Items[j], c.Items[i] })
	var err error
	if m.Regions, err = Regions(context.Background(), Places(m), c, 2); err != nil {
		t.Fatal(err)
	}
	for _, region := range m.Regions {
		if region.Claims() {
			t.Errorf("%+v has a name", region)
		}
	}
	few, c := quarters(20)
	if regions, err := Regions(context.Background(), Places(few), c, 1); err != nil || len(regions) > 0 {
		t.Errorf("twenty titles have %d regions, %v", len(regions), err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Regions(stopped, Places(m), &catalogue.Catalogue{Items: make([]catalogue.Item, 2000)}, 1); err == nil {
		t.Error("a cancelled context is ignored")
	}
}

// The map is in the unit square, fills it along one side, is rounded as in a file, and is the same for any number of
// workers; genres pull titles together.
func TestOf(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	items, c := gaussian.NewTable(200, 4), &catalogue.Catalogue{}
	for i := range items.Data() {
		items.Data()[i] = r.Float32()
	}
	for i := range 200 {
		c.Items = append(c.Items, catalogue.Item{Genres: []string{"", "Drama", "War"}[i%3 : i%3+1], Year: 1990})
	}
	m, err := Compute(context.Background(), items, c, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Compute(context.Background(), items, c, 5, nil)
	if err != nil || !reflect.DeepEqual(m, again) {
		t.Errorf("five workers give a different map from one, %v", err)
	}
	for name, p := range map[string]*model.Map{"of": m, "plain": Plain(items)} {
		width := slices.Max(p.X) - slices.Min(p.X)
		height := slices.Max(p.Y) - slices.Min(p.Y)
		if slices.Min(p.X) < 0 || slices.Min(p.Y) < 0 || max(width, height) != 1 {
			t.Errorf("%s: the map is %v by %v", name, width, height)
		}
		for _, x := range slices.Concat(p.X, p.Y) {
			if steps := float64(x) * 65535; math.Abs(steps-math.Round(steps)) > 0.01 {
				t.Fatalf("%s: a title is at %v", name, x)
			}
		}
	}
	same := func(strength float64) float64 {
		xy, err := TSNE(context.Background(), Pulled(W2(items), c, strength), Default, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Measure(context.Background(), W2(items), rowsOf(xy), Kinds(c), 10, 2)
		if err != nil {
			t.Fatal(err)
		}
		return q.SameGenre
	}
	if without, with := same(0), same(2); without > 0.5 || with < 0.9 {
		t.Errorf("%v of the nearest have the genre without a pull, %v with one", without, with)
	}
	tiny := gaussian.NewTable(2, 1)
	if m, err := Compute(context.Background(), tiny, &catalogue.Catalogue{Items: make([]catalogue.Item, 2)}, 1, nil); err != nil ||
		len(m.X) != 2 {
		t.Errorf("two titles: %+v, %v", m, err)
	}
}

// A pull separates titles with and without the genre by its strength, in deviations of the rows and by rarity. With
// more than 64 genres the most frequent count.
func TestPulled(t *testing.T) {
	rows := Rows{[]float32{1, 0, -1, 0, 1, 0, -1, 0}, 2} // deviation 1
	c := &catalogue.Catalogue{Items: []catalogue.Item{{Genres: []string{"a"}}, {}, {Genres: []string{"a", "b"}}, {}}}
	got := Pulled(rows, c, 0.5)
	a, b := float32(0.5*math.Sqrt(math.Log(2)/2)), float32(0.5*math.Sqrt(math.Log(4)/2))
	want := []float32{1, 0, a, 0, -1, 0, 0, 0, 1, 0, a, b, -1, 0, 0, 0}
	for i := range want {
		if got.Width != 4 || math.Abs(float64(got.Data[i]-want[i])) > 1e-6 {
			t.Fatalf("the rows become %v, want %v", got, want)
		}
	}
	for i := range c.Items {
		for g := range 100 {
			if g < 40 || i == 0 {
				c.Items[i].Genres = append(c.Items[i].Genres, fmt.Sprint(g))
			}
		}
	}
	if got := Pulled(rows, c, 1); got.Width < 2+41 || got.Width > 2+maxPulls {
		t.Errorf("a hundred genres make rows of %d numbers", got.Width)
	}
}

// With more than MaxItems the map is Plain, and no neighbours are computed.
func TestOfVeryMany(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	items := gaussian.NewTable(MaxItems+1, 1)
	for i := range items.Data() {
		items.Data()[i] = r.Float32()
	}
	c := &catalogue.Catalogue{Items: make([]catalogue.Item, items.Len())}
	m, err := Compute(context.Background(), items, c, 2, func(int, int, []float64) { t.Error("a step of t-SNE was made") })
	if err != nil || len(m.Regions) > 0 || !reflect.DeepEqual(m, Plain(items)) {
		t.Errorf("%d regions, %v; want the map of Plain", len(m.Regions), err)
	}
}
