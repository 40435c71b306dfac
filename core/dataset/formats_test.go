package dataset

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// none switches the minima off, which small files do not meet.
var none = Options{MinUser: -1, MinItem: -1}

// pairs lists the positives as "user item", in order.
func pairs(d *Dataset, m *Matrix) (out []string) {
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			out = append(out, d.Users.ID(u)+" "+d.Items.ID(int(i)))
		}
	}
	return out
}

// TestFormats reads a small file in each published shape and holds what comes out against what a person reads in it.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		path, format, name string
		positives          string // "user item" in order, cut by ;
		times              []int64
		low                int // −1: no ratings
	}{
		{"ml-100k", "movielens-100k", "MovieLens 100K", "1 1;2 1;2 50;3 1",
			[]int64{874965758, 888550871, 888552084, 889237482}, 1},
		{"ml-100k/u.data", "movielens-100k", "MovieLens 100K", "1 1;2 1;2 50;3 1",
			[]int64{874965758, 888550871, 888552084, 889237482}, 1},
		{"ml-1m", "movielens-dat", "MovieLens 1M", "1 1193;2 1193;2 661", []int64{978300760, 978298413, 978299000}, 0},
		{"ml-latest", "movielens", "MovieLens latest", "1 1;1 3;2 11", []int64{964982703, 964981247, 964983815}, 1},
		{"ml-latest/ratings.csv", "movielens", "MovieLens latest", "1 1;1 3;2 11",
			[]int64{964982703, 964981247, 964983815}, 1},
		{"amazon/ratings_2014.csv", "amazon-ratings", "ratings_2014", "", nil, 0},
		{"amazon/ratings_2018.csv", "amazon-ratings", "ratings_2018", "", nil, 0},
		{"amazon/ratings_2023.csv", "amazon-ratings", "ratings_2023", "", []int64{1588615855, 1589665266}, 0},
		{"amazon/reviews.json", "amazon-reviews", "reviews", "A2TEST00000001 0000013714;A2TEST00000002 B00005N7OG",
			[]int64{1252800000, 1514764800}, 1},
		{"goodreads/interactions.json", "goodreads", "interactions", "", []int64{1312231317, 1501425850}, 0},
		{"goodreads/summary.csv", "csv", "summary", "0 948;0 947", nil, 0},
		{"gowalla", "gowalla", "Gowalla", "0 22847;0 420315;0 316637;1 420315",
			[]int64{1287532527, 1287440263, 1287358923, 1288553195}, -1},
		{"lightgcn", "lightgcn", "lightgcn", "0 0;0 1;0 2;0 3;1 0;1 2;1 3;2 0;2 1;2 3", nil, -1},
		{"lightgcn/train.txt", "adjacency", "train", "0 0;0 1;0 2;1 2;1 3;2 0", nil, -1},
		{"indexed", "indexed", "indexed", "A1004AX2J2HXGL B007MJ9LA2;A1004AX2J2HXGL B00006GNP9;A100G9PJZUCJQW " +
			"B007MJ9LA2", nil, -1},
		{"owner", "delimited", "owner", `anna p-1;bert p "2"`, []int64{1706659200, 1706745600}, 0},
		{"recbole/x.inter", "recbole", "x", "186 302", []int64{891717742}, 0},
	} {
		t.Run(c.path, func(t *testing.T) {
			d, err := Load(filepath.Join("testdata", c.path), none)
			if err != nil {
				t.Fatal(err)
			}
			if d.Read.Format != c.format || d.Name != c.name {
				t.Errorf("read as %q, named %q; want %q, %q", d.Read.Format, d.Name, c.format, c.name)
			}
			got := strings.Join(pairs(d, d.Positives), ";")
			if c.positives != "" && got != c.positives {
				t.Errorf("positives %s; want %s", got, c.positives)
			}
			if c.times != nil && !slices.Equal(d.Times, c.times) {
				t.Errorf("times %v; want %v", d.Times, c.times)
			}
			if (d.Low == nil) != (c.low < 0) || d.Low != nil && d.Low.Len() != c.low {
				t.Errorf("low ratings %v; want %d", d.Low, c.low)
			}
			check(t, d)
		})
	}
}

// check holds what is promised of every data set.
func check(t *testing.T, d *Dataset) {
	t.Helper()
	r := d.Read
	if sum := r.WithheldLikes + r.Duplicates + r.Unrated + r.BelowRating + r.BelowUser + r.BelowItem + r.Kept +
		r.InTrain; sum != r.Interactions {
		t.Errorf("the report accounts for %d of %d interactions: %+v", sum, r.Interactions, r)
	}
	if d.Positives.Rows() != d.Users.Len() || d.Positives.Cols != d.Items.Len() || d.Catalogue.Len() != d.Items.Len() {
		t.Errorf("shapes differ: %d×%d, %d users, %d items, %d described", d.Positives.Rows(), d.Positives.Cols,
			d.Users.Len(), d.Items.Len(), d.Catalogue.Len())
	}
	if (d.Unliked == nil) != (d.Low == nil) || d.Unliked != nil && d.Unliked.Len() > r.BelowRating {
		t.Errorf("rated below the threshold: %v, low ratings: %v, and %d were counted", d.Unliked, d.Low, r.BelowRating)
	}
	if d.Unliked != nil {
		for u := range d.Low.Rows() {
			for _, i := range d.Low.Row(u) {
				if !d.Unliked.Contains(u, i) {
					t.Fatalf("user %d rated item %d low, but not below the threshold", u, i)
				}
			}
			for _, i := range d.Unliked.Row(u) {
				if d.Positives.Contains(u, i) {
					t.Fatalf("user %d likes item %d and does not", u, i)
				}
			}
		}
	}
	if d.Times != nil && len(d.Times) != d.Positives.Len() {
		t.Errorf("%d times for %d positives", len(d.Times), d.Positives.Len())
	}
	checkMatrix(t, d.Positives)
	for i := range d.Items.Len() {
		if j, ok := d.Items.Index(d.Items.ID(i)); !ok || i != j {
			t.Fatalf("item %d has id %q, which has index %d, %v", i, d.Items.ID(i), j, ok)
		}
		if item := d.Catalogue.Items[i]; item.ID != d.Items.ID(i) || item.Title == "" ||
			len(item.Values) != len(d.Catalogue.Columns) {
			t.Fatalf("item %d is described as %+v", i, item)
		}
	}
	for u := range d.Users.Len() {
		if j, ok := d.Users.Index(d.Users.ID(u)); !ok || u != j {
			t.Fatalf("user %d has id %q, which has index %d, %v", u, d.Users.ID(u), j, ok)
		}
	}
}

func checkMatrix(t *testing.T, m *Matrix) {
	t.Helper()
	if m.Offsets[0] != 0 || m.Offsets[m.Rows()] != len(m.Indices) {
		t.Fatalf("offsets run from %d to %d over %d ones", m.Offsets[0], m.Offsets[m.Rows()], len(m.Indices))
	}
	for r := range m.Rows() {
		for k, c := range m.Row(r) {
			if c < 0 || int(c) >= m.Cols || k > 0 && c <= m.Row(r)[k-1] {
				t.Fatalf("row %d is not strictly ascending within %d columns: %v", r, m.Cols, m.Row(r))
			}
		}
	}
}

// TestAmazonOrder distinguishes the order of 2014 (user first) from the order of 2018 (item first).
func TestAmazonOrder(t *testing.T) {
	for _, c := range []struct{ file, item string }{{"ratings_2014.csv", "5555991584"},
		{"ratings_2018.csv", "0001526146"}, {"ratings_2023.csv", "B081TJ8YS3"}} {
		d, err := Load(filepath.Join("testdata/amazon", c.file), none)
		if err != nil {
			t.Fatal(err)
		}
		if d.Items.ID(0) != c.item || !strings.HasPrefix(d.Users.ID(0), "A") || len(d.Users.ID(0)) < 13 {
			t.Errorf("%s: first item %q, first user %q", c.file, d.Items.ID(0), d.Users.ID(0))
		}
	}
}

// TestFixed keeps the published parts apart, in one numbering.
func TestFixed(t *testing.T) {
	d, s, err := LoadFixed("testdata/lightgcn", "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	for name, c := range map[string]struct {
		m    *Matrix
		want string
	}{
		"train":      {s.Train, "0 0;0 1;0 2;1 2;1 3;2 0"},
		"test":       {s.Test, "0 3;1 0"},
		"validation": {d.Validation, "2 1;2 3"},
	} {
		if got := strings.Join(pairs(d, c.m), ";"); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
		if c.m.Rows() != d.Users.Len() || c.m.Cols != d.Items.Len() {
			t.Errorf("%s is %d×%d; want %d×%d", name, c.m.Rows(), c.m.Cols, d.Users.Len(), d.Items.Len())
		}
	}
	if i, _ := d.Items.Index("2"); d.Catalogue.Items[i].Count != 2 {
		t.Errorf("item 2 counts %d; its training part has 2", d.Catalogue.Items[i].Count)
	}
	// Two files; a pair of both parts counts as training.
	dir := t.TempDir()
	write(t, dir, "a.csv", "user,item\n1,10\n1,11\n2,10\n")
	b := write(t, dir, "b.csv", "user,item\n1,11\n2,12\n3,10\n")
	d, s, err = LoadFixed(filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	if got := strings.Join(pairs(d, s.Test), ";"); got != "2 12;3 10" || d.Read.InTrain != 1 {
		t.Errorf("test: %s, %d in train; want 2 12;3 10 and 1", got, d.Read.InTrain)
	}
	// A minimum holds for train, and test follows.
	write(t, dir, "a.csv", "user,item\n1,10\n1,11\n2,10\n3,10\n3,12\n1,12\n")
	d, s, err = LoadFixed(filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv"), Options{MinItem: 2})
	if err != nil {
		t.Fatal(err)
	}
	check(t, d)
	if got := strings.Join(pairs(d, s.Train), ";") + "|" +
		strings.Join(pairs(d, s.Test), ";"); got != "1 10;1 12;2 10;3 10;3 12|2 12" {
		t.Errorf("with at least 2 per item: %s", got)
	}
	// A test part that has nothing in common is an error, not an empty evaluation.
	write(t, dir, "b.csv", "user,item,rating\n1,11,5\n")
	var empty *EmptyError
	if _, _, err = LoadFixed(filepath.Join(dir, "a.csv"), b, Options{}); !errors.As(err, &empty) {
		t.Errorf("rated test interactions with unrated training: %v", err)
	}
	write(t, dir, "b.csv", "user,item\n8,9\n")
	if _, _, err = LoadFixed(filepath.Join(dir, "a.csv"), b, Options{MinUser: 2}); !errors.As(err, &empty) ||
		!empty.Test {
		t.Errorf("a test part of strangers: %v", err)
	}
	// The format of the training part holds for a test part that could be taken for something else.
	write(t, dir, "a.txt", "0 1 2 3\n1 2\n2 1 2\n")
	write(t, dir, "b.txt", "0 4 5\n1 3 4\n")
	d, s, err = LoadFixed(filepath.Join(dir, "a.txt"), filepath.Join(dir, "b.txt"), Options{})
	if err != nil || s.Test.Len() != 4 || d.Read.Format != "adjacency" {
		t.Errorf("two adjacency lists: %v, %v", s.Test, err)
	}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCompressed reads the same from plain, gzip and zstd, whatever the name says.
func TestCompressed(t *testing.T) {
	plain, err := os.ReadFile("testdata/ml-latest/ratings.csv")
	if err != nil {
		t.Fatal(err)
	}
	var gz, zst bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(plain)
	g.Close()
	z, err := zstd.NewWriter(&zst)
	if err != nil {
		t.Fatal(err)
	}
	z.Write(plain)
	z.Close()
	dir := t.TempDir()
	var first *Dataset
	for name, text := range map[string]string{"x.csv": string(plain), "x.csv.gz": gz.String(),
		"x.csv.zst": zst.String(), "misnamed.txt": gz.String()} {
		d, err := Load(write(t, dir, name, text), none)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = d
		}
		if !reflect.DeepEqual(d.Positives, first.Positives) || !slices.Equal(d.Items.Strings(), first.Items.Strings()) {
			t.Errorf("%s reads otherwise", name)
		}
	}
	if _, err := Load(write(t, dir, "torn.gz", gz.String()[:gz.Len()-12]), none); err == nil ||
		!strings.Contains(err.Error(), "breaks off at line") {
		t.Errorf("a torn gzip file: %v", err)
	}
	// In a folder the compressed file stands for the plain one.
	write(t, dir, "movies.csv", "movieId,title,genres\n1,Toy Story (1995),Comedy\n")
	write(t, dir, "ratings.csv.gz", gz.String())
	d, err := Load(dir, none)
	if err != nil || d.Read.Format != "movielens" || d.Catalogue.Items[0].Title != "Toy Story" {
		t.Errorf("a folder with ratings.csv.gz: %v, %v", d, err)
	}
}

// TestFormatsNamed holds every exported format against a reader, so that the help lists none that does not work.
func TestFormatsNamed(t *testing.T) {
	for _, f := range Formats() {
		if readers[f.Name] == nil && f.Name != "indexed" && f.Name != "shards" {
			t.Errorf("format %q has no reader", f.Name)
		}
		if f.Description == "" {
			t.Errorf("format %q has no description", f.Name)
		}
	}
	if _, err := Load("testdata/owner", Options{Format: "lightgcn"}); err == nil ||
		!strings.Contains(err.Error(), "does not hold this format's files") {
		t.Errorf("a folder forced to be another: %v", err)
	}
	if _, err := Load("testdata/gowalla/Gowalla_totalCheckins.txt", Options{Format: "nonsense"}); err == nil ||
		!strings.Contains(err.Error(), "movielens-100k") {
		t.Errorf("an unknown format should list the known ones: %v", err)
	}
	d, err := Load("testdata/lightgcn/train.txt", Options{Format: "adjacency", MinUser: -1, MinItem: -1})
	if err != nil || d.Positives.Len() != 6 {
		t.Errorf("forced: %v %v", d, err)
	}
}
