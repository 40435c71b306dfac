package coldstart

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Update takes the facts from the catalogue and changes nothing else in the file.
func TestUpdate(t *testing.T) {
	m := warmModel(40, true)
	m.Map.Regions = []model.Region{{Genre: "Drama", Or: "Comedy"}, {Genre: "Comedy", Or: "Western"}, {Genre: "Comedy"}}
	for i := range m.Catalogue.Items {
		if m.Catalogue.Items[i].Genres[0] == "Comedy" && i > 1 {
			m.Catalogue.Items[i].Genres = []string{"Drama"}
		}
	}
	before := encoded(t, m)
	m, err := model.Decode(before)
	if err != nil {
		t.Fatal(err)
	}
	with, r := Update(m, &catalogue.Catalogue{Columns: []string{"price", "country"}, Items: []catalogue.Item{
		{ID: "w0", Title: "w0", Values: []string{"3", "fr"}},                                       // a price, no title
		{ID: "w1", Title: "Other", Year: 1999, Genres: []string{"Gone"}, Values: []string{"", ""}}, // w1's Comedy was the last
		{ID: "w2", Title: m.Catalogue.Items[2].Title, Values: []string{"", "fr"}},                  // unchanged
		{ID: "elsewhere", Title: "Not here", Values: []string{"1", "1"}},
	}})
	want := &Updated{Known: 3, Items: 2, Columns: []string{"price"}, Changes: []Change{{"title", 1}, {"year", 1},
		{"genres", 1}, {"country", 1}, {"price", 1}}}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("%+v, want %+v", r, want)
	}
	with, err = model.Decode(encoded(t, with))
	if err != nil {
		t.Fatal(err)
	}
	is := with.Catalogue
	first, second := m.Catalogue.Items[0], m.Catalogue.Items[1]
	first.Values = []string{"fr", "0", "3"}
	second.Title, second.Year, second.Genres, second.Values = "Other", 1999, []string{"Gone"}, []string{"", "1", ""}
	if !reflect.DeepEqual(is.Items[:2], []catalogue.Item{first, second}) ||
		!slices.Equal(is.Columns, []string{"country", "number", "price"}) {
		t.Errorf("columns %v, items %+v", is.Columns, is.Items[:2])
	}
	if g := with.Map.Regions; g[0] != (model.Region{Genre: "Drama"}) || g[1] != (model.Region{Genre: "Western"}) ||
		g[2] != (model.Region{}) {
		t.Errorf("the regions are called %+v", g)
	}
	// With the catalogue and the regions' names restored, the file is the original.
	with.Catalogue, with.Map.Regions = m.Catalogue, m.Map.Regions
	if !bytes.Equal(encoded(t, with), before) {
		t.Error("more than the items' facts has changed")
	}
	// The model's own catalogue changes nothing.
	if same, r := Update(m, m.Catalogue); r.Items > 0 || r.Known != 40 || !bytes.Equal(encoded(t, same), before) {
		t.Errorf("its own catalogue changes the model: %+v", r)
	}
}
