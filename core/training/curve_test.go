package training

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// names are the names of a method's figures: three losses twice, and a margin.
var names = []string{"inner_user_item", "inner_user_user", "inner_item_item", "outer_user_item", "outer_user_user",
	"outer_item_item", "margin"}

// epochs returns epochs with all losses, and a validation every fifth epoch.
func epochs(n int) (all []Epoch) {
	for i := range n {
		x := float64(i)
		e := Epoch{
			Number: i + 1,
			Figures: []float64{
				1.8 / (1 + x/4), 1.2 / (1 + x/9), 0.9 / (1 + x/7),
				1.1 / (1 + x/5), 0.7 / (1 + x/9), 0.6 / (1 + x/7),
				1 + math.Sin(x/9),
			},
			LearnRate: 0.001, NDCG: math.NaN(), Recall: math.NaN(), Seconds: 2.5,
		}
		if i%5 == 4 {
			e.NDCG, e.Recall = 0.24-1/(5+x), 0.19-1/(7+x)
			e.Best = i < n*3/4
			if !e.Best {
				e.NDCG -= 0.01
			}
		}
		all = append(all, e)
	}
	return all
}

func TestTable(t *testing.T) {
	all := epochs(7)
	rows, err := csv.NewReader(bytes.NewReader(CSV(names, all))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 || len(rows[0]) != len(columns(names)) {
		t.Fatalf("%d lines of %d", len(rows), len(rows[0]))
	}
	for i, e := range all {
		for k, c := range columns(names) {
			got, want := rows[i+1][k], c.value(e)
			if got == "" && math.IsNaN(want) {
				continue
			}
			if v, err := strconv.ParseFloat(got, 64); err != nil || v != want {
				t.Errorf("epoch %d, %s: %q, not %v", e.Number, rows[0][k], got, want)
			}
		}
	}
	if rows[5][8] == "" || rows[4][8] != "" {
		t.Error("want empty cells exactly where nothing was measured")
	}
}

func TestWriteFiles(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "folder")
	if err := WriteFiles(folder, names, nil); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{3, 4} {
		if err := WriteFiles(folder, names, epochs(n)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(folder, TableName))
		if err != nil || !bytes.Equal(b, CSV(names, epochs(n))) {
			t.Errorf("%v, %s", err, b)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
	if err := FreeForCurves(folder); err != nil {
		t.Errorf("replacing an earlier curve: %v", err)
	}
	other := t.TempDir()
	if err := FreeForCurves(other); err != nil {
		t.Errorf("an empty folder: %v", err)
	}
	if err := os.WriteFile(filepath.Join(other, TableName), []byte("x,y\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := FreeForCurves(other); err == nil || !strings.Contains(err.Error(), "is not the learning curve") {
		t.Errorf("replacing another table: %v", err)
	}
	file := filepath.Join(folder, TableName)
	if err := WriteFiles(file, names, epochs(3)); err == nil {
		t.Error("a file is accepted as a folder")
	}
}
