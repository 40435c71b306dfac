package margins

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
)

func TestFollow(t *testing.T) {
	var pairs []dataset.Pair
	for u := range 30 {
		for k := range 8 {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32((u + 5*k) % 40)})
		}
	}
	m := dataset.NewMatrix(30, 40, pairs)
	var courses []Course
	for _, name := range []string{"paper", "adaptive"} {
		c, err := pmlam.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Dim, c.Hidden, c.Batch, c.Epochs, c.Candidates = 8, 6, 64, 6, 10
		c.Relations, c.Validation, c.Every = pmlam.NoRelations, 0.2, 3
		course, err := Follow(context.Background(), name, m, c, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(course.Points) != 6 || course.Points[5].Epoch != 6 {
			t.Fatalf("%s: %+v", name, course.Points)
		}
		for _, p := range course.Points {
			if !(p.Margin.Low <= p.Margin.Mean && p.Margin.Mean <= p.Margin.High && p.Margin.Low > 0) {
				t.Errorf("%s: margins %+v", name, p.Margin)
			}
			hinge := p.Weight.Low == math.Trunc(p.Weight.Low) && p.Weight.High == math.Trunc(p.Weight.High)
			if !(p.Weight.Mean > 0 && p.Weight.High <= 1) || hinge != (name == "paper") {
				t.Errorf("%s: weights %+v", name, p.Weight)
			}
			if measured := !math.IsNaN(p.NDCG); measured != (p.Epoch%3 == 0) {
				t.Errorf("%s: NDCG %v in epoch %d", name, p.NDCG, p.Epoch)
			}
		}
		courses = append(courses, course)
	}
	p := Picture("margins", courses)
	var svg, table bytes.Buffer
	if err := p.Draw(&svg, "svg"); err != nil || svg.Len() < 2000 {
		t.Errorf("%v, a picture of %d bytes", err, svg.Len())
	}
	if err := WriteCSV(&table, courses); err != nil || strings.Count(table.String(), "\n") != 13 ||
		!strings.Contains(table.String(), "\nadaptive,1,") {
		t.Errorf("%v\n%s", err, table.String())
	}
}

func TestSpread(t *testing.T) {
	x := make([]float32, 101)
	for i := range x {
		x[100-i] = float32(i)
	}
	if s := spread(x); s != (Spread{50, 10, 90}) {
		t.Errorf("%+v", s)
	}
	if s := spread(nil); !math.IsNaN(s.Mean) {
		t.Errorf("%+v", s)
	}
}
