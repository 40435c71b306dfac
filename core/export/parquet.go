package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// record is a row of the Parquet file.
type record struct {
	ID     string    `parquet:"id,zstd"`
	Title  string    `parquet:"title,zstd"`
	Vector []float32 `parquet:"vector,list,zstd"` // [mean; stddev]
}

// rowsAtOnce is how many records are handed to the writer at a time.
const rowsAtOnce = 1024

func writeParquet(w io.Writer, v *Vectors) error {
	p := parquet.NewGenericWriter[record](w, parquet.CreatedBy("pmlam", "", ""))
	rows := make([]record, 0, rowsAtOnce)
	for i, id := range v.IDs {
		rows = append(rows, record{id, v.title(i), v.Rows.Row(i)})
		if len(rows) == rowsAtOnce || i == len(v.IDs)-1 {
			if _, err := p.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return p.Close()
}
