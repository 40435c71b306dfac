package reproduce

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Table is a table that is written as Markdown, LaTeX and CSV.
type Table struct {
	Title  string
	Head   []string
	Rows   [][]Cell
	Legend []string // sentences that explain such tables; a page has each of them once
	Notes  []string // sentences about this one. Neither is in the CSV
}

// Cell is one cell. The first column is left-aligned, the others right-aligned.
type Cell struct {
	Text string
	Look Look
}

// Look is the emphasis of a cell.
type Look uint8

// Emphases, as in the paper's Table 2.
const (
	Usual  Look = iota
	Best        // bold
	Second      // underlined
)

// cells makes a row of usual cells.
func cells(text ...string) []Cell {
	row := make([]Cell, len(text))
	for i, t := range text {
		row[i].Text = t
	}
	return row
}

// markdown escapes characters that are special in cells and sentences.
var markdown = strings.NewReplacer("|", `\|`, "*", `\*`, "<", "&lt;")

// Markdown returns the table as Markdown, under a heading of the third level.
func (t *Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", t.Title)
	line := func(texts []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(texts, " | ")) }
	line(t.Head)
	rule := make([]string, len(t.Head))
	for i := range rule {
		rule[i] = "---:"
	}
	rule[0] = "---"
	line(rule)
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			texts[i] = markdown.Replace(c.Text)
			switch c.Look {
			case Best:
				texts[i] = "**" + texts[i] + "**"
			case Second:
				texts[i] = "<u>" + texts[i] + "</u>"
			}
		}
		line(texts)
	}
	for _, note := range slices.Concat(t.Legend, t.Notes) {
		fmt.Fprintf(&b, "\n%s\n", markdown.Replace(note))
	}
	return b.String()
}

// latex escapes characters that are special in LaTeX or missing in its usual fonts.
var latex = strings.NewReplacer(
	`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "_", `\_`, "$", `\$`,
	"^", `\textasciicircum{}`, "~", `\textasciitilde{}`, "±", `$\pm$`, "−", "$-$", "–", "--", "≤", `$\leq$`, "<", "$<$",
	"*", `$*$`, "λ", `$\lambda$`, "×", `$\times$`,
)

// LaTeX returns the table as a table environment.
func (t *Table) LaTeX() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\\begin{table}[ht]\n\\centering\n\\caption{%s}\n\\begin{tabular}{l%s}\n\\hline\n",
		latex.Replace(t.Title), strings.Repeat("r", len(t.Head)-1))
	line := func(texts []string) { fmt.Fprintf(&b, "%s \\\\\n", strings.Join(texts, " & ")) }
	head := make([]string, len(t.Head))
	for i, h := range t.Head {
		head[i] = latex.Replace(h)
	}
	line(head)
	b.WriteString("\\hline\n")
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			texts[i] = latex.Replace(c.Text)
			switch c.Look {
			case Best:
				texts[i] = `\textbf{` + texts[i] + "}"
			case Second:
				texts[i] = `\underline{` + texts[i] + "}"
			}
		}
		line(texts)
	}
	b.WriteString("\\hline\n\\end{tabular}\n\\end{table}\n")
	for _, note := range slices.Concat(t.Legend, t.Notes) {
		fmt.Fprintf(&b, "%% %s\n", note)
	}
	return b.String()
}

// CSV returns the table as comma-separated values, the head first.
func (t *Table) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(t.Head) // a buffer: cannot fail
	for _, row := range t.Rows {
		texts := make([]string, len(row))
		for i, c := range row {
			texts[i] = c.Text
		}
		w.Write(texts)
	}
	w.Flush()
	return b.Bytes()
}

// WriteTables writes all tables into folder/name.md and folder/name.tex, and each one as a CSV: name.csv, name-2.csv,
// …. It writes each file atomically and returns the paths.
func WriteTables(folder, name string, tables []Table) (paths []string, err error) {
	if err := durable.OS.MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("cannot create the folder for tables: %w", err)
	}
	write := func(name string, b []byte) {
		if err != nil {
			return
		}
		path := filepath.Join(folder, name)
		paths = append(paths, path)
		err = durable.WriteFile(durable.OS, path, func(w io.Writer) error {
			_, err := w.Write(b)
			return err
		})
	}
	var md, tex []string
	for i := range tables {
		md, tex = append(md, tables[i].Markdown()), append(tex, tables[i].LaTeX())
		file := name + ".csv"
		if i > 0 {
			file = fmt.Sprintf("%s-%d.csv", name, i+1)
		}
		write(file, tables[i].CSV())
	}
	write(name+".md", []byte(strings.Join(md, "\n")))
	write(name+".tex", []byte(strings.Join(tex, "\n")))
	if err != nil {
		return nil, fmt.Errorf("cannot write tables to %s: %w", folder, err)
	}
	return paths, nil
}
