package dom_test

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/wasm/internal/dom"
	"github.com/vugu/vugu"
)

// list builds an item for each title, with the title as its key, as a component would.
func list(titles ...string) *vugu.VGNode {
	root := &vugu.VGNode{Type: vugu.ElementNode, Data: "ul"}
	for _, title := range titles {
		item := &vugu.VGNode{Type: vugu.ElementNode, Data: "li",
			Attr: []vugu.VGAttribute{{Key: "data-key", Val: title}}}
		item.SetInnerHTML(title)
		root.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: "\n  "})
		root.AppendChild(item)
	}
	return root
}

// The first operations fill the page's element; later ones are the difference. Keyed items keep their nodes.
func ExampleTree_Update() {
	tree := dom.Tree{SkipIndentation: true}
	for _, titles := range [][]string{{"Heat"}, {"Heat"}, {"Alien", "Heat"}, {"Alien"}} {
		ops, _ := tree.Update(list(titles...), nil)
		fmt.Printf("%v: %q\n", titles, strings.FieldsFunc(ops, func(c rune) bool { return c == 0 }))
	}
	// Output:
	// [Heat]: ["e" "1" "li" "a" "1" "data-key" "Heat" "x" "1" "Heat" "c" "0" "1"]
	// [Heat]: []
	// [Alien Heat]: ["e" "2" "li" "a" "2" "data-key" "Alien" "x" "2" "Alien" "b" "1" "2"]
	// [Alien]: ["d" "1"]
}
