package main

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/scoring"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// evaluate measures the lists that visitors get from a model with item-item links, even if the model has fewer items
// than the data. evaluate knows no genres, so the catalogue here has none.
func TestEvaluateMeasuresWhatVisitorsGet(t *testing.T) {
	data, folder := some(t, 60), t.TempDir()
	d, err := dataset.Load(data, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	split := d.Fold(5, 0, 1)
	for _, minItem := range []string{"5", "8"} {
		out := filepath.Join(folder, "plain"+minItem)
		trained(t, "--preset", "composed", "--data", data, "--fold", "0", "--min-item", minItem, "--out", out,
			"--precision", "float32")
		m, err := model.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		to, _ := scoring.Numbers(m, d.Items.Strings())
		known := scoring.Renumber(split.Train, to, m.Items.Len())
		if m.ItemItem, err = itemlinks.Cosine(context.Background(), known, 10, 0); err != nil {
			t.Fatal(err)
		}
		m.ItemItem.Gamma = 2
		linked := filepath.Join(folder, "linked"+minItem)
		if err := model.WriteFile(linked, m); err != nil {
			t.Fatal(err)
		}
		if m, err = model.ReadFile(linked); err != nil { // with the weights as stored in the file
			t.Fatal(err)
		}
		for i := range m.Catalogue.Items {
			m.Catalogue.Items[i].Genres = nil
		}
		r, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		recall, users := 0.0, 0
		for u := range d.Users.Len() {
			test := split.Test.Row(u)
			if len(test) == 0 {
				continue
			}
			users++
			var v recommend.Visit
			for _, i := range known.Row(u) {
				v.Likes = append(v.Likes, int(i))
			}
			hits := 0
			for _, s := range r.Recommend(v, r.Taste(v, nil), recommend.Request{K: 10}) {
				if i := slices.Index(to, int32(s.Item)); slices.Contains(test, int32(i)) {
					hits++
				}
			}
			recall += float64(hits) / float64(len(test))
		}
		plain := figure(t, ok(t, "evaluate", "--data", data, "--fold", "0", "--model", out, "--json").object(t),
			"recall@10")
		got := figure(t, ok(t, "evaluate", "--data", data, "--fold", "0", "--model", linked, "--json").object(t),
			"recall@10")
		if want := recall / float64(users); math.Abs(got-want) > 1e-6 || got == plain {
			t.Errorf("items with %s likes: %v measured, %v given to %d visitors, %v without the part", minItem, got,
				want, users, plain)
		}
		if text := ok(t, "inspect", linked).out; !strings.Contains(text, " per item, with weight 2\n") {
			t.Error(text)
		}
		if o := ok(t, "inspect", "--json", linked).object(t); figure(t, o, "links") != float64(m.ItemItem.Links()) {
			t.Errorf("%v", o)
		}
	}
}
