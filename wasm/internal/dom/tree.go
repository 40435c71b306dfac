package dom

import (
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"
)

// Tree is what the page shows, as far as it was rendered. The zero value shows nothing yet. Nodes have numbers, by which
// operations and events name them; the root is 0, and numbers of nodes that have gone are given again.
type Tree struct {
	nodes   []*node // by number; nil: free
	free    []int
	ops     []byte
	created []Created
	results func(component any) *vugu.BuildOut
}

// node is one node of the page.
type node struct {
	number  int
	is      *vugu.VGNode
	kids    []*node
	listens []string // events that it tells of
}

// Created is an element that asked to be told of once it is on the page (vg-js-create).
type Created struct {
	Number  int
	Handler vugu.JSValueHandler
}

// Update compares the element root, as it was built, with what is shown, and returns what is to be done, and which elements
// then want to hear that they are there. The first root must be an element that the page has already, of the same name: it
// is filled. results finds what a component has built (vugu.BuildResults.ResultFor).
//
// The operations are a text: fields that each end with NUL. The first of an operation is its letter, then come numbers of nodes
// and texts (see assets/js/page/render.js, which carries them out):
//
//	e number tag        make an HTML element          E number tag       make an SVG element
//	t number text       make a text                   s number text      change a text
//	a number name value set an attribute              r number name      remove one
//	p number name json  set a property                l number event     tell of an event
//	h number html       set the content to HTML       x number text      set the content to a text
//	c parent number     append a child                b next number      put before another, from elsewhere too
//	d number            remove
//
// NUL within texts, which HTML does not know, becomes U+FFFD. The text is empty where nothing differs. O(nodes).
func (t *Tree) Update(root *vugu.VGNode, results func(component any) *vugu.BuildOut) (ops string, created []Created) {
	t.results, t.ops, t.created = results, t.ops[:0], nil
	root = t.resolve(root)
	if len(t.nodes) == 0 {
		t.number(&node{is: &vugu.VGNode{Type: vugu.ElementNode, Data: root.Data, Namespace: root.Namespace}})
	}
	t.update(t.nodes[0], root)
	return string(t.ops), t.created
}

// Handler returns what is to be called at an event of the node of that number; nil: nothing, it may have gone meanwhile.
func (t *Tree) Handler(number int, event string) func(vugu.DOMEvent) {
	if number < 0 || number >= len(t.nodes) || t.nodes[number] == nil {
		return nil
	}
	for _, h := range t.nodes[number].is.DOMEventHandlerSpecList {
		if h.EventType == event {
			return h.Func
		}
	}
	return nil
}

// resolve returns the node that stands for n on the page: for a component, the root of what it has built.
func (t *Tree) resolve(n *vugu.VGNode) *vugu.VGNode {
	for n.Component != nil {
		n = t.results(n.Component).Out[0]
	}
	return n
}

// number gives o a number.
func (t *Tree) number(o *node) *node {
	if n := len(t.free); n > 0 {
		o.number, t.free = t.free[n-1], t.free[:n-1]
		t.nodes[o.number] = o
		return o
	}
	o.number = len(t.nodes)
	t.nodes = append(t.nodes, o)
	return o
}

// forget takes back the numbers of o and of what is in it.
func (t *Tree) forget(o *node) {
	t.nodes[o.number] = nil
	t.free = append(t.free, o.number)
	t.forgetAll(o.kids)
}

func (t *Tree) forgetAll(kids []*node) {
	for _, k := range kids {
		t.forget(k)
	}
}

// alike tells whether the page's node for a can become b.
func alike(a, b *vugu.VGNode) bool {
	return a.Type == b.Type && key(a) == key(b) && (a.Type != vugu.ElementNode || a.Data == b.Data && a.Namespace == b.Namespace)
}

// make makes a node that is not on the page yet.
func (t *Tree) make(n *vugu.VGNode) *node {
	o := t.number(&node{is: &vugu.VGNode{Type: n.Type, Data: n.Data, Namespace: n.Namespace}})
	switch {
	case n.Type != vugu.ElementNode:
		t.op('t', o.number, n.Data)
		o.is = n
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

// update turns o, on the page or made just now, into n, which is alike.
func (t *Tree) update(o *node, n *vugu.VGNode) {
	was := o.is
	o.is = n
	if n.Type != vugu.ElementNode {
		if n.Data != was.Data {
			t.op('s', o.number, n.Data)
		}
		return
	}
	t.attributes(o.number, was.Attr, n.Attr)
	for i := range n.Prop {
		// Always: the visitor changes properties too. The script looks whether there is something to set.
		t.op('p', o.number, n.Prop[i].Key, string(n.Prop[i].JSONVal))
	}
	for i := range n.DOMEventHandlerSpecList {
		if event := n.DOMEventHandlerSpecList[i].EventType; !slices.Contains(o.listens, event) {
			o.listens = append(o.listens, event)
			t.op('l', o.number, event)
		}
	}
	switch {
	case n.InnerHTML != nil:
		if was.InnerHTML == nil || *was.InnerHTML != *n.InnerHTML {
			t.forgetAll(o.kids)
			o.kids = nil
			t.content(o.number, *n.InnerHTML)
		}
		return
	case was.InnerHTML != nil:
		t.content(o.number, "")
	}
	at := 0
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		at = t.child(o, at, k)
	}
	for at < len(o.kids) {
		t.remove(o, len(o.kids)-1)
	}
}

// child brings the child of o at a place to what k says, and returns the next place. What has a key stays the node that it
// was, wherever it stands now: those before it whose key is no longer there go, and it comes before the others.
func (t *Tree) child(o *node, at int, k *vugu.VGNode) int {
	next := k.NextSibling
	k = t.resolve(k)
	if k.Type == vugu.CommentNode {
		return at // nobody sees it
	}
	for at < len(o.kids) && t.over(key(o.kids[at].is), k, next) {
		t.remove(o, at)
	}
	i := at
	for id := key(k); id != "" && i < len(o.kids) && key(o.kids[i].is) != id; {
		i++
	}
	there := i < len(o.kids) && alike(o.kids[i].is, k)
	if there {
		t.update(o.kids[i], k)
	} else {
		i = len(o.kids)
		o.kids = append(o.kids, t.make(k))
	}
	kid, after := o.kids[i], o.kids[at]
	switch {
	case i > at:
		t.op('b', after.number, strconv.Itoa(kid.number))
		copy(o.kids[at+1:], o.kids[at:i])
		o.kids[at] = kid
		if !there && key(after.is) == "" {
			t.remove(o, at+1)
		}
	case !there:
		t.op('c', o.number, strconv.Itoa(kid.number))
	}
	return at + 1
}

// over tells whether that key stands neither with k nor with what comes after it.
func (t *Tree) over(id string, k, next *vugu.VGNode) bool {
	for id != "" && id != key(k) {
		if next == nil {
			return true
		}
		k, next = t.resolve(next), next.NextSibling
	}
	return false
}

// remove takes the child of o at a place from the page.
func (t *Tree) remove(o *node, at int) {
	t.op('d', o.kids[at].number)
	t.forget(o.kids[at])
	o.kids = append(o.kids[:at], o.kids[at+1:]...)
}

// key is what tells a node from its siblings; "": its place.
func key(n *vugu.VGNode) string {
	if i := named(n.Attr, "data-key"); i >= 0 {
		return n.Attr[i].Val
	}
	return ""
}

// attributes turns those that were into those that are. Names are without namespaces; xmlns is the element's own matter.
func (t *Tree) attributes(number int, was, are []vugu.VGAttribute) {
	for i := range are {
		a := &are[i]
		if a.Key == "xmlns" {
			continue
		}
		if i < len(was) && was[i].Key == a.Key {
			if was[i].Val != a.Val {
				t.op('a', number, a.Key, a.Val)
			}
			continue
		}
		if j := named(was, a.Key); j < 0 || was[j].Val != a.Val {
			t.op('a', number, a.Key, a.Val)
		}
	}
	for i := range was {
		if i < len(are) && are[i].Key == was[i].Key {
			continue
		}
		if named(are, was[i].Key) < 0 {
			t.op('r', number, was[i].Key)
		}
	}
}

// named returns the place of the attribute of that name, −1 where there is none.
func named(attributes []vugu.VGAttribute, key string) int {
	for i := range attributes {
		if attributes[i].Key == key {
			return i
		}
	}
	return -1
}

// content sets the content of an element; plain text need not be parsed.
func (t *Tree) content(number int, html string) {
	if strings.ContainsAny(html, "<&") {
		t.op('h', number, html)
		return
	}
	t.op('x', number, html)
}

// op appends an operation.
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
