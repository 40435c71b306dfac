package site

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// scanJS finds the files that a module refers to:
//
//	import { a } from "./a.js";   import "./a.js";   export * from "./a.js";
//	import("./a.js")
//	new URL("./a.bin", import.meta.url)
//
// It cannot find files whose address is computed at run time: name them in an attribute of the page (data-…).
func scanJS(content []byte) ([]reference, error) {
	source := parse.NewInputBytes(bytes.Clone(content))
	tree, err := js.Parse(source, js.Options{})
	if err != nil && !errors.Is(err, io.EOF) {
		var p *parse.Error
		if !errors.As(err, &p) {
			return nil, mistakef(0, "the script does not parse: %v", err)
		}
		return nil, mistakef(offsetOf(content, p.Line), "the script does not parse: %s", p.Message)
	}
	m := moduleNames{source: source.Bytes()}
	js.Walk(&m, tree)
	if m.err != nil {
		return nil, m.err
	}
	slices.SortFunc(m.refs, func(a, b reference) int { return a.start - b.start })
	return m.refs, nil
}

// offsetOf returns the offset of a 1-based line.
func offsetOf(content []byte, line int) int {
	offset := 0
	for ; line > 1; line-- {
		i := bytes.IndexByte(content[offset:], '\n')
		if i < 0 {
			break
		}
		offset += i + 1
	}
	return offset
}

// moduleNames visits a module's syntax tree and collects its references.
type moduleNames struct {
	source []byte
	refs   []reference
	err    error // the first mistake
}

// Enter and Exit implement js.IVisitor.

func (m *moduleNames) Enter(n js.INode) js.IVisitor {
	switch n := n.(type) {
	case *js.ImportStmt:
		m.add(n.Module, true)
	case *js.ExportStmt:
		m.add(n.Module, true)
	case *js.CallExpr:
		if callee, ok := n.X.(*js.LiteralExpr); ok && callee.TokenType == js.ImportToken && len(n.Args.List) > 0 {
			m.add(text(n.Args.List[0].Value), true)
		}
	case *js.NewExpr:
		if n.Args != nil && len(n.Args.List) == 2 && source(n.X) == "URL" &&
			source(n.Args.List[1].Value) == "import.meta.url" {
			m.add(text(n.Args.List[0].Value), false)
		}
	}
	return m
}

func (m *moduleNames) Exit(js.INode) {}

// add records the address in a string literal, which is a slice of the source or nil. Imported names must be relative.
func (m *moduleNames) add(literal []byte, imported bool) {
	if len(literal) < 2 {
		return
	}
	start := int(reflect.ValueOf(literal).Pointer()-reflect.ValueOf(m.source).Pointer()) + 1
	address := string(literal[1 : len(literal)-1])
	bare := !strings.HasPrefix(address, "./") && !strings.HasPrefix(address, "../") &&
		!strings.HasPrefix(address, "/") && !scheme.MatchString(address)
	if imported && bare && m.err == nil {
		m.err = mistakef(start, "browsers cannot resolve the bare import %q: write ./%s", address,
			address)
	}
	m.refs = append(m.refs, reference{start: start, end: start + len(address), address: address})
}

// text returns a string literal with its quotes, or nil for any other expression.
func text(e js.IExpr) []byte {
	if literal, ok := e.(*js.LiteralExpr); ok && literal.TokenType == js.StringToken {
		return literal.Data
	}
	return nil
}

// source returns an expression as JavaScript.
func source(e js.IExpr) string {
	var b strings.Builder
	e.JS(&b)
	return b.String()
}
