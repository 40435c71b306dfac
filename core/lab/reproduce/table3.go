package reproduce

import (
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/pmlam"
)

// Ablation returns the architectures (1) to (8) of the paper's Table 3, under its names. Each is preset paper with the
// change that the row names. Fixed margins are 1, as in the paper. Rows without relations have neither the user-user
// nor the item-item loss. Only the number of epochs is chosen, by one trial.
func Ablation(negatives int, p Protocol) ([]Method, error) {
	base, err := presetConfig("paper", negatives, p)
	if err != nil {
		return nil, err
	}
	base.MarginValue = 1
	var all []Method
	for i, row := range []struct {
		title     string
		points    bool
		margin    pmlam.MarginMode
		input     string
		relations pmlam.RelationMode
	}{
		{"(1) Fix U-I + Deter_Emb", true, pmlam.Fixed, "difference", pmlam.NoRelations},
		{"(2) Fix U-I + Gauss_Emb", false, pmlam.Fixed, "difference", pmlam.NoRelations},
		{"(3) Ada U-I + Deter_Emb", true, pmlam.Adaptive, "difference", pmlam.NoRelations},
		{"(4) Ada U-I, cat + Deter_Emb", true, pmlam.Adaptive, "cat", pmlam.NoRelations},
		{"(5) Ada U-I, add + Deter_Emb", true, pmlam.Adaptive, "add", pmlam.NoRelations},
		{"(6) Ada U-I + Gauss_Emb", false, pmlam.Adaptive, "difference", pmlam.NoRelations},
		{"(7) Ada U-I + Fix U-U + Fix I-I", false, pmlam.Adaptive, "difference", pmlam.FixedRelations},
		{"(8) PMLAM", false, pmlam.Adaptive, "difference", pmlam.AdaptiveRelations},
	} {
		cfg := base
		cfg.Deterministic, cfg.Margin, cfg.Input, cfg.Relations = row.points, row.margin, row.input, row.relations
		name := fmt.Sprintf("ablation-%d", i+1)
		if cfg == base {
			name = paperMethod
		}
		all = append(all, newMethod(name, row.title, cfg, nil))
	}
	return all, nil
}

// comparedRow[i] is the row, from 1, that the paper's text compares row i+1 with; 0: none.
var comparedRow = [8]int{0, 1, 1, 3, 3, 2, 6, 7}

// ablationCells returns the cells of folds, epochs and seconds, which end a row.
func ablationCells(o *Outcome) []Cell {
	return cells(fmt.Sprintf("%d of %d", o.measured(), o.Data.Splits()), o.epochs(), o.seconds())
}

// missingFoldsNote returns the note below a table that lacks folds; none where all were measured.
func missingFoldsNote(all []*Outcome) []string {
	d := all[0].Data
	if !slices.ContainsFunc(all, func(o *Outcome) bool { return o.measured() < d.Splits() }) {
		return nil
	}
	return []string{missingFolds(d)}
}

// missingFolds returns the note that rows may lack folds.
func missingFolds(d *Data) string {
	return fmt.Sprintf("Not all %d folds of every row were measured: see the column folds.", d.Splits())
}

// Table3 returns the ablation on one data set, with the paper's figures next to ours for the same or related data. all
// are outcomes of Ablation's methods.
func Table3(all []*Outcome, p Protocol) Table {
	d := all[0].Data
	r := d.relative()
	theirs, known := paperAblation[r.Paper]
	known = known && r.Same
	t := Table{Title: "Table 3: ablation, " + d.Name, Head: []string{"Architecture"}}
	for i, m := range shown {
		t.Head = append(t.Head, []string{"R@10", "N@10"}[i])
		if known {
			t.Head = append(t.Head, paperHead(m.name)...)
		}
	}
	t.Head = append(t.Head, "R@10 against", "p", "folds", "epochs", "learning, s")
	for i, o := range all {
		row := cells(o.Method.Title)
		for _, m := range shown {
			v, deviation := o.Figure(m.name, tableAt)
			row = append(row, Cell{Text: figureText(v, deviation)})
			if known {
				row = append(row, paperCells(o, m.name, &theirs[i])...)
			}
		}
		step := cells("", "")
		if before := comparedRow[i]; before > 0 && before <= len(all) {
			if c, ok := Compare(o, all[before-1], eval.Recall, p.Seed); ok {
				step = cells(fmt.Sprintf("(%d): %s", before, percent(c.Share)), chance(c.T.P))
			}
		}
		t.Rows = append(t.Rows, append(append(row, step...), ablationCells(o)...))
	}
	t.Legend = []string{fmt.Sprintf("Each row is preset paper with the change that it names; fixed margins are 1; cat "+
		"and add are inputs of the margin network. Epochs are chosen on the validation part (at most %d, stopped "+
		"after %d validations without improvement); other settings are the paper's. p: paired t-test over users "+
		"against the row that the paper's text compares it with.", p.Epochs, p.Patience)}
	if known {
		t.Legend = append(t.Legend, paperNote)
	}
	t.Notes = append(missingFoldsNote(all), deviceNote(all)...)
	if r.Paper != "" {
		t.Notes = append(t.Notes, fmt.Sprintf("Compared with the paper's %s: %s.", r.Paper, r.Note))
	}
	return t
}
