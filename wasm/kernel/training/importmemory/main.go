// Command importmemory makes a Go program for js/wasm import its memory as go.mem, instead of owning it.
//
//	importmemory PROGRAM
//
// Go's linker cannot do this. With the memory of training.js, the program and the kernels of the training are linked
// directly: a call costs a few nanoseconds. Otherwise each needs the other first, and calls go through JavaScript.
package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: importmemory PROGRAM")
		os.Exit(2)
	}
	b, err := os.ReadFile(os.Args[1])
	if err == nil {
		b, err = importMemory(b)
	}
	if err == nil {
		err = os.WriteFile(os.Args[1], b, 0o755)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "importmemory: %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// The sections of a WebAssembly module that matter here.
const (
	sectionImport = 2
	sectionMemory = 5
)

// importMemory returns the module with an import go.mem of the size that its own memory has at first, and no maximum.
// Functions keep their numbers, and memory 0, which the program exports, is the imported one.
func importMemory(module []byte) ([]byte, error) {
	const header = 8
	if len(module) < header || string(module[:4]) != "\x00asm" {
		return nil, errors.New("not a WebAssembly module")
	}
	type section struct {
		id   byte
		body []byte
	}
	var sections []section
	var limits []byte
	imports := -1
	for at := module[header:]; len(at) > 0; {
		id := at[0]
		size, n := binary.Uvarint(at[1:])
		if n <= 0 || size > uint64(len(at)-1-n) {
			return nil, fmt.Errorf("section %d is cut off", id)
		}
		body := at[1+n:][:size]
		at = at[1+n+int(size):]
		switch id {
		case sectionImport:
			imports = len(sections)
		case sectionMemory: // one memory: its flags, its size and, if bit 0 of the flags is set, the largest size
			if len(body) < 3 || body[0] != 1 || body[1] != 0 {
				return nil, errors.New("want one memory without a maximum; is this a program of Go?")
			}
			limits = body[1:]
			continue
		}
		sections = append(sections, section{id, body})
	}
	if limits == nil || imports < 0 {
		return nil, errors.New("no memory of its own, or no imports; is this a program of Go?")
	}
	count, n := binary.Uvarint(sections[imports].body)
	if n <= 0 {
		return nil, errors.New("the imports are cut off")
	}
	body := binary.AppendUvarint(nil, count+1)
	body = append(body, sections[imports].body[n:]...)
	body = append(body, "\x02go\x03mem\x02"...)
	sections[imports].body = append(body, limits...)

	out := bytes.NewBuffer(module[:header:header])
	for _, s := range sections {
		out.WriteByte(s.id)
		out.Write(binary.AppendUvarint(nil, uint64(len(s.body))))
		out.Write(s.body)
	}
	return out.Bytes(), nil
}
