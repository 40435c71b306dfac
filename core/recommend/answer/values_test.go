package answer

import (
	"encoding/json"
	"reflect"
	"testing"
)

// The browser gets the same fields as JSON.
func TestValuesAreTheJSON(t *testing.T) {
	year, chance, word := 1995, 0.5, "a hunch"
	full := Item{"6", "Heat", &year, []string{"Crime"}, map[string]string{"price": "3"}, true}
	bare := Item{ID: "7", Genres: []string{}, Columns: map[string]string{}}
	suggestion := Suggestion{full, 1, 2, &chance, 3, &word, []Reason{{bare, 4}}, 5, true}
	plain := Suggestion{Item: bare, Because: []Reason{}}
	for _, answer := range []valued{
		full, bare, suggestion, plain, Reason{full, 1}, Found{full, 1}, FoundTitle{"6", "Heat", &year, 1}, FoundTitle{},
		Shared{full, true, [2]Suggestion{suggestion, plain}},
		About{"d", 1, 2, 3, "t", "p", "r", map[string]float64{"recall": 4}, "l", "a", "x", "go", true, true, []string{"c"},
			[]string{"g"}},
	} {
		compare(t, answer, answer.Values())
	}
	compare(t, List[Suggestion]{[]Suggestion{suggestion}, []string{"8"}},
		ListValues([]Suggestion{suggestion}, []string{"8"}))
}

func compare(t *testing.T, answer any, values map[string]any) {
	t.Helper()
	var got, want any
	for _, one := range []struct{ from, to any }{{answer, &want}, {values, &got}} {
		data, err := json.Marshal(one.from)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, one.to); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%T: the values are %v, and the JSON %v", answer, got, want)
	}
}
