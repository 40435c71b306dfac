package export

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// Vectors holds the Gaussians of N entities of one kind, with their names.
type Vectors struct {
	Name   string          // base name of the files: "items"
	IDs    []string        // N
	Titles []string        // N; nil: no titles
	Rows   *gaussian.Table // N×2h
	X, Y   []float32       // N: places on the map, in a unit square; nil: no places
}

// check panics with ShapeError if the parts differ in length.
func (v *Vectors) check() {
	if n := v.Rows.Len(); len(v.IDs) != n || v.Titles != nil && len(v.Titles) != n ||
		len(v.X) != len(v.Y) || v.X != nil && len(v.X) != n {
		panic(ShapeError{Rows: n, IDs: len(v.IDs), Titles: len(v.Titles), Places: max(len(v.X), len(v.Y))})
	}
}

// title returns the title of row i, or "".
func (v *Vectors) title(i int) string {
	if v.Titles == nil {
		return ""
	}
	return v.Titles[i]
}

// ShapeError is the value that Write panics with if the number of vectors, ids, titles or places differs.
type ShapeError struct{ Rows, IDs, Titles, Places int }

func (e ShapeError) Error() string {
	return fmt.Sprintf("export: %d rows cannot have %d ids, %d titles and %d places", e.Rows, e.IDs, e.Titles, e.Places)
}

// file is one output file of a format.
type file struct {
	suffix string // after the name of the vectors
	write  func(io.Writer, *Vectors) error
}

// formats are in the order of writing.
var formats = []struct {
	name, use string
	files     []file
}{
	{"npy", "a NumPy array N×2h of float32, and a CSV file with each row's id, title and place",
		[]file{{".npy", writeNPY}, {".ids.csv", writeIDs}}},
	{"parquet", "a table with id, title, x, y and vector, a list of 2h floats, compressed with zstd",
		[]file{{".parquet", writeParquet}}},
	{"csv", "a table with id, title, x, y, mean_0 … and stddev_0 …", []file{{".csv", writeCSV}}},
}

// Formats returns the names of the formats.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Use describes a format in one line; "" for an unknown name.
func Use(format string) string {
	for _, f := range formats {
		if f.name == format {
			return f.use
		}
	}
	return ""
}

// Files returns the paths that Write would write for vectors of this name.
func Files(folder, name string, format ...string) (paths []string) {
	for _, f := range formats {
		if !slices.Contains(format, f.name) {
			continue
		}
		for _, one := range f.files {
			paths = append(paths, filepath.Join(folder, name+one.suffix))
		}
	}
	return paths
}

// Write writes v in these formats into the folder, creating it if needed, and returns the paths. Existing files are
// overwritten (see Files). On an error it stops; files already written are complete. O(N·h).
func Write(folder string, v Vectors, format ...string) (paths []string, err error) {
	v.check()
	for _, name := range format {
		if Use(name) == "" {
			return nil, fmt.Errorf("unknown format %q; choose from %s", brief.Text(name),
				strings.Join(Formats(), ", "))
		}
	}
	if err := durable.OS.MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("cannot write the vectors: %w", err)
	}
	for _, name := range format {
		for _, f := range formats {
			if f.name != name {
				continue
			}
			for _, one := range f.files {
				path := filepath.Join(folder, v.Name+one.suffix)
				if err := durable.WriteFile(durable.OS, path, func(w io.Writer) error {
					return one.write(w,
						&v)
				}); err != nil {
					return paths, fmt.Errorf("cannot write %s: %w", path, err)
				}
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}
