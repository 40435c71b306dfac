package vec

import "math"

// normalTable holds normal.go's constants for the assembly, in the order of its macros.
var normalTable = lanes(
	0.5, math.Float32frombits(rootHalf+31<<23), math.Float32frombits(mantissa), math.Float32frombits(rootHalf), 1,
	log7, log6, log5, log4, log3, log2, log1, log0, minus2Ln2,
	angleUnit, sin3, sin2, sin1, sin0, cos3, cos2, cos1, cos0, math.Float32frombits(sign),
)

// philoxKeys returns the keys of all rounds.
func philoxKeys(key uint64) (k [2 * philoxRounds]uint32) {
	k0, k1 := uint32(key), uint32(key>>32)
	for i := 0; i < len(k); i += 2 {
		k[i], k[i+1] = k0, k1
		k0 += philoxW0
		k1 += philoxW1
	}
	return k
}

// len(dst) is a positive multiple of group.
func normalsAVX2(dst []float32, key, stream, block uint64) {
	keys := philoxKeys(key)
	if n := len(dst) &^ (4*group - 1); useAVX512 && n > 0 {
		normals128(&dst[0], n/(4*group), &keys, stream, block, &normalTable[0])
		if dst = dst[n:]; len(dst) == 0 {
			return
		}
		block += uint64(n / 4)
	}
	normals32(&dst[0], len(dst)/group, &keys, stream, block, &normalTable[0])
}

// groups of 32 values, of 8 blocks each, starting at block; groups is positive.
//
//go:noescape
func normals32(dst *float32, groups int, keys *[20]uint32, stream, block uint64, table *[8]float32)

// groups of 128 values.
//
//go:noescape
func normals128(dst *float32, groups int, keys *[20]uint32, stream, block uint64, table *[8]float32)
