package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/internal/people"
)

// Reading describes how one file was understood, so its owner can check it.
type Reading struct {
	File   string
	Format string // a name of Formats
	Packed string // "gzip", "zstd", "zip"; "" where it is not
	// "UTF-8", "UTF-8 with a byte order mark", "UTF-16", "Windows-1252", …; "" for binary formats
	Encoding  string
	Example   string   // a cell of the first rows with characters beyond ASCII, of those that Rows would show; "": none
	Delimiter string   // what cuts the columns; "" where none does
	Header    bool     // a first line of names
	Columns   []Column // in the file's order
	More      int      // columns that are not listed
	// the first three, a cell a column; addresses and telephone numbers are masked, and so are columns about people
	// that are not used
	Rows [][]string
}

// Column is a column, a key, or a part of a line.
type Column struct {
	Name string // or number
	Role string // "user", "item", "rating", "count", "time", "title", "event"; "" where it is not used
}

const (
	shownRows    = 3
	shownColumns = 24
	shownCell    = 24 // characters
)

// reading adds the description of a table to Report.Readings.
func (c *collector) reading(s *source, delimiter string, l *layout, rows [][]string) *Reading {
	r := Reading{File: s.path, Format: c.report.Format, Packed: s.packed, Delimiter: delimiter, Header: l.header}
	for i, name := range l.have {
		column := Column{Name: name}
		for role, at := range l.columns {
			if at == i {
				column.Role = roleNames[role]
			}
		}
		if column.Role == "" && l.filtered(i) {
			column.Role = "event"
		}
		if column.Role == "rating" && l.counts {
			column.Role = "count"
		}
		r.Columns = append(r.Columns, column)
	}
	private := make([]bool, len(r.Columns))
	for i, column := range r.Columns {
		private[i] = column.Role == "" && aboutPeople(column.Name)
	}
	for n, row := range rows {
		shown := make([]string, len(row))
		for i, cell := range row {
			if n < shownRows {
				shown[i] = people.Mask(cell)
			}
			if i < len(private) && cell != "" && private[i] {
				shown[i] = maskedCell
			} else if i < len(private) && r.Columns[i].Role != "user" && r.Example == "" && beyondASCII(cell) {
				r.Example = clip(cell)
			}
		}
		if n < shownRows {
			r.Rows = append(r.Rows, shown)
		} else if r.Example != "" {
			break
		}
	}
	r.cut()
	c.report.Readings = append(c.report.Readings, r)
	return &c.report.Readings[len(c.report.Readings)-1]
}

func beyondASCII(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// maskedCell replaces cells that identify people: reports go into logs, which others read.
const maskedCell = "…"

// aboutPeople reports whether the name of an unused column suggests personal data.
func aboutPeople(name string) bool {
	return slices.ContainsFunc(nameWords(name), func(w string) bool { return userNouns[w] || personalWords[w] }) ||
		userCompounds[plainName(name)]
}

var personalWords = words(`billing shipping recipient delivery firstname lastname surname fullname phone telephone tel
	mobile fax email mail street address zip postcode postal city ip birthday birthdate iban payment note notes
	vorname nachname strasse hausnummer plz ort telefon handy adresse anschrift geburtstag geburtsdatum bemerkung
	rechnung lieferung prenom rue ville telefono direccion ciudad calle apellido indirizzo citta cognome straat`)

// cut removes columns without a role beyond the first ones.
func (r *Reading) cut() {
	var keep []int
	for i, c := range r.Columns {
		if i < shownColumns || c.Role != "" {
			keep = append(keep, i)
		}
	}
	r.More += len(r.Columns) - len(keep)
	columns, rows := make([]Column, len(keep)), make([][]string, len(r.Rows))
	for to, from := range keep {
		columns[to] = r.Columns[from]
	}
	for i, row := range r.Rows {
		for _, from := range keep {
			if from < len(row) {
				rows[i] = append(rows[i], row[from])
			}
		}
	}
	r.Columns, r.Rows = columns, rows
}

// delimiterNames are for people.
var delimiterNames = map[string]string{",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks",
	"::": "double colons", ":": "colons"}

// Summary describes the file in one line.
func (r Reading) Summary() string {
	parts := []string{r.Format}
	if r.Delimiter != "" {
		name := delimiterNames[r.Delimiter]
		if name == "" {
			name = strconv.Quote(r.Delimiter)
		}
		header := "without a header"
		if r.Header {
			header = "with a header"
		}
		if parts = append(parts, "cut by "+name); r.Format != "lightgcn" && r.Format != "adjacency" &&
			r.Format != "adjacency-counts" {
			parts = append(parts, header)
		}
	}
	for _, p := range []string{r.Encoding, r.Packed} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// String prints a table: a line for each column, with its role and its value in the first rows. Each line ends.
func (r Reading) String() string {
	cells := [][]string{{"column", "is the", "first rows"}}
	for i, c := range r.Columns {
		role := c.Role
		if role == "" {
			role = "(unused)"
		}
		row := []string{clip(c.Name), role}
		for _, values := range r.Rows {
			if i < len(values) {
				row = append(row, clip(values[i]))
			}
		}
		cells = append(cells, row)
	}
	var width [2 + shownRows]int
	for n, row := range cells {
		for i, cell := range row {
			if n > 0 || i < 2 { // the heading of the rows spans them
				width[i] = max(width[i], utf8.RuneCountInString(cell))
			}
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.File, r.Summary())
	for _, row := range cells {
		line := " "
		for i, cell := range row {
			line += " " + cell + strings.Repeat(" ", max(width[i]-utf8.RuneCountInString(cell), 0)+1)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if r.More > 0 {
		fmt.Fprintf(&b, "  … and %d more columns (unused)\n", r.More)
	}
	return b.String()
}

// clip shortens a text for a table.
func clip(s string) string {
	s = visible(s)
	if utf8.RuneCountInString(s) <= shownCell {
		return s
	}
	return string([]rune(s)[:shownCell-1]) + "…"
}

// visible escapes characters that a terminal does not print, or acts on, as \u, and masks personal data.
func visible(s string) string {
	s = people.Mask(s)
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// Meaning describes which interactions are likes, with the counts on either side, before the minima.
func (r Report) Meaning() string {
	switch {
	case !r.HasRatings:
		return fmt.Sprintf("no ratings: each of %s interactions is a like", thousands(r.Liked))
	case r.Counts:
		return fmt.Sprintf("a like is a count of %g or more: %s likes, %s below", r.MinRating, thousands(r.Liked),
			thousands(r.BelowRating)) + r.unrated()
	case r.Words:
		return fmt.Sprintf("a like is a word such as like, up, yes or true: %s likes, %s others", thousands(r.Liked),
			thousands(r.BelowRating)) + r.unrated()
	}
	return fmt.Sprintf("a like is a rating of %g or more (there are %g to %g): %s likes, %s below", r.MinRating,
		r.LeastRating, r.MaxRating, thousands(r.Liked), thousands(r.BelowRating)) + r.unrated()
}

func (r Report) unrated() string {
	if r.Unrated == 0 {
		return ""
	}
	return fmt.Sprintf(", %s without one", thousands(r.Unrated))
}
