package digest

// Sum returns the SHA-256 of b, and calls rest after every 64 KiB.
func Sum(b []byte, rest func()) [32]byte { return sum(b, rest) }
