package keep

import (
	"encoding/binary"
	"errors"
	"math"
)

// A small MessagePack codec for ledgers. Importing tinylib/msgp would link its JSON translation, and with it
// encoding/json: 104 KB (brotli), 7% of the page's program. Tests compare with the code that msgp generates from
// ledger.go.

// packer is MessagePack under construction; numbers and lengths take the fewest bytes.
type packer []byte

// head appends a lead byte and n in 1, 2, 4 or 8 bytes: the fewest that hold n, but at least least. lead is the lead
// byte of that least form.
func (p *packer) head(lead byte, n uint64, least int) {
	size := least
	for size < 8 && n>>(8*size) != 0 {
		size, lead = 2*size, lead+1
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	*p = append(append(*p, lead), b[8-size:]...)
}

// short appends n within its lead byte if n is at most most, and calls head otherwise.
func (p *packer) short(fixed byte, most uint64, lead byte, n uint64, least int) {
	if n <= most {
		*p = append(*p, fixed|byte(n))
	} else {
		p.head(lead, n, least)
	}
}

func (p *packer) uint(v uint64)   { p.short(0, 0x7f, 0xcc, v, 1) }
func (p *packer) array(n int)     { p.short(0x90, 15, 0xdc, uint64(n), 2) }
func (p *packer) mapping(n int)   { p.short(0x80, 15, 0xde, uint64(n), 2) }
func (p *packer) float(v float64) { p.head(0xcb, math.Float64bits(v), 8) }

func (p *packer) text(s string) {
	p.short(0xa0, 31, 0xd9, uint64(len(s)), 1)
	*p = append(*p, s...)
}

func (p *packer) truth(v bool) {
	lead := byte(0xc2)
	if v {
		lead = 0xc3
	}
	*p = append(*p, lead)
}

// AppendBytes appends b to packed, a MessagePack stream, as one binary value.
func AppendBytes(packed, b []byte) []byte {
	p := packer(packed)
	p.head(0xc4, uint64(len(b)), 1)
	return append(p, b...)
}

// unpacker reads MessagePack from front to back. After the first error every value reads as zero.
type unpacker struct {
	b   []byte
	err error
}

var (
	errShort = errors.New("cut short")
	errKind  = errors.New("value of the wrong kind")
	errRange = errors.New("number out of range")
	errTail  = errors.New("trailing data")
	errMany  = errors.New("list too long")
)

// fail records the first error and drops the remaining bytes.
func (u *unpacker) fail(err error) {
	if u.err == nil {
		u.err = err
	}
}

// bytes returns the next n bytes, or nil if there are fewer.
func (u *unpacker) bytes(n uint64) []byte {
	if u.err == nil && n > uint64(len(u.b)) {
		u.err = errShort
	}
	if u.err != nil {
		return nil
	}
	b := u.b[:n]
	u.b = u.b[n:]
	return b
}

// big returns the number in the next n bytes, at most eight.
func (u *unpacker) big(n int) (v uint64) {
	for _, c := range u.bytes(uint64(n)) {
		v = v<<8 | uint64(c)
	}
	return v
}

// uint reads an unsigned number of at most this many bits.
func (u *unpacker) uint(bits int) (v uint64) {
	switch lead := u.lead(); {
	case lead < 0x80:
		v = uint64(lead)
	case lead >= 0xcc && lead <= 0xcf:
		v = u.big(1 << (lead - 0xcc))
	case lead >= 0xd0 && lead <= 0xd3: // signed
		size := 1 << (lead - 0xd0)
		if v = u.big(size); v>>(8*size-1) != 0 {
			u.fail(errRange)
		}
	default:
		u.fail(errKind)
	}
	if bits < 64 && v>>bits != 0 {
		u.fail(errRange)
	}
	if u.err != nil {
		return 0
	}
	return v
}

func (u *unpacker) lead() byte { return byte(u.big(1)) }

func (u *unpacker) float() float64 {
	switch u.lead() {
	case 0xca:
		return float64(math.Float32frombits(uint32(u.big(4))))
	case 0xcb:
		return math.Float64frombits(u.big(8))
	}
	u.fail(errKind)
	return 0
}

func (u *unpacker) truth() bool {
	lead := u.lead()
	if lead&^1 != 0xc2 {
		u.fail(errKind)
	}
	return lead == 0xc3
}

// length reads the head of a string, array or map. The length is in the lead byte, below the bits of fixed, or in 1, 2
// or 4 bytes after a lead byte from longer on, which stands for least bytes.
func (u *unpacker) length(fixed, mask, longer byte, least int) uint64 {
	switch lead := u.lead(); {
	case lead&^mask == fixed:
		return uint64(lead & mask)
	case lead >= longer && least<<(lead-longer) <= 4:
		return u.big(least << (lead - longer))
	}
	u.fail(errKind)
	return 0
}

func (u *unpacker) array() uint64   { return u.length(0x90, 15, 0xdc, 2) }
func (u *unpacker) mapping() uint64 { return u.length(0x80, 15, 0xde, 2) }
func (u *unpacker) text() string    { return string(u.bytes(u.length(0xa0, 31, 0xd9, 1))) }

// name reads the key of a map: a string or binary.
func (u *unpacker) name() string {
	if len(u.b) > 0 && u.b[0] >= 0xc4 && u.b[0] <= 0xc6 {
		return string(u.bytes(u.big(1 << (u.lead() - 0xc4))))
	}
	return u.text()
}

// texts reads a list of at most most strings. Each takes at least a byte, so the count cannot exceed the remaining
// bytes.
func (u *unpacker) texts(most int) []string {
	n := u.array()
	if n > uint64(min(most, len(u.b))) {
		u.fail(errMany)
	}
	if u.err != nil || n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = u.text()
	}
	return out
}

// skip discards any value. O(its length).
func (u *unpacker) skip() {
	for values := uint64(1); values > 0 && u.err == nil; values-- {
		switch lead := u.lead(); {
		case lead < 0x80 || lead >= 0xe0 || lead == 0xc0 || lead == 0xc2 || lead == 0xc3:
		case lead < 0x90:
			values += 2 * uint64(lead&15)
		case lead < 0xa0:
			values += uint64(lead & 15)
		case lead < 0xc0:
			u.bytes(uint64(lead & 31))
		case lead >= 0xc4 && lead <= 0xc6: // bytes
			u.bytes(u.big(1 << (lead - 0xc4)))
		case lead >= 0xc7 && lead <= 0xc9: // extensions, with a type byte
			u.bytes(u.big(1<<(lead-0xc7)) + 1)
		case lead == 0xca || lead == 0xcb:
			u.bytes(4 << (lead - 0xca))
		case lead >= 0xcc && lead <= 0xd3: // numbers
			u.bytes(1 << ((lead - 0xcc) % 4))
		case lead >= 0xd4 && lead <= 0xd8: // extensions of fixed size
			u.bytes(1<<(lead-0xd4) + 1)
		case lead >= 0xd9 && lead <= 0xdb: // strings
			u.bytes(u.big(1 << (lead - 0xd9)))
		case lead == 0xdc || lead == 0xdd: // arrays
			values += u.big(2 << (lead - 0xdc))
		case lead == 0xde || lead == 0xdf: // maps
			values += 2 * u.big(2<<(lead-0xde))
		default:
			u.fail(errKind)
		}
	}
}
