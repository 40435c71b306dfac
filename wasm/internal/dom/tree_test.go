package dom

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/vugu/vugu"
	"pgregory.net/rapid"
)

// page runs operations as assets/js/page/render.js does, but fails on missing nodes.
type page struct {
	t     interface{ Fatalf(string, ...any) }
	nodes map[int]*element
	done  int // operations
}

type element struct {
	tag, text  string // of an element, of a text
	parent     *element
	kids       []*element
	attributes map[string]string
	props      map[string]string
	listens    []string
}

func (p *page) node(field string) *element {
	n, err := strconv.Atoi(field)
	if err != nil || p.nodes[n] == nil {
		p.t.Fatalf("node %q does not exist", field)
	}
	return p.nodes[n]
}

func (p *page) apply(ops string) {
	f := strings.Split(ops, "\x00")
	if f[len(f)-1] != "" {
		p.t.Fatalf("the last operation is incomplete: %q", ops)
	}
	f = f[:len(f)-1]
	next := func() (s string) { s, f = f[0], f[1:]; return s }
	for len(f) > 0 {
		p.done++
		letter, number := next(), next()
		n, _ := strconv.Atoi(number)
		switch letter {
		case "e", "E":
			p.nodes[n] = &element{tag: letter + next(), attributes: map[string]string{}, props: map[string]string{}}
		case "t":
			p.nodes[n] = &element{text: next()}
		case "s":
			p.node(number).text = next()
		case "a":
			e, key := p.node(number), next()
			e.attributes[key] = next()
		case "r":
			e, key := p.node(number), next()
			if _, ok := e.attributes[key]; !ok {
				p.t.Fatalf("%s has no attribute %s", e.tag, key)
			}
			delete(e.attributes, key)
		case "p":
			e, key := p.node(number), next()
			e.props[key] = next()
		case "l":
			e := p.node(number)
			e.listens = append(e.listens, next())
		case "h", "x":
			e := p.node(number)
			for _, k := range e.kids {
				k.parent = nil
			}
			e.kids = nil
			if content := next(); content != "" {
				e.kids = []*element{{text: letter + content, parent: e}}
			}
		case "c":
			e, kid := p.node(number), p.node(next())
			kid.parent = e
			e.kids = append(e.kids, kid)
		case "b":
			e, made := p.node(number), p.node(next())
			made.leave()
			made.parent = e.parent
			e.parent.kids = slices.Insert(e.parent.kids, slices.Index(e.parent.kids, e), made)
		case "d":
			p.node(number).leave()
			delete(p.nodes, n)
		default:
			p.t.Fatalf("unknown operation %q", letter)
		}
	}
}

// leave removes the node from its parent.
func (e *element) leave() {
	if e.parent != nil {
		e.parent.kids = slices.DeleteFunc(e.parent.kids, func(k *element) bool { return k == e })
	}
}

// shown returns the page as text.
func (e *element) shown() string {
	if e.tag == "" {
		return strconv.Quote(e.text)
	}
	s := "<" + e.tag
	for _, m := range []map[string]string{e.attributes, e.props} {
		var keys []string
		for k, v := range m {
			keys = append(keys, k+"="+strconv.Quote(v))
		}
		slices.Sort(keys)
		s += fmt.Sprint(keys)
	}
	s += ">"
	for _, k := range e.kids {
		s += k.shown()
	}
	return s + "</>"
}

// wanted returns a built node as text.
func wanted(n *vugu.VGNode) string {
	if n.Type == vugu.TextNode {
		return strconv.Quote(n.Data)
	}
	e := &element{tag: "e" + n.Data, attributes: map[string]string{}, props: map[string]string{}}
	if n.Namespace == "svg" {
		e.tag = "E" + n.Data
	}
	for _, a := range n.Attr {
		e.attributes[a.Key] = a.Val
	}
	for _, p := range n.Prop {
		e.props[p.Key] = string(p.JSONVal)
	}
	s := e.shown()
	s = strings.TrimSuffix(s, "</>")
	if n.InnerHTML != nil && *n.InnerHTML == "" {
		return s + "</>"
	}
	if n.InnerHTML != nil {
		letter := "x"
		if strings.ContainsAny(*n.InnerHTML, "<&") {
			letter = "h"
		}
		return s + strconv.Quote(letter+*n.InnerHTML) + "</>"
	}
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		if k.Type != vugu.CommentNode {
			s += wanted(k)
		}
	}
	return s + "</>"
}

// anyNode draws a tree.
func anyNode(t *rapid.T, depth int) *vugu.VGNode {
	if depth > 0 {
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0, 1:
			return &vugu.VGNode{Type: vugu.TextNode, Data: rapid.SampledFrom([]string{"\n", "a", "b"}).Draw(t, "text")}
		case 2:
			return &vugu.VGNode{Type: vugu.CommentNode, Data: "unseen"}
		}
	}
	n := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	if depth > 0 {
		n.Data = rapid.SampledFrom([]string{"div", "p", "input"}).Draw(t, "tag")
		n.Namespace = rapid.SampledFrom([]string{"", "svg"}).Draw(t, "namespace")
	}
	names := rapid.Permutation([]string{"class", "id", "title", "data-key"}).Draw(t, "names")
	for _, key := range names[:rapid.IntRange(0, 4).Draw(t, "attributes")] {
		n.Attr = append(n.Attr, vugu.VGAttribute{Key: key,
			Val: rapid.SampledFrom([]string{"", "x", "y"}).Draw(t, "value")})
	}
	if n.Data == "input" {
		n.Prop = []vugu.VGProperty{{Key: "value",
			JSONVal: []byte(rapid.SampledFrom([]string{`"1"`, `"2"`}).Draw(t, "property"))}}
	}
	if rapid.Bool().Draw(t, "listens") {
		n.DOMEventHandlerSpecList = []vugu.DOMEventHandlerSpec{{EventType: "click", Func: func(vugu.DOMEvent) {}}}
	}
	if depth > 0 && rapid.IntRange(0, 3).Draw(t, "html") == 0 {
		n.InnerHTML = new(rapid.SampledFrom([]string{"", "text", "<b>bold</b>", "a &amp; b"}).Draw(t, "content"))
		return n
	}
	if depth < 3 {
		for range rapid.IntRange(0, 4).Draw(t, "children") {
			n.AppendChild(anyNode(t, depth+1))
		}
	}
	return n
}

// After any sequence of builds, the page shows the last one, and building it again changes nothing.
func TestPageShowsWhatWasBuilt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var tree Tree
		p := &page{t: t, nodes: map[int]*element{0: {tag: "ediv", attributes: map[string]string{},
			props: map[string]string{}}}}
		for range rapid.IntRange(1, 6).Draw(t, "renders") {
			root := anyNode(t, 0)
			ops, _ := tree.Update(root, nil)
			p.apply(ops)
			if got, want := p.nodes[0].shown(), wanted(root); got != want {
				t.Fatalf("the page shows\n%s, want\n%s", got, want)
			}
			again, _ := tree.Update(root, nil)
			for _, op := range strings.SplitAfter(again, "\x00")[:1] {
				if op != "" && op != "p\x00" {
					t.Fatalf("building the same again gives the operations %q", again)
				}
			}
			p.apply(again)
			// Every node on the page with a handler listens to its event once, and the handler is found.
			for number, e := range p.nodes {
				if tree.nodes[number] == nil || e.tag == "" {
					continue
				}
				if h := tree.Handler(number, "click"); h != nil && !slices.Contains(e.listens, "click") {
					t.Fatalf("node %d does not listen to clicks", number)
				}
				if len(slices.Compact(slices.Clone(e.listens))) != len(e.listens) {
					t.Fatalf("node %d listens twice: %v", number, e.listens)
				}
			}
		}
	})
}

// Keyed nodes persist: if the first of a list is removed and another appended, no other node is touched; if the order
// changes, nodes are moved.
func TestKeysStay(t *testing.T) {
	list := func(keys string) *vugu.VGNode {
		root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
		root.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: "before"})
		for _, k := range keys {
			li := &vugu.VGNode{Type: vugu.ElementNode, Data: "li",
				Attr: []vugu.VGAttribute{{Key: "data-key", Val: string(k)}}}
			li.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: string(k)})
			root.AppendChild(li)
		}
		root.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: "after"})
		return root
	}
	for _, c := range []struct {
		from, to string
		most     int // operations
	}{
		{"abcdef", "abcdef", 0},
		{"abcdef", "bcdef", 1},
		{"abcdef", "acf", 3},
		{"abcdef", "abcfde", 1},
		{"abcdef", "fedcba", 5},
		{"abcdef", "abcdefg", 8}, // one is created, and the text after it too
		{"abcdef", "bcdefg", 9},
		{"abcdef", "xabcde", 6},
		{"abcdef", "", 6},
	} {
		var tree Tree
		p := &page{t: t, nodes: map[int]*element{0: {tag: "ediv", attributes: map[string]string{}}}}
		ops, _ := tree.Update(list(c.from), nil)
		p.apply(ops)
		was := slices.Clone(p.nodes[0].kids)
		ops, _ = tree.Update(list(c.to), nil)
		p.done = 0
		p.apply(ops)
		if got, want := p.nodes[0].shown(), wanted(list(c.to)); got != want || p.done > c.most {
			t.Errorf("%s to %s took %d operations: %s", c.from, c.to, p.done, got)
		}
		for _, kid := range p.nodes[0].kids[1 : 1+len(c.to)] {
			if at := strings.Index(c.from, kid.attributes["data-key"]); at >= 0 && was[1+at] != kid {
				t.Errorf("%s to %s: the node of %s was replaced", c.from, c.to, kid.attributes["data-key"])
			}
		}
	}
}

// part is a component.
type part struct{ title string }

// Components stand for their roots, and a component that asks for its new element is told once.
func TestComponentsAndCreation(t *testing.T) {
	var tree Tree
	p := &page{t: t, nodes: map[int]*element{0: {tag: "ediv", attributes: map[string]string{}}}}
	build := func(title string) (*vugu.VGNode, func(any) *vugu.BuildOut) {
		inner := &vugu.VGNode{Type: vugu.ElementNode, Data: "p", JSCreateHandler: vugu.JSValueFunc(nil)}
		inner.InnerHTML = &title
		root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
		c := &part{title}
		root.AppendChild(&vugu.VGNode{Type: vugu.ElementNode, Component: c})
		return root, func(any) *vugu.BuildOut { return &vugu.BuildOut{Out: []*vugu.VGNode{inner}} }
	}
	ops, created := tree.Update(build("one"))
	p.apply(ops)
	if got := p.nodes[0].shown(); got != `<ediv[][]><ep[][]>"xone"</></>` || len(created) != 1 ||
		p.nodes[created[0].Number].tag != "ep" {
		t.Errorf("%s, created %v", got, created)
	}
	ops, created = tree.Update(build("two\x00"))
	p.done = 0
	p.apply(ops)
	if got := p.nodes[0].shown(); got != "<ediv[][]><ep[][]>\"xtwo\uFFFD\"</></>" || len(created) != 0 || p.done != 1 {
		t.Errorf("%s after %d operations, created %v", got, p.done, created)
	}
	if tree.Handler(99, "click") != nil || tree.Handler(-1, "click") != nil || tree.Handler(0, "click") != nil {
		t.Error("nodes that do not exist have handlers")
	}
}

// SkipIndentation drops line breaks between the elements of a source; other white space is shown.
func TestSkipIndentation(t *testing.T) {
	tree := Tree{SkipIndentation: true}
	p := &page{t: t, nodes: map[int]*element{0: {tag: "ediv", attributes: map[string]string{}}}}
	root := &vugu.VGNode{Type: vugu.ElementNode, Data: "div"}
	for _, text := range []string{"\n", "a", "\n  \n\t", " ", "\n b"} {
		root.AppendChild(&vugu.VGNode{Type: vugu.TextNode, Data: text})
	}
	for range 2 {
		ops, _ := tree.Update(root, nil)
		p.apply(ops)
		if got, want := p.nodes[0].shown(), `<ediv[][]>"a"" ""\n b"</>`; got != want {
			t.Errorf("the page shows %s, want %s", got, want)
		}
	}
}
