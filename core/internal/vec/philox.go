package vec

import "math/bits"

// philox returns the four words of Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, the generator of Random123) for
// the counter [block; stream] and the key, each low word first: a function without state, so any value of any stream
// is drawn without those before it.
func philox(block, stream, key uint64) (w0, w1, w2, w3 uint32) {
	w0, w1, w2, w3 = uint32(block), uint32(block>>32), uint32(stream), uint32(stream>>32)
	k0, k1 := uint32(key), uint32(key>>32)
	for range philoxRounds {
		hi0, lo0 := bits.Mul32(philoxM0, w0)
		hi1, lo1 := bits.Mul32(philoxM1, w2)
		w0, w1, w2, w3 = hi1^w1^k0, lo1, hi0^w3^k1, lo0
		k0 += philoxW0
		k1 += philoxW1
	}
	return
}

const (
	philoxRounds = 10
	philoxM0     = 0xD2511F53
	philoxM1     = 0xCD9E8D57
	philoxW0     = 0x9E3779B9 // the golden ratio
	philoxW1     = 0xBB67AE85 // √3 − 1
)

// Uniforms32 fills dst with random words: dst[i] is word i mod 4 of Philox4x32-10's block i/4 in the stream counter,
// the same for any length of dst. O(n).
func Uniforms32(dst []uint32, key, counter uint64) {
	n := 0
	if useAVX2 && len(dst) > 0 {
		if n = len(dst) &^ 31; n > 0 {
			uniformsAVX2(dst[:n], key, counter, 0)
		}
		if n < len(dst) {
			var last [32]uint32
			uniformsAVX2(last[:], key, counter, uint64(n/4))
			copy(dst[n:], last[:])
		}
		return
	}
	uniformsGo(dst, key, counter)
}

func uniformsGo(dst []uint32, key, counter uint64) {
	for i := 0; i < len(dst); i += 4 {
		w0, w1, w2, w3 := philox(uint64(i/4), counter, key)
		copy(dst[i:], []uint32{w0, w1, w2, w3})
	}
}
