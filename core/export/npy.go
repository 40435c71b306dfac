package export

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// npyAlign divides the header's length, so that the values can be memory-mapped.
const npyAlign = 64

// writeNPY writes the rows as a two-dimensional float32 array in NumPy's format, version 1.0 (NEP 1). The format is
// only a header, and the libraries for it copy the whole array to write two dimensions.
func writeNPY(w io.Writer, v *Vectors) error {
	const magic = "\x93NUMPY\x01\x00"
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", v.Rows.Len(), 2*v.Rows.Dim())
	fill := npyAlign - (len(magic)+2+len(head)+1)%npyAlign
	head += strings.Repeat(" ", fill%npyAlign) + "\n"
	b := append([]byte(magic), binary.LittleEndian.AppendUint16(nil, uint16(len(head)))...)
	if _, err := w.Write(append(b, head...)); err != nil {
		return err
	}
	for i := range v.Rows.Len() {
		b = b[:0]
		for _, x := range v.Rows.Row(i) {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}
