//go:build !js

package model

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model/internal/wire"
)

// TestSchemaIsWireIsDocs compares the three descriptions of the layout: the reader's schema, the writer's types and
// the tables of docs/model-format.md. It also checks what the walk takes for granted of the schema.
func TestSchemaIsWireIsDocs(t *testing.T) {
	b, err := os.ReadFile("../../docs/model-format.md")
	if err != nil {
		t.Fatal(err)
	}
	docs := string(b)
	for _, s := range []string{
		fmt.Sprintf("the first %d bytes", versionAt+1), fmt.Sprintf("the byte at offset %d", versionAt),
		fmt.Sprintf("from offset %d, which is the first byte of the value of `content`", contentAt),
	} {
		if !strings.Contains(docs, s) {
			t.Errorf("docs/model-format.md does not say %q", s)
		}
	}
	used := map[leaf]string{}
	var compare func(n *node, typ reflect.Type, path string, depth int)
	compare = func(n *node, typ reflect.Type, path string, depth int) {
		if depth > maxDepth {
			t.Fatalf("%s lies deeper than %d maps", path, maxDepth)
		}
		if (n.null || path == "content.links" || path == "content.calibration") != (typ.Kind() == reflect.Pointer) {
			t.Errorf("%s: nullable %v in the schema, %v in package wire", path, n.null, typ)
		}
		if typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if n.kind != kindMap || n.null {
			if other, ok := used[n.leaf]; ok {
				t.Errorf("%s and %s share a leaf", path, other)
			}
			used[n.leaf] = path
			if n.leaf < 0 || n.leaf >= leaves {
				t.Fatalf("%s: leaf %d of %d", path, n.leaf, leaves)
			}
		}
		want := map[kind]string{
			kindMap: "struct", kindText: "string", kindBytes: "slice", kindUint: "uint64", kindFloat32: "float32", kindBool: "bool",
		}[n.kind]
		if typ.Kind().String() != want {
			t.Errorf("%s: %v in package wire, want %s", path, typ, want)
		}
		if n.kind == kindText && n.max == 0 {
			t.Errorf("%s: a text without a limit can hold nothing", path)
		}
		if n.kind != kindMap {
			if n.kind != kindText && n.max != 0 {
				t.Errorf("%s: only texts have a limit here", path)
			}
			return
		}
		if typ.NumField() != len(n.fields) || len(n.fields) > 16 {
			t.Fatalf("%s: %d keys in the schema, %d in package wire", path, len(n.fields), typ.NumField())
		}
		for i := range n.fields {
			f := &n.fields[i]
			tag, optional, _ := strings.Cut(typ.Field(i).Tag.Get("msg"), ",")
			if tag != f.key {
				t.Errorf("%s: key %d is %q in the schema and %q in package wire", path, i, f.key, tag)
			}
			// Only what a version adds is left out of a file.
			if added := path == "content" && (f.key == linksField.key || f.key == calibrationField.key); added != (optional == "omitempty") {
				t.Errorf("%s.%s: optional %q", path, tag, optional)
			}
			if !strings.Contains(docs, fmt.Sprintf("| `%s` | ", f.key)) {
				t.Errorf("%s.%s has no row in docs/model-format.md", path, f.key)
			}
			compare(f, typ.Field(i).Type, path+"."+f.key, depth+1)
		}
	}
	for v := plain; v < newest; v++ {
		before, after := schemas[v-1].fields, schemas[v].fields
		if len(after) != len(before)+1 || !slices.EqualFunc(before, after[:len(before)], func(a, b node) bool { return a.key == b.key }) {
			t.Errorf("version %d is not version %d and one key", v+1, v)
		}
	}
	compare(&schemas[newest-1], reflect.TypeFor[wire.Content](), "content", 1)
	if len(used) != int(leaves)-2 { // the two tables stand for themselves: they cannot be nil
		t.Errorf("%d leaves are used of %d", len(used), leaves)
	}
}
