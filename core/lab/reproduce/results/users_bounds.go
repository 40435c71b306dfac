package results

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Bounds of users.parquet: some ten times the largest real one.
const (
	MaxUsers     = 1 << 25 // rows
	maxUsersFile = 64 << 20
	maxFooter    = 4 << 20
	maxPage      = 4 * pageSize // bytes of a page once it is no longer compressed
)

// openUsers opens a Parquet file. Before decoding it checks that the file has the columns of record and that neither it
// nor any page is larger than real ones, because the library allocates the size that a page states.
func openUsers(r io.ReaderAt, size int64) (*parquet.File, error) {
	if size > maxUsersFile {
		return nil, fmt.Errorf("it has %d bytes; a real one has at most %d", size, maxUsersFile)
	}
	if err := checkFooter(r, size); err != nil {
		return nil, err
	}
	f, err := parquet.OpenFile(r, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as Parquet: %w", err)
	}
	if want := parquet.SchemaOf(record{}); !parquet.EqualNodes(f.Schema(), want) {
		return nil, fmt.Errorf("its columns must be %s", want)
	}
	if f.NumRows() > MaxUsers {
		return nil, fmt.Errorf("it has %d rows; a real one has at most %d", f.NumRows(), MaxUsers)
	}
	for _, group := range f.Metadata().RowGroups {
		for i := range group.Columns {
			if err := checkPages(r, size, &group.Columns[i].MetaData); err != nil {
				return nil, err
			}
		}
	}
	return f, nil
}

// checkFooter checks the length of the footer, stored before the last four bytes.
func checkFooter(r io.ReaderAt, size int64) error {
	var end [8]byte
	if size < 12 {
		return errNotParquet
	}
	if _, err := r.ReadAt(end[:], size-8); err != nil {
		return err
	}
	if n := int64(binary.LittleEndian.Uint32(end[:])); string(end[4:]) != "PAR1" || n > min(size-12, maxFooter) {
		return errNotParquet
	}
	return nil
}

var errNotParquet = errors.New("it cannot be read as Parquet: it has no footer")

var errPages = errors.New("it is damaged: its pages do not fill its columns")

// checkPages checks the headers of the pages of a column chunk.
func checkPages(r io.ReaderAt, size int64, c *format.ColumnMetaData) error {
	from := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < from {
		from = c.DictionaryPageOffset
	}
	to := from + c.TotalCompressedSize
	if from < 0 || c.TotalCompressedSize < 0 || to < from || to > size {
		return errPages
	}
	const header = 4 << 10 // more than a real one with statistics
	buffer := make([]byte, header)
	var values int64
	for from < to {
		n, err := r.ReadAt(buffer[:min(header, to-from)], from)
		if err != nil && err != io.EOF {
			return err
		}
		// Reading from bytes, unlike from a stream, allocates at most the available bytes for a text.
		in := new(thrift.CompactProtocol).NewReaderFromBytes(buffer[:n])
		var page format.PageHeader
		if err := thrift.NewDecoder(in).Decode(&page); err != nil {
			return fmt.Errorf("it is damaged: %w", err)
		}
		if page.UncompressedPageSize < 0 || page.CompressedPageSize < 0 {
			return errPages
		}
		if page.UncompressedPageSize > maxPage {
			return fmt.Errorf("a page has %d bytes; a real one has at most %d", page.UncompressedPageSize, maxPage)
		}
		values += int64(page.DataPageHeader.V.NumValues) + int64(page.DataPageHeaderV2.V.NumValues)
		values += int64(page.DictionaryPageHeader.V.NumValues)
		from += int64(in.BytesRead()) + int64(page.CompressedPageSize)
	}
	if from != to || values > 2*MaxUsers {
		return errPages
	}
	return nil
}
