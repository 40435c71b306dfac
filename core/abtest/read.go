package abtest

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
)

// Bounds of all exports together.
const (
	MaxExports = 10_000_000
	// MaxEvents bounds the events, and the items and teams of lists in them, of some 40 bytes each.
	MaxEvents = 50_000_000
	// MaxText is the total size of distinct ids, names and keys in bytes.
	MaxText = 1 << 30
)

// maxErrors is the number of errors to keep.
const maxErrors = 3

// extensions are the extensions of files that are read from a folder.
var extensions = []string{".json", ".jsonl", ".ndjson"}

// ReadError says in which file and line an export is invalid.
type ReadError struct {
	Path string
	Line int // from 1
	Err  error
}

func (e *ReadError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

// Read reads exports from files, and from the .json, .jsonl and .ndjson files in folders, recursively. A file holds
// exports one after another, one a line or not, or an array of them. Sessions with the same key count once. Lines that
// are not exports are left out and counted, and so are unreadable files in a folder. Read returns an error only if
// nothing is left, a path does not exist, or the total is beyond the bounds. O(events).
func Read(ctx context.Context, paths []string) (*Visits, error) {
	c := newCollector()
	for _, path := range paths {
		files := []string{path}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			if files, err = c.filesOf(path); err != nil {
				return nil, err
			}
		}
		for _, file := range files {
			err := c.readFile(ctx, file)
			var unreadable *fs.PathError
			if info.IsDir() && errors.As(err, &unreadable) {
				c.refuse(&ReadError{file, 0, err})
			} else if err != nil {
				return nil, err
			}
		}
	}
	if c.exports == 0 {
		if len(c.errors) > 0 {
			return nil, fmt.Errorf("none of the %d lines is an export: %w", c.wrong, c.errors[0])
		}
		return nil, fmt.Errorf("%s: no exports", strings.Join(paths, ", "))
	}
	return c.visits(), nil
}

// filesOf returns the files of a folder that may hold exports, by name. It refuses folders within it that cannot be
// read.
func (c *collector) filesOf(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == folder:
			return err
		case err != nil:
			c.refuse(&ReadError{path, 0, err})
		case slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) && isFile(path, d):
			files = append(files, path)
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: no file in the folder ends in %s", folder, strings.Join(extensions, ", "))
	}
	return files, err
}

// isFile reports whether path is a file, or a link to one: reading anything else could block for ever.
func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (c *collector) readFile(ctx context.Context, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return c.read(ctx, path, f)
}

// read reads the exports of one file, and refuses invalid lines. It returns only errors of r and of the bounds.
func (c *collector) read(ctx context.Context, path string, r io.Reader) error {
	in, last := newSplitter(r), 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		b, line, err := in.read()
		var wrong *ReadError
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &wrong):
			wrong.Path = path
		case err != nil:
			return err
		default:
			sessions, offset, err := decodeExport(b, c.texts)
			if err == nil {
				if err := c.add(sessions); err != nil {
					return &ReadError{path, line, err}
				}
				continue
			}
			wrong = &ReadError{path, line + bytes.Count(b[:offset], []byte("\n")), sentence(err)}
		}
		if wrong.Line > last { // once for each line
			c.refuse(wrong)
			last = wrong.Line
		}
	}
}

// refuse counts a line that is left out, and keeps the first errors.
func (c *collector) refuse(err *ReadError) {
	c.wrong++
	if len(c.errors) < maxErrors {
		c.errors = append(c.errors, err)
	}
}

// sentence explains an error in words.
func sentence(err error) error {
	if wrong := (*json.SyntaxError)(nil); errors.As(err, &wrong) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("not JSON: %w", err)
	}
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		return fmt.Errorf("an export has no field %s", field)
	}
	return err
}
