package results

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// MaxText bounds a CSV file, in bytes: some fifty times the largest real one.
const MaxText = 16 << 20

// Error is a fault in a file, with its position.
type Error struct {
	File         string
	Line, Column int // from 1, of the first byte; 0: the whole file
	Why          string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Why)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Why)
}

// column is a column of a table whose rows are T: its name, and how a cell is written and read. read's error states the
// valid values.
type column[T any] struct {
	name  string
	write func(*T) string
	read  func(*T, string) error
}

// lateColumn is the last column of the tables that have it. Files omit it if all of its cells are empty, which includes
// files from before it existed.
const lateColumn = "device"

// withoutLate returns the columns without the late one.
func withoutLate[T any](columns []column[T]) []column[T] {
	if last := len(columns) - 1; columns[last].name == lateColumn {
		return columns[:last]
	}
	return columns
}

// namesOf returns the names of columns.
func namesOf[T any](columns []column[T]) []string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].name
	}
	return names
}

// table has the rows of a file and their line numbers.
type table[T any] struct {
	file  string
	rows  []T
	lines []int
}

// fail returns an error about row i.
func (t *table[T]) fail(i int, format string, args ...any) error {
	return &Error{t.file, t.lines[i], 1, fmt.Sprintf(format, args...)}
}

// readTable reads a table. A missing file has no rows, which is not an error.
func readTable[T any](folder, name string, columns []column[T]) (*table[T], error) {
	t := &table[T]{file: filepath.Join(folder, name)}
	text, err := readText(t.file)
	if err != nil || text == nil {
		return t, err
	}
	return t, t.parse(text, columns)
}

// readText returns the content of a file; nil without one. It must not be larger than MaxText.
func readText(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxText+1))
	switch {
	case err != nil:
		return nil, &Error{File: path, Why: err.Error()}
	case len(text) > MaxText:
		return nil, &Error{File: path, Why: fmt.Sprintf("it has more than %d bytes", MaxText)}
	case len(text) == 0:
		return nil, &Error{File: path, Why: "it is empty; it must begin with the names of the columns"}
	}
	return text, nil
}

// parse reads the rows of a file.
func (t *table[T]) parse(text []byte, columns []column[T]) error {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	r.ReuseRecord = true
	for first := true; ; first = false {
		cells, err := r.Read()
		var syntax *csv.ParseError
		switch {
		case err == io.EOF && !first:
			return nil
		case err == io.EOF:
			return &Error{File: t.file, Why: "it has no lines; it must begin with the names of the columns"}
		case errors.As(err, &syntax):
			return &Error{t.file, syntax.Line, syntax.Column, syntax.Err.Error()}
		case err != nil:
			return &Error{File: t.file, Why: err.Error()}
		}
		line, _ := r.FieldPos(0)
		switch {
		case first:
			if early := withoutLate(columns); slices.Equal(cells, namesOf(early)) {
				columns = early
			} else if !slices.Equal(cells, namesOf(columns)) {
				return &Error{t.file, line, 1, "the columns must be " + strings.Join(namesOf(columns), ",")}
			}
			continue
		case len(cells) != len(columns):
			why := fmt.Sprintf("the line has %d cells, not the %d of the first line", len(cells), len(columns))
			return &Error{t.file, line, 1, why}
		}
		var row T
		for i := range columns {
			if err := columns[i].read(&row, cells[i]); err != nil {
				line, at := r.FieldPos(i)
				return &Error{t.file, line, at, fmt.Sprintf("%s is %q; %v", columns[i].name, shortened(cells[i]), err)}
			}
		}
		t.rows, t.lines = append(t.rows, row), append(t.lines, line)
	}
}

// shortened truncates text quoted in an error.
func shortened(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}

// writeTable writes rows, or removes the file if there are none.
func writeTable[T any](fs durable.FS, folder, name string, columns []column[T], rows []T) error {
	path := filepath.Join(folder, name)
	if len(rows) == 0 {
		return remove(fs, path)
	}
	last := columns[len(columns)-1]
	if !slices.ContainsFunc(rows, func(row T) bool { return last.write(&row) != "" }) {
		columns = withoutLate(columns)
	}
	return durable.WriteFile(fs, path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		cells := make([]string, len(columns))
		out.Write(namesOf(columns)) // the writer keeps the first error
		for i := range rows {
			for j := range columns {
				cells[j] = columns[j].write(&rows[i])
			}
			out.Write(cells)
		}
		out.Flush()
		return out.Error()
	})
}

// remove removes a file, if it is there.
func remove(fs durable.FS, path string) error {
	if err := fs.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
