//go:build !js || train

package model

import (
	"strings"

	"github.com/pmlam/pmlam/core/internal/digest"
	"github.com/tinylib/msgp/msgp"
)

// values are the input of the writer: the value of every leaf, in the member for the leaf's kind. Zero values are empty
// texts and columns, 0, false, and nil instead of a map that may be nil.
type values [leaves]struct {
	text  string
	bytes []byte
	uint  uint64
	float float32
	bool  bool // of a map that may be nil, and of the first value of one that may be missing: it is present
}

// file returns the file. O(its length).
func (v *values) file() []byte {
	b := []byte(beforeVersion + string(rune(version)) + beforeDigest + strings.Repeat("\x00", 32) + afterDigest)
	b = v.append(b, &schema)
	sum := digest.Sum(b[contentAt:])
	copy(b[digestAt:], sum[:])
	return b
}

// append appends the value of n in msgpack, with all numbers and lengths in the fewest bytes.
func (v *values) append(b []byte, n *node) []byte {
	value := &v[n.leaf]
	switch n.kind {
	case kindText:
		return msgp.AppendString(b, value.text)
	case kindBytes:
		return msgp.AppendBytes(b, value.bytes)
	case kindUint:
		return msgp.AppendUint64(b, value.uint)
	case kindFloat32:
		return msgp.AppendFloat32(b, value.float)
	case kindBool:
		return msgp.AppendBool(b, value.bool)
	}
	if n.null && !value.bool {
		return msgp.AppendNil(b)
	}
	there := 0
	for i := range n.fields {
		if v.has(&n.fields[i]) {
			there++
		}
	}
	b = msgp.AppendMapHeader(b, uint32(there))
	for i := range n.fields {
		if f := &n.fields[i]; v.has(f) {
			b = v.append(msgp.AppendString(b, f.key), f)
		}
	}
	return b
}

// has reports whether the file has the key: an optional map is present if its first value is, an optional text if it is
// not empty, an optional bool if it is true, an optional number if it is not 0.
func (v *values) has(n *node) bool {
	switch {
	case !n.optional:
		return true
	case n.kind == kindText:
		return v[n.leaf].text != ""
	case n.kind == kindBool:
		return v[n.leaf].bool
	case n.kind == kindFloat32:
		return v[n.leaf].float != 0
	}
	return v[n.fields[0].leaf].bool
}
