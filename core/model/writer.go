//go:build !js

package model

import (
	"strings"

	"github.com/pmlam/pmlam/core/model/internal/digest"
	"github.com/tinylib/msgp/msgp"
)

// values are what a file is written from: the value of every leaf, in the member that the leaf's kind names. Zero
// values are empty texts and columns, 0, false, and nil in place of a map that may be nil.
type values [leaves]struct {
	text  string
	bytes []byte
	uint  uint64
	float float32
	bool  bool // of a map that may be nil: it is there
}

// file returns the file of that version with the content that the schema says. O(its length).
func (v *values) file(version int, schema *node) []byte {
	b := []byte(beforeVersion + string(rune(version)) + beforeDigest + strings.Repeat("\x00", 32) + afterDigest)
	b = v.append(b, schema)
	sum := digest.Sum(b[contentAt:])
	copy(b[digestAt:], sum[:])
	return b
}

// append appends the value of n in msgpack, every number and length in the fewest bytes.
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
	b = msgp.AppendMapHeader(b, uint32(len(n.fields)))
	for i := range n.fields {
		b = msgp.AppendString(b, n.fields[i].key)
		b = v.append(b, &n.fields[i])
	}
	return b
}
