package training

import (
	"bytes"
	"encoding/csv"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// names are a method's figures: two times three losses and a margin.
var names = []string{"inner_user_item", "inner_user_user", "inner_item_item", "outer_user_item", "outer_user_user",
	"outer_item_item", "margin"}

// with returns an epoch whose first figure is loss.
func with(number int, loss, margin float64) Epoch {
	return Epoch{Number: number, Figures: []float64{loss, 0, 0, 0, 0, 0, margin}, NDCG: math.NaN()}
}

// epochs of a training with all losses and a validation every fifth epoch.
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
		t.Error("what was not measured is empty, and only that")
	}
}

// The picture has a panel for what there is, dark writing and lines on white, and it does not fail on short, constant
// or strange histories.
func TestPicture(t *testing.T) {
	heights := map[string]int{}
	for name, all := range map[string][]Epoch{
		"all":      epochs(60),
		"one":      epochs(1),
		"few":      epochs(6),
		"constant": {with(1, 2, 1), with(2, 2, 1)},
		"zero":     {with(1, 0, 0), with(2, 0, 0)},
		"infinite": {with(1, math.Inf(1), 0), with(2, 1, 0)},
	} {
		b, err := PNG(names, all)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if folder := os.Getenv("PMLAM_PICTURES"); folder != "" {
			if err := os.WriteFile(filepath.Join(folder, name+".png"), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		picture, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		size := picture.Bounds()
		heights[name] = size.Dy()
		dark, white := 0, 0
		for y := range size.Dy() {
			for x := range size.Dx() {
				switch g := color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y; {
				case g < 60:
					dark++
				case g > 250:
					white++
				}
			}
		}
		if corner := color.GrayModel.Convert(picture.At(0, 0)).(color.Gray).Y; corner != 255 ||
			white < size.Dx()*size.Dy()*3/4 || dark < 300 {
			t.Errorf("%s: %d×%d with %d dark and %d white points, corner %d", name, size.Dx(), size.Dy(), dark, white,
				corner)
		}
	}
	one := heights["zero"]
	if heights["all"] != 3*one || heights["few"] != 3*one || heights["one"] != one || heights["constant"] != one {
		t.Errorf("the heights are %v", heights)
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
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("%v, %v", left, err)
	}
	file := filepath.Join(folder, TableName)
	if err := WriteFiles(file, names, epochs(3)); err == nil {
		t.Error("a file was taken for a folder")
	}
}
