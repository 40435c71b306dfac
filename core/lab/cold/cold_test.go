package cold

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
)

// Hidden items are removed completely, and nothing else is.
func TestWithout(t *testing.T) {
	d, err := dataset.Load("../../dataset/testdata/ml-latest", dataset.Options{MinUser: -1, MinItem: -1})
	if err != nil {
		t.Fatal(err)
	}
	hidden := make([]bool, d.Items.Len())
	for i := range hidden {
		hidden[i] = i%3 == 1
	}
	w, err := without(d, hidden)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range hidden {
		at, ok := w.Items.Index(d.Items.ID(i))
		if ok == h {
			t.Fatalf("item %d: hidden %v, present %v", i, h, ok)
		}
		if ok && w.Catalogue.Items[at].Title != d.Catalogue.Items[i].Title {
			t.Errorf("item %d is named %q", i, w.Catalogue.Items[at].Title)
		}
		for u := range d.Users.Len() {
			for _, m := range []struct{ of, from *dataset.Matrix }{{w.Positives, d.Positives}, {w.Unliked, d.Unliked}} {
				if ok && m.of.Contains(u, int32(at)) != m.from.Contains(u, int32(i)) {
					t.Errorf("user %d and item %d", u, i)
				}
			}
		}
	}
}

// The plain methods: a new item is as popular as its genres on average, and similar to items that share its rare tags.
func TestPlain(t *testing.T) {
	c := &catalogue.Catalogue{Columns: []string{"tags"}, Items: []catalogue.Item{
		{Genres: []string{"Drama"}, Count: 30, Values: []string{"quiet|sea"}},
		{Genres: []string{"Drama", "War"}, Count: 10, Values: []string{"loud"}},
		{Genres: []string{"War"}, Values: []string{"sea"}},
		{Genres: []string{"Drama"}, Values: []string{"loud"}},
		{Values: []string{""}},
	}}
	p := newPlain(c, 2)
	if want := []float64{30, 10, 10, 20, 0}; !slices.Equal(p.popular, want) {
		t.Errorf("popularity %v, want %v", p.popular, want)
	}
	if got := ranked(p.cosine([]int{0}), []int{0, 1}); !slices.Equal(got, []int{2, 3, 4}) {
		t.Errorf("fans of the sea get %v", got)
	}
	if got := recall([]int{4, 2, 3}, map[int]bool{2: true, 9: true}); got != 0.5 {
		t.Errorf("recall %v", got)
	}
}
