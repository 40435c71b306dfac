package batch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

const shipped = "../../assets/models/movielens.msgpack"

// whole keeps all users and items.
var whole = dataset.Options{MinUser: -1, MinItem: -1}

// prepared prepares a data set in a temporary folder.
func prepared(t *testing.T, reading Reading, shards int, data ...string) (string, *Prepared) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "shards")
	p, err := Prepare(t.Context(), Preparation{Data: data, Reading: reading, Out: out, Shards: shards,
		Run: testRunner(t)})
	if err != nil {
		t.Fatal(err)
	}
	return out, p
}

// rowsOf reads all Parquet files of a kind as sorted lines.
func rowsOf[T any](t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files %s: %v", pattern, err)
	}
	var out []string
	for _, path := range files {
		rows, err := parquet.ReadFile[T](path)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			out = append(out, fmt.Sprintf("%v", r))
		}
	}
	slices.Sort(out)
	return out
}

// sameRows compares a pipeline's output with the rows computed on one machine.
func sameRows[T any](t *testing.T, pattern string, want []T) {
	t.Helper()
	var lines []string
	for _, r := range want {
		lines = append(lines, fmt.Sprintf("%v", r))
	}
	slices.Sort(lines)
	if got := rowsOf[T](t, pattern); !slices.Equal(got, lines) {
		t.Errorf("%s: %d rows differ from the %d of one machine", pattern, len(got), len(lines))
	}
}

// neighboursOf computes on one machine what Neighbours writes.
func neighboursOf(t *testing.T, d *dataset.Dataset, train *dataset.Matrix, k int) (rows []nearRow) {
	t.Helper()
	near, err := baseline.Neighbours(context.Background(), train, k, baseline.Cosine, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, list := range near {
		for r, n := range list {
			rows = append(rows, nearRow{d.Items.ID(i), int32(r + 1), d.Items.ID(int(n.Item)), n.Score})
		}
	}
	return rows
}

// sameLinks compares the links of a pipeline with one machine's on the likes that count, to the last bit.
func sameLinks(t *testing.T, run Runner, fold, out string, d *dataset.Dataset, train *dataset.Matrix,
	r itemlinks.Recipe, c Counting) {
	t.Helper()
	if err := Links(t.Context(), run, fold, out, r, 3, c); err != nil {
		t.Fatal(err)
	}
	want, err := r.Build(t.Context(), counted(train, c), 0)
	if err != nil {
		t.Fatal(err)
	}
	got, err := itemlinks.ReadFolder(out, d.Items, train.Len(), r)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || got.Links() == 0 {
		t.Errorf("%v: %d links differ from the %d of one machine", r, got.Links(), want.Links())
	}
}

// sameSplit compares a split folder with a split on one machine.
func sameSplit(t *testing.T, folder string, want dataset.Split) *dataset.Dataset {
	t.Helper()
	d, got, err := dataset.LoadFixed(folder, "", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Train, want.Train) || !reflect.DeepEqual(got.Test, want.Test) {
		t.Errorf("%s: %d for training and %d for testing, want %d and %d; or different ones", folder, got.Train.Len(),
			got.Test.Len(), want.Train.Len(), want.Test.Len())
	}
	return d
}

// TestOneDataSetThroughAll runs MovieLens through every pipeline and compares each with the core.
func TestOneDataSetThroughAll(t *testing.T) {
	run := testRunner(t)
	one, err := dataset.Load(small, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	shards, p := prepared(t, Reading{}, 4, small)
	if p.Shards < 2 {
		t.Fatalf("%d shards, too few for this test", p.Shards)
	}
	folder := t.TempDir()
	byTime, err := one.ByTime(.2)
	if err != nil {
		t.Fatal(err)
	}
	splits := []dataset.Split{one.Fold(5, 3, 7), byTime}
	for i, by := range []SplitBy{{Folds: 5, Fold: 3, Seed: 7}, {Latest: .2}} {
		out := filepath.Join(folder, fmt.Sprint("split", i))
		if err := Split(t.Context(), run, shards, out, by); err != nil {
			t.Fatal(err)
		}
		sameSplit(t, out, splits[i])
	}
	fold := filepath.Join(folder, "split0")

	near := filepath.Join(folder, "near")
	if err := Neighbours(t.Context(), run, fold, near, 10, 3, Counting{}); err != nil {
		t.Fatal(err)
	}
	sameRows(t, filepath.Join(near, "near-*"), neighboursOf(t, one, splits[0].Train, 10))

	// A pool with more sources than an item has, one with more than are kept, and the default.
	for i, r := range []itemlinks.Recipe{{Top: 5, Pool: itemlinks.MaxPool, Lambda: 20}, {Top: 10, Pool: 30, Lambda: 50},
		{Top: 10, Lambda: 20}} {
		r.Kind = itemlinks.ByRidge
		sameLinks(t, run, fold, filepath.Join(folder, fmt.Sprint("links", i)), one, splits[0].Train, r, Counting{})
	}

	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	scorer, err := scoring.New(t.Context(), m, one.Users.Strings(), one.Items.Strings(), splits[0].Train, 0)
	if err != nil {
		t.Fatal(err)
	}
	want, err := eval.Evaluate(t.Context(), scorer, splits[0].Train, splits[0].Test, eval.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want.Beyond, want.Slices = nil, nil // computed over all users, which parts lack
	lists, err := eval.Lists(t.Context(), scorer, splits[0].Train, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows []topRow
	for u, list := range lists {
		for r, i := range list {
			rows = append(rows, topRow{one.Users.ID(u), int32(r + 1), one.Items.ID(int(i))})
		}
	}
	top := filepath.Join(folder, "top")
	got, err := Rank(t.Context(), Ranking{Folder: fold, Model: shipped, Out: top, K: 7, Ks: eval.DefaultKs, Run: run})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got the evaluation\n%v, want\n%v", got, want)
	}
	sameRows(t, filepath.Join(top, "top-*"), rows)
	if _, err := os.Stat(filepath.Join(top, EvaluationName)); err != nil {
		t.Error(err)
	}
}

// TestRealData runs Gowalla and the CDs from the file to the neighbours and links.
func TestRealData(t *testing.T) {
	for _, c := range []struct {
		name    string
		reading Reading
	}{{"gowalla-lightgcn", Reading{}}, {"amazon-cds-pmlam-partial", Reading{}}} {
		t.Run(c.name, func(t *testing.T) {
			data := realData(t, c.name)
			one, err := dataset.Load(data, c.reading.options())
			if err != nil {
				t.Fatal(err)
			}
			shards, p := prepared(t, c.reading, 8, data)
			samePreparation(t, shards, p, one, whole)
			fold := filepath.Join(t.TempDir(), "fold")
			if err := Split(t.Context(), testRunner(t), shards, fold, SplitBy{Folds: 5, Seed: 1}); err != nil {
				t.Fatal(err)
			}
			split := one.Fold(5, 0, 1)
			sameSplit(t, fold, split)
			near := filepath.Join(t.TempDir(), "near")
			if err := Neighbours(t.Context(), testRunner(t), fold, near, 20, 4, Counting{}); err != nil {
				t.Fatal(err)
			}
			sameRows(t, filepath.Join(near, "near-*"), neighboursOf(t, one, split.Train, 20))
			sameLinks(t, testRunner(t), fold, filepath.Join(t.TempDir(), "links"), one, split.Train,
				itemlinks.Recipe{Kind: itemlinks.ByRidge, Top: 10, Lambda: 50}, Counting{})
		})
	}
}
