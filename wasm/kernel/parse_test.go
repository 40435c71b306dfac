//go:build !js

package kernel_test

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Sections of a WebAssembly module (core specification 2.0, "Modules").
const (
	sectionImport    = 2
	sectionTable     = 4
	sectionMemory    = 5
	sectionGlobal    = 6
	sectionExport    = 7
	sectionStart     = 8
	sectionElement   = 9
	sectionData      = 11
	sectionDataCount = 12
)

var kinds = [4]string{"function", "table", "memory", "global"}

// module holds the checked properties of a module.
type module struct {
	sections         map[byte]bool
	imports, exports []string // "module.name: kind", "name: kind"
}

// reader reads a module front to back. Reading past the end sets short.
type reader struct {
	b     []byte
	short bool
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.short = nil, true
		return nil
	}
	head := r.b[:n]
	r.b = r.b[n:]
	return head
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.short = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) name() string { return string(r.bytes(r.uint())) }

func parse(b []byte) (*module, error) {
	r := &reader{b: b}
	if string(r.bytes(8)) != "\x00asm\x01\x00\x00\x00" {
		return nil, errors.New("not a WebAssembly module of version 1")
	}
	m := &module{sections: map[byte]bool{}}
	for len(r.b) > 0 {
		id := r.byte()
		body := &reader{b: r.bytes(r.uint())}
		m.sections[id] = true
		switch id {
		case sectionImport:
			for range body.uint() {
				name := body.name() + "." + body.name()
				kind := body.byte()
				if kind != 2 {
					return nil, fmt.Errorf("import %s is not a memory", name)
				}
				if flags := body.byte(); flags&1 != 0 {
					return nil, fmt.Errorf("memory %s has a maximum, unlike Go's", name)
				}
				body.uint() // pages
				m.imports = append(m.imports, name+": "+kinds[kind])
			}
		case sectionExport:
			for range body.uint() {
				name, kind := body.name(), body.byte()
				if int(kind) >= len(kinds) {
					return nil, fmt.Errorf("export %s is of kind %d", name, kind)
				}
				body.uint() // index
				m.exports = append(m.exports, name+": "+kinds[kind])
			}
		}
		if body.short || r.short {
			return nil, fmt.Errorf("section %d is truncated", id)
		}
	}
	return m, nil
}
