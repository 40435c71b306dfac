// Package curve writes down how a training went, epoch by epoch: as a table for programs and as a picture for people.
//
// In the flow: pmlam → curve. It is a package of its own so that training does not need what draws.
package curve

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/pmlam"
)

// The files that WriteFiles writes.
const (
	TableName   = "curve.csv"
	PictureName = "curve.png"
)

// WriteFiles writes both files into a folder, which is made where there is none; each of them whole or not at all.
// Without epochs it does nothing.
func WriteFiles(folder string, epochs []pmlam.Epoch) error {
	if len(epochs) == 0 {
		return nil
	}
	picture, err := PNG(epochs)
	if err == nil {
		err = durable.OS.MakeFolder(folder)
	}
	for _, file := range []struct {
		name    string
		content []byte
	}{{TableName, CSV(epochs)}, {PictureName, picture}} {
		if err == nil {
			err = durable.WriteFile(durable.OS, filepath.Join(folder, file.name), func(w io.Writer) error {
				_, err := w.Write(file.content)
				return err
			})
		}
	}
	if err != nil {
		return fmt.Errorf("the learning curves could not be written to %s: %w", folder, err)
	}
	return nil
}

// columns of the table, in order.
var columns = []struct {
	name  string
	value func(pmlam.Epoch) float64
}{
	{"epoch", func(e pmlam.Epoch) float64 { return float64(e.Number) }},
	{"inner_user_item", func(e pmlam.Epoch) float64 { return e.Inner[0] }},
	{"inner_user_user", func(e pmlam.Epoch) float64 { return e.Inner[1] }},
	{"inner_item_item", func(e pmlam.Epoch) float64 { return e.Inner[2] }},
	{"outer_user_item", func(e pmlam.Epoch) float64 { return e.Outer[0] }},
	{"outer_user_user", func(e pmlam.Epoch) float64 { return e.Outer[1] }},
	{"outer_item_item", func(e pmlam.Epoch) float64 { return e.Outer[2] }},
	{"margin", func(e pmlam.Epoch) float64 { return e.Margin }},
	{"validation_ndcg@10", func(e pmlam.Epoch) float64 { return e.NDCG }},
	{"validation_recall@10", func(e pmlam.Epoch) float64 { return e.Recall }},
	{"learning_rate", func(e pmlam.Epoch) float64 { return e.LearnRate }},
	{"seconds", func(e pmlam.Epoch) float64 { return e.Seconds }},
	{"best", func(e pmlam.Epoch) float64 {
		if e.Best {
			return 1
		}
		return 0
	}},
}

// CSV returns the table: a line of names, then a line an epoch. Losses are means per pair, those of tasks that take no
// part 0; what was not measured is empty; best is 1 where the epoch was the best so far. Numbers have as many digits
// as they need to be read back exactly.
func CSV(epochs []pmlam.Epoch) []byte {
	var b bytes.Buffer
	for i, c := range columns {
		separate(&b, i)
		b.WriteString(c.name)
	}
	b.WriteByte('\n')
	for _, e := range epochs {
		for i, c := range columns {
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
