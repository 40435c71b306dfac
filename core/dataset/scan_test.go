package dataset

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// scanAll reads a path file by file and returns what Load is to have merged, and the joined report.
func scanAll(t *testing.T, path string, o Options) ([]Line, Report) {
	t.Helper()
	files, err := Files(path, o)
	if err != nil {
		t.Fatal(err)
	}
	var all []Line
	var reports []Report
	for i := range files {
		r, err := Scan(path, i, o, Scanner{
			Line: func(l Line) error { all = append(all, l); return nil },
			Bad:  func(*ParseError) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	return all, JoinReports(reports)
}

// TestScanIsLoad: scanning all files gives the lines, the report's counts and the threshold of a Load.
func TestScanIsLoad(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"train.txt": "1 5 6 7\n2 5\n3 5 6 7 8\n", "test.txt": "1 9\n3 2\n2 3\n", // the second alone is not a list
	} {
		write(t, folder, name, text)
	}
	for _, path := range []string{small, "testdata/indexed", folder} {
		d, err := Load(path, Options{MinUser: -1, MinItem: -1})
		if err != nil {
			t.Fatal(err)
		}
		lines, r := scanAll(t, path, Options{})
		if len(lines) != d.Read.Interactions || r.Interactions != d.Read.Interactions || r.Lines != d.Read.Lines ||
			r.Format != d.Read.Format || !slices.Equal(r.Files, d.Read.Files) {
			t.Errorf("%s: %d lines, report %+v, want %+v", path, len(lines), r, d.Read)
		}
		if min, err := r.Threshold(path, nil); err != nil || min != d.Read.MinRating {
			t.Errorf("%s: threshold %v, %v, want %v", path, min, err, d.Read.MinRating)
		}
		users := map[string]bool{}
		for _, l := range lines {
			users[l.User] = users[l.User] || r.Likes(l.Rating, d.Read.MinRating)
		}
		n := 0
		for _, likes := range users {
			if likes {
				n++
			}
		}
		if n != d.Users.Len() {
			t.Errorf("%s: %d users, want %d", path, n, d.Users.Len())
		}
		var b bytes.Buffer
		if err := gob.NewEncoder(&b).Encode(r); err != nil {
			t.Errorf("the report does not travel: %v", err)
		}
	}
}

func TestScanStopsWhereItIsTold(t *testing.T) {
	stop := errors.New("stop")
	if _, err := Scan(small, 0, Options{}, Scanner{Line: func(Line) error { return stop }}); err != stop {
		t.Errorf("%v, want %v", err, stop)
	}
	path := filepath.Join(t.TempDir(), "r.csv")
	write(t, filepath.Dir(path), "r.csv", "user,item,rating\na,b,5\na,c,?\n")
	_, err := Scan(path, 0, Options{}, Scanner{Line: func(Line) error { return nil }})
	var bad *ParseError
	if !errors.As(err, &bad) || bad.Line != 3 {
		t.Errorf("%v, want a ParseError of line 3", err)
	}
}

func TestMergeLines(t *testing.T) {
	nan := float32(math.NaN())
	lines := []Line{{Rating: nan, Time: 3, Line: 1}, {Rating: 2, Time: 5, Line: 2}, {Rating: 3, Time: 5, Line: 3},
		{Rating: 4, Time: 1, Line: 4}}
	if got, _ := MergeLines(lines, false); got != lines[2] {
		t.Errorf("%+v, want the last of the latest", got)
	}
	if got, _ := MergeLines(lines, true); got.Rating != 9 || got.Line != 3 {
		t.Errorf("%+v, want the sum 9 at line 3", got)
	}
	lines[2].Time = lines[3].Time + aDay
	for want, from := range map[bool]int{true: 0, false: 3} {
		if _, again := MergeLines(lines[from:], false); again != want {
			t.Errorf("from line %d on, the pair comes again: %v", from, again)
		}
	}
}

func TestSpreadOf(t *testing.T) {
	for _, counts := range [][]int{{}, {3}, {1, 2}, {5, 1, 1, 9, 9, 9}, {2, 2, 2, 7}} {
		often := map[int]int{}
		for _, c := range counts {
			often[c]++
		}
		if got, want := SpreadOf(often), spread(slices.Clone(counts)); got != want {
			t.Errorf("%v: %+v, want %+v", counts, got, want)
		}
	}
}

// TestManifestsThatAreWrong: what a folder of shards says must be what it holds.
func TestManifestsThatAreWrong(t *testing.T) {
	for _, c := range []struct{ manifest, want string }{
		{`{`, "is damaged"},
		{`{"version":2}`, "version 2"},
		{`{"version":1,"users":-1}`, "impossible numbers"},
		{`{"version":1}`, "lists no users"},
		{`{"version":1,"files":[{"name":"../users-00000-of-00001.txt","bytes":0}]}`, "the unexpected file"},
		{`{"version":1,"files":[{"name":"users-00000-of-00001.parquet","bytes":0}]}`, "the unexpected file"},
		{`{"version":1,"files":[{"name":"users-00001-of-00002.txt","bytes":0}]}`, "the unexpected file"},
		{`{"version":1,"files":[{"name":"users-00000-of-00002.txt","bytes":3}]}`, "names 1 of 00002"},
		{`{"version":1,"files":[{"name":"users-00000-of-00001.txt","bytes":4}]}`, "has 3 bytes"},
		{`{"version":1,"files":[{"name":"items-00000-of-00001.txt","bytes":4}]}`, "no such file"},
	} {
		folder := t.TempDir()
		write(t, folder, ManifestName, c.manifest)
		write(t, folder, "users-00000-of-00001.txt", "ab\n")
		write(t, folder, "users-00000-of-00002.txt", "ab\n")
		_, err := Load(folder, Options{})
		var file *FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want a FileError with %q", c.manifest, err, c.want)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"version":1,"users":1,"items":1,"interactions":1,"files":[{"name":"users-00000-of-00001.txt","bytes":2}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, ManifestName), text, 0o644); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadManifest(folder); err == nil {
			t.Errorf("a manifest whose files are not there was taken: %+v", m)
		}
	})
}

func TestFoldsOfIsFolds(t *testing.T) {
	d, err := Load(small, Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := folds(d.Positives, 5, 9)
	var rows []uint16
	for u := range d.Positives.Rows() {
		rows = append(rows, FoldsOf(u, len(d.Positives.Row(u)), 5, 9)...)
	}
	if !reflect.DeepEqual(all, rows) {
		t.Error("the folds of single users differ from the folds of all")
	}
}
