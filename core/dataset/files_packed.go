package dataset

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// unpacked is a stream without its packings.
type unpacked struct {
	r      io.Reader
	kinds  []string // of the packings, the outermost first: "gzip", "zstd", …
	closes []func()
}

func (u *unpacked) close() {
	for i := len(u.closes) - 1; i >= 0; i-- {
		u.closes[i]()
	}
}

// maxPackings bounds the number of nested packings.
const maxPackings = 4

// unpack undoes all packings of a stream, recognised by its first bytes, not by its name. Memory is bounded by the
// windows of the formats, at most 128 MB.
func unpack(r io.Reader) (*unpacked, error) {
	u := &unpacked{}
	b := bufio.NewReaderSize(r, 4<<10)
	for {
		kind, next, free, err := unpackOnce(b)
		if err != nil {
			u.close()
			return nil, err
		}
		if kind == "" {
			u.r = b
			return u, nil
		}
		if free != nil {
			u.closes = append(u.closes, free)
		}
		if u.kinds = append(u.kinds, kind); len(u.kinds) > maxPackings {
			u.close()
			return nil, errPackings
		}
		b = bufio.NewReaderSize(next, 4<<10)
	}
}

var errPackings = fmt.Errorf("it is packed more than %d times; unpack it", maxPackings)

// unpackOnce undoes one packing; kind is "" for a stream that is not packed.
func unpackOnce(b *bufio.Reader) (kind string, r io.Reader, free func(), err error) {
	for range maxSkipped {
		head, _ := b.Peek(10)
		begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
		switch {
		case begins("\x1f\x8b"):
			z, err := newGunzip(b)
			if err != nil {
				return "", nil, nil, fmt.Errorf("gzip: %w", err)
			}
			return "gzip", z, nil, nil
		case begins("\x28\xb5\x2f\xfd"):
			z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
				zstd.WithDecoderMaxWindow(128<<20))
			if err != nil {
				return "", nil, nil, fmt.Errorf("zstd: %w", err)
			}
			return "zstd", z, z.Close, nil
		case begins("\x04\x22\x4d\x18"), begins("\x02\x21\x4c\x18"):
			return "lz4", lz4.NewReader(b), nil, nil
		case begins("BZh") && len(head) >= 10 && (string(head[4:]) == "1AY&SY" || string(head[4:]) == "\x17rE8P\x90"):
			return "bzip2", bzip2.NewReader(b), nil, nil
		case begins("\xff\x06\x00\x00sNaPpY"):
			return "snappy", s2.NewReader(b), nil, nil
		case len(head) >= 2 && head[0] == 0x78 && binary.BigEndian.Uint16(head)%31 == 0 && head[1]&0x20 == 0 &&
			isZlib(b):
			z, err := zlib.NewReader(b)
			return "zlib", z, nil, err
		case len(head) >= 8 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "\x2a\x4d\x18":
			// a frame to be skipped, of zstd or lz4
			if _, err := io.CopyN(io.Discard, b, 8+int64(binary.LittleEndian.Uint32(head[4:]))); err != nil {
				return "", nil, nil, err
			}
		default:
			return "", nil, nil, nil
		}
	}
	return "", nil, nil, nil
}

// maxSkipped bounds the number of empty frames at the beginning of a packed file.
const maxSkipped = 64

// isZlib reports whether the next bytes can be unpacked, since the two bytes of the header may also begin a text.
func isZlib(b *bufio.Reader) bool {
	head, _ := b.Peek(4 << 10)
	z, err := zlib.NewReader(bytes.NewReader(head))
	if err != nil {
		return false
	}
	n, err := io.Copy(io.Discard, io.LimitReader(z, 64<<10))
	return err == nil || n > 0 && errors.Is(err, io.ErrUnexpectedEOF)
}

// gunzip reads gzip: all members, and padding zeros after the last one, as written by tapes and some programs.
type gunzip struct {
	z *gzip.Reader
	b *bufio.Reader
}

func newGunzip(b *bufio.Reader) (*gunzip, error) {
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	z.Multistream(false)
	return &gunzip{z, b}, nil
}

func (g *gunzip) Read(p []byte) (int, error) {
	for {
		n, err := g.z.Read(p)
		if err != io.EOF {
			return n, err
		}
		if n > 0 {
			return n, nil
		}
		for {
			c, err := g.b.ReadByte()
			if err != nil {
				return 0, err
			}
			if c != 0 {
				g.b.UnreadByte()
				break
			}
		}
		if err := g.z.Reset(g.b); err != nil {
			return 0, err
		}
		g.z.Multistream(false)
	}
}

// otherPackings are formats that are not read, by their first bytes.
var otherPackings = []struct{ magic, name string }{
	{"\xfd7zXZ", "xz"}, {"7z\xbc\xaf", "7z"}, {"Rar!", "rar"},
	{"\x1f\x9d", "compress (.Z)"}, {"\x1f\xa0", "compress (.Z)"},
	{"\x89LZO", "lzop"}, {"LZIP", "lzip"}, {"\x5d\x00\x00", "lzma"}, {"MSCF", "cab"}, {"\x1f\x1e", "pack"},
}

// otherPacking returns the name of a packing that is not read, or "".
func otherPacking(head []byte) string {
	for _, p := range otherPackings {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return p.name
		}
	}
	return ""
}

// packedAs joins the names of packings for a Reading: "gzip in gzip".
func packedAs(kinds []string) string {
	var inner []string
	for _, k := range kinds {
		inner = append([]string{k}, inner...)
	}
	return strings.Join(inner, " in ")
}
