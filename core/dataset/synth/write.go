package synth

import (
	"bufio"
	"io"
	"strconv"
)

// WriteCSV writes the interactions of Draw as "user,item,timestamp" with a header; users and items are numbered from 1.
// It calls progress, unless nil, with the number of lines written after each batch; an error of progress ends it.
func WriteCSV(out io.Writer, c Config, progress func(done int) error) error {
	w := bufio.NewWriterSize(out, 1<<20)
	if _, err := w.WriteString("user,item,timestamp\n"); err != nil {
		return err
	}
	var line []byte
	done := 0
	err := Draw(c, func(i Interaction) error {
		line = strconv.AppendInt(line[:0], int64(i.User)+1, 10)
		line = append(line, ',')
		line = strconv.AppendInt(line, int64(i.Item)+1, 10)
		line = append(line, ',')
		line = strconv.AppendInt(line, i.Time, 10)
		line = append(line, '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
		if done++; done%100_000 == 0 && progress != nil {
			return progress(done)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Flush()
}
