package ui

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vugu/vugu"
)

// These are called by generated code: see internal/compact.

// textIn appends a text to the children of parent.
func textIn(parent *vugu.VGNode, s string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.TextNode, Data: s}
	parent.AppendChild(n)
	return n
}

// elementIn appends an element to the children of parent. attributes are shared by all builds: appending copies them.
func elementIn(parent *vugu.VGNode, namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	n := element(namespace, tag, attributes)
	parent.AppendChild(n)
	return n
}

// rootOf makes the element that a component consists of.
func rootOf(out *vugu.BuildOut, namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	n := element(namespace, tag, attributes)
	out.Out = append(out.Out, n)
	return n
}

func element(namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	return &vugu.VGNode{Type: vugu.ElementNode, Namespace: namespace, Data: tag, Attr: slices.Clip(attributes)}
}

// attribute and content set what a component computes. They are generic so that converting a value to an interface
// takes code once a type and not at each call.
func attribute[T any](n *vugu.VGNode, key string, value T) { n.AddAttrInterface(key, value) }
func content[T any](n *vugu.VGNode, value T)               { n.SetInnerHTML(value) }

// property sets a property of the element itself, such as an input's value.
func property(n *vugu.VGNode, key, value string) {
	quoted, _ := jsontext.AppendQuote(nil, value) // its only error is that of UTF-8
	n.Prop = append(n.Prop, vugu.VGProperty{Key: key, JSONVal: quoted})
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
