package model

import "math"

// A column of k numbers of w bytes each is stored in w planes of k bytes, from the most to the least significant byte.
// So signs and exponents, which resemble each other, are adjacent, which saves 4 to 9% of a column of means under
// brotli; a plane of zeros costs nothing. The byte of number i in plane p is b[p·k+i].

func word16(b []byte, k, i int) uint16 { return uint16(b[i])<<8 | uint16(b[k+i]) }

func word32(b []byte, k, i int) uint32 {
	return uint32(b[i])<<24 | uint32(b[k+i])<<16 | uint32(b[2*k+i])<<8 | uint32(b[3*k+i])
}

func word64(b []byte, k, i int) uint64 {
	return uint64(word32(b, k, i))<<32 | uint64(word32(b[4*k:], k, i))
}

func putWord16(b []byte, k, i int, v uint16) { b[i], b[k+i] = byte(v>>8), byte(v) }

func putWord32(b []byte, k, i int, v uint32) {
	b[i], b[k+i], b[2*k+i], b[3*k+i] = byte(v>>24), byte(v>>16), byte(v>>8), byte(v)
}

func putWord64(b []byte, k, i int, v uint64) {
	putWord32(b, k, i, uint32(v>>32))
	putWord32(b[4*k:], k, i, uint32(v))
}

// float32s returns the numbers of a column of float32.
func float32s(b []byte) []float32 {
	x := make([]float32, len(b)/4)
	for i := range x {
		x[i] = math.Float32frombits(word32(b, len(x), i))
	}
	return x
}

// float64s returns the numbers of a column of float64.
func float64s(b []byte) []float64 {
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(word64(b, len(x), i))
	}
	return x
}

// planes32 returns the column of the given float32 numbers.
func planes32(x []float32) []byte {
	b := make([]byte, 4*len(x))
	for i, v := range x {
		putWord32(b, len(x), i, math.Float32bits(v))
	}
	return b
}

// planes64 returns the column of the given float64 numbers.
func planes64(x []float64) []byte {
	b := make([]byte, 8*len(x))
	for i, v := range x {
		putWord64(b, len(x), i, math.Float64bits(v))
	}
	return b
}
