package export

import (
	"encoding/csv"
	"io"
	"strconv"
)

// writeIDs writes what each row of the array is: row, id, title.
func writeIDs(w io.Writer, v *Vectors) error {
	c := csv.NewWriter(w)
	c.Write([]string{"row", "id", "title"}) // the first error stays until Flush
	for i, id := range v.IDs {
		c.Write([]string{strconv.Itoa(i), id, v.title(i)})
	}
	c.Flush()
	return c.Error()
}

// writeCSV writes everything, numbers in the fewest digits that give the float32 back.
func writeCSV(w io.Writer, v *Vectors) error {
	c := csv.NewWriter(w)
	h := v.Rows.Dim()
	record := []string{"id", "title"}
	for _, part := range []string{"mean_", "stddev_"} {
		for d := range h {
			record = append(record, part+strconv.Itoa(d))
		}
	}
	c.Write(record)
	for i, id := range v.IDs {
		record = append(record[:0], id, v.title(i))
		for _, x := range v.Rows.Row(i) {
			record = append(record, strconv.FormatFloat(float64(x), 'g', -1, 32))
		}
		c.Write(record)
	}
	c.Flush()
	return c.Error()
}
