package catalogue

// maxWord is the number of bytes of a word that are compared; the rest is ignored.
const maxWord = 32

// tolerance returns the number of typing errors allowed in a word: none in short words and numbers, where another
// letter makes another word; one from 4 letters on, two from 8.
func tolerance(w string) int {
	number := true
	for i := range len(w) {
		number = number && w[i] >= '0' && w[i] <= '9'
	}
	switch {
	case number || len(w) < 4:
		return 0
	case len(w) < 8:
		return 1
	}
	return 2
}

// letters returns the set of the bytes in w, folded into 64 bits. If two words are k errors apart, at most k bits of
// one are missing in the other. That rules out most of a vocabulary in two instructions per word.
func letters(w string) (m uint64) {
	for i := range len(w) {
		m |= 1 << (w[i] & 63)
	}
	return m
}

// distances compares two words. errors is the smallest number of insertions, deletions, substitutions and swaps of
// neighbours (optimal string alignment) that turn a into b. prefix is the smallest number over all prefixes of b, for
// words that are still being typed. Values above limit are returned as limit+1. Both count bytes of folded words.
// O(len(a)·len(b)).
func distances(a, b string, limit int) (errors, prefix int) {
	if len(a) > maxWord {
		a = a[:maxWord]
	}
	if len(b) > maxWord {
		b = b[:maxWord]
	}
	over := limit + 1
	if len(a)-len(b) > limit {
		return over, over
	}
	// Row j holds the distances from a[:i] to b[:j]. Only |i−j| ≤ limit matters, but words are short.
	var rows [3][maxWord + 1]int
	n := min(len(b), len(a)+limit)
	prev2, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := 0; j <= n; j++ {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		best := i
		for j := 1; j <= n; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			v := min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				v = min(v, prev2[j-2]+1)
			}
			cur[j] = v
			best = min(best, v)
		}
		if best > limit {
			return over, over
		}
		prev2, prev, cur = prev, cur, prev2
	}
	errors, prefix = over, over
	if n == len(b) {
		errors = min(prev[n], over)
	}
	for j := 0; j <= n; j++ {
		prefix = min(prefix, prev[j])
	}
	return errors, prefix
}

// Errors returns the smallest number of insertions, deletions, substitutions and swaps of neighbours that turn a into
// b, or limit+1 if it is above limit. Only the first 32 bytes count. O(len(a)·len(b)).
func Errors(a, b string, limit int) int {
	e, _ := distances(a, b, limit)
	return e
}
