package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// auditOf reads two parts and audits them.
func auditOf(t *testing.T, train, test []line) (*Dataset, Audit) {
	t.Helper()
	d, s, err := LoadFixed(csvOf(t, train), csvOf(t, test), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d, d.AuditSplit(s)
}

// honest is a split in time without a leak: thirty users with ten of two hundred items each, the last three tested.
func honest() (train, test []line) {
	r := rand.New(rand.NewPCG(12, 12))
	for u := range 30 {
		for k, i := range r.Perm(200)[:10] {
			l := line{fmt.Sprint("u", u), fmt.Sprint("item-", i), 5, 1000 + k}
			if k < 7 {
				train = append(train, l)
			} else {
				l.time += 5000
				test = append(test, l)
			}
		}
	}
	return train, test
}

// An honest split has nothing; each planted leak is found, counted, and nothing else is.
func TestAuditFindsWhatIsPlanted(t *testing.T) {
	train, test := honest()
	_, clean := auditOf(t, train, test)
	if clean.Leaks(true) || clean.TestPairs != 90 || !clean.Timed || clean.BeforeTrain != 0 || clean.Duplicates != 0 {
		t.Fatalf("an honest split: %+v", clean)
	}
	for name, plant := range map[string]struct {
		do   func(train, test []line) ([]line, []line)
		want func(a Audit) bool
		only bool // with the promise of time
	}{
		"two test pairs in training": {do: func(train, test []line) ([]line, []line) {
			for _, l := range test[:2] {
				l.time = 1003
				train = append(train, l)
			}
			return train, test
		}, want: func(a Audit) bool { return a.InTrain == 2 && a.InTrainUsers == 1 && a.TestPairs == 90 }},
		"a test pair of another time": {do: func(train, test []line) ([]line, []line) {
			test = slices.Clone(test)
			test[7].time = 1001
			return train, test
		}, want: func(a Audit) bool { return a.BeforeTrain == 1 && a.BeforeOwn == 1 && a.FirstTest == 1001 }, only: true},
		"an item under another id": {do: func(train, test []line) ([]line, []line) {
			l := test[4]
			l.item, l.time = "  ITEM "+l.item[5:], 1002
			return append(train, l), test
		}, want: func(a Audit) bool { return len(a.NearCopies) == 1 && a.InTrain == 0 }},
		"a user twice": {do: func(train, test []line) ([]line, []line) {
			for _, l := range append(slices.Clone(train[:7]), test[:3]...) {
				l.user, l.time = "another", 1004
				train = append(train, l)
			}
			return train, test
		}, want: func(a Audit) bool { return len(a.Twins) == 1 && a.Twins[0].User == 0 && a.Twins[0].Told == 3 }},
		"a user nearly twice": {do: func(train, test []line) ([]line, []line) {
			for _, l := range append(slices.Clone(train[1:7]), test[:3]...) {
				l.user, l.time = "another", 1004
				train = append(train, l)
			}
			return train, test
		}, want: func(a Audit) bool { return len(a.Twins) == 1 }},
		"lines twice": {do: func(train, test []line) ([]line, []line) { return append(train, train[0], train[1]), test },
			want: func(a Audit) bool { return a.Duplicates == 2 && !a.Leaks(true) }},
	} {
		a, b := plant.do(slices.Clone(train), slices.Clone(test))
		_, got := auditOf(t, a, b)
		if !plant.want(got) {
			t.Errorf("%s: %+v", name, got)
		}
		if name != "lines twice" && (!got.Leaks(true) || got.Leaks(false) == plant.only) {
			t.Errorf("%s: leaks %t, without the promise %t", name, got.Leaks(true), got.Leaks(false))
		}
		if n := btoi(got.InTrain > 0) + btoi(got.BeforeTrain > 0) + btoi(len(got.NearCopies) > 0) +
			btoi(len(got.Twins) > 0) + btoi(got.Duplicates > 0); n != 1 {
			t.Errorf("%s: %d kinds were found: %+v", name, n, got)
		}
	}
	// Half of a row is not a twin.
	for _, l := range append(slices.Clone(train[:3]), test[:3]...) {
		l.user, l.time = "another", 1004
		train = append(train, l)
	}
	if _, a := auditOf(t, train, test); len(a.Twins) != 0 {
		t.Errorf("half a twin: %+v", a.Twins)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// A random part of each user's items is even; their latest are not.
func TestUnevenness(t *testing.T) {
	d, err := Load(small, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		if x := d.AuditSplit(HoldOut(d.Positives, 0.2, seed)).Unevenness; math.Abs(x-1) > 0.06 {
			t.Errorf("seed %d: a random part has %v", seed, x)
		}
	}
	latest, err := d.ByTime(0.2)
	if err != nil {
		t.Fatal(err)
	}
	if x := d.AuditSplit(latest).Unevenness; x < 1.2 {
		t.Errorf("the latest have %v", x)
	}
	// Two users with two items each, both with the same one tested: k = 2 and 0, e = 1, v = 1/2.
	m := func(item int32) *Matrix {
		return &Matrix{Cols: 2, Offsets: []int{0, 1, 2}, Indices: []int32{item, item}}
	}
	if x := unevenness(Split{Train: m(0), Test: m(1)}); x != 2 {
		t.Errorf("two users who agree: %v, want 2", x)
	}
	if x := unevenness(Split{Train: m(0), Test: &Matrix{Cols: 2, Offsets: make([]int, 3)}}); x != 0 {
		t.Errorf("an empty test part: %v", x)
	}
}

// A like repeated after the moment is not a leak of a split at that moment; a like of another id with the same title
// is.
func TestAuditOfAMoment(t *testing.T) {
	lines := []line{{"u", "1", 5, 10}, {"u", "2", 5, 11}, {"u", "1", 5, 20}, {"u", "3", 5, 21}, {"v", "2", 5, 9}}
	d, s, _, err := LoadAt(csvOf(t, lines), Cut{Moment: 15}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a := d.AuditSplit(s); a.Leaks(true) || d.Read.Again != 1 || a.TestPairs != 1 {
		t.Errorf("%+v", a)
	}
	items := filepath.Join(t.TempDir(), "items.csv")
	if err := os.WriteFile(items, []byte("item,title,year\n1,Heat,1995\n2,Alien,1979\n3,\"Alien!\",1979\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, s, _, err = LoadAt(csvOf(t, lines), Cut{Moment: 15}, Options{Items: items})
	if err != nil {
		t.Fatal(err)
	}
	a := d.AuditSplit(s)
	if len(a.NearCopies) != 1 || d.Items.ID(int(a.NearCopies[0].Test)) != "3" || d.Items.ID(int(a.NearCopies[0].Like)) != "2" {
		t.Errorf("%+v", a)
	}
}

// The twins agree with the definition, applied to all pairs of users.
func TestTwinsAreTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 200 {
		d := random(12, 24, r.Uint64())
		var pairs []Pair
		for u := range d.Positives.Rows() { // most users repeat an earlier one, but for an item or two
			from := u
			if u > 0 && r.IntN(2) == 0 {
				from = r.IntN(u)
			}
			for _, i := range d.Positives.Row(from) {
				if r.IntN(25) > 0 {
					pairs = append(pairs, Pair{int32(u), i})
				}
			}
		}
		s := HoldOut(NewMatrix(12, 24, pairs), .2, 1)
		got := map[int]float64{}
		like := func(u, v int) (float64, int, int) {
			all := map[int32]int{}
			told := 0
			for _, i := range s.Train.Row(v) {
				all[i] |= 1
				if s.Test.Contains(u, i) {
					told++
				}
			}
			for _, i := range slices.Concat(s.Train.Row(u), s.Test.Row(u)) {
				all[i] |= 2
			}
			shared := 0
			for _, x := range all {
				if x == 3 {
					shared++
				}
			}
			return float64(shared) / float64(len(all)), shared, told
		}
		for _, w := range twins(s) {
			got[w.User], _, _ = like(w.User, w.Other)
		}
		for u := range 12 {
			best := 0.0
			for v := range 12 {
				if x, shared, told := like(u, v); v != u && told > 0 && shared >= 5 && x >= .9 {
					best = max(best, x)
				}
			}
			if got[u] != best {
				t.Fatalf("user %d: %v, want %v", u, got[u], best)
			}
			if best > 0 {
				found++
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d twins", found)
	}
}
