package digest

// Sum returns the SHA-256 of b. It yields the thread after every 64 KiB.
func Sum(b []byte) [32]byte { return sum(b) }
