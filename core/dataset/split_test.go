package dataset

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// random returns a data set of random rows, some empty, with times.
func random(users, items int, seed uint64) *Dataset {
	r := rand.New(rand.NewPCG(seed, 1))
	var p []Pair
	for u := range users {
		for range r.IntN(items / 2) {
			p = append(p, Pair{int32(u), r.Int32N(int32(items))})
		}
	}
	d := &Dataset{Name: "random", Positives: NewMatrix(users, items, p)}
	d.Times = make([]int64, d.Positives.Len())
	for i := range d.Times {
		d.Times[i] = r.Int64N(20)
	}
	return d
}

// checkSplit: both parts have m's shape, are well formed, disjoint, and make up m.
func checkSplit(t *testing.T, m *Matrix, s Split) {
	t.Helper()
	for _, part := range []*Matrix{s.Train, s.Test} {
		checkMatrix(t, part)
		if part.Rows() != m.Rows() || part.Cols != m.Cols {
			t.Fatalf("a part is %d×%d; want %d×%d", part.Rows(), part.Cols, m.Rows(), m.Cols)
		}
	}
	for u := range m.Rows() {
		row := slices.Concat(s.Train.Row(u), s.Test.Row(u))
		slices.Sort(row)
		if !slices.Equal(row, m.Row(u)) {
			t.Fatalf("user %d: %v and %v do not make up %v", u, s.Train.Row(u), s.Test.Row(u), m.Row(u))
		}
	}
}

// TestFolds: each interaction is tested once, each user's folds differ by at most one in size, and the folds are those
// of the seed.
func TestFolds(t *testing.T) {
	d := random(200, 60, 1)
	for _, n := range []int{2, 5, 7} {
		splits := d.Folds(n, 42)
		tested := make([]int, d.Positives.Rows())
		sizes := make([]int, n)
		for k, s := range splits {
			checkSplit(t, d.Positives, s)
			if !reflect.DeepEqual(s, d.Fold(n, k, 42)) {
				t.Fatalf("Fold(%d, %d) differs from Folds", n, k)
			}
			for u := range tested {
				size := len(s.Test.Row(u))
				tested[u] += size
				if all := len(d.Positives.Row(u)); size < all/n || size > (all+n-1)/n {
					t.Fatalf("user %d has %d of %d items in fold %d of %d", u, size, all, k, n)
				}
			}
			sizes[k] = s.Test.Len()
		}
		for u, got := range tested {
			if got != len(d.Positives.Row(u)) {
				t.Fatalf("user %d: %d of %d items are tested", u, got, len(d.Positives.Row(u)))
			}
		}
		// No fold is larger by construction: which folds get one more is drawn. Five standard deviations.
		for k, size := range sizes {
			mean := float64(d.Positives.Len()) / float64(n)
			if math.Abs(float64(size)-mean) > 5*math.Sqrt(float64(d.Positives.Rows())/4) {
				t.Errorf("fold %d of %d tests %d; the mean is %g", k, n, size, mean)
			}
		}
	}
	if reflect.DeepEqual(d.Fold(5, 0, 1), d.Fold(5, 0, 2)) {
		t.Error("two seeds give the same fold")
	}
	// A user's folds depend on the user alone: the folds of the first rows stay when rows follow.
	short := &Dataset{Positives: &Matrix{Cols: d.Positives.Cols, Offsets: d.Positives.Offsets[:11],
		Indices: d.Positives.Indices[:d.Positives.Offsets[10]]}}
	a, b := short.Fold(5, 3, 9), d.Fold(5, 3, 9)
	for u := range 10 {
		if !slices.Equal(a.Test.Row(u), b.Test.Row(u)) {
			t.Errorf("user %d is split otherwise where more users follow", u)
		}
	}
}

// TestFoldsUniform: over many seeds each item is tested equally often.
func TestFoldsUniform(t *testing.T) {
	d := &Dataset{Positives: NewMatrix(1, 7, []Pair{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}})}
	const runs = 7000
	var count [7]int
	for seed := range uint64(runs) {
		for _, i := range d.Fold(5, 0, seed).Test.Row(0) {
			count[i]++
		}
	}
	for i, c := range count { // probability 1/5, standard deviation 33.5
		if math.Abs(float64(c)-runs/5) > 5*33.5 {
			t.Errorf("item %d is tested %d times of %d; want about %d", i, c, runs, runs/5)
		}
	}
}

func TestHoldOut(t *testing.T) {
	d := random(200, 60, 2)
	for _, share := range []float64{0.1, 0.2, 0.5, 0.99} {
		s := HoldOut(d.Positives, share, 7)
		checkSplit(t, d.Positives, s)
		for u := range d.Positives.Rows() {
			n := len(d.Positives.Row(u))
			want := max(min(int(math.Round(share*float64(n))), n-1), 0)
			if len(s.Test.Row(u)) != want {
				t.Fatalf("share %g: user %d has %d of %d in test; want %d", share, u, len(s.Test.Row(u)), n, want)
			}
		}
		if !reflect.DeepEqual(s, HoldOut(d.Positives, share, 7)) {
			t.Error("the same seed gives another split")
		}
	}
	if reflect.DeepEqual(HoldOut(d.Positives, 0.5, 1).Test, d.Fold(2, 0, 1).Test) {
		t.Error("a hold-out repeats a fold of the same seed")
	}
}

func TestByTime(t *testing.T) {
	d := random(100, 60, 3)
	s, err := d.ByTime(0.25)
	if err != nil {
		t.Fatal(err)
	}
	checkSplit(t, d.Positives, s)
	for u := range d.Positives.Rows() {
		latestTrain, earliestTest := int64(-1), int64(math.MaxInt64)
		for k, i := range d.Positives.Row(u) {
			when := d.Times[d.Positives.Offsets[u]+k]
			if s.Test.Contains(u, i) {
				earliestTest = min(earliestTest, when)
			} else {
				latestTrain = max(latestTrain, when)
			}
		}
		if latestTrain > earliestTest {
			t.Fatalf("user %d trains on %d and is tested on %d", u, latestTrain, earliestTest)
		}
	}
	var none *NoTimesError
	if _, err := (&Dataset{Name: "x", Positives: d.Positives}).ByTime(0.2); !errors.As(err, &none) {
		t.Errorf("without times: %v", err)
	}
}

func TestLeaveUsersOut(t *testing.T) {
	d := random(200, 60, 4)
	train, held := d.LeaveUsersOut(0.1, 5)
	checkMatrix(t, train)
	if len(held) != 20 || !slices.IsSorted(held) || train.Rows() != 200 || train.Cols != 60 {
		t.Fatalf("%d held, %d×%d", len(held), train.Rows(), train.Cols)
	}
	for u := range train.Rows() {
		want := d.Positives.Row(u)
		if slices.Contains(held, u) {
			want = nil
		}
		if !slices.Equal(train.Row(u), want) {
			t.Errorf("user %d trains on %v; want %v", u, train.Row(u), want)
		}
	}
	if _, again := d.LeaveUsersOut(0.1, 5); !slices.Equal(held, again) {
		t.Error("the same seed holds other users")
	}
	if _, other := d.LeaveUsersOut(0.1, 6); slices.Equal(held, other) {
		t.Error("another seed holds the same users")
	}
}

// TestArguments: a share or a fold out of range is the programmer's error.
func TestArguments(t *testing.T) {
	d := random(3, 10, 1)
	for name, call := range map[string]func(){
		"one fold": func() { d.Folds(1, 0) }, "fold 5 of 5": func() { d.Fold(5, 5, 0) },
		"share 0": func() { HoldOut(d.Positives, 0, 0) },
		"share 1": func() { d.LeaveUsersOut(1, 0) }, "NaN": func() { d.ByTime(math.NaN()) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(ArgumentError); !ok {
					t.Errorf("%s does not panic with ArgumentError", name)
				}
			}()
			call()
		}()
	}
}

// The digest covers the ids and both parts: it changes with any of them.
func TestDigest(t *testing.T) {
	d, err := Load("../../assets/data/ml-latest-small", Options{})
	if err != nil {
		t.Fatal(err)
	}
	fold := d.Fold(5, 0, 1)
	seen := map[string]bool{d.Digest(fold): true, d.Digest(d.Fold(5, 1, 1)): true,
		d.Digest(Split{Train: fold.Test, Test: fold.Train}): true}
	other, err := Load("../../assets/data/ml-latest-small", Options{MinItem: 6})
	if err != nil {
		t.Fatal(err)
	}
	seen[other.Digest(other.Fold(5, 0, 1))] = true
	if len(seen) != 4 || !seen[d.Digest(d.Fold(5, 0, 1))] {
		t.Errorf("%v", seen)
	}
}

// TestDrawn: draws are in order, the same again, different for each user, and every item is drawn equally often.
func TestDrawn(t *testing.T) {
	row := []int32{2, 3, 5, 7, 11, 13, 17, 19, 23, 29}
	for _, most := range []int{0, 10, 11} {
		if got := Drawn(row, 1, most); !slices.Equal(got, row) {
			t.Errorf("at most %d: %v", most, got)
		}
	}
	const users, most = 10_000, 3
	times := map[int32]int{}
	for u := range users {
		got := Drawn(row, u, most)
		if len(got) != most || !slices.IsSorted(got) || !slices.Equal(got, Drawn(row, u, most)) {
			t.Fatalf("user %d: %v", u, got)
		}
		for _, i := range got {
			times[i]++
		}
	}
	mean := float64(users*most) / float64(len(row)) // 3,000, with a standard deviation of 46
	for _, i := range row {
		if d := float64(times[i]) - mean; d > 250 || d < -250 {
			t.Errorf("%d is drawn %d times, want about %.0f", i, times[i], mean)
		}
	}
}
