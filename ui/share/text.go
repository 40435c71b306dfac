package share

// check returns eight hexadecimal digits that tell whether s is whole: FNV-1a of 32 bits over its bytes. One changed byte
// always changes it, and what else befalls a link goes unnoticed once in four thousand million times.
func check(s string) string {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	var b [digits]byte
	for i := range b {
		b[i] = hex[h>>(28-4*i)&15]
	}
	return string(b[:])
}

const (
	hex   = "0123456789abcdef"
	upper = "0123456789ABCDEF" // as encodeURIComponent writes it
)

// plain tells whether a byte of an id stands in a link as it is: RFC 3986 calls these unreserved. All others are written
// as % and two hexadecimal digits, as encodeURIComponent does.
func plain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

func escape(b []byte, id string) []byte {
	for i := range len(id) {
		if c := id[i]; plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', upper[c>>4], upper[c&15])
		}
	}
	return b
}

func escapedLen(id string) (n int) {
	for i := range len(id) {
		if n++; !plain(id[i]) {
			n += 2
		}
	}
	return n
}

// unescape undoes escape; it takes bytes that escape would have written otherwise as they are.
func unescape(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		hi, lo := nibble(s[i+1]), nibble(s[i+2])
		if hi > 15 || lo > 15 {
			return "", false
		}
		b = append(b, hi<<4|lo)
		i += 2
	}
	return string(b), true
}

// nibble is the value of a hexadecimal digit, 255 for anything else.
func nibble(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
