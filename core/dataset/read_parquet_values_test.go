package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// logical is a physical type with a logical type that the library does not write.
type logical struct {
	parquet.Type
	of format.LogicalType
}

func (l logical) LogicalType() *format.LogicalType { return &l.of }

// parquetOf returns a Parquet file with the columns item, of a type, and user.
func parquetOf(t testing.TB, item parquet.Node, values ...parquet.Value) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewWriter(&b, parquet.NewSchema("x", parquet.Group{"item": item, "user": parquet.String()}))
	for _, v := range values {
		row := parquet.Row{v.Level(0, 0, 0), parquet.ValueOf("u").Level(0, 0, 1)}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestParquetValues: bytes are read as their logical type says, and so are whole numbers without a sign.
func TestParquetValues(t *testing.T) {
	fixed, binary := parquet.FixedLenByteArrayValue, parquet.ByteArrayValue
	half := parquet.Leaf(logical{parquet.FixedLenByteArrayType(2), format.LogicalType{Value: &format.Float16Type{}}})
	decimal := func(scale, precision int, of parquet.Type) parquet.Node { return parquet.Decimal(scale, precision, of) }
	for name, c := range map[string]struct {
		node   parquet.Node
		values []parquet.Value
		want   string
	}{
		"NUMBER(38,0) of Snowflake": {decimal(0, 38, parquet.FixedLenByteArrayType(16)),
			[]parquet.Value{fixed(append(make([]byte, 14), 1, 0xf8)), fixed(bytes.Repeat([]byte{0xff}, 16))}, "504,-1"},
		"decimal(9,0)": {decimal(0, 9, parquet.FixedLenByteArrayType(4)),
			[]parquet.Value{fixed([]byte("1116"))}, "825307446"},
		"decimal(5,2)": {decimal(2, 5, parquet.FixedLenByteArrayType(3)), []parquet.Value{fixed([]byte{0, 0x27, 0x10}),
			fixed([]byte{0, 7, 0xc6}), fixed([]byte{0xff, 0xff, 0xfb}), fixed([]byte{0, 0, 0})}, "100,19.90,-0.05,0"},
		"decimal as binary": {decimal(1, 20, parquet.ByteArrayType), []parquet.Value{binary([]byte{0x23}),
			binary([]byte{0x80, 0})}, "3.5,-3276.8"},
		"decimal above 2^53": {decimal(0, 18, parquet.Int64Type), []parquet.Value{
			parquet.Int64Value(9_007_199_254_740_993)}, "9007199254740993"},
		"decimal in 32 bits": {decimal(2, 9, parquet.Int32Type), []parquet.Value{parquet.Int32Value(-1250)}, "-12.50"},
		"UUID": {parquet.UUID(), []parquet.Value{fixed([]byte("\xb6\x10\xb4q\x10sEZ\x89\xb72*\xc2\xc1S\r"))},
			"b610b471-1073-455a-89b7-322ac2c1530d"},
		"half": {half, []parquet.Value{fixed([]byte{0, 0x44}), fixed([]byte{0, 0x43}), fixed([]byte{0, 0xc0}),
			fixed([]byte{1, 0}), fixed([]byte{0xff, 0x7b})}, "4,3.5,-2,5.9604645e-08,65504"},
		"text of fixed length": {parquet.Leaf(parquet.FixedLenByteArrayType(6)), []parquet.Value{
			fixed([]byte("A1    ")), fixed([]byte("B2\x00\x00\x00\x00"))}, "A1,B2"},
		"bytes of fixed length": {parquet.Leaf(parquet.FixedLenByteArrayType(4)), []parquet.Value{
			fixed([]byte{0xde, 0xad, 0, 1})}, "dead0001"},
		"without a sign, 64": {parquet.Uint(64), []parquet.Value{parquet.Int64Value(-1)}, "18446744073709551615"},
		"without a sign, 32": {parquet.Uint(32), []parquet.Value{parquet.Int32Value(-2)}, "4294967294"},
	} {
		path := write(t, t.TempDir(), "r.parquet", string(parquetOf(t, c.node, c.values...)))
		d, err := Load(path, none)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.Join(d.Items.Strings(), ","); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// TestParquetPrices: a catalogue's decimals are numbers.
func TestParquetPrices(t *testing.T) {
	folder := t.TempDir()
	type row struct {
		ID    string `parquet:"id"`
		Title string `parquet:"title"`
		Price int64  `parquet:"price,decimal(2:10)"`
	}
	file := filepath.Join(folder, "items.parquet")
	if err := parquet.WriteFile(file, []row{{"a", "A", 10000}, {"b", "B", 150400}, {"c", "C", 5}}); err != nil {
		t.Fatal(err)
	}
	d, err := Load(write(t, folder, "r.csv", "user,item\nu,a\nu,b\nu,c\n"), Options{MinUser: -1, MinItem: -1, Items: file})
	if err != nil {
		t.Fatal(err)
	}
	var prices []string
	at := d.Catalogue.Column("price")
	for _, item := range d.Catalogue.Items {
		prices = append(prices, item.Values[at])
	}
	if !slices.Equal(prices, []string{"100", "1504", "0.05"}) {
		t.Errorf("%q", prices)
	}
}

// TestParquetWithoutRows: a file without rows is not damaged; among others it adds nothing.
func TestParquetWithoutRows(t *testing.T) {
	type row struct {
		User string `parquet:"user"`
		Item string `parquet:"item"`
	}
	path := filepath.Join(t.TempDir(), "r.parquet")
	if err := parquet.WriteFile(path, []row{}); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, none); err == nil || !strings.Contains(err.Error(), "holds no interactions") {
		t.Error(err)
	}
	// As Arrow writes it: a row group without rows, whose column has a dictionary and no page.
	whole := parquetOf(t, parquet.String(), parquet.ValueOf("a"))
	file, err := parquet.OpenFile(bytes.NewReader(whole), int64(len(whole)))
	if err != nil {
		t.Fatal(err)
	}
	meta := *file.Metadata()
	empty := meta.RowGroups[0]
	empty.NumRows, empty.Columns = 0, slices.Clone(empty.Columns)
	for i := range empty.Columns {
		m := &empty.Columns[i].MetaData
		m.NumValues, m.DataPageOffset, m.TotalCompressedSize = 0, 5, 3
	}
	for want, groups := range map[int][]format.RowGroup{0: {empty}, 1: {empty, meta.RowGroups[0], empty}} {
		meta.RowGroups, meta.NumRows = groups, int64(want)
		footer, err := thrift.Marshal(new(thrift.CompactProtocol), &meta)
		if err != nil {
			t.Fatal(err)
		}
		end := len(whole) - 8 - int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
		b := append(slices.Clone(whole[:end]), footer...)
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(footer))), "PAR1"...)
		d, err := Load(write(t, t.TempDir(), "r.parquet", string(b)), none)
		switch {
		case want == 0 && (err == nil || !strings.Contains(err.Error(), "holds no interactions")):
			t.Errorf("no rows: %v", err)
		case want > 0 && (err != nil || d.Read.Interactions != want):
			t.Errorf("%d rows: %v", want, err)
		}
	}
}

func FuzzParquetValues(f *testing.F) {
	f.Add([]byte{1, 2}, "12", int32(2))
	f.Add([]byte{0, 0xfc}, "-5", int32(math.MaxInt32))
	f.Fuzz(func(t *testing.T, b []byte, digits string, scale int32) {
		appendHalf(nil, b)
		if len(b) == 0 {
			return
		}
		for _, node := range []parquet.Node{parquet.Decimal(2, 9, parquet.FixedLenByteArrayType(len(b))),
			parquet.Leaf(parquet.FixedLenByteArrayType(len(b)))} {
			if len(b) > 256 {
				return
			}
			file := parquetOf(t, node, parquet.FixedLenByteArrayValue(b))
			if err := readParquet("fuzz", bytes.NewReader(file), int64(len(file)), newCollector(none), none); err != nil {
				typed(t, err)
			}
		}
	})
}
