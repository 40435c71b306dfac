// Package percent writes texts as parts of an address's fragment, and reads them: for the addresses of views (ui) and for
// links that carry a taste (ui/share). Both are read strictly or not, as they like; net/url is more than the program needs.
package percent

import "strings"

const digits = "0123456789ABCDEF" // as encodeURIComponent writes them

// plain tells whether a byte stands as it is: RFC 3986 calls these unreserved.
func plain(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_' || c == '~'
}

// Escape writes all bytes of s but the unreserved ones as % and two hexadecimal digits. O(len(s)).
func Escape(s string) string {
	var b []byte
	for i := range len(s) {
		if c := s[i]; plain(c) {
			b = append(b, c)
		} else {
			b = append(b, '%', digits[c>>4], digits[c&15])
		}
	}
	return string(b)
}

// Unescape undoes Escape. Bytes that Escape would have written otherwise are taken as they are; so is a % that begins no
// escape, and sound tells whether there was none of those. What comes back need not be UTF-8. O(len(s)).
func Unescape(s string) (text string, sound bool) {
	sound = true
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if i+2 < len(s) {
				high, low := digit(s[i+1]), digit(s[i+2])
				if high >= 0 && low >= 0 {
					b = append(b, byte(high<<4|low))
					i += 2
					continue
				}
			}
			sound = false
		}
		b = append(b, s[i])
	}
	return string(b), sound
}

// digit returns the value of a hexadecimal digit of either case, or −1.
func digit(c byte) int {
	if c >= 'a' && c <= 'f' {
		c -= 'a' - 'A'
	}
	return strings.IndexByte(digits, c)
}
