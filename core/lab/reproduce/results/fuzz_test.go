package results

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Every CSV file is either refused, or keeps its content after writing and reading, and then its bytes.
func FuzzTables(f *testing.F) {
	folder := f.TempDir()
	if err := sample().Write(durable.OS, folder); err != nil {
		f.Fatal(err)
	}
	for which, name := range []string{setsFile, methodsFile, trialsFile, marginsFile, tripletsFile} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(which), text)
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		switch which % 5 {
		case 0:
			again(t, text, setColumns)
		case 1:
			again(t, text, measuredColumns)
		case 2:
			again(t, text, trialColumns)
		case 3:
			again(t, text, marginColumns)
		default:
			again(t, text, tripletColumns)
		}
	})
}

// again reads a table, writes it, and does both once more.
func again[T any](t *testing.T, text []byte, columns []column[T]) {
	first := table[T]{file: "x.csv"}
	if err := first.parse(text, columns); err != nil {
		return
	}
	written := written(first.rows, columns)
	second := table[T]{file: "x.csv"}
	if err := second.parse(written, columns); err != nil {
		t.Fatalf("%v in\n%s", err, written)
	}
	if !reflect.DeepEqual(first.rows, second.rows) {
		t.Fatalf("%+v became %+v by\n%s", first.rows, second.rows, written)
	}
}

// written returns the output of writeTable.
func written[T any](rows []T, columns []column[T]) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	var cells []string
	for _, c := range columns {
		cells = append(cells, c.name)
	}
	w.Write(cells)
	for i := range rows {
		for j := range columns {
			cells[j] = columns[j].write(&rows[i])
		}
		w.Write(cells)
	}
	w.Flush()
	return b.Bytes()
}

// A Parquet file is either refused or has valid users; it cannot crash the program or make it allocate much memory.
func FuzzUsers(f *testing.F) {
	rows := []record{
		{"toys", "published", "ease", 0, 1, -1, 0, 3, 0b101}, {"toys", "published", "ease", 0, 1, -1, 7, 300, 1023},
		{"toys", "published", "cml", 0, 1, 2, 0, 3, 0}, {"zoo", "published", "cml", 4, 1 << 53, 2, 0, 1, 1},
	}
	whole := fileOf(rows)
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(fileOf(rows[:1]))
	f.Add(fileOf([]record{}))
	f.Fuzz(func(t *testing.T, b []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		all, err := parseUsers(bytes.NewReader(b), int64(len(b)))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > columns*maxPage {
			t.Fatalf("%d bytes took %d bytes of memory", len(b), took)
		}
		if err != nil {
			return
		}
		for key, h := range all {
			if n := len(h.Users); n == 0 || n != len(h.Items) || n != len(h.Places) || !slices.IsSorted(h.Users) {
				t.Fatalf("%+v has %+v", key, h)
			}
			recalls, ndcgs := h.Values()
			for i := range recalls {
				if !(recalls[i] >= 0 && recalls[i] <= 1 && ndcgs[i] >= 0 && ndcgs[i] <= 1) {
					t.Fatalf("user %d has %v and %v", h.Users[i], recalls[i], ndcgs[i])
				}
			}
		}
	})
}

// Pages larger than real ones, or that do not fill their column, are detected before decoding.
func TestPagesAreBounded(t *testing.T) {
	header := func(size, compressed int32) []byte {
		b, err := thrift.Marshal(new(thrift.CompactProtocol), &format.PageHeader{Type: format.DataPage,
			UncompressedPageSize: size, CompressedPageSize: compressed})
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	check := func(b []byte, from, length int) error {
		return checkPages(bytes.NewReader(b), int64(len(b)), &format.ColumnMetaData{DataPageOffset: int64(from),
			TotalCompressedSize: int64(length)})
	}
	page := append(header(100, 10), make([]byte, 10)...)
	two := slices.Concat(page, page)
	bomb := slices.Concat(page, header(1<<30, 10), make([]byte, 10))
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"two pages":    {check(two, 0, len(two)), ""},
		"the second":   {check(two, len(page), len(page)), ""},
		"cut":          {check(two, 0, len(two)-1), errPages.Error()},
		"outside":      {check(two, 1, len(two)), errPages.Error()},
		"before":       {check(two, -1, len(two)), errPages.Error()},
		"large":        {check(bomb, 0, len(bomb)), "a page has 1073741824 bytes; a real one has at most"},
		"negative":     {check(header(-1, 0), 0, len(header(-1, 0))), errPages.Error()},
		"goes back":    {check(header(1, -10), 0, len(header(1, -10))), errPages.Error()},
		"not a header": {check(make([]byte, 20), 0, 20), "it is damaged"},
	} {
		if c.want == "" && c.err != nil || c.want != "" && (c.err == nil || !strings.Contains(c.err.Error(), c.want)) {
			t.Errorf("%s: %v, not %s", name, c.err, c.want)
		}
	}
}
