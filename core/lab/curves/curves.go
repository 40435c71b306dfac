// Package curves draws the learning curves of a training from the table that it wrote (training.WriteFiles).
package curves

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/training"
)

// PictureName is the file that Draw writes.
const PictureName = "curve.png"

// maxTable bounds a table in bytes; one of 100,000 epochs has some ten million.
const maxTable = 64 << 20

// Draw reads the table in a folder and writes the picture next to it, atomically. It returns the picture's path.
func Draw(folder string) (path string, err error) {
	f, err := os.Open(filepath.Join(folder, training.TableName))
	if err != nil {
		return "", err
	}
	defer f.Close()
	figures, epochs, err := read(io.LimitReader(f, maxTable))
	if err != nil {
		return "", fmt.Errorf("%s: %w", f.Name(), err)
	}
	picture, err := PNG(figures, epochs)
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, PictureName)
	return path, durable.WriteFile(durable.OS, path, func(w io.Writer) error {
		_, err := w.Write(picture)
		return err
	})
}

// after are the columns that follow the method's figures.
var after = []string{"validation_ndcg@10", "validation_recall@10", "learning_rate", "seconds", "best"}

// read reads a table of at least one epoch. The errors name the line.
func read(r io.Reader) (figures []string, epochs []training.Epoch, err error) {
	lines := csv.NewReader(r)
	head, err := lines.Read()
	if err != nil {
		return nil, nil, fmt.Errorf("not a table of learning curves: %w", err)
	}
	n := len(head) - len(after)
	if n < 1 || head[0] != "epoch" || !slices.Equal(head[n:], after) {
		return nil, nil, fmt.Errorf("not a table of learning curves: its columns are %q", head)
	}
	for {
		fields, err := lines.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		values := make([]float64, len(fields))
		for i, text := range fields {
			if values[i] = math.NaN(); text == "" {
				continue
			}
			if values[i], err = strconv.ParseFloat(text, 64); err != nil {
				line, _ := lines.FieldPos(i)
				return nil, nil, fmt.Errorf("line %d: %s is %q, which is not a number", line, head[i], text)
			}
		}
		if values[0] != float64(len(epochs)+1) {
			line, _ := lines.FieldPos(0)
			return nil, nil, fmt.Errorf("line %d: the epoch is %s, not %d", line, fields[0], len(epochs)+1)
		}
		rest := values[n:]
		epochs = append(epochs, training.Epoch{Number: len(epochs) + 1, Figures: values[1:n], NDCG: rest[0],
			Recall: rest[1], LearnRate: rest[2], Seconds: rest[3], Best: rest[4] == 1})
	}
	if len(epochs) == 0 {
		return nil, nil, fmt.Errorf("it has no epochs yet")
	}
	return head[1:n], epochs, nil
}
