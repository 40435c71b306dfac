package coldstart

import (
	"fmt"
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// The kind of a column is detected from its values, and ids are ignored.
func TestColumnKinds(t *testing.T) {
	columns := []string{"imdbId", "price", "maker", "tags", "about", "empty"}
	var warm []described
	for i := range 30 {
		warm = append(warm, described{columns: columns, Item: &catalogue.Item{Values: []string{fmt.Sprint(1000 + i),
			fmt.Sprint(float64(i%7) + 0.5), []string{"Lamps & Co", "Sofa Ltd"}[i%2], "red|wood", "a lamp for the desk at home",
			""}}})
	}
	for c, want := range map[string]kind{"price": number, "maker": category, "tags": list, "about": text} {
		if f := columnField(c, warm); f == nil || f.kind != want {
			t.Errorf("%s is %+v, not of kind %d", c, f, want)
		}
	}
	for _, c := range []string{"imdbId", "empty"} {
		if columnField(c, warm) != nil {
			t.Errorf("column %s is not ignored", c)
		}
	}
}

// A number is spread over the two knots around it, and outside the range the nearest knot counts. A rare token weighs
// more than a frequent one. Text that is not a finite number is unknown.
func TestRows(t *testing.T) {
	var warm []described
	for i := range 40 {
		it := &catalogue.Item{Year: 1980 + i, Genres: []string{"Drama"}, Title: "the long night"}
		if i%10 == 0 {
			it.Genres = append(it.Genres, "Western")
		}
		if i%2 == 0 {
			it.Genres = it.Genres[1:]
		}
		warm = append(warm, described{Item: it})
	}
	f := newFeatures(warm)
	year := f.fields[1]
	for v, want := range map[float64]float64{1700: 1980, 1993: 1993, 1980.5: 1980.5, 2019: 2019, 3000: 2019} {
		var r row
		year.spread(&r, v)
		sum, mean := 0.0, 0.0
		for k, at := range r.at {
			sum += r.value[k]
			mean += r.value[k] * year.knots[at-year.first]
		}
		if math.Abs(sum-1) > 1e-12 || math.Abs(mean-want) > 1e-9 || len(r.at) > 2 {
			t.Errorf("%v: %v, mean %v", v, r, mean)
		}
	}
	genre := f.fields[0].tokens
	if !(f.weight[genre["Western"]] > f.weight[genre["Drama"]]) {
		t.Errorf("a rare genre weighs %v, a frequent one %v", f.weight[genre["Western"]], f.weight[genre["Drama"]])
	}
	if len(f.fields[2].tokens) != 0 {
		t.Errorf("words in every title became features: %v", f.fields[2].tokens)
	}
	for _, bad := range []string{"NaN", "Inf", "-Inf", "1e999", "twelve"} {
		if _, ok := parse(bad); ok {
			t.Errorf("%s is read as a number", bad)
		}
	}
	if r := f.row(&described{Item: &catalogue.Item{Title: "the", Genres: []string{"Opera"}}}); len(r.at) != 0 {
		t.Errorf("an empty item has features: %v", r)
	}
}
