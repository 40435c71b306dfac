package tastemap

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
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

// Regions have correct and informative names, distinct within a level, and the report agrees with a plain count over
// all titles.
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
	byLevel := [3]map[string]int{{}, {}, {}}
	for i, r := range m.Regions {
		if i > 0 && r.Level < m.Regions[i-1].Level || r.X < 0 || r.X > 1 || r.Y < 0 || r.Y > 1 {
			t.Fatalf("region %d is %+v", i, r)
		}
		if !r.Claims() {
			continue
		}
		name := fmt.Sprint(r.From, r.To, r.Genre, r.Or)
		if byLevel[r.Level][name]++; byLevel[r.Level][name] > 1 {
			t.Errorf("level %d has %s twice", r.Level, name)
		}
	}
	for _, name := range []string{"1980 1990Horror", "1980 1990Comedy", "0 0War", "0 0Western"} {
		if byLevel[0][name] != 1 {
			t.Errorf("the coarse level has the names %v, but not %s", byLevel[0], name)
		}
	}
	report := RegionsReport(m, c)
	if len(report) != 3 {
		t.Fatalf("%d levels", len(report))
	}
	for _, l := range report {
		var of []model.Region
		for _, r := range m.Regions {
			if r.Level == l.Level {
				of = append(of, r)
			}
		}
		in, fit, named := 0, 0, 0
		perRegion := make([][2]int, len(of))
		for i := range m.X {
			best, least := 0, math.Inf(1)
			for k, r := range of {
				if d := math.Hypot(float64(m.X[i]-r.X), float64(m.Y[i]-r.Y)); d < least-1e-9 {
					best, least = k, d
				}
			}
			r := of[best]
			if !r.Claims() {
				continue
			}
			in++
			perRegion[best][0]++
			item := c.Items[i]
			if (r.Genre == "" || slices.Contains(item.Genres, r.Genre) || r.Or != "" && slices.Contains(item.Genres, r.Or)) &&
				(r.From == 0 || item.Year >= r.From) && (r.To == 0 || item.Year < r.To) {
				fit++
				perRegion[best][1]++
			}
		}
		for k, r := range of {
			if r.Claims() {
				named++
				if float64(perRegion[k][1]) < leastFit*float64(perRegion[k][0]) {
					t.Errorf("%+v fits %d of its %d titles", r, perRegion[k][1], perRegion[k][0])
				}
			}
		}
		if l.Regions != len(of) || l.Named != named || math.Abs(l.Covered-float64(in)/3708) > 1e-9 ||
			math.Abs(l.Fit-float64(fit)/float64(in)) > 1e-9 || l.Fit < leastFit {
			t.Errorf("%+v; %d regions, %d named with %d titles, of which %d fit", l, len(of), named, in, fit)
		}
		if want := levels[l.Level].regions; float64(len(of)) > want || float64(len(of)) < want*0.7 {
			t.Errorf("level %d has %d regions", l.Level, len(of))
		}
	}
}

// If neither a genre nor a decade holds for most titles, either of two genres or several decades can. A rare genre is
// never part of a name.
func TestWiderNames(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	m, c := &model.Map{}, &catalogue.Catalogue{}
	for i := range 1000 {
		x, genres, year := r.Float32()/2, []string{"Comedy", "Romance"}[i%2:i%2+1], 1930+i/2%90
		if i%4 > 1 {
			x, genres, year = x+0.5, []string{[]string{"Crime", "Drama", "Mystery", "War", "Western"}[i/4%5]}, 1930+i/4%20
		}
		if i%100 == 0 {
			genres = []string{"Musical"}
		}
		m.X, m.Y = append(m.X, x), append(m.Y, r.Float32())
		c.Items = append(c.Items, catalogue.Item{Genres: genres, Year: year})
	}
	var err error
	if m.Regions, err = Regions(context.Background(), Places(m), c, 2); err != nil {
		t.Fatal(err)
	}
	called := map[string]bool{}
	for _, r := range m.Regions {
		if r.Level == 0 {
			called[fmt.Sprintf("%s/%s %d-%d", r.Genre, r.Or, r.From, r.To)] = true
		}
		if r.Genre == "Musical" || r.Or == "Musical" {
			t.Errorf("%+v is named after a genre of one title in a hundred", r)
		}
	}
	if !called["Comedy/Romance 0-0"] || !called["/ 0-1950"] {
		t.Errorf("the regions' names are %v", called)
	}
	for _, l := range RegionsReport(m, c) {
		if l.Named > 0 && l.Fit < leastFit {
			t.Errorf("%+v", l)
		}
	}
}

// If genres and years are unrelated to the place, no region has a name.
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
	m, err := Compute(context.Background(), items, c, 2, func(int, int) { t.Error("a step of t-SNE was made") })
	if err != nil || len(m.Regions) > 0 || !reflect.DeepEqual(m, Plain(items)) {
		t.Errorf("%d regions, %v; want the map of Plain", len(m.Regions), err)
	}
}
