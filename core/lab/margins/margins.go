// Package margins follows the margins and triplet weights of a training, as printed and with preset adaptive: the
// picture of docs/paper.md.
//
// Data flow: pmlam → the picture and its numbers.
package margins

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/plot"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/training"
)

// Spread is a mean with the range from the first to the last tenth.
type Spread struct{ Mean, Low, High float64 }

// Point is one epoch.
type Point struct {
	Epoch  int
	Margin Spread  // m of the triplets of the epoch's last batch
	Weight Spread  // their weights c = ∂L/∂δ: 1 or 0 with the hinge as printed
	NDCG   float64 // NDCG@10 on the validation part; NaN if not measured
}

// Course is a training, epoch by epoch.
type Course struct {
	Name   string
	Points []Point
}

// Follow trains on m with the settings, which have adaptive margins, and returns the margins' course. A training that
// ends early returns its course so far with the error.
func Follow(ctx context.Context, name string, m *dataset.Matrix, c pmlam.Config, workers int) (Course, error) {
	course := Course{Name: name}
	t, err := pmlam.New(ctx, m, c, workers)
	if err != nil {
		return course, err
	}
	_, err = t.Run(ctx, func(e training.Epoch) {
		margins, weights := t.Margins()
		course.Points = append(course.Points, Point{
			Epoch: e.Number, Margin: spread(margins), Weight: spread(weights), NDCG: e.NDCG,
		})
	})
	return course, err
}

// spread returns the mean and the tenths of x, NaN if it is empty. It sorts x. O(n log n).
func spread(x []float32) Spread {
	if len(x) == 0 {
		return Spread{math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(x)
	var sum float64
	for _, v := range x {
		sum += float64(v)
	}
	at := func(share float64) float64 { return float64(x[int(share*float64(len(x)-1))]) }
	return Spread{sum / float64(len(x)), at(0.1), at(0.9)}
}

// Picture draws margins and weights over the epochs, with bars from the first to the last tenth.
func Picture(name string, courses []Course) plot.Picture {
	panel := func(title, y string, of func(*Point) Spread) plot.Panel {
		p := plot.Panel{Title: title, X: "epoch", Y: y, Legend: plot.Beside}
		for _, c := range courses {
			line := plot.Line{Name: c.Name}
			for i := range c.Points {
				s := of(&c.Points[i])
				line.X, line.Y = append(line.X, float64(c.Points[i].Epoch)), append(line.Y, s.Mean)
				low, high := s.Mean, s.Mean
				if i%5 == 4 { // a bar every five epochs
					low, high = s.Low, s.High
				}
				line.Low, line.High = append(line.Low, low), append(line.High, high)
			}
			p.Lines = append(p.Lines, line)
		}
		return p
	}
	return plot.Picture{Name: name, Panels: []plot.Panel{
		panel("Margins", "m", func(p *Point) Spread { return p.Margin }),
		panel("Weights of the triplets", "c", func(p *Point) Spread { return p.Weight }),
	}}
}

// WriteCSV writes the courses as a table, a line for each epoch of each.
func WriteCSV(w io.Writer, courses []Course) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"course", "epoch", "margin", "margin_low", "margin_high", "weight", "weight_low", "weight_high",
		"validation_ndcg@10"}}
	for _, c := range courses {
		for _, p := range c.Points {
			row := []string{c.Name, strconv.Itoa(p.Epoch)}
			for _, v := range []float64{p.Margin.Mean, p.Margin.Low, p.Margin.High,
				p.Weight.Mean, p.Weight.Low, p.Weight.High, p.NDCG} {
				text := ""
				if !math.IsNaN(v) {
					text = fmt.Sprintf("%.4g", v)
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
	}
	return out.WriteAll(rows)
}
