package importer

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"strings"
)

type member struct {
	name        string
	packed      []byte
	method      uint16 // 0 stored, 8 DEFLATE
	size, crc   uint32 // of the unpacked file
	unencrypted bool
}

var (
	zipEnd    = []byte("PK\x05\x06")
	zipMember = []byte("PK\x01\x02")
	zipLocal  = []byte("PK\x03\x04")
)

// isZip reports whether a file begins like a zip, or like an empty one.
func isZip(b []byte) bool { return bytes.HasPrefix(b, zipLocal) || bytes.HasPrefix(b, zipEnd) }

// members reads a zip's directory, in order, without folders (APPNOTE.TXT 6.3.9; no ZIP64, which is only needed above
// MaxBytes). It does not unpack anything. Names are raw bytes. O(size of the directory).
func members(zip []byte) ([]member, Reason, bool) {
	tail := zip[max(0, len(zip)-22-1<<16):]
	at := len(tail) - 22
	for at >= 0 && !bytes.HasPrefix(tail[at:], zipEnd) {
		at--
	}
	if at < 0 {
		return nil, ZipDamaged, false
	}
	u16, u32 := binary.LittleEndian.Uint16, binary.LittleEndian.Uint32
	n, from := int(u16(tail[at+10:])), u32(tail[at+16:])
	if n > maxMembers {
		return nil, TooManyParts, false
	}
	if uint64(from) > uint64(len(zip)) {
		return nil, ZipDamaged, false
	}
	var out []member
	for b := zip[from:]; n > 0; n-- {
		if len(b) < 46 || !bytes.HasPrefix(b, zipMember) {
			return nil, ZipDamaged, false
		}
		name, skip := int(u16(b[28:])), int(u16(b[28:]))+int(u16(b[30:]))+int(u16(b[32:]))
		if len(b) < 46+skip {
			return nil, ZipDamaged, false
		}
		m := member{
			name: string(b[46 : 46+name]), method: u16(b[10:]), unencrypted: b[8]&1 == 0,
			crc: u32(b[16:]), size: u32(b[24:]),
		}
		packed, local := uint64(u32(b[20:])), uint64(u32(b[42:]))
		b = b[46+skip:]
		if strings.HasSuffix(m.name, "/") {
			continue
		}
		if local+30 > uint64(len(zip)) || !bytes.HasPrefix(zip[local:], zipLocal) {
			return nil, ZipDamaged, false
		}
		begin := local + 30 + uint64(u16(zip[local+26:])) + uint64(u16(zip[local+28:]))
		if begin+packed > uint64(len(zip)) {
			return nil, ZipDamaged, false
		}
		m.packed = zip[begin : begin+packed]
		out = append(out, m)
	}
	return out, 0, true
}

// Inflate unpacks a raw DEFLATE stream (RFC 1951) that should give size bytes. Whatever the stream holds, it returns at
// most a few bytes more. The caller treats any other number than size as damage.
type Inflate func(packed []byte, size int) ([]byte, error)

// unpack returns the member's bytes after checking their checksum. The caller bounds size. The error is a Reason, or
// the error of pause.
func (m *member) unpack(inflate Inflate, pause func() error) ([]byte, error) {
	b := m.packed
	if m.method == 8 && m.unencrypted && inflate != nil {
		var err error
		if b, err = inflate(m.packed, int(m.size)); err != nil {
			return nil, ZipDamaged
		}
	} else if m.method != 0 || !m.unencrypted {
		return nil, ZipLocked
	}
	sum, err := checksum(b, pause)
	if err == nil && (len(b) != int(m.size) || sum != m.crc) {
		err = ZipDamaged
	}
	return b, err
}

// checksum returns the CRC-32 of b. It calls pause after every million bytes, a few milliseconds of work, and returns
// its error.
func checksum(b []byte, pause func() error) (uint32, error) {
	sum := crc32.NewIEEE()
	for len(b) > 0 {
		n := min(len(b), 1<<20)
		sum.Write(b[:n])
		if b = b[n:]; len(b) > 0 {
			if err := pause(); err != nil {
				return 0, err
			}
		}
	}
	return sum.Sum32(), nil
}
