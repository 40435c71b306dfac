package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// formulas lists the characters that make a spreadsheet read a field as a formula, after OWASP ("CSV Injection"): the
// signs, including their full-width forms, and blanks that are skipped before one.
const formulas = "=+-@\t\r\n＝＋－＠"

// harmless returns a title or an id in a form that is safe in a CSV file. If a spreadsheet would read it as a formula,
// such as =cmd|'/C calc'!A1, it gets an apostrophe in front, which means "this is text". If a formula follows leading
// apostrophes, it gets one more, so a reader can undo all of this: remove one apostrophe from each text that has a
// formula after leading apostrophes. Numbers stay unchanged: −5 is an id.
func harmless(text string) string {
	bare := strings.TrimLeft(text, "'")
	if bare == "" || strings.IndexAny(bare, formulas) != 0 {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return text
	}
	return "'" + text
}

// places names the columns of the place on the map.
var places = []string{"x", "y"}

// place appends the place of row i on the map, if the vectors have places.
func (v *Vectors) place(record []string, i int) []string {
	if v.X == nil {
		return record
	}
	return append(record, number(v.X[i]), number(v.Y[i]))
}

// number formats x with the fewest digits that parse back to the same float32.
func number(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

// writeIDs writes a line for each row of the array: row, id, title, and place.
func writeIDs(w io.Writer, v *Vectors) error {
	c := csv.NewWriter(w)
	head := []string{"row", "id", "title"}
	if v.X != nil {
		head = append(head, places...)
	}
	c.Write(head) // an error is kept until Flush
	for i, id := range v.IDs {
		c.Write(v.place([]string{strconv.Itoa(i), harmless(id), harmless(v.title(i))}, i))
	}
	c.Flush()
	return c.Error()
}

// writeCSV writes the ids, titles, places and vectors as one table.
func writeCSV(w io.Writer, v *Vectors) error {
	c := csv.NewWriter(w)
	h := v.Rows.Dim()
	record := []string{"id", "title"}
	if v.X != nil {
		record = append(record, places...)
	}
	for _, part := range []string{"mean_", "stddev_"} {
		for d := range h {
			record = append(record, part+strconv.Itoa(d))
		}
	}
	c.Write(record)
	for i, id := range v.IDs {
		record = v.place(append(record[:0], harmless(id), harmless(v.title(i))), i)
		for _, x := range v.Rows.Row(i) {
			record = append(record, number(x))
		}
		c.Write(record)
	}
	c.Flush()
	return c.Error()
}
