package curves

import (
	"bytes"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/training"
)

// names are a method's figures: two times three losses and a margin.
var names = []string{"inner_user_item", "inner_user_user", "inner_item_item", "outer_user_item", "outer_user_user",
	"outer_item_item", "margin"}

// with returns an epoch whose first figure is loss.
func with(number int, loss, margin float64) training.Epoch {
	return training.Epoch{Number: number, Figures: []float64{loss, 0, 0, 0, 0, 0, margin}, NDCG: math.NaN()}
}

// epochs of a training with all losses and a validation every fifth epoch.
func epochs(n int) (all []training.Epoch) {
	for i := range n {
		x := float64(i)
		e := training.Epoch{
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

// The picture has a panel for every measured kind, dark text and lines on white, and it handles short, constant and odd
// histories.
func TestPicture(t *testing.T) {
	heights := map[string]int{}
	for name, all := range map[string][]training.Epoch{
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

// Draw draws what training.WriteFiles wrote.
func TestDraw(t *testing.T) {
	folder := t.TempDir()
	if err := training.WriteFiles(folder, names, epochs(12)); err != nil {
		t.Fatal(err)
	}
	path, err := Draw(folder)
	if err != nil {
		t.Fatal(err)
	}
	want, err := PNG(names, epochs(12))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not the picture of the training, %v", path, err)
	}
	figures, _, err := read(bytes.NewReader(training.CSV(names, epochs(3))))
	if err != nil || !reflect.DeepEqual(figures, names) {
		t.Errorf("figures %v, %v", figures, err)
	}
	if _, err := Draw(t.TempDir()); err == nil {
		t.Error("a folder without a table was drawn")
	}
	for text, says := range map[string]string{
		"":                     "not a table of learning curves",
		"user,item\n1,2\n":     "not a table of learning curves",
		table("x"):             `line 2: epoch is "x", which is not a number`,
		table("2"):             "line 2: the epoch is 2, not 1",
		table("1")[:len(head)]: "it has no epochs yet",
	} {
		if err := os.WriteFile(filepath.Join(folder, training.TableName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Draw(folder); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want an error with %q", text, err, says)
		}
	}
}

const head = "epoch,loss,validation_ndcg@10,validation_recall@10,learning_rate,seconds,best\n"

func table(number string) string { return head + number + ",1,,,0.1,2,0\n" }
