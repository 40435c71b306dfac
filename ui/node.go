package ui

import "github.com/vugu/vugu"

// These are called by generated code: see internal/compact.

// textIn appends a text to the children of parent.
func textIn(parent *vugu.VGNode, s string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.TextNode, Data: s}
	parent.AppendChild(n)
	return n
}

// elementIn appends an element to the children of parent, with attributes given as names and values in turn.
func elementIn(parent *vugu.VGNode, namespace, tag string, attributes ...string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.ElementNode, Namespace: namespace, Data: tag}
	if len(attributes) > 0 {
		n.Attr = make([]vugu.VGAttribute, 0, len(attributes)/2)
		for i := 0; i < len(attributes); i += 2 {
			n.Attr = append(n.Attr, vugu.VGAttribute{Key: attributes[i], Val: attributes[i+1]})
		}
	}
	parent.AppendChild(n)
	return n
}

// componentIn appends a component to the children of parent, one that was made just now or that stood there before.
func componentIn(
	in *vugu.BuildIn,
	out *vugu.BuildOut,
	parent *vugu.VGNode,
	key vugu.CompKey,
	c vugu.Builder,
	made bool,
) {
	if made {
		in.BuildEnv.WireComponent(c)
	}
	in.BuildEnv.UseComponent(key, c)
	out.Components = append(out.Components, c)
	parent.AppendChild(&vugu.VGNode{Component: c})
}

// on has f called at an event of the element.
func on(n *vugu.VGNode, event string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: f})
}
