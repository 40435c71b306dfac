package reproduce

import (
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/lab/plot"
)

// Figure3 plots Recall@k and NDCG@k of all methods on one data set against k, and returns the same figures as a table.
// It returns false without measurements.
func Figure3(all []*Outcome) (plot.Picture, Table, bool) {
	d := all[0].Data
	t := Table{Title: "Figure 3: " + d.Name, Head: []string{"Method", "metric"}}
	for _, k := range Ks {
		t.Head = append(t.Head, fmt.Sprintf("k = %d", k))
	}
	// PMLAM comes first, in the strongest colours and with solid lines.
	ordered := slices.Clone(all)
	slices.SortStableFunc(ordered, func(a, b *Outcome) int { return int(b.Method.Kind) - int(a.Method.Kind) })
	p := plot.Picture{Name: "figure3-" + d.Key}
	for _, m := range shown {
		title := map[string]string{"Recall@10": "Recall@k", "NDCG@10": "NDCG@k"}[m.title]
		panel := plot.Panel{Title: title + ", " + d.Name, X: "k", Y: title, Legend: plot.Beside}
		for _, o := range ordered {
			line := plot.Line{Name: o.Method.Title, Marks: true, Bold: o.Method.Kind == Ours}
			row := cells(o.Method.Title, title)
			for at, k := range Ks {
				v, _ := o.Figure(m.name, at)
				if !math.IsNaN(v) {
					line.X, line.Y = append(line.X, float64(k)), append(line.Y, v)
				}
				row = append(row, Cell{Text: figureText(v, math.NaN())})
			}
			if len(line.X) > 0 {
				panel.Lines = append(panel.Lines, line)
				t.Rows = append(t.Rows, row)
			}
		}
		p.Panels = append(p.Panels, panel)
	}
	p.Tall = len(p.Panels[0].Lines) > 6
	t.Notes = []string{"Means over the measured folds."}
	return p, t, len(t.Rows) > 0
}
