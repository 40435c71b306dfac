package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// csvOf writes lines as a file and returns its path.
func csvOf(t *testing.T, lines []line) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("user,item,rating,timestamp\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "%s,%s,%d,%d\n", l.user, l.item, l.rating, l.time)
	}
	path := filepath.Join(t.TempDir(), "ratings.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// namesOf lists the ones of a matrix by the ids, sorted.
func namesOf(d *Dataset, m *Matrix) (out []string) {
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			out = append(out, d.Users.ID(u)+" "+d.Items.ID(int(i)))
		}
	}
	slices.Sort(out)
	return out
}

// likedOf is the rule in plain words: the pairs whose latest rating among the lines is 4 or more.
func likedOf(lines []line) map[string]bool {
	latest, liked := map[string]line{}, map[string]bool{}
	for _, l := range lines {
		k := l.user + " " + l.item
		if old, ok := latest[k]; !ok || l.time >= old.time {
			latest[k] = l
		}
	}
	for k, l := range latest {
		if l.rating >= 4 {
			liked[k] = true
		}
	}
	return liked
}

func sortedKeys(m map[string]bool) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func drawLines(r *rand.Rand, n int) []line {
	lines := []line{{"u0", "i0", 5, 1000}} // fixes the scale, and that there is a like before the rest
	for range n {
		lines = append(lines, line{fmt.Sprint("u", r.IntN(12)), fmt.Sprint("i", r.IntN(9)), 1 + r.IntN(5),
			1001 + r.IntN(40)})
	}
	return append(lines, line{"u1", "i1", 5, 2000})
}

// TestLoadAt holds the split against the rule, written down with maps: likes before the moment are the training part,
// likes from then on that are not among them the test part, and each side is merged by itself.
func TestLoadAt(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 60 {
		lines := drawLines(r, 5+r.IntN(200))
		moment := int64(1001 + r.IntN(41))
		var before, after []line
		for _, l := range lines {
			if int64(l.time) < moment {
				before = append(before, l)
			} else {
				after = append(after, l)
			}
		}
		train, test := likedOf(before), likedOf(after)
		for k := range train {
			delete(test, k)
		}
		d, s, at, err := LoadAt(csvOf(t, lines), Cut{Moment: moment}, Options{})
		if len(test) == 0 {
			if !errors.As(err, new(*EmptyError)) {
				t.Fatalf("without a test part: %v", err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		checkSplit(t, d.Positives, s)
		if got, want := namesOf(d, s.Train), sortedKeys(train); !slices.Equal(got, want) {
			t.Fatalf("trained on %v\nwant %v", got, want)
		}
		if got, want := namesOf(d, s.Test), sortedKeys(test); !slices.Equal(got, want) {
			t.Fatalf("tested on %v\nwant %v", got, want)
		}
		if at != moment {
			t.Errorf("the moment %d became %d", moment, at)
		}
		// No time of the training part is at the moment or later, none of the test part earlier.
		for u := range d.Positives.Rows() {
			for i := d.Positives.Offsets[u]; i < d.Positives.Offsets[u+1]; i++ {
				if late := d.Times[i] >= moment; late == s.Train.Contains(u, d.Positives.Indices[i]) {
					t.Fatalf("user %d: a like of %d, moment %d, late: %t", u, d.Times[i], moment, late)
				}
			}
		}
	}
}

// The share names the moment: with different times exactly round(share·n) likes lie there, and equal times stay
// together.
func TestLoadAtShare(t *testing.T) {
	var lines []line
	for i := range 20 {
		lines = append(lines, line{fmt.Sprint("u", i%5), fmt.Sprint("i", i), 5, 100 + i})
	}
	for _, c := range []struct {
		share  float64
		moment int64
	}{{.2, 116}, {.5, 110}, {.01, 119}, {.99, 101}} {
		d, s, at, err := LoadAt(csvOf(t, lines), Cut{Share: c.share}, Options{})
		if err != nil || at != c.moment || s.Test.Len() != 120-int(c.moment) || d.Positives.Len() != 20 {
			t.Errorf("share %v: moment %d, %d tested, %v", c.share, at, s.Test.Len(), err)
		}
	}
	for i := range lines { // four moments of five likes each
		lines[i].time = 100 + i/5
	}
	_, s, at, err := LoadAt(csvOf(t, lines), Cut{Share: .2}, Options{})
	if err != nil || at != 103 || s.Test.Len() != 5 {
		t.Errorf("moment %d, %d tested, %v", at, s.Test.Len(), err)
	}
	// All likes of the latest moment are tested on, although that is more than was asked for.
	if _, s, at, err = LoadAt(csvOf(t, lines), Cut{Share: .1}, Options{}); err != nil || at != 103 || s.Test.Len() != 5 {
		t.Errorf("moment %d, %d tested, %v", at, s.Test.Len(), err)
	}
}

// Users and items that come after the moment keep their places: they are the cold ones. Minima that are asked for are
// counted before the moment, and take them out.
func TestLoadAtCold(t *testing.T) {
	lines := []line{{"old", "a", 5, 1}, {"old", "b", 5, 2}, {"old", "c", 5, 11}, {"new", "a", 5, 12}, {"rare", "a", 5, 3},
		{"rare", "b", 5, 13}, {"old", "new item", 5, 14}}
	path := csvOf(t, lines)
	d, s, _, err := LoadAt(path, Cut{Moment: 10}, Options{})
	if err != nil || d.Users.Len() != 3 || d.Items.Len() != 4 || s.Train.Len() != 3 || s.Test.Len() != 4 {
		t.Fatalf("%d users, %d items, %v, %v", d.Users.Len(), d.Items.Len(), s, err)
	}
	if u, ok := d.Users.Index("new"); !ok || len(s.Train.Row(u)) != 0 || len(s.Test.Row(u)) != 1 {
		t.Error("the new user is not tested on")
	}
	// "a" has two likes before the moment, though three in all; the new user and the new items are out.
	d, s, _, err = LoadAt(path, Cut{Moment: 10}, Options{MinItem: 2, MinUser: -1})
	if !errors.As(err, new(*EmptyError)) {
		t.Fatalf("%v %v", d, err)
	}
	d, s, _, err = LoadAt(path, Cut{Moment: 10}, Options{MinUser: -1, MinItem: -1})
	if err != nil || d.Items.Len() != 4 {
		t.Fatalf("%v, %v", d, err)
	}
}

func TestLoadAtErrors(t *testing.T) {
	lines := []line{{"u", "a", 5, 100}, {"u", "b", 5, 200}}
	path := csvOf(t, lines)
	var at *MomentError
	for _, moment := range []int64{50, 100, 201} {
		if _, _, _, err := LoadAt(path, Cut{Moment: moment}, Options{}); !errors.As(err, &at) || at.Moment != moment ||
			at.First != 100 || at.Last != 200 {
			t.Errorf("moment %d: %v", moment, err)
		}
	}
	if got := at.Error(); !strings.Contains(got, "1970-01-01T00:03:21Z leaves no likes from then on") {
		t.Error(got)
	}
	if _, _, _, err := LoadAt(csvOf(t, []line{{"u", "a", 5, 7}, {"u", "b", 5, 7}}), Cut{Share: .5},
		Options{}); !errors.As(err, &at) {
		t.Errorf("all at once: %v", err)
	}
	var none *NoTimesError
	timeless := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(timeless, []byte("user,item,rating\nu,a,5\nu,b,4\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := LoadAt(timeless, Cut{Share: .5}, Options{}); !errors.As(err, &none) {
		t.Errorf("without times: %v", err)
	}
	var untimed *UntimedError
	if _, _, _, err := LoadAt(csvOf(t, append(lines, line{"u", "c", 5, 0})), Cut{Share: .5},
		Options{}); !errors.As(err, &untimed) || untimed.Untimed != 1 || untimed.Of != 3 {
		t.Errorf("a time of 0: %v", err)
	}
	for _, text := range []string{"2018-05-01", "1525132800", "1.5.2018"} {
		if got, err := ParseMoment(text); err != nil || FormatMoment(got) != "2018-05-01T00:00:00Z" {
			t.Errorf("%s is %d, %v", text, got, err)
		}
	}
	if _, err := ParseMoment("soon"); err == nil {
		t.Error("soon is no moment")
	}
}

// TestLoadAtShards: what the manifest of a folder of shards says holds for a split at a moment too: its columns, and the
// smallest rating of a like.
func TestLoadAtShards(t *testing.T) {
	type row struct {
		User   string  `parquet:"user"`
		Item   string  `parquet:"item"`
		Rating float32 `parquet:"rating"`
		Time   int64   `parquet:"time"`
	}
	folder := t.TempDir()
	names := []string{ShardName("users", 0, 1), ShardName("items", 0, 1), ShardName("interactions", 0, 1)}
	write(t, folder, names[0], "b\na\n")
	write(t, folder, names[1], "x\nz\ny\n")
	rows := []row{{"a", "x", 3, 10}, {"a", "y", 2, 11}, {"b", "x", 5, 12}, {"b", "y", 3, 30}, {"a", "z", 4, 31}}
	if err := parquet.WriteFile(filepath.Join(folder, names[2]), rows); err != nil {
		t.Fatal(err)
	}
	m := Manifest{Version: 1, Users: 2, Items: 3, Interactions: len(rows), Ratings: true, Times: true, MinRating: 3}
	for _, name := range names {
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		m.Files = append(m.Files, ShardFile{name, info.Size()})
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, ManifestName, string(text))
	d, s, _, err := LoadAt(folder, Cut{Moment: 20}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := namesOf(d, s.Train), []string{"a x", "b x"}; !slices.Equal(got, want) {
		t.Errorf("trained on %v, want %v", got, want)
	}
	if got, want := namesOf(d, s.Test), []string{"a z", "b y"}; !slices.Equal(got, want) {
		t.Errorf("tested on %v, want %v", got, want)
	}
	if d.Users.ID(0) != "b" || d.Items.ID(1) != "z" {
		t.Error("users and items are not numbered as the manifest's files number them")
	}
}
