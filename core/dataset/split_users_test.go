package dataset

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// numbered returns n ids.
func numbered(t *testing.T, prefix string, n int) *IDs {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = prefix + strconv.Itoa(i)
	}
	out, err := NewIDs(ids)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestByUser(t *testing.T) {
	d := random(200, 60, 4)
	s := d.ByUser(0.1, 5)
	counts := map[string]int{}
	for u := range d.Positives.Rows() {
		given, rest := s.Test.Train.Row(u), s.Test.Test.Row(u)
		of := "test"
		if len(given) == 0 {
			of, given, rest = "validation", s.Validation.Train.Row(u), s.Validation.Test.Row(u)
		}
		if len(given) == 0 {
			of, given = "train", s.Train.Row(u)
		}
		counts[of]++
		both := slices.Concat(given, rest)
		slices.Sort(both)
		if !slices.Equal(both, d.Positives.Row(u)) {
			t.Fatalf("user %d, %s: %v and %v are not a partition of %v", u, of, given, rest, d.Positives.Row(u))
		}
		if want := math.Round(float64(len(both)) / 5); of != "train" && float64(len(rest)) != want {
			t.Errorf("user %d: %d of %d likes are to be predicted, want %v", u, len(rest), len(both), want)
		}
	}
	if counts["test"] != 20 || counts["validation"] != 20 || counts["train"] != 160 {
		t.Errorf("users: %v", counts)
	}
	for _, m := range []*Matrix{s.Train, s.Test.Train, s.Test.Test, s.Validation.Train, s.Validation.Test} {
		checkMatrix(t, m)
	}
	if len(s.Train.Indices)+len(s.Test.Train.Indices)+len(s.Test.Test.Indices)+len(s.Validation.Train.Indices)+
		len(s.Validation.Test.Indices) != d.Positives.Len() {
		t.Error("the parts overlap")
	}
	if !reflect.DeepEqual(s, d.ByUser(0.1, 5)) || reflect.DeepEqual(s, d.ByUser(0.1, 6)) {
		t.Error("the split does not follow the seed")
	}
	// The data set of the training users has their rows, and the times that belong to them.
	d.Users = numbered(t, "u", 200)
	d.Catalogue = &catalogue.Catalogue{Items: make([]catalogue.Item, 60)}
	d.Times = make([]int64, d.Positives.Len())
	for u := range 200 {
		for at := d.Positives.Offsets[u]; at < d.Positives.Offsets[u+1]; at++ {
			d.Times[at] = int64(1000*u) + int64(d.Positives.Indices[at])
		}
	}
	d.Low = d.Positives
	part := d.TrainingUsers(s)
	active := 0 // users without likes train nothing
	for u := range 200 {
		if len(s.Train.Row(u)) > 0 {
			active++
		}
	}
	if part.Users.Len() != active || part.Positives.Len() != s.Train.Len() || part.Low.Len() != s.Train.Len() ||
		part.Unliked != nil {
		t.Errorf("%d users with %d likes", part.Users.Len(), part.Positives.Len())
	}
	for v := range part.Users.Len() {
		u, _ := d.Users.Index(part.Users.ID(v))
		if !slices.Equal(part.Positives.Row(v), s.Train.Row(u)) {
			t.Errorf("training user %d has %v, want %v", u, part.Positives.Row(v), s.Train.Row(u))
		}
		for at := part.Positives.Offsets[v]; at < part.Positives.Offsets[v+1]; at++ {
			if want := int64(1000*u) + int64(part.Positives.Indices[at]); part.Times[at] != want {
				t.Errorf("time %d is %d, want %d", at, part.Times[at], want)
			}
		}
	}
	likes := 0
	for i := range part.Catalogue.Items {
		likes += int(part.Catalogue.Items[i].Count)
	}
	if likes != s.Train.Len() {
		t.Errorf("the catalogue counts %d likes, want %d", likes, s.Train.Len())
	}
	for _, share := range []float64{0, 0.5, math.NaN()} {
		func() {
			defer func() {
				if _, ok := recover().(ArgumentError); !ok {
					t.Errorf("share %v does not panic with ArgumentError", share)
				}
			}()
			d.ByUser(share, 1)
		}()
	}
}

func TestTell(t *testing.T) {
	s := random(100, 60, 4).ByUser(0.2, 1).Test
	before := map[int][]int32{}
	for _, n := range []int{1, 3, 5, 1000} {
		told := s.Tell(n, 9)
		for u := range s.Train.Rows() {
			given, row := s.Train.Row(u), told.Train.Row(u)
			if len(given) < n || len(given) == 0 {
				if len(row)+len(told.Test.Row(u)) > 0 {
					t.Errorf("user %d gives %d likes and is measured on %d", u, len(given), n)
				}
				continue
			}
			both := slices.Concat(row, told.Test.Row(u))
			all := slices.Concat(given, s.Test.Row(u))
			slices.Sort(both)
			slices.Sort(all)
			if len(row) != n || !slices.Equal(both, all) {
				t.Errorf("user %d tells %v of %v and is measured on %v", u, row, all, told.Test.Row(u))
			}
			for _, i := range row {
				if !slices.Contains(given, i) {
					t.Errorf("user %d tells %d, which is to be predicted", u, i)
				}
			}
			for _, i := range before[u] {
				if !slices.Contains(row, i) {
					t.Errorf("user %d no longer tells %d with %d likes", u, i, n)
				}
			}
			before[u] = row
		}
	}
	if reflect.DeepEqual(s.Tell(1, 9), s.Tell(1, 8)) {
		t.Error("another seed tells the same likes")
	}
}

// A folder with test_in.txt: train.txt holds other users, and those of the other files are held out.
func TestSplitOfPublishedUsers(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "train.txt", "0 0 1 2\n1 1 3\n2 0 3 4\n")
	write(t, dir, "test_in.txt", "5 0 1\n6 2 4\n")
	write(t, dir, "test.txt", "5 3\n6 0 1\n")
	if SplitsUsers(dir, Options{}) != true || !HasTest(dir, Options{}) {
		t.Fatal("the folder is not recognised")
	}
	read := func() (*Dataset, UserSplit) {
		d, s, err := LoadFixed(dir, "", Options{})
		if err != nil {
			t.Fatal(err)
		}
		return d, SplitUsers(s.Train, d.Validation, s.Test)
	}
	likes := func(d *Dataset, m *Matrix, user string) (ids []string) {
		u, ok := d.Users.Index(user)
		if !ok {
			t.Fatalf("no user %s", user)
		}
		for _, i := range m.Row(u) {
			ids = append(ids, d.Items.ID(int(i)))
		}
		slices.Sort(ids)
		return ids
	}
	d, s := read()
	if s.Train.Len() != 8 || s.Validation.Test.Len() != 0 || d.Positives.Len() != 15 {
		t.Errorf("%d likes to train on, %d to validate on, %d in all", s.Train.Len(), s.Validation.Test.Len(),
			d.Positives.Len())
	}
	write(t, dir, "valid_in.txt", "7 4\n")
	write(t, dir, "valid.txt", "7 0 3\n")
	d, s = read()
	for _, c := range []struct {
		part *Matrix
		user string
		want []string
	}{
		{s.Train, "0", []string{"0", "1", "2"}}, {s.Train, "5", nil}, {s.Train, "7", nil},
		{s.Test.Train, "5", []string{"0", "1"}}, {s.Test.Test, "5", []string{"3"}}, {s.Test.Train, "0", nil},
		{s.Test.Train, "7", nil}, {s.Validation.Train, "7", []string{"4"}}, {s.Validation.Test, "7", []string{"0", "3"}},
		{s.Validation.Train, "5", nil}, {s.Validation.Test, "6", nil},
	} {
		if got := likes(d, c.part, c.user); !slices.Equal(got, c.want) {
			t.Errorf("user %s has %v, want %v", c.user, got, c.want)
		}
	}
	whole, err := Load(dir, Options{MinUser: -1, MinItem: -1})
	if err != nil || whole.Positives.Len() != d.Positives.Len() {
		t.Errorf("read as a whole: %v", err)
	}
	plain := t.TempDir()
	write(t, plain, "train.txt", "0 0 1 2\n1 1 3\n2 0 3 4\n")
	write(t, plain, "test.txt", "0 3\n1 0 2\n")
	if SplitsUsers(plain, Options{}) || !HasTest(plain, Options{}) {
		t.Error("a split of every user's likes is taken for one of the users")
	}
}

// Visits look for each like once, tell the others, and are empty where they would tell or look for nothing.
func TestVisits(t *testing.T) {
	m := NewMatrix(4, 9, []Pair{{0, 1}, {0, 4}, {0, 8}, {1, 2}, {3, 0}, {3, 2}, {3, 3}, {3, 5}, {3, 6}, {3, 7}})
	users := []int{0, 1, 2, 3}
	s := Visits(m, users, 3, 7)
	if s.Train.Rows() != 12 || s.Test.Rows() != 12 {
		t.Fatalf("%d and %d visits", s.Train.Rows(), s.Test.Rows())
	}
	for k, u := range users {
		found := map[int32]int{}
		for f := range 3 {
			told, sought := s.Train.Row(3*k+f), s.Test.Row(3*k+f)
			for _, i := range sought {
				found[i]++
			}
			if all := len(told) + len(sought); len(sought) > 0 && (len(told) == 0 || all != len(m.Row(u))) {
				t.Errorf("user %d tells %v to find %v", u, told, sought)
			}
		}
		for _, i := range m.Row(u) {
			if want := min(1, len(m.Row(u))-1); found[i] != want {
				t.Errorf("user %d looks for %d %d times, want %d", u, i, found[i], want)
			}
		}
	}
	if again := Visits(m, users, 3, 7); !slices.Equal(again.Test.Indices, s.Test.Indices) {
		t.Error("the same seed gives other visits")
	}
}
