package share

import "strconv"

// check returns eight hexadecimal digits that tell whether s is whole: FNV-1a of 32 bits over its bytes. One changed byte
// always changes it, and what else befalls a link goes unnoticed once in four thousand million times.
func check(s string) string {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return strconv.FormatUint(1<<32|uint64(h), 16)[1:]
}

// plain tells whether a byte of an id stands in a link as it is: RFC 3986 calls these unreserved. All others are written
// as % and two hexadecimal digits, as encodeURIComponent does.
func plain(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

func escape(id string) string {
	var b []byte
	for i := range len(id) {
		if c := id[i]; plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', upper[c>>4], upper[c&15])
		}
	}
	return string(b)
}

const upper = "0123456789ABCDEF" // as encodeURIComponent writes it

// unescape undoes escape; it takes bytes that escape would have written otherwise as they are.
func unescape(s string) (string, bool) {
	var b []byte
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			v, err := strconv.ParseUint(s[i+1:min(i+3, len(s))], 16, 8)
			if err != nil || i+2 >= len(s) {
				return "", false
			}
			c = byte(v)
			i += 2
		}
		b = append(b, c)
	}
	return string(b), true
}
