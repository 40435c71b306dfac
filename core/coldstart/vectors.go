package coldstart

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
)

// Vectors holds one dense vector for each item, all of the same length. All numbers are finite.
type Vectors struct {
	Dim  int
	Data []float32 // rows·Dim, by row
}

// Len returns the number of vectors.
func (v *Vectors) Len() int { return len(v.Data) / v.Dim }

// Row returns vector i as a slice of Data.
func (v *Vectors) Row(i int) []float32 { return v.Data[i*v.Dim : (i+1)*v.Dim : (i+1)*v.Dim] }

const (
	maxHeader = 1 << 16 // bytes of the header of a .npy file; NumPy writes 118 for an array
	maxDim    = 1 << 11 // numbers of a vector: the map's matrix has its square
	maxRows   = 1 << 28 // the size limit of a model file in items
)

// header matches NumPy's header of a two-dimensional array.
var header = regexp.MustCompile(`^\{'descr': '([<|>=]\w\d+)', 'fortran_order': (False|True), ` +
	`'shape': \((\d{1,10}), (\d{1,10})\), \}\s*$`)

// OpenNPY reads the vectors of a file; see ReadNPY.
func OpenNPY(path string) (*Vectors, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the vectors: %w", err)
	}
	defer f.Close()
	v, err := ReadNPY(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// ReadNPY reads a two-dimensional array of float32 or float64 in NumPy's format, versions 1 to 3 (NEP 1), with one row
// for each vector. Memory grows with the bytes read, not with the size that the header claims. Another type or shape,
// too few or too many bytes, and numbers that are not finite are errors.
//
// The library for the format (sbinet/npyio) is not used for reading: it panics on truncated headers, and allocates
// whatever size they claim.
func ReadNPY(r io.Reader) (*Vectors, error) {
	width, rows, dim, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	v := &Vectors{Dim: dim}
	line := make([]byte, width*dim)
	for i := range rows {
		if _, err := io.ReadFull(r, line); err != nil {
			return nil, fmt.Errorf("the array ends in row %d of %d; was it written completely?", i, rows)
		}
		for at := 0; at < len(line); at += width {
			x := float64(math.Float32frombits(binary.LittleEndian.Uint32(line[at:])))
			if width == 8 {
				x = math.Float64frombits(binary.LittleEndian.Uint64(line[at:]))
			}
			if f := float32(x); f != f || math.IsInf(float64(f), 0) {
				return nil, fmt.Errorf("row %d, column %d is %v; a vector must hold finite numbers", i, at/width, x)
			}
			v.Data = append(v.Data, float32(x))
		}
	}
	if n, _ := io.ReadFull(r, line[:1]); n > 0 {
		return nil, fmt.Errorf("the file has bytes after its %d rows; was another file appended?", rows)
	}
	return v, nil
}

// readHeader returns the width of a number in bytes, and the shape.
func readHeader(r io.Reader) (width, rows, dim int, err error) {
	var start [12]byte
	if _, err := io.ReadFull(r, start[:10]); err != nil || !bytes.HasPrefix(start[:], []byte("\x93NUMPY")) {
		return 0, 0, 0, fmt.Errorf("not a .npy file; write one with numpy.save")
	}
	length := int64(binary.LittleEndian.Uint16(start[8:]))
	switch start[6] {
	case 1:
	case 2, 3:
		if _, err := io.ReadFull(r, start[10:]); err != nil {
			return 0, 0, 0, fmt.Errorf("the header is truncated")
		}
		length = int64(binary.LittleEndian.Uint32(start[8:]))
	default:
		return 0, 0, 0, fmt.Errorf("version %d of NumPy's format is unknown; use versions 1 to 3", start[6])
	}
	if length > maxHeader {
		return 0, 0, 0, fmt.Errorf("the header has %d bytes; at most %d are allowed", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return 0, 0, 0, fmt.Errorf("the header is truncated")
	}
	m := header.FindSubmatch(text)
	const want = "want an array of shape (items, numbers) and type float32 or float64 in C order: " +
		"numpy.save(path, numpy.ascontiguousarray(x, dtype='float32'))"
	if m == nil || string(m[2]) == "True" {
		return 0, 0, 0, fmt.Errorf("%s; the header is %.120q", want, text)
	}
	switch string(m[1]) {
	case "<f4":
		width = 4
	case "<f8":
		width = 8
	default:
		return 0, 0, 0, fmt.Errorf("%s; the type is %s", want, m[1])
	}
	rows, _ = strconv.Atoi(string(m[3]))
	dim, _ = strconv.Atoi(string(m[4]))
	if rows < 1 || rows > maxRows || dim < 1 || dim > maxDim {
		return 0, 0, 0, fmt.Errorf("the shape is (%d, %d); give 1 to %d vectors of 1 to %d numbers", rows, dim,
			maxRows, maxDim)
	}
	return width, rows, dim, nil
}
