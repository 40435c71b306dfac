package dataset

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// line is an interaction as the plain versions below see it.
type line struct {
	user, item string
	rating     int
	time       int
}

// plain does what the package does with maps and slices, straight from the rules.
func plain(lines []line, min, minUser, minItem int, onePass bool) (kept []string, duplicates int) {
	latest := map[[2]string]line{}
	var order [][2]string
	for _, l := range lines {
		k := [2]string{l.user, l.item}
		old, ok := latest[k]
		if !ok {
			order = append(order, k)
		} else {
			duplicates++
		}
		if !ok || l.time >= old.time {
			latest[k] = l
		}
	}
	var positives [][2]string
	for _, k := range order {
		if latest[k].rating >= min {
			positives = append(positives, k)
		}
	}
	for {
		users, items := map[string]int{}, map[string]int{}
		for _, k := range positives {
			users[k[0]]++
			items[k[1]]++
		}
		left := slices.DeleteFunc(slices.Clone(positives),
			func(k [2]string) bool { return users[k[0]] < minUser || items[k[1]] < minItem })
		done := len(left) == len(positives)
		positives = left
		if done || onePass {
			break
		}
	}
	for _, k := range positives {
		kept = append(kept, k[0]+" "+k[1])
	}
	slices.Sort(kept)
	return kept, duplicates
}

// TestAgainstPlain compares merging, threshold and filters with the plain version on random files of every density,
// in random order, with duplicates and equal times.
func TestAgainstPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	dir := t.TempDir()
	for run := range 60 {
		var lines []line
		text := "user,item,rating,time\n"
		for range 20 + r.IntN(400) {
			l := line{fmt.Sprintf("u%d", r.IntN(12)), fmt.Sprintf("i%d", r.IntN(25)), 1 + r.IntN(5), 1 + r.IntN(6)}
			lines = append(lines, l)
			text += fmt.Sprintf("%s,%s,%d,%d\n", l.user, l.item, l.rating, l.time)
		}
		path := write(t, dir, "x.csv", text)
		for _, onePass := range []bool{false, true} {
			o := Options{MinUser: 1 + r.IntN(6), MinItem: 1 + r.IntN(5), OnePass: onePass}
			min := float64(1 + r.IntN(5))
			o.MinRating = &min
			want, duplicates := plain(lines, int(min), o.MinUser, o.MinItem, onePass)
			d, err := Load(path, o)
			if len(want) == 0 {
				if err == nil {
					t.Fatalf("run %d: %d positives where there should be none", run, d.Positives.Len())
				}
				continue
			}
			if err != nil {
				t.Fatalf("run %d: %v", run, err)
			}
			check(t, d)
			got := pairs(d, d.Positives)
			slices.Sort(got)
			if !slices.Equal(got, want) || d.Read.Duplicates != duplicates {
				t.Fatalf("run %d, %+v: kept %v; want %v; %d duplicates, want %d", run, o, got, want, d.Read.Duplicates,
					duplicates)
			}
			// Users and items are numbered by first appearance.
			at := func(find func(line) string, id string) int {
				return slices.IndexFunc(lines, func(l line) bool { return find(l) == id })
			}
			if !slices.IsSortedFunc(d.Users.Strings(), func(a, b string) int {
				return cmp.Compare(at(func(l line) string { return l.user }, a),
					at(func(l line) string { return l.user }, b))
			}) || !slices.IsSortedFunc(d.Items.Strings(), func(a, b string) int {
				return cmp.Compare(at(func(l line) string { return l.item }, a),
					at(func(l line) string { return l.item }, b))
			}) {
				t.Fatalf("run %d: not in the order of first appearance", run)
			}
		}
	}
}

// TestDuplicates: the latest rating counts; among equal times the last line does; so does it without times.
func TestDuplicates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"user,item,rating,time\n1,2,5,100\n1,2,1,90\n1,3,5,1\n", "1 2;1 3"},
		{"user,item,rating,time\n1,2,5,100\n1,2,1,110\n1,3,5,1\n", "1 3"},
		{"user,item,rating,time\n1,2,1,100\n1,2,5,100\n1,3,5,1\n", "1 2;1 3"},
		{"user,item,rating\n1,2,1\n1,2,5\n1,3,5\n1,3,2\n", "1 2"},
		{"user,item,time\n1,2,7\n1,2,9\n1,3,5\n", "1 2;1 3"},
		{"user,item,rating\n1,2,\n1,3,5\n", "1 3"},
	} {
		d, err := Load(write(t, t.TempDir(), "x.csv", c.text), none)
		if err != nil {
			t.Fatal(err)
		}
		check(t, d)
		if got := strings.Join(pairs(d, d.Positives), ";"); got != c.want {
			t.Errorf("%q: %s; want %s", c.text, got, c.want)
		}
		if strings.Contains(c.text, "item,time") && d.Times[0] != 9 {
			t.Errorf("the latest time counts: %v", d.Times)
		}
	}
}

// TestRepeats counts pairs that come again after a day or more, and says when people choose items again.
func TestRepeats(t *testing.T) {
	const day = 86400
	line := func(user, item, time int) string { return fmt.Sprintf("%d,%d,%d\n", user, item, time) }
	text := "user,item,time\n" + line(1, 1, 5*day) + line(1, 1, 4*day) + // a day apart
		line(1, 2, day) + line(1, 2, 2*day-1) + // of a day
		line(2, 1, day) + line(2, 2, day) + line(2, 3, day)
	d, err := Load(write(t, t.TempDir(), "x.csv", text), none)
	if err != nil {
		t.Fatal(err)
	}
	if r := &d.Read; r.Repeats != 1 || r.Pairs != 5 || !r.ComesAgain() ||
		!strings.Contains(r.String(), "1 of 5 pairs of user and item come again after a day or more") {
		t.Errorf("%d of %d pairs come again; %s", r.Repeats, r.Pairs, r)
	}
	d, err = Load(write(t, t.TempDir(), "x.csv", text+line(3, 1, day)), none)
	if err != nil || d.Read.Repeats != 1 || d.Read.ComesAgain() {
		t.Errorf("one of %d pairs comes again, and that is enough; %v", d.Read.Pairs, err)
	}
}

// TestManyChunks moves records across chunks, out of order, and merges them.
func TestManyChunks(t *testing.T) {
	const users, items = 1000, 500
	var s records
	r := rand.New(rand.NewPCG(5, 6))
	last := map[[2]int32]int64{}
	for n := range 3*chunkSize + 17 {
		x := record{user: r.Int32N(users), item: r.Int32N(items)}
		x.setTime(int64(n)<<20 - 1<<40)
		last[[2]int32{x.user, x.item}] = x.time()
		s.add(x)
	}
	n := s.n
	offsets, dropped, _ := s.merge(users, false)
	if s.n != len(last) || dropped != n-len(last) || offsets[users] != s.n {
		t.Fatalf("%d records of %d are left, %d dropped; want %d", s.n, n, dropped, len(last))
	}
	for i := range s.n {
		x := s.at(i)
		if x.time() != last[[2]int32{x.user, x.item}] {
			t.Fatalf("record %d has time %d; want the last, %d", i, x.time(), last[[2]int32{x.user, x.item}])
		}
		if i > 0 {
			if p := s.at(i - 1); p.user > x.user || p.user == x.user && p.item >= x.item {
				t.Fatalf("records %d and %d are out of order", i-1, i)
			}
		}
		if i < offsets[x.user] || i >= offsets[x.user+1] {
			t.Fatalf("record %d of user %d lies outside [%d, %d)", i, x.user, offsets[x.user], offsets[x.user+1])
		}
	}
}
