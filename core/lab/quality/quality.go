// Package quality plots the quality of methods against seconds, as measured by bench/time_to_quality.sh.
//
// Data flow: rows of comma-separated values → quality → a picture. Native only.
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

// The columns of the rows; seconds are wall-clock.
var columns = []string{"data", "method", "cpu_seconds", "seconds", "recall@20", "ndcg@20"}

// Picture returns the named picture: NDCG@20 against seconds, a panel for each data set and a line for each method, its
// points in the order of the rows. The first method of a panel is bold. Errors name the fault and the line.
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
			return p, fmt.Errorf("line %d: invalid seconds %q", line, row[3])
		}
		ndcg, err := strconv.ParseFloat(row[5], 64)
		if err != nil {
			return p, fmt.Errorf("line %d: invalid NDCG %q", line, row[5])
		}
		l := lineOf(panelOf(&p, row[0]), row[1])
		l.X, l.Y = append(l.X, seconds), append(l.Y, ndcg)
	}
	if len(p.Panels) == 0 {
		return p, errors.New("no rows to draw")
	}
	return p, nil
}

// panelOf returns the panel of a data set, added if missing.
func panelOf(p *plot.Picture, data string) *plot.Panel {
	k := slices.IndexFunc(p.Panels, func(x plot.Panel) bool { return x.Title == data })
	if k < 0 {
		k = len(p.Panels)
		p.Panels = append(p.Panels, plot.Panel{Title: data, X: "seconds", Y: "NDCG@20", LogX: true,
			Legend: plot.Beside})
	}
	return &p.Panels[k]
}

// lineOf returns the line of a method, added if missing.
func lineOf(p *plot.Panel, method string) *plot.Line {
	k := slices.IndexFunc(p.Lines, func(x plot.Line) bool { return x.Name == method })
	if k < 0 {
		k = len(p.Lines)
		p.Lines = append(p.Lines, plot.Line{Name: method, Marks: true, Bold: k == 0})
	}
	return &p.Lines[k]
}
