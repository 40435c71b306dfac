package reproduce

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/eval"
)

// shown are the figures of tables.
var shown = []struct{ name, title string }{{eval.Recall, "Recall@10"}, {eval.NDCG, "NDCG@10"}}

// notOurs accepts methods other than PMLAM; fromPaper accepts the baselines that the paper compares with.
func notOurs(m *Method) bool   { return m.Kind != Ours }
func fromPaper(m *Method) bool { return m.Kind != Ours && m.Paper != "" }

// Table2 returns the figures of all methods on one data set and, if PMLAM was measured with others, its comparisons
// with the best of them. all are outcomes on the same data.
func Table2(all []*Outcome, p Protocol) []Table {
	d := all[0].Data
	tables := []Table{quality("Table 2: "+d.Name, all, p)}
	if tests := significance("Table 2, significance: "+d.Name, all, p); len(tests.Rows) > 0 {
		tables = append(tables, tests)
	}
	return tables
}

// quality returns the table of figures.
func quality(title string, all []*Outcome, p Protocol) Table {
	d := all[0].Data
	r := d.relative()
	t := Table{Title: title, Head: []string{"Method"}}
	for _, m := range shown {
		t.Head = append(t.Head, m.title)
		if r.Same {
			t.Head = append(t.Head, paperHead(m.name)...)
		}
	}
	t.Head = append(t.Head, "folds", "trials", "epochs", "learning, s", "memory, MB")
	ranked := map[string][]float64{}
	for _, m := range shown {
		var values []float64
		for _, o := range all {
			if v, _ := o.Figure(m.name, tableAt); !math.IsNaN(v) {
				values = append(values, v)
			}
		}
		slices.Sort(values)
		slices.Reverse(values)
		ranked[m.name] = values
	}
	short := false
	for _, o := range all {
		row := cells(o.Method.Title)
		for _, m := range shown {
			v, deviation := o.Figure(m.name, tableAt)
			c := Cell{Text: figureText(v, deviation)}
			if top := ranked[m.name]; len(top) > 0 && v == top[0] {
				c.Look = Best
			} else if len(top) > 1 && v == top[1] {
				c.Look = Second
			}
			if o.Method.Kind == Ours && !math.IsNaN(v) {
				c.Text += o.mark(all, m.name)
			}
			row = append(row, c)
			if r.Same {
				var theirs *pair
				if x, ok := paperQuality[r.Paper][o.Method.Paper]; ok {
					theirs = &x
				}
				row = append(row, paperCells(o, m.name, theirs)...)
			}
		}
		n := o.measured()
		short = short || n < d.Splits()
		row = append(row, cells(fmt.Sprintf("%d of %d", n, d.Splits()), fmt.Sprint(o.Method.trials(p.Trials)),
			o.epochs(), o.seconds(), o.memory())...)
		t.Rows = append(t.Rows, row)
	}
	t.Legend = []string{fmt.Sprintf("Mean ± standard deviation over folds; the best is bold, the second underlined. "+
		"*, **, ***: a PMLAM that leads the best other method with p ≤ 0.05, 0.01, 0.001 (paired t-test over users). "+
		"Trials are per fold, on a validation part of %g%% of each user's training items; the first has the defaults. "+
		"Epochs are chosen there (mean over folds; at most %d; methods with a constant learning rate stop after %d "+
		"validations without improvement).", 100*validation, p.Epochs, p.Patience)}
	if r.Same {
		t.Legend = append(t.Legend, paperNote)
	}
	t.Notes = notesOf(all, short)
	return t
}

// mark returns the stars of a PMLAM that leads the best other method; otherwise "".
func (o *Outcome) mark(all []*Outcome, metric string) string {
	than := best(all, o, metric, notOurs)
	if than == nil {
		return ""
	}
	if mine, theirs, _ := together(o, than, metric); mine <= theirs {
		return ""
	}
	return eval.Stars(eval.PairedT(differences(o, than, metric)).P)
}

// notesOf returns the notes below the table of figures.
func notesOf(all []*Outcome, short bool) (notes []string) {
	d := all[0].Data
	r := d.relative()
	if r.Paper != "" {
		notes = append(notes, fmt.Sprintf("Compared with the paper's %s: %s.", r.Paper, r.Note))
	}
	switch {
	case short && d.Splits() == 1:
		notes = append(notes, "Rows without figures were not measured.")
	case short:
		notes = append(notes, missingFolds(d)+" A mean over fewer folds is less certain.")
	}
	notes = append(notes, fmt.Sprintf("Hinge and pairwise losses draw %d negatives per pair.", r.Negatives))
	notes = append(notes, deviceNote(all)...)
	for _, o := range all {
		if why := o.failed(); why != "" {
			notes = append(notes, fmt.Sprintf("%s: %s.", o.Method.Title, strings.TrimSuffix(why, ".")))
		}
	}
	return append(notes, losses(all)...)
}

// losses lists the methods that each PMLAM is behind, on the folds measured for both.
func losses(all []*Outcome) (notes []string) {
	for _, o := range all {
		if o.Method.Kind != Ours || o.measured() == 0 {
			continue
		}
		for _, m := range shown {
			var ahead []string
			for _, other := range all {
				if mine, v, folds := together(o, other, m.name); notOurs(other.Method) && folds > 0 && v > mine {
					ahead = append(ahead, fmt.Sprintf("%s (%s)", other.Method.Title, percent(relativeTo(mine, v))))
				}
			}
			if len(ahead) > 0 {
				notes = append(notes, fmt.Sprintf("%s loses in %s to %s.", o.Method.Title, m.title,
					strings.Join(ahead, ", ")))
			}
		}
	}
	return notes
}

// significance compares each PMLAM with the best of all other methods and with the best of the paper's baselines.
func significance(title string, all []*Outcome, p Protocol) Table {
	t := Table{Title: title, Head: []string{"Method", "metric", "against", "users", "difference [95%]", "improvement",
		"t", "p", "mark", "signed ranks, p"}}
	for _, o := range all {
		if o.Method.Kind != Ours {
			continue
		}
		for _, m := range shown {
			against := []*Outcome{best(all, o, m.name, notOurs)}
			if second := best(all, o, m.name, fromPaper); second != against[0] {
				against = append(against, second)
			}
			for _, than := range against {
				if than == nil {
					continue
				}
				c, ok := Compare(o, than, m.name, p.Seed)
				if !ok {
					continue
				}
				e := c.Difference
				t.Rows = append(t.Rows, cells(o.Method.Title, m.title, than.Method.Title, withCommas(c.Users),
					fmt.Sprintf("%s [%s, %s]", signed(e.Value), signed(e.Low), signed(e.High)), percent(c.Share),
					fmt.Sprintf("%.2f", c.T.Statistic), chance(c.T.P), eval.Stars(c.T.P), chance(c.W.P)))
			}
		}
	}
	t.Legend = []string{"Each PMLAM against the best of all other methods and the best of the paper's. Each user " +
		"counts once, with the mean over folds. Interval: bootstrap over users. t, p: paired t-test; last column: " +
		"Wilcoxon's signed-rank test; both two-sided. A mark on a negative difference: PMLAM is behind by more than " +
		"chance. Picking the best rival by the same figures favours the rival a little."}
	return t
}

// signed writes a difference with its sign.
func signed(x float64) string {
	s := fmt.Sprintf("%+.4f", x)
	if s[0] == '-' {
		s = "−" + s[1:]
	}
	return s
}

// chance writes a probability.
func chance(p float64) string {
	if p < 0.0001 {
		return "<0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// epochs returns the number of epochs that validation chose, as a mean over folds.
func (o *Outcome) epochs() string {
	if !o.Method.epochs || o.measured() == 0 {
		return ""
	}
	e := o.average(func(m *Measurement) float64 {
		if m.Chosen < 0 {
			return 0
		}
		return float64(m.Trials[m.Chosen].Epochs)
	})
	return fmt.Sprintf("%.0f", e)
}

// seconds returns the mean training time of a fold; "" where folds were trained on different devices.
func (o *Outcome) seconds() string {
	if len(o.devices()) != 1 {
		return ""
	}
	return fmt.Sprintf("%.1f", o.average(func(m *Measurement) float64 { return m.Seconds }))
}

// memory returns the largest heap growth of any fold, in MB; "" where it was not measured.
func (o *Outcome) memory() string {
	most := uint64(0)
	for k, m := range o.Folds {
		if o.has(k) {
			most = max(most, m.Heap)
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(most)/1e6)
}

// FoldsTable returns every fold's figures, chosen trial and settings, for further computation.
func FoldsTable(all []*Outcome) Table {
	t := Table{Title: "Every fold", Head: []string{"dataset", "method", "fold"}}
	for _, m := range shown {
		for _, k := range Ks {
			t.Head = append(t.Head, eval.Key(m.name, k))
		}
	}
	t.Head = append(t.Head, "trials", "chosen", "settings", "epochs", "seconds", "bytes", "device")
	for _, o := range all {
		for k, m := range o.Folds {
			if !o.has(k) {
				continue
			}
			row := cells(o.Data.Name, o.Method.Name, fmt.Sprint(k))
			for _, metric := range shown {
				for at := range Ks {
					row = append(row, Cell{Text: fmt.Sprintf("%.6f", m.figure(metric.name, at))})
				}
			}
			settings, epochs := "", ""
			if m.Chosen >= 0 {
				chosen := m.Trials[m.Chosen]
				var parts []string
				for _, p := range o.Method.Space {
					if v, ok := chosen.Values[p.Name]; ok {
						parts = append(parts, p.Name+"="+v)
					}
				}
				settings, epochs = strings.Join(parts, " "), fmt.Sprint(chosen.Epochs)
			}
			t.Rows = append(t.Rows, append(row, cells(fmt.Sprint(len(m.Trials)), fmt.Sprint(m.Chosen), settings, epochs,
				fmt.Sprintf("%.2f", m.Seconds), fmt.Sprint(m.Heap), cmp.Or(m.Device, "cpu"))...))
		}
	}
	return t
}
