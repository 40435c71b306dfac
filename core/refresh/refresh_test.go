package refresh

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train/choose"
)

var background = context.Background()

// events returns ratings of two groups of people. They like items of their own group, and give low ratings to a few of
// the other. Items up to n exist.
func events(users, n int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	var out []string
	for u := range users {
		for i := range n {
			switch own := i%2 == u%2; {
			case own && r.Float64() < 0.6:
				out = append(out, fmt.Sprintf("u%d,i%d,5", u, i))
			case !own && r.Float64() < 0.1:
				out = append(out, fmt.Sprintf("u%d,i%d,1", u, i))
			}
		}
	}
	return out
}

func load(t testing.TB, events []string) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ratings.csv")
	if err := os.WriteFile(path, []byte("user,item,rating\n"+strings.Join(events, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Load(path, dataset.Options{MinUser: -1, MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// trained returns a model of d as decoded from its file, with links, a map and rates.
func trained(t testing.TB, d *dataset.Dataset, p model.Precision, change func(c *choose.Settings)) *model.Model {
	t.Helper()
	c, err := choose.Preset("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	c.Dim, c.Epochs, c.Batch, c.Negatives, c.SharedNegatives, c.ItemTop = 6, 10, 50, 10, 2, 4
	if change != nil {
		change(&c)
	}
	trainer, err := pmlam.New(background, d.Positives, c.Config, 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := trainer.Run(background, nil)
	if err != nil {
		t.Fatal(err)
	}
	part, err := choose.Recipe(&c).Build(background, d.Positives, 0)
	if err != nil {
		t.Fatal(err)
	}
	like := &model.LikeRegression{Weights: make([]float32, model.NumLikeFeatures), Rates: make([]float32, d.Items.Len())}
	within := make([]float32, c.Dim*(c.Dim+1)/2)
	for k, at := 0, 0; k < c.Dim; k++ {
		at += k + 1
		within[at-1] = 0.01
	}
	e, err := c.Export()
	if err != nil {
		t.Fatal(err)
	}
	e.Precision, e.ItemItem, e.Metrics = p, part, map[string]float64{"x": 1}
	m, err := r.Model(d, e)
	if err != nil {
		t.Fatal(err)
	}
	m.Map = tastemap.Plain(m.Items)
	m.Calibration = &model.Calibration{Users: 5, Like: like,
		Posterior: model.Posterior{Within: within, Strength: 1}}
	return asFile(t, m)
}

func asFile(t testing.TB, m *model.Model) *model.Model {
	t.Helper()
	b, err := model.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := model.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func refreshed(t testing.TB, m *model.Model, d *dataset.Dataset, o Options) (*model.Model, *Report) {
	t.Helper()
	newer, r, err := Refresh(background, m, d, o)
	if err != nil {
		t.Fatal(err)
	}
	return asFile(t, newer), r
}

// all returns every part of the model about an item, with ids for indices.
func all(m *model.Model, i int) string {
	var links []string
	sources, weights := m.ItemItem.Row(i)
	for k, j := range sources {
		links = append(links, fmt.Sprint(m.Catalogue.Items[j].ID, weights[k]))
	}
	return fmt.Sprint(m.Catalogue.Items[i], m.Items.Row(i), m.Map.X[i], m.Map.Y[i], links, m.Calibration.Like.Rates[i])
}

// A few more events move few rows, the rest is unchanged, and new items are appended.
func TestMostStays(t *testing.T) {
	old := events(60, 40)
	for _, p := range []model.Precision{model.Float16, model.Int8, model.Float32} {
		m := trained(t, load(t, old), p, nil)
		more := slices.Clone(old)
		for u := 0; u < 20; u += 2 {
			more = append(more, fmt.Sprintf("u%d,new,5", u))
		}
		for u := range 12 {
			more = append(more, fmt.Sprintf("fresh%d,i7,5", u), fmt.Sprintf("fresh%d,i8,5", u))
		}
		more = append(more, "fresh1,i9,4")
		newer, r := refreshed(t, m, load(t, more), Options{Share: 0.09})
		if *r != (Report{New: 1, Moved: 2, Kept: 38}) {
			t.Errorf("%s: %+v", p, *r)
		}
		n := m.Items.Len()
		for i := range n {
			id := m.Catalogue.Items[i].ID
			if same := all(m, i) == all(newer, i); same != (id != "i7" && id != "i8") {
				t.Errorf("%s: %s is unchanged: %v", p, id, same)
			}
			if newer.Catalogue.Items[i].ID != id {
				t.Errorf("%s: item %d was %s and is now %s", p, i, id, newer.Catalogue.Items[i].ID)
			}
		}
		if last := newer.Catalogue.Items[n]; last.ID != "new" || last.Count != 10 {
			t.Errorf("%s: after the older ones comes %+v", p, last)
		}
		if sources, _ := newer.ItemItem.Row(n); len(sources) == 0 {
			t.Errorf("%s: the new item has no links", p)
		}
		if newer.Provenance.Users != 72 || newer.Provenance.Metrics != nil {
			t.Errorf("%s: %+v", p, newer.Provenance)
		}
		// An item that has not moved yet gets its turn: the one event of i9 is not forgotten.
		again, r := refreshed(t, newer, load(t, more), Options{Share: 0.09})
		if *r != (Report{Moved: 1, Kept: 40}) {
			t.Errorf("%s: the second day: %+v", p, *r)
		}
		// Then nothing is left to do.
		third, r := refreshed(t, again, load(t, more), Options{})
		if a, b := encoded(t, again), encoded(t, third); r.Moved+r.New > 0 || !bytes.Equal(a, b) {
			t.Errorf("%s: without new events the file changed: %+v", p, *r)
		}
	}
}

func encoded(t testing.TB, m *model.Model) []byte {
	t.Helper()
	b, err := model.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// New items are listed to visitors who like their group. The file is the same for any number of workers.
func TestNewItemsAreLearned(t *testing.T) {
	m := trained(t, load(t, events(60, 40)), model.Float16, nil)
	d := load(t, events(60, 44))
	newer, r := refreshed(t, m, d, Options{Workers: 1})
	if r.New != 4 {
		t.Fatalf("%+v", *r)
	}
	if other, _ := refreshed(t, m, d, Options{Workers: 3}); !bytes.Equal(encoded(t, newer), encoded(t, other)) {
		t.Error("the number of workers changes the file")
	}
	e, err := recommend.Open(newer, recommend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i := range newer.Catalogue.Items {
		at[newer.Catalogue.Items[i].ID] = i
	}
	for group := range 2 {
		v := recommend.Visit{}
		for k := range 6 {
			v.Likes = append(v.Likes, at[fmt.Sprint("i", 2*k+group)])
		}
		place := map[int]int{}
		for k, s := range e.Recommend(v, e.Taste(v, nil), recommend.Request{K: e.Len(), Bare: true}) {
			place[s.Item] = k
		}
		for i := 40; i < 44; i++ {
			if own, p := i%2 == group, place[at[fmt.Sprint("i", i)]]; own != (p < 18) {
				t.Errorf("group %d lists i%d at %d", group, i, p)
			}
		}
	}
}

// Items without likes are removed with their links, unless Options.Kept names them. An item that has got its first
// likes is learned. A region named after a genre that is gone loses its name.
func TestItemsThatAreGone(t *testing.T) {
	old := events(60, 40)
	m := trained(t, load(t, old), model.Float16, nil)
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Genres = []string{"Kitchen"}
		if m.Catalogue.Items[i].ID == "i11" {
			m.Catalogue.Items[i].Count = 0
		}
	}
	m.Map.Regions = []model.Region{{Genre: "Kitchen"}}
	m = asFile(t, m)
	fewer := slices.DeleteFunc(slices.Clone(old), func(e string) bool {
		return strings.Contains(e, ",i3,") || strings.Contains(e, ",i4,")
	})
	d := load(t, fewer)
	d.Catalogue.Columns = []string{"price", "colour"}
	for i := range d.Catalogue.Items {
		d.Catalogue.Items[i].Values = []string{"1", "blue"}
	}
	m.Catalogue.Columns = []string{"colour", "price"}
	for i := range m.Catalogue.Items {
		m.Catalogue.Items[i].Values = []string{"red", "3"}
	}
	newer, r := refreshed(t, m, d, Options{Kept: &catalogue.Catalogue{Columns: []string{"price"},
		Items: []catalogue.Item{{ID: "i4", Title: "Now", Values: []string{"2"}}}}})
	if *r != (Report{Moved: 1, Kept: 38, Gone: 1}) {
		t.Errorf("%+v", *r)
	}
	if newer.Map.Regions[0] != (model.Region{}) {
		t.Errorf("the region still has the name of a lost genre: %+v", newer.Map.Regions[0])
	}
	for i := range newer.Catalogue.Items {
		switch it := newer.Catalogue.Items[i]; it.ID {
		case "i3":
			t.Error("i3 is still there")
		case "i11":
			if it.Count == 0 {
				t.Error("i11 has likes but is not learned")
			}
		case "i4":
			if !slices.Equal(newer.Items.Row(i), m.Items.Row(slices.IndexFunc(m.Catalogue.Items, isFour))) {
				t.Error("the row of i4 has changed")
			}
			if it.Title != "Now" || !slices.Equal(it.Values, []string{"2", "red"}) || it.Count == 0 {
				t.Errorf("i4 is %+v", it)
			}
		}
	}
}

func isFour(it catalogue.Item) bool { return it.ID == "i4" }

// Models and data that cannot be refreshed are refused.
func TestRefused(t *testing.T) {
	d := load(t, events(60, 40))
	m := trained(t, d, model.Float16, nil)
	with := func(f func(m *model.Model)) *model.Model {
		other := *m
		f(&other)
		return &other
	}
	for want, c := range map[string]struct {
		m *model.Model
		d *dataset.Dataset
	}{
		"holds its users":         {with(func(m *model.Model) { m.Users = m.Items }), d},
		"has no training se":      {with(func(m *model.Model) { m.Provenance.Config = "" }), d},
		"but its settings say":    {with(func(m *model.Model) { m.Provenance.Config = `{"dim":3}` }), d},
		"signed deviations":       {with(func(m *model.Model) { m.Provenance.Config = `{"dim":6,"signed":true}` }), d},
		"none of the model's ite": {m, load(t, strings.Split("a,x,5 b,x,5 a,y,5 b,y,5 c,x,5", " "))},
	} {
		if _, _, err := Refresh(background, c.m, c.d, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	ended, end := context.WithCancel(background)
	end()
	if _, _, err := Refresh(ended, m, load(t, events(60, 44)), Options{}); err == nil {
		t.Error("no error from a context that has ended")
	}
}
