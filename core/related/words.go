package related

import (
	"unicode"
	"unicode/utf8"
)

// eachWord calls do with the hash of every word of a text until do returns false. Words are runs of letters and digits
// in lower case, without an English plural s; in scripts without blanks between words, they are pairs of characters.
// One-letter words, and words of more than maxWord bytes, are left out.
func eachWord(text []byte, do func(word uint64) bool) {
	var buf [maxWord + utf8.UTFMax]byte
	word := buf[:0]
	var before rune // the previous character of an unspaced script, or 0
	end := func() bool {
		w := word
		word = buf[:0]
		if len(w) < 2 || len(w) > maxWord {
			return true
		}
		return do(hash(stem(w)))
	}
	for i := 0; i < len(text); {
		c := rune(text[i])
		if c < utf8.RuneSelf {
			i++
			switch {
			case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			case 'A' <= c && c <= 'Z':
				c += 'a' - 'A'
			default:
				before = 0
				if len(word) > 0 && !end() {
					return
				}
				continue
			}
			if len(word) <= maxWord {
				word = append(word, byte(c))
			}
			continue
		}
		var n int
		c, n = utf8.DecodeRune(text[i:])
		i += n
		if unspaced(c) {
			if len(word) > 0 && !end() {
				return
			}
			if before != 0 && !do(hash(utf8.AppendRune(utf8.AppendRune(buf[:0], before), c))) {
				return
			}
			before = c
			continue
		}
		before = 0
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			if len(word) <= maxWord {
				word = utf8.AppendRune(word, unicode.ToLower(c))
			}
		case unicode.Is(unicode.Mn, c): // a combining accent belongs to the word
		default:
			if len(word) > 0 && !end() {
				return
			}
		}
	}
	if len(word) > 0 {
		end()
	}
}

// unspaced reports whether a character belongs to a script that is written without blanks between words.
func unspaced(c rune) bool {
	return c >= 0x0E00 && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

// stem removes an English plural s: pages → page, queries → query. It returns w or a part of it.
func stem(w []byte) []byte {
	n := len(w)
	if n < 4 || w[n-1] != 's' {
		return w
	}
	switch w[n-2] {
	case 's', 'u', 'i':
		return w
	case 'e':
		if w[n-3] == 'i' && n > 4 {
			w[n-3] = 'y'
			return w[:n-2]
		}
	}
	return w[:n-1]
}

// hash is FNV-1a with 64 bits.
func hash(b []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}
