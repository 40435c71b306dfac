package coldstart

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npy writes an array as NumPy does.
func npy(descr, order, shape string, numbers any) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&b, binary.LittleEndian, uint16(len(head)))
	b.WriteString(head)
	_ = binary.Write(&b, binary.LittleEndian, numbers)
	return b.Bytes()
}

func TestReadNPY(t *testing.T) {
	v, err := ReadNPY(bytes.NewReader(npy("<f4", "False", "(2, 3)", []float32{1, 2, 3, 4, 5, 6})))
	if err != nil || v.Len() != 2 || v.Dim != 3 || v.Row(1)[0] != 4 {
		t.Errorf("%+v, %v", v, err)
	}
	path := filepath.Join(t.TempDir(), "v.npy")
	if err := os.WriteFile(path, npy("<f8", "False", "(1, 2)", []float64{0.5, -2}), 0o644); err != nil {
		t.Fatal(err)
	}
	if v, err = OpenNPY(path); err != nil || v.Row(0)[1] != -2 {
		t.Errorf("%+v, %v", v, err)
	}
	if _, err := OpenNPY(path + ".no"); err == nil {
		t.Error("reading a missing file succeeded")
	}
}

func TestBadNPY(t *testing.T) {
	good := npy("<f4", "False", "(2, 2)", []float32{1, 2, 3, 4})
	cases := map[string][]byte{
		"not a .npy file":     []byte("id,title\n1,Heat\n"),
		"header is trunc":     good[:40],
		"ends in row 1 of 2":  good[:len(good)-1],
		"has bytes after its": append(bytes.Clone(good), 0),
		"shape (items, numb":  npy("<f4", "False", "(4,)", []float32{1, 2, 3, 4}),
		"in C order":          npy("<f4", "True", "(2, 2)", []float32{1, 2, 3, 4}),
		"the type is <i8":     npy("<i8", "False", "(1, 1)", []int64{1}),
		"the shape is (0, 2)": npy("<f4", "False", "(0, 2)", []float32{}),
		"give 1 to":           npy("<f4", "False", "(1, 999999)", []float32{}),
		"row 0, column 1 is NaN": npy("<f4", "False", "(1, 2)",
			[]float32{1, float32(math.NaN())}),
		"row 0, column 0 is 1e+300": npy("<f8", "False", "(1, 1)", []float64{1e300}),
		"version 9":                 append([]byte("\x93NUMPY\x09\x00"), good[8:]...),
		"the header has 4294967295": append([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), good[12:]...),
	}
	for says, b := range cases {
		if _, err := ReadNPY(bytes.NewReader(b)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got error %v, want %q", err, says)
		}
	}
}

func FuzzReadNPY(f *testing.F) {
	f.Add(npy("<f4", "False", "(2, 2)", []float32{1, 2, 3, 4}))
	f.Add(npy("<f8", "False", "(268435456, 2048)", []float64{1}))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\x00\x00{"))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := ReadNPY(bytes.NewReader(b))
		if err != nil {
			return
		}
		if v.Dim < 1 || v.Len()*v.Dim != len(v.Data) || 4*len(v.Data) > len(b) {
			t.Fatalf("%d numbers of %d bytes, %d a vector", len(v.Data), len(b), v.Dim)
		}
		for _, x := range v.Data {
			if x != x || math.IsInf(float64(x), 0) {
				t.Fatal("accepted a number that is not finite")
			}
		}
	})
}
