package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// MaxEvents is how many events of all exports are kept in memory, some 100 bytes each.
const MaxEvents = 50_000_000

// extensions are those of the files that are read of a folder.
var extensions = []string{".json", ".jsonl", ".ndjson"}

// ReadError says in which file and line an export cannot be read.
type ReadError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *ReadError) Error() string { return fmt.Sprintf("%s, line %d: %v", e.Path, e.Line, e.Err) }

func (e *ReadError) Unwrap() error { return e.Err }

// Read reads exports from files, and from the .json, .jsonl and .ndjson files of folders and the folders within. A file
// holds exports one after another, a line each or not, or an array of them. A session that comes twice, by its key,
// counts once. Anything that is no export is an error. O(events).
func Read(ctx context.Context, paths []string) (*Visits, error) {
	c := newCollector()
	for _, path := range paths {
		files := []string{path}
		if info, err := os.Stat(path); err != nil {
			return nil, err
		} else if info.IsDir() {
			if files, err = within(path); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			if err := c.readFile(ctx, file); err != nil {
				return nil, err
			}
		}
	}
	if c.exports == 0 {
		return nil, fmt.Errorf("there is no export in %s", strings.Join(paths, ", "))
	}
	return c.visits(), nil
}

// within returns the files of a folder that may hold exports, by name.
func within(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) {
			files = append(files, path)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: the folder has no file that ends in %s", folder, strings.Join(extensions, ", "))
	}
	return files, err
}

func (c *collector) readFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.read(ctx, path, f)
}

// read reads the exports of one file.
func (c *collector) read(ctx context.Context, path string, r io.Reader) error {
	in := &input{r: r, left: MaxExport}
	d := json.NewDecoder(in)
	array, err := in.beginsArray()
	if err != nil {
		return &ReadError{path, 1, err}
	}
	if array {
		if _, err := d.Token(); err != nil { // the bracket
			return &ReadError{path, 1, err}
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		in.left = MaxExport
		if array && !d.More() {
			if _, err := d.Token(); err != nil {
				return &ReadError{path, in.line(d.InputOffset()), sentence(err)}
			}
			array = false
			continue
		}
		before := d.InputOffset()
		var b json.RawMessage
		if err := d.Decode(&b); errors.Is(err, io.EOF) && !array {
			return nil
		} else if err != nil {
			at := before
			if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) || errors.Is(err, io.ErrUnexpectedEOF) {
				at = in.read // the decoder reads no further than the value that is wrong
				if wrong != nil {
					at = min(max(before, wrong.Offset), in.read)
				}
			}
			return &ReadError{path, in.line(at), sentence(err)}
		}
		start := d.InputOffset() - int64(len(b))
		sessions, offset, err := decodeExport(b, c.names)
		if err != nil {
			return &ReadError{path, in.line(start + offset), sentence(err)}
		}
		if err := c.add(sessions); err != nil {
			return &ReadError{path, in.line(start), err}
		}
		in.pass(start)
	}
}

// sentence says of the decoder's errors what to do.
func sentence(err error) error {
	wrong := (*json.SyntaxError)(nil)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the file ends within an export")
	case errors.As(err, &wrong):
		return fmt.Errorf("this is no JSON: %w", err)
	}
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("an export has no field %s", field)
	}
	return err
}

// input counts the lines of a file, and ends a value that is longer than an export may be.
type input struct {
	r      io.Reader
	begun  []byte  // was read to see how the file begins
	left   int64   // bytes that may still be read of this export
	read   int64   // bytes until now
	breaks []int64 // where the lines end that are not yet passed
	passed int     // line ends before those
}

// beginsArray reports whether the first character that is no space is a bracket. A byte order mark is skipped.
func (in *input) beginsArray() (bool, error) {
	b := make([]byte, 4096)
	n, err := io.ReadFull(in.r, b)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	in.begun = bytes.TrimPrefix(b[:n], []byte("\ufeff"))
	trimmed := bytes.TrimLeftFunc(in.begun, unicode.IsSpace)
	return len(trimmed) > 0 && trimmed[0] == '[', nil
}

func (in *input) Read(p []byte) (n int, err error) {
	if in.left <= 0 {
		return 0, fmt.Errorf("an export has at most %d bytes, and this one is longer", MaxExport)
	}
	p = p[:min(int64(len(p)), in.left)]
	if len(in.begun) > 0 {
		n = copy(p, in.begun)
		in.begun = in.begun[n:]
	} else {
		n, err = in.r.Read(p)
	}
	for i, c := range p[:n] {
		if c == '\n' {
			in.breaks = append(in.breaks, in.read+int64(i))
		}
	}
	in.left -= int64(n)
	in.read += int64(n)
	return n, err
}

// line returns the line of a byte that is not passed.
func (in *input) line(offset int64) int {
	n, _ := slices.BinarySearch(in.breaks, offset)
	return in.passed + n + 1
}

// pass forgets the line ends before a byte.
func (in *input) pass(offset int64) {
	n, _ := slices.BinarySearch(in.breaks, offset)
	in.passed += n
	in.breaks = append(in.breaks[:0], in.breaks[n:]...)
}
