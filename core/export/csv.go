package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// formulas are what a spreadsheet takes for the beginning of a formula, as OWASP lists it ("CSV Injection"): its signs,
// those of full width among them, and the blanks that are skipped before one.
const formulas = "=+-@\t\r\n＝＋－＠"

// harmless returns a title or an id as it goes into a CSV file. Where a spreadsheet would take it for a formula, =cmd|'
// /C calc'!A1 say, an apostrophe goes before it, which spreadsheets take for "this is text". A text that begins with
// apostrophes and goes on so gets one more: whoever takes one apostrophe off what begins with apostrophes and goes on
// so has the text again. Numbers stay: −5 is an id.
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

// places are the columns of the places on the map.
var places = []string{"x", "y"}

// place appends where row i lies, if it lies anywhere.
func (v *Vectors) place(record []string, i int) []string {
	if v.X == nil {
		return record
	}
	return append(record, number(v.X[i]), number(v.Y[i]))
}

// number writes a number in the fewest digits that give the float32 back.
func number(x float32) string { return strconv.FormatFloat(float64(x), 'g', -1, 32) }

// writeIDs writes what each row of the array is: row, id, title, and its place.
func writeIDs(w io.Writer, v *Vectors) error {
	c := csv.NewWriter(w)
	head := []string{"row", "id", "title"}
	if v.X != nil {
		head = append(head, places...)
	}
	c.Write(head) // the first error stays until Flush
	for i, id := range v.IDs {
		c.Write(v.place([]string{strconv.Itoa(i), harmless(id), harmless(v.title(i))}, i))
	}
	c.Flush()
	return c.Error()
}

// writeCSV writes everything.
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
