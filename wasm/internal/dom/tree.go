package dom

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"
)

// Tree is the rendered state of the page. The zero value is empty and ready to use. Operations and events refer to
// nodes by number; the root is 0, and numbers of removed nodes are reused.
type Tree struct {
	// SkipIndentation drops texts that only indent the source: a line break surrounded only by white space. JSX does
	// the same. Otherwise they become text nodes.
	SkipIndentation bool

	nodes   []*node // by number; nil if free
	free    []int   // numbers to reuse
	ops     []byte
	created []Created
	results func(component any) *vugu.BuildOut
}

// node is a node of the page.
type node struct {
	number   int
	built    *vugu.VGNode // the source of the rendering
	children []*node
	events   []string // that it listens to
}

// Created is an element whose component asked for a call once it is on the page (vg-js-create).
type Created struct {
	Number  int
	Handler vugu.JSValueHandler
}

// Update compares the newly built root with the current state. It returns the operations that make the page show root,
// and the new elements that asked to be told. The first root stands for an existing element of the same name, which is
// filled. results returns the build result of a component (vugu.BuildResults.ResultFor).
//
// The operations are a text of fields that each end with NUL. An operation starts with its letter, followed by node
// numbers and texts (assets/js/page/render.js runs them):
//
//	e number tag        create an HTML element        E number tag       create an SVG element
//	t number text       create a text                 s number text      change a text
//	a number name value set an attribute              r number name      remove one
//	p number name json  set a property                l number event     report an event
//	h number html       set the content to HTML       x number text      set the content to a text
//	c parent number     append a child                b next number      put before another, from elsewhere too
//	d number            remove
//
// NUL within texts, which HTML does not allow, becomes U+FFFD. The text is empty if nothing differs. O(nodes).
func (t *Tree) Update(root *vugu.VGNode, results func(component any) *vugu.BuildOut) (ops string, created []Created) {
	t.results, t.ops, t.created = results, t.ops[:0], nil
	root = t.resolve(root)
	if len(t.nodes) == 0 {
		t.add(&node{built: &vugu.VGNode{Type: vugu.ElementNode, Data: root.Data, Namespace: root.Namespace}})
	}
	t.update(t.nodes[0], root)
	return string(t.ops), t.created
}

// Handler returns the function to call for an event of a node, or nil if it has none, for example because the node
// was removed in the meantime.
func (t *Tree) Handler(number int, event string) func(vugu.DOMEvent) {
	if number < 0 || number >= len(t.nodes) || t.nodes[number] == nil {
		return nil
	}
	for _, h := range t.nodes[number].built.DOMEventHandlerSpecList {
		if h.EventType == event {
			return h.Func
		}
	}
	return nil
}

// resolve returns the node that stands for n on the page: for a component, its root.
func (t *Tree) resolve(n *vugu.VGNode) *vugu.VGNode {
	for n.Component != nil {
		n = t.results(n.Component).Out[0]
	}
	return n
}

// invisible tells whether n has no node on the page.
func (t *Tree) invisible(n *vugu.VGNode) bool {
	return n.Type == vugu.CommentNode ||
		t.SkipIndentation && n.Type == vugu.TextNode && strings.HasPrefix(n.Data, "\n") &&
			strings.TrimSpace(n.Data) == ""
}

// add numbers o.
func (t *Tree) add(o *node) *node {
	if n := len(t.free); n > 0 {
		o.number, t.free = t.free[n-1], t.free[:n-1]
		t.nodes[o.number] = o
		return o
	}
	o.number = len(t.nodes)
	t.nodes = append(t.nodes, o)
	return o
}

// release frees the numbers of nodes and of their descendants.
func (t *Tree) release(nodes ...*node) {
	for _, o := range nodes {
		t.nodes[o.number] = nil
		t.free = append(t.free, o.number)
		t.release(o.children...)
	}
}

// compatible tells whether the page's node for a can be updated to b.
func compatible(a, b *vugu.VGNode) bool {
	return a.Type == b.Type && key(a) == key(b) &&
		(a.Type != vugu.ElementNode || a.Data == b.Data && a.Namespace == b.Namespace)
}

// create makes a node that is not on the page yet.
func (t *Tree) create(n *vugu.VGNode) *node {
	o := t.add(&node{built: &vugu.VGNode{Type: n.Type, Data: n.Data, Namespace: n.Namespace}})
	switch {
	case n.Type != vugu.ElementNode:
		t.op('t', o.number, n.Data)
		o.built = n
		return o
	case n.Namespace == "svg":
		t.op('E', o.number, n.Data)
	default:
		t.op('e', o.number, n.Data)
	}
	t.update(o, n)
	if n.JSCreateHandler != nil {
		t.created = append(t.created, Created{o.number, n.JSCreateHandler})
	}
	return o
}

// update makes o, which is compatible, show n.
func (t *Tree) update(o *node, n *vugu.VGNode) {
	before := o.built
	o.built = n
	if n.Type != vugu.ElementNode {
		if n.Data != before.Data {
			t.op('s', o.number, n.Data)
		}
		return
	}
	t.updateAttributes(o.number, before.Attr, n.Attr)
	for i := range n.Prop {
		// Always, because the visitor changes properties too. The script skips equal values.
		t.op('p', o.number, n.Prop[i].Key, string(n.Prop[i].JSONVal))
	}
	for i := range n.DOMEventHandlerSpecList {
		if event := n.DOMEventHandlerSpecList[i].EventType; !slices.Contains(o.events, event) {
			o.events = append(o.events, event)
			t.op('l', o.number, event)
		}
	}
	switch {
	case n.InnerHTML != nil:
		if before.InnerHTML == nil || *before.InnerHTML != *n.InnerHTML {
			t.release(o.children...)
			o.children = nil
			t.setContent(o.number, *n.InnerHTML)
		}
		return
	case before.InnerHTML != nil:
		t.setContent(o.number, "")
	}
	at := 0
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		at = t.updateChild(o, at, k)
	}
	for at < len(o.children) {
		t.remove(o, len(o.children)-1)
	}
}

// updateChild makes the child of o at index at show n, and returns the next index. A keyed node keeps its page node
// wherever it moves: preceding nodes whose keys are gone are removed, and it is moved before the others.
func (t *Tree) updateChild(o *node, at int, n *vugu.VGNode) int {
	next := n.NextSibling
	n = t.resolve(n)
	if t.invisible(n) {
		return at
	}
	for at < len(o.children) && t.gone(key(o.children[at].built), n, next) {
		t.remove(o, at)
	}
	i := at
	for id := key(n); id != "" && i < len(o.children) && key(o.children[i].built) != id; {
		i++
	}
	found := i < len(o.children) && compatible(o.children[i].built, n)
	if found {
		t.update(o.children[i], n)
	} else {
		i = len(o.children)
		o.children = append(o.children, t.create(n))
	}
	child, after := o.children[i], o.children[at]
	switch {
	case i > at:
		t.op('b', after.number, strconv.Itoa(child.number))
		copy(o.children[at+1:], o.children[at:i])
		o.children[at] = child
		if !found && key(after.built) == "" {
			t.remove(o, at+1)
		}
	case !found:
		t.op('c', o.number, strconv.Itoa(child.number))
	}
	return at + 1
}

// gone tells whether neither n nor its following siblings have the key id.
func (t *Tree) gone(id string, n, next *vugu.VGNode) bool {
	for id != "" && id != key(n) {
		if next == nil {
			return true
		}
		n, next = t.resolve(next), next.NextSibling
	}
	return false
}

// remove removes the child of o at index at.
func (t *Tree) remove(o *node, at int) {
	t.op('d', o.children[at].number)
	t.release(o.children[at])
	o.children = slices.Delete(o.children, at, at+1)
}

// key returns the key of a node among its siblings; "" if it is matched by position.
func key(n *vugu.VGNode) string {
	if i := indexOf(n.Attr, "data-key"); i >= 0 {
		return n.Attr[i].Val
	}
	return ""
}

// updateAttributes changes the attributes of a node. Namespaces are dropped, and xmlns is not set, because it follows
// from the creation of the element.
func (t *Tree) updateAttributes(number int, before, after []vugu.VGAttribute) {
	for i := range after {
		a := &after[i]
		if a.Key == "xmlns" {
			continue
		}
		if i < len(before) && before[i].Key == a.Key {
			if before[i].Val != a.Val {
				t.op('a', number, a.Key, a.Val)
			}
			continue
		}
		if j := indexOf(before, a.Key); j < 0 || before[j].Val != a.Val {
			t.op('a', number, a.Key, a.Val)
		}
	}
	for i := range before {
		if i < len(after) && after[i].Key == before[i].Key {
			continue
		}
		if indexOf(after, before[i].Key) < 0 {
			t.op('r', number, before[i].Key)
		}
	}
}

// indexOf returns the index of an attribute, or −1.
func indexOf(attributes []vugu.VGAttribute, name string) int {
	for i := range attributes {
		if attributes[i].Key == name {
			return i
		}
	}
	return -1
}

// setContent sets the content of an element. Plain text is not parsed.
func (t *Tree) setContent(number int, html string) {
	if strings.ContainsAny(html, "<&") {
		t.op('h', number, html)
		return
	}
	t.op('x', number, html)
}

func (t *Tree) op(letter byte, number int, texts ...string) {
	t.ops = append(t.ops, letter, 0)
	t.ops = append(strconv.AppendInt(t.ops, int64(number), 10), 0)
	for _, s := range texts {
		if strings.IndexByte(s, 0) >= 0 {
			s = strings.ReplaceAll(s, "\x00", "\uFFFD")
		}
		t.ops = append(append(t.ops, s...), 0)
	}
}
