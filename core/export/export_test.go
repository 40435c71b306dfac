package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coder/hnsw"
	"github.com/parquet-go/parquet-go"
	"github.com/sbinet/npyio/npy"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// sample returns vectors that are hard to format: quotes, commas, line breaks, other scripts, a missing title, extreme
// numbers.
func sample(n, h int) Vectors {
	v := Vectors{Name: "items", Rows: gaussian.NewTable(n, h)}
	r := rand.New(rand.NewSource(3))
	titles := []string{"Heat", `"Crocodile" Dundee`, "Good, the Bad, and the Ugly", "Amélie", "七人の侍", "", "two\nlines"}
	for i := range n {
		v.IDs = append(v.IDs, fmt.Sprint(1000+i))
		v.Titles = append(v.Titles, titles[i%len(titles)])
		for d := range v.Rows.Row(i) {
			v.Rows.Row(i)[d] = r.Float32() - .5
		}
	}
	copy(v.Rows.Data(), []float32{math.SmallestNonzeroFloat32, math.MaxFloat32, float32(math.Copysign(0, -1)), 1e-3})
	return v
}

func TestEveryFormatGivesBackWhatWentIn(t *testing.T) {
	for _, n := range []int{2, 1500} { // the second is more than one batch
		v := sample(n, 3)
		v.X, v.Y = make([]float32, n), make([]float32, n)
		for i := range n {
			v.X[i], v.Y[i] = float32(i)/65535, 1-float32(i)/65535
		}
		folder := filepath.Join(t.TempDir(), "new", "folder")
		paths, err := Write(folder, v, Formats()...)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, p := range paths {
			names = append(names, filepath.Base(p))
		}
		if want := []string{"items.npy", "items.ids.csv", "items.parquet", "items.csv"}; !slices.Equal(names, want) {
			t.Fatalf("wrote %q, want %q", names, want)
		}
		same := func(where string, i int, id, title string, row []float32) {
			t.Helper()
			if id != v.IDs[i] || title != v.Titles[i] || row != nil && !slices.EqualFunc(row, v.Rows.Row(i),
				func(a, b float32) bool {
					return math.Float32bits(a) == math.Float32bits(b)
				}) {
				t.Fatalf("%s, row %d: %q %q %v, want %q %q %v", where, i, id, title, row, v.IDs[i], v.Titles[i],
					v.Rows.Row(i))
			}
		}

		lies := func(where string, i int, at []string) {
			t.Helper()
			if !slices.Equal(at, []string{number(v.X[i]), number(v.Y[i])}) {
				t.Fatalf("%s, row %d is at %q, want %v, %v", where, i, at, v.X[i], v.Y[i])
			}
		}

		f, err := os.Open(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r, err := npy.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var values []float32
		if err := r.Read(&values); err != nil {
			t.Fatal(err)
		}
		if d := r.Header.Descr; d.Type != "<f4" || d.Fortran || !slices.Equal(d.Shape, []int{n, 6}) ||
			len(values) != 6*n {
			t.Fatalf("the array is %+v with %d values", d, len(values))
		}
		if start := fileSize(t, paths[0]) - int64(4*len(values)); start%npyAlign != 0 {
			t.Errorf("the values begin at %d, not at a multiple of %d", start, npyAlign)
		}
		for i := range n {
			same("npy", i, v.IDs[i], v.Titles[i], values[6*i:6*i+6])
		}

		ids := table(t, paths[1])
		for i, line := range ids[1:] {
			if line[0] != strconv.Itoa(i) {
				t.Fatalf("ids: row %d says %s", i, line[0])
			}
			same("ids", i, line[1], line[2], nil)
			lies("ids", i, line[3:])
		}

		rows, err := parquet.ReadFile[placed](paths[2])
		if err != nil || len(rows) != n {
			t.Fatalf("parquet: %d rows, %v", len(rows), err)
		}
		for i, row := range rows {
			same("parquet", i, row.ID, row.Title, row.Vector)
			lies("parquet", i, []string{number(row.X), number(row.Y)})
		}

		all := table(t, paths[3])
		if want := []string{"id", "title", "x", "y", "mean_0", "mean_1", "mean_2", "stddev_0", "stddev_1",
			"stddev_2"}; !slices.Equal(all[0], want) {
			t.Fatalf("the columns are %q, want %q", all[0], want)
		}
		for i, line := range all[1:] {
			var row []float32
			lies("csv", i, line[2:4])
			for _, text := range line[4:] {
				x, err := strconv.ParseFloat(text, 32)
				if err != nil {
					t.Fatal(err)
				}
				row = append(row, float32(x))
			}
			same("csv", i, line[0], line[1], row)
		}
	}
}

func fileSize(t *testing.T, path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

func table(t *testing.T, path string) [][]string {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestSameBytesAndNoTitles(t *testing.T) {
	v := sample(5, 2)
	v.Titles = nil // nor places
	var first [][]byte
	for range 2 {
		folder := t.TempDir()
		paths, err := Write(folder, v, Formats()...)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			if len(first) < len(paths) {
				first = append(first, b)
			} else if !bytes.Equal(b, first[i]) {
				t.Errorf("%s differs between runs", filepath.Base(p))
			}
		}
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	v := sample(2, 2)
	if _, err := Write(t.TempDir(), v, "npy", "xlsx"); err == nil || !strings.Contains(err.Error(),
		`"xlsx"; choose from npy, parquet, csv`) {
		t.Errorf("unknown format: %v", err)
	}
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(filepath.Join(taken, "folder"), v, "npy"); err == nil || !strings.Contains(err.Error(),
		"cannot write") {
		t.Errorf("a folder below a file: %v", err)
	}
	defer func() {
		if _, ok := recover().(ShapeError); !ok {
			t.Error("missing ids: no ShapeError")
		}
	}()
	v.IDs = v.IDs[1:]
	Write(t.TempDir(), v, "npy")
}

// Any L2 index can serve the rows: an HNSW graph with usual settings (M = 16, the library's default, and a beam of 50)
// finds 99% of the exact ten nearest films.
func TestAnL2IndexServesTheModel(t *testing.T) {
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	v := Vectors{Name: "items", Rows: m.Items}
	for i := range m.Items.Len() {
		v.IDs = append(v.IDs, m.Catalogue.Items[i].ID)
	}
	if _, err := Write(folder, v, "parquet"); err != nil {
		t.Fatal(err)
	}
	rows, err := parquet.ReadFile[record](filepath.Join(folder, "items.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	g := hnsw.NewGraph[int]()
	g.Rng, g.Distance, g.EfSearch = rand.New(rand.NewSource(1)), hnsw.EuclideanDistance, 50
	for i, row := range rows {
		g.Add(hnsw.MakeNode(i, row.Vector))
	}
	const k = 10
	distances, order := make([]float32, len(rows)), make([]int, len(rows))
	found, all := 0, 0
	for q := 0; q < len(rows); q += 10 {
		vec.SquaredDistances(distances, m.Items.Row(q), m.Items.Data())
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case distances[a] < distances[b]:
				return -1
			case distances[a] > distances[b]:
				return 1
			}
			return 0
		})
		for _, n := range g.Search(rows[q].Vector, k) {
			if slices.Contains(order[:k], n.Key) {
				found++
			}
		}
		all += k
	}
	if share := float64(found) / float64(all); share < 0.99 {
		t.Errorf("the index finds %.4f of the exact top %d, want 0.99", share, k)
	} else {
		t.Logf("the index finds %.4f of the exact top %d", share, k)
	}
}
