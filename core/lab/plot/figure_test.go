package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// curves returns n lines in a legend at the side, each in its own place.
func curves(n int) Picture {
	p := Panel{Title: "title", X: "across", Y: "up", Legend: Beside}
	for k := range n {
		p.Lines = append(p.Lines, Line{Name: fmt.Sprintf("line %d", k), X: []float64{0, 1, 2}, Y: []float64{float64(k),
			float64(k + 1), float64(k + 1)}, Marks: true, Bold: k == 0})
	}
	return Picture{Name: "curves", Panels: []Panel{p, p}}
}

// Pictures are valid in both formats, with room for the legend at the side and every line's name in it once.
func TestDraw(t *testing.T) {
	for n, p := range map[int]Picture{
		20: curves(20), 1: curves(1),
		2: {Name: "x", Panels: []Panel{{Square: true, Lines: []Line{{Name: "line 0", X: []float64{0, 1},
			Y: []float64{.2, .8}, Low: []float64{.1, .8}, High: []float64{.3, .8}}, {Name: "line 1", X: []float64{0},
			Y: []float64{1}, Faint: true}}}}},
	} {
		var b bytes.Buffer
		if err := p.Draw(&b, "png"); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		want := 385*len(p.Panels) + 187*min(len(p.Panels)-1, 1)
		if got := picture.Bounds().Dx(); got < want-2 || got > want+2 {
			t.Errorf("%d lines: %d dots wide, not %d", n, got, want)
		}
		b.Reset()
		if err := p.Draw(&b, "svg"); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		for k := range n {
			if got := strings.Count(text, fmt.Sprintf(">line %d<", k)); got != 1 {
				t.Errorf("%d lines: line %d is named %d times", n, k, got)
			}
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
		}
	}
	x := curves(1)
	if err := x.Draw(io.Discard, "gif"); err == nil {
		t.Error("another format was accepted")
	}
}

// No two of the first 24 lines look the same.
func TestLinesDiffer(t *testing.T) {
	seen := map[string]int{}
	for k := range len(colours) * len(dashes) {
		look := fmt.Sprint(colours[k%len(colours)], dashes[k/len(colours)%len(dashes)])
		if other, twice := seen[look]; twice {
			t.Errorf("lines %d and %d look the same", other, k)
		}
		seen[look] = k
	}
	if len(seen) < 24 {
		t.Errorf("%d looks", len(seen))
	}
}

func TestWrite(t *testing.T) {
	p := curves(2)
	folder := filepath.Join(t.TempDir(), "new")
	paths, err := p.Write(folder)
	if err != nil || len(paths) != 2 || filepath.Base(paths[1]) != "curves.svg" {
		t.Fatal(paths, err)
	}
	if _, err := p.Write(paths[0]); err == nil {
		t.Error("a file was accepted as a folder")
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Error(left, err)
	}
}
