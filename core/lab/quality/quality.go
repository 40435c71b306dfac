// Package quality draws how good methods are after how many seconds: bench/time_to_quality.sh measures it.
//
// In the flow: rows of comma-separated values → quality → a picture. Native only.
package quality

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/lab/plot"
)

// The columns of the rows: seconds are of the clock.
var columns = []string{"data", "method", "cpu_seconds", "seconds", "recall@20", "ndcg@20"}

// Picture returns the picture of that name: NDCG@20 against seconds, a panel for each data set and a line for each
// method, its points in the order of the rows. The first method of a panel is drawn bold. The error says what of the
// rows is not as it should be, and in which line.
func Picture(name string, rows io.Reader) (plot.Picture, error) {
	p := plot.Picture{Name: name}
	r := csv.NewReader(rows)
	head, err := r.Read()
	if err != nil {
		return p, fmt.Errorf("the names of the columns: %w", err)
	}
	if !slices.Equal(head, columns) {
		return p, fmt.Errorf("the columns are %q and must be %q", head, columns)
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return p, err
		}
		line, _ := r.FieldPos(0)
		seconds, err := strconv.ParseFloat(row[3], 64)
		if err != nil || !(seconds > 0) {
			return p, fmt.Errorf("line %d: %q are no seconds", line, row[3])
		}
		ndcg, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			return p, fmt.Errorf("line %d: %q is no NDCG", line, row[5])
		}
		l := lineOf(panelOf(&p, row[0]), row[1])
		l.X, l.Y = append(l.X, seconds), append(l.Y, ndcg)
	}
	if len(p.Panels) == 0 {
		return p, errors.New("there is no row to draw")
	}
	return p, nil
}

// panelOf returns the panel of a data set, a new one where there is none.
func panelOf(p *plot.Picture, data string) *plot.Panel {
	k := slices.IndexFunc(p.Panels, func(x plot.Panel) bool { return x.Title == data })
	if k < 0 {
		k = len(p.Panels)
		p.Panels = append(p.Panels, plot.Panel{Title: data, X: "seconds", Y: "NDCG@20", LogX: true,
			Legend: plot.Beside})
	}
	return &p.Panels[k]
}

// lineOf returns the line of a method, a new one where there is none.
func lineOf(p *plot.Panel, method string) *plot.Line {
	k := slices.IndexFunc(p.Lines, func(x plot.Line) bool { return x.Name == method })
	if k < 0 {
		k = len(p.Lines)
		p.Lines = append(p.Lines, plot.Line{Name: method, Marks: true, Bold: k == 0})
	}
	return &p.Lines[k]
}
