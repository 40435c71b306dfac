package dataset

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// parquetColumns bounds the columns of a Parquet file that are examined.
const parquetColumns = 256

// parquetFile is a table in Parquet's format. Its rows are counted from 1.
type parquetFile struct {
	*source
	file    *parquet.File
	columns []*parquet.Column // the flat ones; nested columns have no single value per row
	left    int               // flat columns beyond parquetColumns
	group   int               // the next row group
	readers []*parquetReader  // of the columns wanted, in the current row group
	fields  [][]byte
	dates   bool         // as in openParquet
	halves  map[int]bool // leaves that hold floats of two bytes, which the library does not tell
}

// isParquet reports whether a file begins like one.
func isParquet(path string) bool {
	f, err := open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && string(magic[:]) == "PAR1"
}

// maxPackedParquet bounds the bytes of a Parquet file in an archive, which is unpacked in memory.
const maxPackedParquet = 256 << 20

// inPlace calls read with the open file and its size, for random access.
func inPlace(path string, read func(r io.ReaderAt, size int64) error) error {
	a, inner, err := archiveOf(path)
	if err != nil {
		return err
	}
	if a != nil && a.files[inner] != nil {
		m := a.files[inner]
		size := m.info.Size()
		if m.at != nil {
			return read(m.at, size)
		}
		if size > maxPackedParquet {
			return &LimitError{File: path, What: "the Parquet file is too long to be read within an archive, in " +
				"bytes; unpack the archive", Limit: maxPackedParquet}
		}
		f, err := m.open()
		if err != nil {
			return openError(path, err)
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, size))
		if err != nil {
			return &FileError{Path: path, Reason: "cannot be unpacked; download or write the archive again", Err: err}
		}
		return read(bytes.NewReader(b), int64(len(b)))
	}
	f, err := openDisk(path)
	if err != nil {
		return openError(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return openError(path, err)
	}
	return read(f, info.Size())
}

// readParquetFile reads a Parquet file by its columns' names and the options.
func readParquetFile(path string, c *collector, o Options) error {
	c.report.Format = "parquet"
	return inPlace(path, func(r io.ReaderAt, size int64) error { return readParquet(path, r, size, c, o) })
}

func readParquet(path string, r io.ReaderAt, size int64, c *collector, o Options) error {
	return undamaged(path, func() error {
		p, s, err := openParquet(path, r, size, false)
		if err != nil {
			return err
		}
		values := s.part(c.partitions)
		var l layout
		if err := l.resolve(path, s, o); err != nil {
			return err
		}
		var wanted []int
		for _, at := range l.columns {
			if at >= 0 && at < len(p.columns) {
				wanted = append(wanted, at)
			}
		}
		p.want(slices.DeleteFunc(l.alsoWanted(wanted), func(at int) bool { return at >= len(p.columns) }))
		return readColumns(withPartitions(p, values), c, &l, s.rows)
	})
}

// undamaged reads the Parquet file at path. On damage that the checks miss, the library may panic; undamaged turns this
// into an error about the file.
func undamaged(path string, read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &FileError{Path: path, Reason: "is a damaged Parquet file; download or write it again",
				Err: fmt.Errorf("%v", p)}
		}
	}()
	return read()
}

// openParquet checks a Parquet file of the given size against the bounds and returns it, positioned at its first row,
// with a sample of its rows. With dates, times are texts, 2021-12-31 or 2021-12-31T18:30:00Z; otherwise seconds since
// 1970.
func openParquet(path string, r io.ReaderAt, size int64, dates bool) (*parquetFile, *sample, error) {
	bad := func(reason string, err error) (*parquetFile, *sample, error) {
		return nil, nil, &FileError{Path: path, Reason: reason, Err: err}
	}
	if reason := checkFooter(r, size); reason != "" {
		return bad(reason, nil)
	}
	file, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return bad("is a Parquet file that cannot be read", err)
	}
	p := &parquetFile{source: &source{path: path, lines: &lines{}, encoding: func() string { return "" },
		close: func() {}}, file: file, dates: dates, halves: halves(file.Metadata().Schema)}
	s := &sample{names: []string{}}
	for _, column := range file.Root().Columns() {
		switch {
		case !column.Leaf() || column.Repeated():
		case len(p.columns) == parquetColumns:
			p.left++
		default:
			p.columns = append(p.columns, column)
			s.names = append(s.names, shorten([]byte(column.Name())))
		}
	}
	for _, group := range file.Metadata().RowGroups {
		if group.NumRows == 0 {
			continue // next does not read it either; its offsets mean nothing
		}
		for _, chunk := range group.Columns {
			m := chunk.MetaData
			offset := m.DataPageOffset
			if d := m.DictionaryPageOffset; d > 0 && d < offset {
				offset = d
			}
			if offset < 0 || m.TotalCompressedSize < 0 || offset > size || m.TotalCompressedSize > size-offset {
				return bad("has a column that lies outside of it; download or write it again", nil)
			}
			if reason := checkPages(r, offset, m.TotalCompressedSize); reason != "" {
				return bad(reason, nil)
			}
		}
	}
	p.want(p.all())
	for len(s.rows) < sampleRows {
		f, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		row := make([]string, len(f))
		for i, cell := range f {
			row[i] = shorten(trim(cell))
		}
		s.rows = append(s.rows, row)
	}
	p.want(p.all())
	return p, s, nil
}

// all returns the indices of all columns.
func (p *parquetFile) all() []int {
	all := make([]int, len(p.columns))
	for i := range all {
		all[i] = i
	}
	return all
}

func (p *parquetFile) at() *source   { return p.source }
func (p *parquetFile) cutBy() string { return "" }

// want restarts at the first row, and has next read only these columns.
func (p *parquetFile) want(columns []int) {
	p.group, p.line = 0, 0
	p.fields = make([][]byte, len(p.columns))
	p.readers = nil
	for _, i := range columns {
		p.readers = append(p.readers, &parquetReader{at: i, column: p.columns[i], half: p.halves[p.columns[i].Index()]})
	}
}

// next returns the fields of the next row; unwanted ones are empty.
func (p *parquetFile) next() ([][]byte, error) {
	for {
		ended := 0
		for _, r := range p.readers {
			v, err := r.next()
			if err == io.EOF {
				ended++
				continue
			}
			if err != nil {
				return nil, p.damaged(err)
			}
			if r.half && !v.IsNull() {
				r.text = appendHalf(r.text[:0], v.ByteArray())
			} else {
				r.text = appendValue(r.text[:0], v, r.column, p.dates)
			}
			p.fields[r.at] = r.text
		}
		switch groups := p.file.RowGroups(); {
		case ended == 0 && len(p.readers) > 0:
			p.line++
			return p.fields, nil
		case ended < len(p.readers):
			return nil, p.damaged(fmt.Errorf("the columns of row group %d are not of one length", p.group))
		case p.group == len(groups) || len(p.readers) == 0:
			return nil, io.EOF
		case groups[p.group].NumRows() == 0:
			p.group++
		default:
			chunks := groups[p.group].ColumnChunks()
			for _, r := range p.readers {
				r.pages, r.values = chunks[r.column.Index()].Pages(), nil
			}
			p.group++
		}
	}
}

func (p *parquetFile) damaged(err error) error {
	return &FileError{Path: p.path, Reason: fmt.Sprintf("is damaged behind row %d; download or write it again", p.line),
		Err: err}
}

// parquetReader reads one column of a row group, value by value.
type parquetReader struct {
	at     int
	column *parquet.Column
	half   bool          // a float of two bytes
	pages  parquet.Pages // nil before the first row group
	values parquet.ValueReader
	buf    [512]parquet.Value
	have   []parquet.Value
	text   []byte
}

func (r *parquetReader) next() (parquet.Value, error) {
	for empty := 0; len(r.have) == 0; empty++ {
		if r.pages == nil {
			return parquet.Value{}, io.EOF
		}
		if r.values == nil {
			page, err := r.pages.ReadPage()
			if err != nil {
				if err == io.EOF {
					r.pages.Close()
					r.pages = nil
				}
				return parquet.Value{}, err
			}
			r.values = page.Values()
		}
		n, err := r.values.ReadValues(r.buf[:])
		r.have = r.buf[:n]
		switch {
		case err == io.EOF:
			r.values = nil
		case err != nil:
			return parquet.Value{}, err
		case n == 0 && empty > 100:
			return parquet.Value{}, io.ErrNoProgress
		}
	}
	v := r.have[0]
	r.have = r.have[1:]
	return v, nil
}

// appendValue appends a value as text; for dates, see openParquet.
func appendValue(b []byte, v parquet.Value, column *parquet.Column, dates bool) []byte {
	if v.IsNull() {
		return b
	}
	var whole int64
	layout := "" // of a time
	switch v.Kind() {
	case parquet.Boolean:
		return strconv.AppendBool(b, v.Boolean())
	case parquet.Float:
		return appendFloat(b, float64(v.Float()), 32)
	case parquet.Double:
		return appendFloat(b, v.Double(), 64)
	case parquet.Int96: // what Spark writes for times: nanoseconds of a day, and the Julian day
		x := v.Int96()
		const epoch = 2_440_588
		whole, layout = (int64(x[2])-epoch)*86_400+int64(uint64(x[1])<<32|uint64(x[0]))/1e9, time.RFC3339
	case parquet.Int32:
		whole = int64(v.Int32())
	case parquet.Int64:
		whole = v.Int64()
	default:
		return appendBytes(b, v, column)
	}
	if t := column.Type().LogicalType(); t != nil {
		switch x := t.Value.(type) {
		case *format.DateType:
			whole, layout = whole*86_400, time.DateOnly
		case *format.TimestampType:
			layout = time.RFC3339
			switch x.Unit.Value.(type) {
			case *format.MilliSeconds:
				whole /= 1e3
			case *format.MicroSeconds:
				whole /= 1e6
			case *format.NanoSeconds:
				whole /= 1e9
			}
		case *format.DecimalType:
			return appendDecimal(b, strconv.FormatInt(whole, 10), x.Scale)
		case *format.IntType:
			if !x.IsSigned && v.Kind() == parquet.Int32 {
				return strconv.AppendUint(b, uint64(uint32(whole)), 10)
			} else if !x.IsSigned {
				return strconv.AppendUint(b, uint64(whole), 10)
			}
		}
	}
	if dates && layout != "" {
		return time.Unix(whole, 0).UTC().AppendFormat(b, layout)
	}
	return strconv.AppendInt(b, whole, 10)
}

// appendFloat appends a number, without an exponent if it is whole, since some tools store ids as floats. NaN is empty.
func appendFloat(b []byte, v float64, bits int) []byte {
	switch {
	case math.IsNaN(v):
		return b
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		return strconv.AppendInt(b, int64(v), 10)
	}
	return strconv.AppendFloat(b, v, 'g', -1, bits)
}
