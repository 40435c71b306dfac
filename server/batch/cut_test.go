package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// moments writes lines with few distinct times, so that many are exactly at a cut; with late users and items, pairs
// rated on both sides or repeatedly on one, and ratings of every kind.
func moments(r *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString("user,item,rating,timestamp\nu0,i0,5,1000\n")
	for range n {
		time := r.IntN(30)
		fmt.Fprintf(&b, "u%d,i%d,%d,%d\n", r.IntN(10+time/3), r.IntN(8+time/4), 1+r.IntN(5), 1001+time*40_000)
	}
	b.WriteString("u1,i1,5,2000000\n")
	return b.String()
}

// checkCut compares a preparation split at a moment with LoadAt on the same data, and returns LoadAt's result.
func checkCut(t *testing.T, data string, reading Reading, at dataset.Cut, rounds int) (*dataset.Dataset, dataset.Split,
	int64) {
	t.Helper()
	want, split, moment, err := dataset.LoadAt(data, at, reading.options())
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	p, err := Prepare(t.Context(), Preparation{Data: []string{data}, Reading: reading, At: &at, Out: out, Shards: 3,
		Rounds: rounds, Run: testRunner(t)})
	if err != nil {
		t.Fatal(err)
	}
	got := sameSplit(t, out, split)
	sameData(t, out, got, p, want)
	if !slices.Equal(got.Users.Strings(), want.Users.Strings()) ||
		!slices.Equal(got.Items.Strings(), want.Items.Strings()) {
		t.Error("users or items are numbered differently")
	}
	if p.Moment != moment || p.Tested != split.Test.Len() {
		t.Errorf("split at %d with %d tested, want %d and %d", p.Moment, p.Tested, moment, split.Test.Len())
	}
	return want, split, moment
}

// TestSplitTimeIsLoadAt: prepare --split-time gives the same parts as pmlam train --split-time.
func TestSplitTimeIsLoadAt(t *testing.T) {
	t.Run("MovieLens", func(t *testing.T) {
		_, split, _ := checkCut(t, small, Reading{}, dataset.Cut{Share: .1}, 4)
		if cold(split) == 0 {
			t.Error("every user has training items, so users without any are not tested")
		}
	})
	t.Run("the fixed point", func(t *testing.T) { // in more than one pipeline
		d, _, _ := checkCut(t, small, Reading{MinUser: 40, MinItem: 20}, dataset.Cut{Share: .3}, 2)
		if d.Read.Rounds <= 2 || d.Read.BelowUser == 0 || d.Read.BelowItem == 0 {
			t.Errorf("only %d rounds, too few for this test", d.Read.Rounds)
		}
	})
}

// TestSplitTimeOfTies is the same for random likes, many of them repeated and exactly at the moments.
func TestSplitTimeOfTies(t *testing.T) {
	ties, again := 0, 0
	for seed := range uint64(3) {
		text := moments(rand.New(rand.NewPCG(seed, 1)), 400)
		path := write(t, filepath.Join(t.TempDir(), "r.csv"), "%s", text)
		for _, c := range []struct {
			reading Reading
			at      dataset.Cut
		}{{Reading{}, dataset.Cut{Share: .3}}, {Reading{}, dataset.Cut{Moment: 1001 + 17*40_000}},
			{Reading{MinUser: 3, MinItem: 2}, dataset.Cut{Share: .2}}} {
			t.Run(fmt.Sprintf("drawn, %d, %+v", seed, c.at), func(t *testing.T) {
				d, _, moment := checkCut(t, path, c.reading, c.at, 3)
				for _, time := range d.Times {
					if time == moment {
						ties++
					}
				}
				again += d.Read.Again
			})
		}
	}
	if ties < 18 || again == 0 {
		t.Errorf("%d likes at the moments and %d repeated, too few for this test", ties, again)
	}
}

// cold counts the tested users without training items.
func cold(s dataset.Split) (n int) {
	for u := range s.Train.Rows() {
		if len(s.Train.Row(u)) == 0 && len(s.Test.Row(u)) > 0 {
			n++
		}
	}
	return n
}

// TestSplitTimeThatCannotBe: the errors equal LoadAt's.
func TestSplitTimeThatCannotBe(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string { return write(t, filepath.Join(folder, name), "%s", text) }
	timed := file("timed.csv", "user,item,rating,timestamp\nu,a,5,100\nu,b,5,200\n")
	for _, c := range []struct {
		data string
		at   dataset.Cut
	}{
		{timed, dataset.Cut{Moment: 100}},
		{timed, dataset.Cut{Moment: 201}},
		{file("untimed.csv", "user,item,rating,timestamp\nu,a,5,100\nu,b,5,200\nu,c,4,0\n"), dataset.Cut{Share: .5}},
		{file("timeless.csv", "user,item,rating\nu,a,5\nu,b,4\n"), dataset.Cut{Share: .5}},
		{file("again.csv", "user,item,rating,timestamp\nu,a,5,100\nu,a,5,200\n"), dataset.Cut{Moment: 150}},
		{file("disliked.csv", "user,item,rating,timestamp\nu,a,5,100\nu,a,1,110\nu,b,5,200\n"), dataset.Cut{Moment: 150}},
		{file("none.csv", "user,item,rating,timestamp\nu,a,1,100\nu,b,5,0\n"), dataset.Cut{Moment: 150}},
	} {
		_, _, _, want := dataset.LoadAt(c.data, c.at, dataset.Options{})
		out := filepath.Join(folder, "out")
		_, err := Prepare(t.Context(), Preparation{Data: []string{c.data}, At: &c.at, Out: out, Run: testRunner(t)})
		var none *dataset.NoTimesError // names the data set, whereas ours names the path
		if want == nil || err == nil || err.Error() != want.Error() && !errors.As(want, &none) {
			t.Errorf("%s: %v, want %v", c.data, err, want)
		}
		nothingAt(t, out)
	}
}
