package dataset

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded returns r in UTF-8, without a byte order mark, and a function that names the encoding, which may be known
// only at the end. head is the beginning of r.
//
// A byte order mark identifies UTF-8 and UTF-16; zeros in every other byte identify UTF-16 without one. Other text is
// UTF-8 if its first character beyond ASCII is; otherwise guessEncoding decides.
func decoded(r io.Reader, head []byte, asked encoding.Encoding) (io.Reader, func() string) {
	utf16 := func(order unicode.Endianness, mark unicode.BOMPolicy) io.Reader {
		return transform.NewReader(r, unicode.UTF16(order, mark).NewDecoder())
	}
	always := func(name string) func() string { return func() string { return name } }
	switch {
	case asked != nil:
		name, _ := htmlindex.Name(asked)
		return transform.NewReader(r, unicode.BOMOverride(asked.NewDecoder())), always(name + ", as asked for")
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		t := &unmarked{}
		return transform.NewReader(transform.NewReader(r, unicode.UTF8BOM.NewDecoder()), t), func() string {
			if t.state == twice {
				return t.name()
			}
			return "UTF-8 with a byte order mark"
		}
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

// encodingOf returns the encoding with a name as used by web pages (windows-1251, koi8-r, macintosh, shift_jis, …).
func encodingOf(name string) (encoding.Encoding, error) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, fmt.Errorf("unknown encoding %q; choose from utf-8, utf-16le, windows-1250 to windows-1258, "+
			"iso-8859-2 to iso-8859-16, koi8-r, koi8-u, macintosh, x-mac-cyrillic, shift_jis, euc-jp, gb18030, big5 "+
			"and euc-kr", name)
	}
	return e, nil
}

// unmarked decodes text without a mark.
type unmarked struct {
	state   textState
	guess   int
	decoder transform.Transformer // of legacy text
}

type textState uint8

const (
	ascii textState = iota // so far
	isUTF8
	legacy
	twice // UTF-8 that was taken for Windows-1252 and encoded once more
)

// guessBytes is the length of the text by which an encoding is guessed, from the first character beyond ASCII on. It is
// less than the buffer of a transform.Reader.
const guessBytes = 3 << 10

func (u *unmarked) name() string {
	switch u.state {
	case legacy:
		return guessed[u.guess].name
	case twice:
		return "UTF-8, encoded twice"
	}
	return "UTF-8"
}

// Reset is a Transformer's.
func (u *unmarked) Reset() { *u = unmarked{} }

// Transform is a Transformer's. Text in UTF-8 passes unchanged; invalid bytes become an error with their line later.
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
		if !end && len(src)-n < guessBytes {
			return n, n, transform.ErrShortSrc
		}
		if src, dst, read = src[n:], dst[n:], n; beginsUTF8(src) {
			if u.state = isUTF8; isTwice(src[:min(len(src), guessBytes)]) {
				u.state, u.decoder = twice, once{}
			}
		} else {
			u.state, u.guess = legacy, guessEncoding(src[:min(len(src), guessBytes)])
			u.decoder = guessed[u.guess].NewDecoder().Transformer
		}
	}
	if u.decoder != nil {
		w, r, err := u.decoder.Transform(dst, src, end)
		return wrote + w, read + r, err
	}
	n := copy(dst, src)
	if n < len(src) {
		err = transform.ErrShortDst
	}
	return wrote + n, read + n, err
}

// beginsUTF8 reports whether text is UTF-8: its first character beyond ASCII is, and so are most others.
func beginsUTF8(text []byte) bool {
	if r, size := utf8.DecodeRune(text); r == utf8.RuneError && size == 1 {
		return false
	}
	good, bad := 0, 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		i += size
	}
	return good*2 > bad
}

// once undoes a repeated encoding, run by run of characters beyond ASCII; text that was encoded only once stays.
type once struct{ transform.NopResetter }

// maxRun bounds a run so that it fits a transform.Reader.
const maxRun = 1 << 10

// Transform is a Transformer's.
func (once) Transform(dst, src []byte, end bool) (wrote, read int, err error) {
	for read < len(src) {
		n := 1
		out := src[read : read+1]
		if src[read] >= utf8.RuneSelf {
			n = run(src[read:])
			if read+n == len(src) && !end && n < maxRun {
				return wrote, read, transform.ErrShortSrc
			}
			out = src[read : read+n]
			if text, ok := undone(out); ok {
				out = text
			}
		}
		if len(dst)-wrote < len(out) {
			return wrote, read, transform.ErrShortDst
		}
		wrote += copy(dst[wrote:], out)
		read += n
	}
	return wrote, read, nil
}

// run returns the number of bytes beyond ASCII at the beginning of text, at most maxRun.
func run(text []byte) (n int) {
	for n < len(text) && n < maxRun && text[n] >= utf8.RuneSelf {
		n++
	}
	return n
}

// undone encodes a run of characters as Windows-1252, and reports whether the bytes are UTF-8.
func undone(text []byte) ([]byte, bool) {
	if !utf8.Valid(text) {
		return nil, false
	}
	var out []byte
	for _, r := range string(text) {
		b, ok := charmap.Windows1252.EncodeRune(r)
		if !ok && r <= 0xff {
			b, ok = byte(r), true
		}
		if !ok {
			return nil, false
		}
		out = append(out, b)
	}
	return out, utf8.Valid(out)
}

// isTwice reports whether all characters beyond ASCII were encoded twice.
func isTwice(text []byte) (any bool) {
	for len(text) > 0 {
		if text[0] < utf8.RuneSelf {
			text = text[1:]
			continue
		}
		n := run(text)
		if n == len(text) && any {
			return true // perhaps cut
		}
		if _, ok := undone(text[:n]); !ok {
			return false
		}
		any, text = true, text[n:]
	}
	return any
}
