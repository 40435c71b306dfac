package training

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// TableName is the name of the file that WriteFiles writes.
const TableName = "curve.csv"

// FreeForCurves returns an error if the folder has a file named TableName that WriteFiles has not written.
func FreeForCurves(folder string) error {
	table := filepath.Join(folder, TableName)
	if info, err := os.Stat(table); err != nil || !info.Mode().IsRegular() {
		return nil // nothing to overwrite
	}
	b, err := os.ReadFile(table)
	first, _, _ := strings.Cut(string(b), "\n")
	if err == nil && strings.HasPrefix(first, "epoch,") && strings.HasSuffix(first, ",seconds,best") {
		return nil
	}
	return fmt.Errorf("%s is not the learning curve of a training, so it is not overwritten; choose another folder",
		table)
}

// WriteFiles writes the table into a folder, which it creates if necessary. The file is replaced atomically. figures
// are the names of the method's figures (training.Method). Without epochs it does nothing.
func WriteFiles(folder string, figures []string, epochs []Epoch) error {
	if len(epochs) == 0 {
		return nil
	}
	err := durable.OS.MakeFolder(folder)
	if err == nil {
		err = durable.WriteFile(durable.OS, filepath.Join(folder, TableName), func(w io.Writer) error {
			_, err := w.Write(CSV(figures, epochs))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("cannot write the learning curves to %s: %w", folder, err)
	}
	return nil
}

// column is one column of the table.
type column struct {
	name  string
	value func(Epoch) float64
}

// columns returns the columns for a method with these figures, in order.
func columns(figures []string) []column {
	all := []column{{"epoch", func(e Epoch) float64 { return float64(e.Number) }}}
	for k, name := range figures {
		all = append(all, column{name, figure(k)})
	}
	return append(all, []column{
		{"validation_ndcg@10", func(e Epoch) float64 { return e.NDCG }},
		{"validation_recall@10", func(e Epoch) float64 { return e.Recall }},
		{"learning_rate", func(e Epoch) float64 { return e.LearnRate }},
		{"seconds", func(e Epoch) float64 { return e.Seconds }},
		{"best", func(e Epoch) float64 {
			if e.Best {
				return 1
			}
			return 0
		}},
	}...)
}

// figure returns a function that extracts figure k of an epoch.
func figure(k int) func(Epoch) float64 {
	return func(e Epoch) float64 { return e.Figures[k] }
}

// CSV returns the table: a header line, then one line per epoch. Unused figures are 0; values that were not measured
// are empty; best is 1 if the epoch was the best so far. Numbers have enough digits to be read back exactly.
func CSV(figures []string, epochs []Epoch) []byte {
	var b bytes.Buffer
	all := columns(figures)
	for i, c := range all {
		separate(&b, i)
		b.WriteString(c.name)
	}
	b.WriteByte('\n')
	for _, e := range epochs {
		for i, c := range all {
			separate(&b, i)
			if v := c.value(e); !math.IsNaN(v) {
				b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func separate(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}
