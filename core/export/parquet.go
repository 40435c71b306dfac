package export

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

type record struct {
	ID     string    `parquet:"id,zstd"`
	Title  string    `parquet:"title,zstd"`
	Vector []float32 `parquet:"vector,list,zstd"` // [mean; stddev]
}

// placed is a record with its place on the map.
type placed struct {
	ID     string    `parquet:"id,zstd"`
	Title  string    `parquet:"title,zstd"`
	X      float32   `parquet:"x,zstd"`
	Y      float32   `parquet:"y,zstd"`
	Vector []float32 `parquet:"vector,list,zstd"` // [mean; stddev]
}

// rowsAtOnce is the number of records passed to the writer at a time.
const rowsAtOnce = 1024

func writeParquet(w io.Writer, v *Vectors) error {
	if v.X != nil {
		return writeRecords(w, len(v.IDs), func(i int) placed {
			return placed{v.IDs[i], v.title(i), v.X[i], v.Y[i], v.Rows.Row(i)}
		})
	}
	return writeRecords(w, len(v.IDs), func(i int) record { return record{v.IDs[i], v.title(i), v.Rows.Row(i)} })
}

func writeRecords[T any](w io.Writer, n int, of func(i int) T) error {
	p := parquet.NewGenericWriter[T](w, parquet.CreatedBy("pmlam", "", ""))
	rows := make([]T, 0, rowsAtOnce)
	for i := range n {
		rows = append(rows, of(i))
		if len(rows) == rowsAtOnce || i == n-1 {
			if _, err := p.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return p.Close()
}
