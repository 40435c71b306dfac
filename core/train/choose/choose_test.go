package choose

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// films is the training part of a fold of MovieLens small.
var films = sync.OnceValues(func() (*dataset.Matrix, error) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		return nil, err
	}
	return d.Fold(5, 0, 1).Train, nil
})

// few returns the part of its users with about 2,500 interactions, enough to learn from in milliseconds.
func few(t *testing.T) *dataset.Matrix {
	t.Helper()
	m, err := films()
	if err != nil {
		t.Fatal(err)
	}
	return Sample(m, 2500)
}

// quick returns settings that train on few in 10 ms.
func quick(t *testing.T, preset string) Settings {
	t.Helper()
	c, err := Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	c.Dim, c.Hidden, c.Epochs, c.Batch = 4, 4, 5, 256
	c.Negatives, c.SharedNegatives, c.Candidates, c.Auto = 4, 0, 0, false
	return c
}

// plain removes everything that depends on the clock.
func plain(trials []Trial) []Trial {
	out := append([]Trial(nil), trials...)
	for i := range out {
		out[i].Seconds = 0
	}
	return out
}

// A sample holds about the number of interactions asked for, of users from all over the matrix, with unchanged rows.
func TestSample(t *testing.T) {
	m, err := films()
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1000, 5000, 20000} {
		s := Sample(m, limit)
		if r := float64(s.Len()) / float64(limit); r < 0.6 || r > 1.5 || s.Cols != m.Cols {
			t.Errorf("%d of %d×%d", s.Len(), s.Rows(), s.Cols)
		}
		at := 0
		for u := range s.Rows() {
			for ; at < m.Rows() && !reflect.DeepEqual(m.Row(at), s.Row(u)); at++ {
			}
			if at == m.Rows() {
				t.Fatalf("row %d is not a row of the matrix, or out of order", u)
			}
			at++
		}
		if at < m.Rows()*9/10 {
			t.Errorf("sample of %d: the last user is %d of %d", limit, at, m.Rows())
		}
	}
	if Sample(m, 0) != m || Sample(m, m.Len()) != m {
		t.Error("a sample of everything is not the matrix itself")
	}
}

func TestRecipes(t *testing.T) {
	c := quick(t, "hybrid")
	c.ItemTop, c.ItemLambda = 7, 33
	usual := append(itemlinks.Recipes(7), itemlinks.Recipe{Kind: itemlinks.ByEASE, Top: 50, Lambda: 100})
	if some := recipes(&c, nil, usual); !slices.Equal(some, usual) {
		t.Errorf("%v", some)
	}
	for _, kind := range []ItemPart{CosinePart, RidgePart, EASEPart} {
		c.ItemPart = kind
		some := recipes(&c, []string{"item_part", "item_lambda"}, usual)
		if len(some) != 1 || some[0].Kind != itemlinks.Kind(kind) || kind != CosinePart && some[0].Lambda != 33 {
			t.Errorf("%s by hand: %v", kind, some)
		}
	}
	c.ItemPart = EASEPart
	if some := recipes(&c, []string{"item_part"}, itemlinks.SparseRecipes(7)); len(some) != 1 || some[0] != Recipe(&c) {
		t.Errorf("EASE by hand for many items: %v", some)
	}
	c.ItemPart, c.ItemPool = RidgePart, 40
	for _, r := range recipes(&c, []string{"item_pool"}, usual) {
		if r.Kind != itemlinks.ByRidge || r.Pool != 40 || r.Top != 7 {
			t.Errorf("a pool of 40 is set by hand, but %v is tried", r)
		}
	}
}

// A part with a changed number of links writes that number into the settings.
func TestPartsTop(t *testing.T) {
	c := quick(t, "hybrid")
	before := c.ItemTop
	if (&Part{Kind: RidgePart, Lambda: 20, Gamma: 2}).ApplyTo(&c); c.ItemTop != before || c.ItemWeight != 2 {
		t.Errorf("%+v", c.ItemPartConfig)
	}
	(&Part{Kind: RidgePart, Gamma: 1, Top: 50, Pool: 64}).ApplyTo(&c)
	if c.ItemTop != 50 || c.ItemLambda != 20 || c.ItemPool != 64 || c.Validate() != nil {
		t.Errorf("%+v", c.ItemPartConfig)
	}
	(&Part{Kind: CosinePart, Gamma: 1}).ApplyTo(&c)
	if c.ItemPool != 0 || c.Validate() != nil {
		t.Errorf("%+v", c.ItemPartConfig)
	}
}
