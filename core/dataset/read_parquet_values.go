package dataset

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxDecimal bounds the bytes and the scale of a decimal: Parquet's writers use 16 bytes and 38 digits.
const maxDecimal = 128

// halves returns the leaves of a schema that hold floats of two bytes.
func halves(schema []format.SchemaElement) map[int]bool {
	out, leaf := map[int]bool{}, 0
	for i := range schema {
		if !schema[i].Type.Valid {
			continue // a group
		}
		if _, ok := schema[i].LogicalType.Value.(*format.Float16Type); ok {
			out[leaf] = true
		}
		leaf++
	}
	return out
}

// appendBytes appends a value of bytes according to its logical type: a decimal as a number, a UUID with hyphens. Bytes
// of fixed length without such a type are text if possible, otherwise hexadecimal.
func appendBytes(b []byte, v parquet.Value, column *parquet.Column) []byte {
	bytes := v.ByteArray()
	if t := column.Type().LogicalType(); t != nil {
		switch x := t.Value.(type) {
		case *format.DecimalType:
			if len(bytes) == 0 || len(bytes) > maxDecimal {
				return b
			}
			n := new(big.Int).SetBytes(bytes)
			if bytes[0] >= 0x80 { // two's complement
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
			}
			return appendDecimal(b, n.String(), x.Scale)
		case *format.UUIDType:
			if len(bytes) == 16 {
				for i, part := range [][]byte{bytes[:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:]} {
					if i > 0 {
						b = append(b, '-')
					}
					b = hex.AppendEncode(b, part)
				}
				return b
			}
		}
	}
	if v.Kind() == parquet.FixedLenByteArray {
		text := strings.TrimRight(string(bytes), "\x00 ") // padding
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return hex.AppendEncode(b, bytes)
		}
		return append(b, text...)
	}
	return append(b, bytes...)
}

// appendDecimal appends a whole number with scale digits behind the point. It omits them if all are 0, since some tools
// store ids as decimals.
func appendDecimal(b []byte, digits string, scale int32) []byte {
	if scale <= 0 || scale > maxDecimal {
		return append(b, digits...)
	}
	if digits[0] == '-' {
		b, digits = append(b, '-'), digits[1:]
	}
	if missing := int(scale) + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - int(scale)
	b = append(b, digits[:point]...)
	if strings.Trim(digits[point:], "0") == "" {
		return b
	}
	return append(append(b, '.'), digits[point:]...)
}

// appendHalf appends a float of two bytes.
func appendHalf(b, bytes []byte) []byte {
	if len(bytes) != 2 {
		return b
	}
	bits := binary.LittleEndian.Uint16(bytes)
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	v := math.Ldexp(fraction, -24)
	switch {
	case exponent == 31:
		return b // infinite, or no number
	case exponent > 0:
		v = math.Ldexp(fraction+1024, exponent-25)
	}
	if bits>>15 == 1 && v != 0 {
		v = -v
	}
	return appendFloat(b, v, 32)
}
