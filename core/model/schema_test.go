//go:build !js

package model

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestSchemaIsDocs compares the schema with the tables of docs/model-format.md, and checks the walk's assumptions about
// the schema.
func TestSchemaIsDocs(t *testing.T) {
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
	var check func(n *node, path string, depth int)
	check = func(n *node, path string, depth int) {
		if depth > maxDepth {
			t.Fatalf("%s lies deeper than %d maps", path, maxDepth)
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
		if n.kind == kindText && n.max == 0 {
			t.Errorf("%s: a text without a limit can hold nothing", path)
		}
		if n.kind != kindText && n.max != 0 {
			t.Errorf("%s: only texts have a limit here", path)
		}
		if n.kind == kindMap != (len(n.fields) > 0) || len(n.fields) > 16 {
			t.Errorf("%s: %v with %d keys", path, n.kind, len(n.fields))
		}
		for i := range n.fields {
			f := &n.fields[i]
			if !strings.Contains(docs, fmt.Sprintf("| `%s` | ", f.key)) {
				t.Errorf("%s.%s has no row in docs/model-format.md", path, f.key)
			}
			check(f, path+"."+f.key, depth+1)
		}
	}
	check(&schema, "content", 1)
	if len(used) != int(leaves)-2 { // the two tables' own leaves are unused: they cannot be nil
		t.Errorf("%d leaves are used of %d", len(used), leaves)
	}
}
