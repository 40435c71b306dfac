package reproduce

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/choose"
)

// A measurement read from a store is either refused or can be written, shown and read again.
func FuzzMeasurement(f *testing.F) {
	users := []int32{0, 2}
	six := []float64{.1, .2, .3, .4, .5, .6}
	good, err := json.Marshal(Measurement{
		Dataset: "x", Method: "ease", Chosen: 1, Ks: Ks, Recall: six, NDCG: six, Users: users, Recalls: []float32{0, 1},
		NDCGs: []float32{.5, .25}, Seconds: 1, Workers: 2, Heap: 10,
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(`{"ks":[5,10,15,20,25,30],"users":[0,1e9]}`))
	f.Add([]byte(`{"recall":[1e999]}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMeasurement(b, users)
		if err != nil {
			return
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		n, err := parseMeasurement(again, users)
		if err != nil || !reflect.DeepEqual(m, n) {
			t.Fatalf("%v: %+v became %+v", err, m, n)
		}
		d := Data{Dataset: fuzzed}
		d.Published = &fuzzedSplit
		m.Chosen = -1
		all := []*Outcome{{&d, &Method{Name: "m", Kind: Ours}, []*Measurement{m}}, {&d, &Method{Name: "n"},
			[]*Measurement{n}}}
		n.Chosen = -1
		Table2(all, small)
		FoldsTable(all)
	})
}

// A trial read from a store lies within its space.
func FuzzTrial(f *testing.F) {
	space := spaces["ials"]
	good, err := json.Marshal(choose.Trial{Number: 3, State: choose.Complete, Values: map[string]string{"dim": "64",
		"lambda": "0.01"}, NDCG: .5, Epochs: 20})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"number":3,"state":"complete","values":{"dim":"65"}}`))
	f.Add([]byte(`{"number":3,"state":"stopped"}`))
	f.Add([]byte(`{"number":3,"state":"diverged","values":{"lambda":"NaN"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := parseTrial(b, space, 3)
		if err != nil {
			return
		}
		x.Number = 0
		if _, err := space.Propose(1, []choose.Trial{x}); err != nil {
			t.Fatalf("%v after %s", err, b)
		}
		if len(x.Values) > len(space) || !(x.NDCG >= 0 && x.NDCG <= 1) {
			t.Fatalf("%+v", x)
		}
	})
}

// A Table 4 read from a store can be shown, or is refused.
func FuzzMargins(f *testing.F) {
	good, err := json.Marshal(Margins{Epochs: 3, Count: 2, Users: 1, Same: 1, Other: 2, Share: 1,
		Drawn: []Case{{User: "1", Same: true, Margin: 1}, {User: "1", Margin: 2}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(`{"Epochs":1,"Count":1,"Users":2}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMargins(b)
		if err != nil {
			return
		}
		m.Data, m.method = &Data{Dataset: fuzzed}, &Method{Title: "as printed"}
		if len(m.Tables()) < 2 {
			t.Fatalf("%+v", m)
		}
	})
}

var fuzzed, fuzzedSplit = func() (*dataset.Dataset, dataset.Split) {
	d := &dataset.Dataset{Name: "x", Positives: dataset.NewMatrix(3, 2, []dataset.Pair{{Row: 0, Col: 1},
		{Row: 2, Col: 0}})}
	return d, dataset.Split{Train: d.Positives, Test: d.Positives}
}()
