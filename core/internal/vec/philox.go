package vec

import "math/bits"

// philox returns the four words of Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011, the generator of Random123) for
// the counter [block; stream] and the key, each low word first. It is stateless, so any value of any stream can be
// drawn directly.
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
