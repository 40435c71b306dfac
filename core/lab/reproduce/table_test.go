package reproduce

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
)

// outcomesOf returns outcomes with given figures at every k; a user's value in a fold is the fold's figure plus a small
// constant of the user.
func outcomesOf(t *testing.T, d *Data, figures map[string][]float64) (all []*Outcome) {
	t.Helper()
	methods := some(t)
	for i := range methods {
		values, ok := figures[methods[i].Name]
		if !ok {
			continue
		}
		o := &Outcome{d, &methods[i], make([]*Measurement, d.Splits())}
		for k, v := range values {
			m := &Measurement{Chosen: -1, Seconds: 2, Heap: 3e6, Workers: 1, Items: d.tested(k).Items}
			for at := range Ks {
				m.Recall, m.NDCG = append(m.Recall, v*float64(at+1)/6), append(m.NDCG, v)
			}
			for u := range 40 {
				m.Users = append(m.Users, int32(u))
				m.Recalls = append(m.Recalls, float32(v+float64(u%5)/1000))
				m.NDCGs = append(m.NDCGs, float32(v+float64((u+i)%3)/100))
			}
			o.Folds[k] = m
		}
		all = append(all, o)
	}
	return all
}

func TestFigures(t *testing.T) {
	all := outcomesOf(t, blocks(t), map[string][]float64{"popularity": {.1, .2}, "ease": {.3},
		"pmlam-paper": {.25, .35}})
	if mean, deviation := all[0].Figure(eval.NDCG, 0); abs(mean-.15) > 1e-15 || abs(deviation-.1/math.Sqrt2) > 1e-15 {
		t.Errorf("%v ± %v", mean, deviation)
	}
	if mean, deviation := all[1].Figure(eval.Recall, 5); mean != .3 || !math.IsNaN(deviation) {
		t.Errorf("one fold: %v ± %v", mean, deviation)
	}
	if o := all[2]; o.Method.Name != "pmlam-paper" || best(all, o, eval.NDCG, notOurs).Method.Name != "popularity" ||
		best(all, all[1], eval.NDCG, notOurs) != all[1] {
		t.Error("the best of the others must have the same folds")
	}
	// Users' differences are means over the folds of both: here equal except for rounding, .15 for recall.
	c, ok := Compare(all[2], all[0], eval.Recall, 1)
	if !ok || c.Users != 40 || abs(c.Difference.Value-.15) > 1e-6 || abs(c.Share-1) > 1e-12 || c.T.P > 1e-20 {
		t.Errorf("%+v", c)
	}
	if c, ok := Compare(all[2], all[1], eval.Recall, 1); !ok || abs(c.Difference.Value+.05) > 1e-6 ||
		abs(c.Share+1./6) > 1e-12 {
		t.Errorf("on the one fold with figures of both: %+v", c)
	}
	all[1].Folds[0] = nil
	if _, ok := Compare(all[2], all[1], eval.Recall, 1); ok {
		t.Error("a comparison without figures")
	}
}

// A perfectly ranked user has 1 against a list cut at their test items, and against a list of ten the share of that
// many hits.
func TestWholeIdealList(t *testing.T) {
	d := blocks(t)
	o := outcomesOf(t, d, map[string][]float64{"ease": {1, 1}})[0]
	gains := []float64{0, 1, 1.6309297536, 2.1309297536, 2.5616063117} // of so many hits; of ten 4.5435594
	var want []float64
	for k := range 2 {
		sum := 0.0
		for i, u := range o.Folds[k].Users {
			o.Folds[k].NDCGs[i] = 1
			sum += gains[len(d.Split(k).Test.Row(int(u)))] / 4.5435593381
		}
		want = append(want, sum/40)
	}
	if mean, deviation := o.wholeNDCG(); abs(mean-(want[0]+want[1])/2) > 1e-9 ||
		abs(deviation-abs(want[0]-want[1])/math.Sqrt2) > 1e-9 || mean > 0.6 {
		t.Errorf("%v ± %v, want %v", mean, deviation, want)
	}
	o.Folds[0], o.Folds[1] = nil, nil
	if mean, _ := o.wholeNDCG(); !math.IsNaN(mean) {
		t.Errorf("%v without figures", mean)
	}
}

func TestTable2SaysWhoLoses(t *testing.T) {
	d := blocks(t)
	d.Key = "amazon-cds-pmlam-partial"
	all := outcomesOf(t, d, map[string][]float64{
		"ease": {.3, .3, .3, .3, .3}, "cml": {.2, .2, .2, .2, .2}, "pmlam-paper": {.1, .1, .1, .1, .1},
		"pmlam-hybrid": {.4, .4, .4, .4, .4},
	})
	tables := Table2(all, small)
	text := tables[0].Markdown()
	for _, want := range []string{
		"| CML | 0.0667 ± 0.0000 | 0.0922 | −27.7% | 0.2000 ± 0.0000 | 0.0847 ± 0.0018 | 0.0502 | +68.8% | 5 of 5 | 2 |",
		"| PMLAM, preset hybrid | **0.1333 ± 0.0000\\*\\*\\*** |  |  | **0.4000 ± 0.0000\\*\\*\\*** |",
		"| EASE^R | <u>0.1000 ± 0.0000</u> |",
		"PMLAM, as in the paper loses in Recall@10 to EASE^R (−66.7%), CML (−50.0%).",
		"Compared with the paper's CDs: partial;",
		"The paper does not state the length of NDCG's ideal list.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "hybrid loses") || strings.Contains(text, "Cut to") {
		t.Error(text)
	}
	how := tables[1]
	if len(how.Rows) != 8 || how.Rows[0][2].Text != "EASE^R" || how.Rows[1][2].Text != "CML" ||
		how.Rows[0][8].Text != "***" || !strings.HasPrefix(how.Rows[0][4].Text, "−0.2000 [−0.2") {
		t.Errorf("%+v", how.Rows)
	}
	folds := FoldsTable(all)
	if len(folds.Rows) != 20 || len(folds.Rows[0]) != len(folds.Head) {
		t.Errorf("%d rows of %d", len(folds.Rows), len(folds.Rows[0]))
	}
}

func TestTable1(t *testing.T) {
	d := blocks(t)
	d.Key = "amazon-cds-pmlam-partial"
	text := Table1([]*Data{d, blocks(t)})
	if len(text.Rows) != 4 || text.Rows[1][1].Text != "24,934" || text.Rows[1][3].Text != "478,048" ||
		text.Rows[2][1].Text != "−99.8%" || text.Rows[0][1].Text != "40" {
		t.Errorf("%+v", text.Rows)
	}
}

// Output can be read back: Markdown with equal numbers of cells in each row, CSV by its own reader, LaTeX without
// special characters.
func TestTablesAreWritten(t *testing.T) {
	x := Table{
		Title: `100% of "R&D"_1`, Head: []string{"a|b", "c ± d"}, Notes: []string{"p < 0.05 means *."},
		Rows: [][]Cell{{{`x\y`, Usual}, {"1,5", Best}}, {{"{#$}~^", Second}, {"−2 – 3", Usual}}},
	}
	folder := filepath.Join(t.TempDir(), "new")
	paths, err := WriteTables(folder, "t", []Table{x, x})
	if err != nil || len(paths) != 4 {
		t.Fatal(paths, err)
	}
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	rows, err := csv.NewReader(strings.NewReader(read("t-2.csv"))).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][0] != `x\y` || rows[1][1] != "1,5" || rows[0][0] != "a|b" {
		t.Errorf("%v, %v", rows, err)
	}
	md := read("t.md")
	if want := "| x\\y | **1,5** |\n| <u>{#$}~^</u> | −2 – 3 |\n\np &lt; 0.05 means \\*.\n"; strings.Count(md,
		want) != 2 {
		t.Errorf("%s", md)
	}
	tex := read("t.tex")
	if want := `\textbackslash{}y & \textbf{1,5} \\` + "\n" +
		`\underline{\{\#\$\}\textasciitilde{}\textasciicircum{}} & $-$2 -- 3 \\`; !strings.Contains(tex, want) ||
		!strings.Contains(tex, `\caption{100\% of "R\&D"\_1}`) {
		t.Errorf("%s", tex)
	}
	if strings.Count(tex, "\\begin{tabular}{lr}") != 2 || strings.Count(tex, "\\end{table}") != 2 {
		t.Errorf("%s", tex)
	}
	if _, err := WriteTables(filepath.Join(folder, "t.md"), "t", []Table{x}); err == nil {
		t.Error("a file was accepted as a folder")
	}
}

// The curves of all methods fit into a valid picture in both formats.
func TestFigure3(t *testing.T) {
	given := map[string][]float64{}
	for i, name := range MethodNames() {
		given[name] = []float64{.1 + .01*float64(i)}
	}
	p, table, ok := Figure3(outcomesOf(t, blocks(t), given))
	if !ok || len(table.Rows) != 2*len(given) || len(p.Panels) != 2 || len(p.Panels[0].Lines) != len(given) {
		t.Fatal(ok, len(table.Rows))
	}
	var b bytes.Buffer
	if err := p.Draw(&b, "png"); err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(&b)
	if err != nil || picture.Bounds().Dx() < 900 {
		t.Fatal(err)
	}
	b.Reset()
	if err := p.Draw(&b, "svg"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	for d := xml.NewDecoder(&b); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"PMLAM, preset hybrid", "Recall@k", "NDCG@k"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if _, _, ok := Figure3(outcomesOf(t, blocks(t), map[string][]float64{"ease": nil})); ok {
		t.Error("a picture without measurements")
	}
}

func TestNumbers(t *testing.T) {
	for got, want := range map[string]string{
		withCommas(7): "7", withCommas(1000): "1,000", withCommas(2517343): "2,517,343", withCommas(10020): "10,020",
		percent(.0251): "+2.5%", percent(-.5): "−50.0%", percent(math.NaN()): "–", percent(math.Inf(1)): "–",
		figureText(.12345, .001): "0.1235 ± 0.0010", figureText(.5, math.NaN()): "0.5000", figureText(math.NaN(),
			0): "–",
		signed(-.00002): "−0.0000", signed(.1): "+0.1000", chance(0): "<0.0001", chance(.05): "0.0500",
	} {
		if got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// Tables are inserted only where a page has a place for them.
func TestInsert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	page := "# Title\n\n<!-- generated: a x -->\nold\n<!-- end -->\n\ntext <!-- end -->\n<!-- generated: open -->\n"
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	table := Table{Title: "T", Head: []string{"h", "k"}, Rows: [][]Cell{cells("1", "2")}}
	for range 2 {
		if ok, err := Insert(path, "a x", []Table{table}); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if ok, err := Insert(path, "b", []Table{table}); ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := Insert(path, "open", []Table{table}); err == nil {
		t.Error("a place without an end was accepted")
	}
	got, err := os.ReadFile(path)
	if want := strings.Replace(page, "old\n", "\n"+table.Markdown()+"\n", 1); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

// A page explains its tables once.
func TestInsertLegendsOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	place := "<!-- generated: %s -->\n<!-- end -->\n"
	if err := os.WriteFile(path, fmt.Appendf(nil, place+place, "a", "b"), 0o644); err != nil {
		t.Fatal(err)
	}
	table := Table{Title: "T", Head: []string{"h"}, Legend: []string{"*: ahead", "second"}, Notes: []string{"note"}}
	for range 2 {
		for _, name := range []string{"a", "b"} {
			if _, err := Insert(path, name, []Table{table, table}); err != nil {
				t.Fatal(err)
			}
		}
	}
	page, err := os.ReadFile(path)
	for text, want := range map[string]int{"\n\\*: ahead\n": 1, "\nsecond\n": 1, "\nnote\n": 4} {
		if n := strings.Count(string(page), text); err != nil || n != want {
			t.Errorf("%v: %q occurs %d times, want %d, in\n%s", err, text, n, want, page)
		}
	}
	if len(table.Legend) != 2 {
		t.Error("the table was changed")
	}
}

func TestSpaceTable(t *testing.T) {
	all := some(t, "popularity", "ials", "pmlam-hybrid")
	table := SpaceTable(all)
	text := table.Markdown()
	for _, want := range []string{"| Popularity |  |  | nothing |", "| iALS | dim | 64 | 32, 64, 128 |",
		"|  | lambda | 0.03 | 0.001 to 0.1, by ratio |", "|  | relation_weight |  | 0.02 to 1, by ratio (with " +
			"relations = fixed) |"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
