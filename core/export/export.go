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

// Vectors are the Gaussians of one kind of entity, N of them, and what they are called.
type Vectors struct {
	Name   string          // of the files: "items"
	IDs    []string        // N
	Titles []string        // N; nil: there are none
	Rows   *gaussian.Table // N×2h
	X, Y   []float32       // N: places on the map, in a unit square; nil: they have none
}

// check panics with ShapeError where the parts are not of one length.
func (v *Vectors) check() {
	if n := v.Rows.Len(); len(v.IDs) != n || v.Titles != nil && len(v.Titles) != n ||
		len(v.X) != len(v.Y) || v.X != nil && len(v.X) != n {
		panic(ShapeError{Rows: n, IDs: len(v.IDs), Titles: len(v.Titles), Places: max(len(v.X), len(v.Y))})
	}
}

// title returns the title of row i, "" where there are none.
func (v *Vectors) title(i int) string {
	if v.Titles == nil {
		return ""
	}
	return v.Titles[i]
}

// ShapeError is the value that Write panics with where vectors and names are not of one number.
type ShapeError struct{ Rows, IDs, Titles, Places int }

func (e ShapeError) Error() string {
	return fmt.Sprintf("export: %d rows cannot have %d ids, %d titles and %d places", e.Rows, e.IDs, e.Titles, e.Places)
}

// file is one file of a format.
type file struct {
	suffix string // behind the name of the vectors
	write  func(io.Writer, *Vectors) error
}

// formats are in the order in which they are written.
var formats = []struct {
	name, use string
	files     []file
}{
	{"npy", "a NumPy array N×2h of float32, and a CSV file with what each row is and where", []file{{".npy", writeNPY},
		{".ids.csv", writeIDs}}},
	{"parquet", "a table with id, title, x, y and vector, a list of 2h floats, compressed with zstd",
		[]file{{".parquet", writeParquet}}},
	{"csv", "a table with id, title, x, y, mean_0 … and stddev_0 …", []file{{".csv", writeCSV}}},
}

// Formats returns the names that Write knows.
func Formats() []string {
	names := make([]string, len(formats))
	for i, f := range formats {
		names[i] = f.name
	}
	return names
}

// Use says in a line what a format is; "" for a name that Write does not know.
func Use(format string) string {
	for _, f := range formats {
		if f.name == format {
			return f.use
		}
	}
	return ""
}

// Files returns the paths of what Write writes of vectors of this name.
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

// Write writes v into the folder, which is made where there is none, in these formats, and returns the paths. A file
// that cannot be written ends it with an error; those before it are whole. Files that are there are overwritten
// (Files). O(N·h).
func Write(folder string, v Vectors, format ...string) (paths []string, err error) {
	v.check()
	for _, name := range format {
		if Use(name) == "" {
			return nil, fmt.Errorf("unknown format %q: it must be one of %s", brief.Text(name),
				strings.Join(Formats(), ", "))
		}
	}
	if err := durable.OS.MakeFolder(folder); err != nil {
		return nil, fmt.Errorf("the vectors cannot be written: %w", err)
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
					return paths, fmt.Errorf("%s cannot be written: %w", path, err)
				}
				paths = append(paths, path)
			}
		}
	}
	return paths, nil
}
