package dataset

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded returns r in UTF-8, without a byte order mark, and a function that names the encoding, which may be known
// only at the end. head is what r begins with.
//
// A byte order mark shows UTF-8 and UTF-16; zeros in every other byte show UTF-16 without one. Anything else is UTF-8
// if its first character beyond ASCII is, and Windows-1252 (which has all of Latin-1's letters) if not.
func decoded(r io.Reader, head []byte) (io.Reader, func() string) {
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy) io.Reader {
		return transform.NewReader(r, unicode.UTF16(order, mark).NewDecoder())
	}
	always := func(name string) func() string { return func() string { return name } }
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return transform.NewReader(r, unicode.UTF8BOM.NewDecoder()), always("UTF-8 with a byte order mark")
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return utf16(unicode.LittleEndian, unicode.ExpectBOM), always("UTF-16")
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return utf16(unicode.BigEndian, unicode.ExpectBOM), always("UTF-16")
	case len(head) >= 4 && head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return utf16(unicode.LittleEndian, unicode.IgnoreBOM), always("UTF-16")
	case len(head) >= 4 && head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return utf16(unicode.BigEndian, unicode.IgnoreBOM), always("UTF-16")
	}
	t := &unmarked{}
	return transform.NewReader(r, t), t.name
}

// unmarked decodes text without a mark.
type unmarked struct {
	state  encoding
	legacy transform.Transformer
}

type encoding uint8

const (
	ascii encoding = iota // so far
	isUTF8
	windows1252
)

func (u *unmarked) name() string {
	if u.state == windows1252 {
		return "Windows-1252"
	}
	return "UTF-8"
}

// Reset is a Transformer's.
func (u *unmarked) Reset() { *u = unmarked{} }

// Transform is a Transformer's. Text in UTF-8 passes unchanged; what is wrong in it becomes an error with its
// line.
func (u *unmarked) Transform(dst, src []byte, end bool) (wrote, read int, err error) {
	if u.state == ascii {
		n := 0
		for n < len(src) && src[n] < utf8.RuneSelf {
			n++
		}
		wrote = copy(dst, src[:n])
		if wrote < n {
			return wrote, wrote, transform.ErrShortDst
		}
		if n == len(src) {
			return n, n, nil
		}
		if !end && !utf8.FullRune(src[n:]) {
			return n, n, transform.ErrShortSrc
		}
		u.state = isUTF8
		if r, size := utf8.DecodeRune(src[n:]); r == utf8.RuneError && size == 1 {
			u.state, u.legacy = windows1252, charmap.Windows1252.NewDecoder().Transformer
		}
		src, dst, read = src[n:], dst[n:], n
	}
	if u.state == windows1252 {
		w, r, err := u.legacy.Transform(dst, src, end)
		return wrote + w, read + r, err
	}
	n := copy(dst, src)
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return wrote + n, read + n, err
}
