//go:build unix

package scale

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/pmlam/pmlam/core/lab/plot"
)

// Memory of a machine that the extrapolation asks about, B.
const Machine = 24 << 30

// growth is one stage over the sizes.
type growth struct {
	stage                string
	n, processor, memory []float64
}

// byStage groups the rows by stage, in order of first appearance.
func byStage(rows []Row) []*growth {
	at := map[string]*growth{}
	var all []*growth
	for _, r := range rows {
		g := at[r.Stage]
		if g == nil {
			g = &growth{stage: r.Stage}
			at[r.Stage], all = g, append(all, g)
		}
		g.n = append(g.n, float64(r.Interactions))
		g.processor = append(g.processor, max(r.Processor, 1e-3))
		g.memory = append(g.memory, float64(max(r.Memory, 1)))
	}
	return all
}

// Picture draws seconds and memory over the sizes, decadic axes.
func Picture(name string, rows []Row) plot.Picture {
	panel := func(title, y string, of func(*growth) []float64, unit float64) plot.Panel {
		p := plot.Panel{Title: title, X: "interactions", Y: y, LogX: true, LogY: true, Legend: plot.Beside}
		for _, g := range byStage(rows) {
			line := plot.Line{Name: g.stage, X: g.n, Marks: true}
			for _, v := range of(g) {
				line.Y = append(line.Y, v/unit)
			}
			p.Lines = append(p.Lines, line)
		}
		return p
	}
	return plot.Picture{Name: name, Panels: []plot.Panel{
		panel("Processor", "seconds", func(g *growth) []float64 { return g.processor }, 1),
		panel("Peak memory", "GiB", func(g *growth) []float64 { return g.memory }, 1<<30),
	}}
}

// WriteTable writes a Markdown table of the exponents, cost ≈ a·Nᵇ: for time over all sizes, and for memory over the
// two largest, because the program's own memory dominates at small ones. It also has the number of interactions that
// fill Machine, if memory grows.
func WriteTable(w io.Writer, rows []Row) error {
	if _, err := fmt.Fprintf(w, "| stage | sizes | time ∝ N^ | memory ∝ N^ | %d GiB at |\n"+
		"| --- | --- | --- | --- | --- |\n", int64(Machine)>>30); err != nil {
		return err
	}
	for _, g := range byStage(rows) {
		time, _ := Exponent(g.n, g.processor)
		largest := max(0, len(g.n)-2)
		memory, a := Exponent(g.n[largest:], g.memory[largest:])
		at := "–"
		if memory > 0.1 {
			at = fmt.Sprintf("%.1e", math.Pow(Machine/a, 1/memory))
		}
		if _, err := fmt.Fprintf(w, "| %s | %d | %s | %s | %s |\n", g.stage, len(g.n), number(time), number(memory),
			at); err != nil {
			return err
		}
	}
	return nil
}

func number(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return fmt.Sprintf("%.2f", v)
}

// WriteCSV writes all rows.
func WriteCSV(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	all := [][]string{{"stage", "interactions", "seconds", "processor_seconds", "memory_bytes", "file_bytes"}}
	for _, r := range rows {
		all = append(all, []string{r.Stage, strconv.Itoa(r.Interactions), fmt.Sprintf("%.2f", r.Seconds),
			fmt.Sprintf("%.2f", r.Processor), strconv.FormatInt(r.Memory, 10), strconv.FormatInt(r.File, 10)})
	}
	return out.WriteAll(all)
}
