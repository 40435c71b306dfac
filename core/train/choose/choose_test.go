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
	all := recipes(&c, nil, itemlinks.Recipes, c.ItemTop)
	if len(all) < 2 || all[0].Top != 7 {
		t.Errorf("%v", all)
	}
	c.ItemPart = CosinePart
	some := recipes(&c, []string{"item_part"}, itemlinks.Recipes, c.ItemTop)
	if len(some) != 1 || some[0] != Recipe(&c) ||
		some[0].Kind != itemlinks.ByCosine {
		t.Errorf("%v", some)
	}
	c.ItemPart = RidgePart
	some = recipes(&c, []string{"item_part", "item_lambda"}, itemlinks.Recipes, c.ItemTop)
	if len(some) != 1 || some[0] != Recipe(&c) ||
		some[0].Lambda != 33 {
		t.Errorf("%v", some)
	}
	c.ItemPart = EASEPart
	some = recipes(&c, nil, itemlinks.Recipes, c.ItemTop)
	if len(some) != 1 || some[0] != (itemlinks.Recipe{Kind: itemlinks.ByEASE, Top: 7, Lambda: 33}) {
		t.Errorf("%v", some)
	}
	c.ItemPart = RidgePart
	some = recipes(&c, nil, itemlinks.Recipes, 7, 50)
	if len(some) != 2*len(all) || !slices.Equal(some[:len(all)], all) ||
		some[len(all)].Top != 50 {
		t.Errorf("with 7 and 50 links: %v", some)
	}
	if some = recipes(&c, nil, itemlinks.DenseRecipes, 7); !slices.Equal(some, itemlinks.DenseRecipes(7)) {
		t.Errorf("on dense data %v", some)
	}
	c.ItemPool = 40
	for _, r := range recipes(&c, []string{"item_pool"}, itemlinks.Recipes, 7, 50) {
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

func TestSomeRows(t *testing.T) {
	m := &dataset.Matrix{Cols: 3, Offsets: []int{0, 1, 3, 3, 5, 6}, Indices: []int32{0, 1, 2, 0, 1, 2}}
	if someRows(m, 4) != m {
		t.Error("all rows are not the matrix itself")
	}
	got := someRows(m, 2) // of the four non-empty rows, the second and the last
	if got.Rows() != 5 || got.Cols != 3 || !slices.Equal(got.Offsets, []int{0, 0, 2, 2, 2, 3}) ||
		!slices.Equal(got.Indices, []int32{1, 2, 2}) {
		t.Errorf("%+v", got)
	}
}
