// Package node builds nodes for the components' generated code, as rewritten by ui/internal/compact.
package node

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/vugu/vugu"
)

// Text appends a text to the children of parent.
func Text(parent *vugu.VGNode, s string) *vugu.VGNode {
	n := &vugu.VGNode{Type: vugu.TextNode, Data: s}
	parent.AppendChild(n)
	return n
}

// Element appends an element to the children of parent. All builds share attributes: appending to them copies.
func Element(parent *vugu.VGNode, namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	n := element(namespace, tag, attributes)
	parent.AppendChild(n)
	return n
}

// Root creates the element of a component.
func Root(out *vugu.BuildOut, namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	n := element(namespace, tag, attributes)
	out.Out = append(out.Out, n)
	return n
}

func element(namespace, tag string, attributes []vugu.VGAttribute) *vugu.VGNode {
	return &vugu.VGNode{Type: vugu.ElementNode, Namespace: namespace, Data: tag, Attr: slices.Clip(attributes)}
}

// Attribute sets a computed attribute. It is generic, so the code that converts a value to an interface exists once a
// type instead of at each call.
func Attribute[T any](n *vugu.VGNode, key string, value T) { n.AddAttrInterface(key, value) }

// Content sets computed text or HTML. It is generic for the same reason as Attribute.
func Content[T any](n *vugu.VGNode, value T) { n.SetInnerHTML(value) }

// Property sets a property of the element itself, such as an input's value.
func Property(n *vugu.VGNode, key, value string) {
	quoted, _ := jsontext.AppendQuote(nil, value) // its only error is invalid UTF-8
	n.Prop = append(n.Prop, vugu.VGProperty{Key: key, JSONVal: quoted})
}

// Component appends a component, new or from an earlier build, to the children of parent.
func Component(
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

// On calls f at an event of the element.
func On(n *vugu.VGNode, event string, f func(vugu.DOMEvent)) {
	n.DOMEventHandlerSpecList = append(n.DOMEventHandlerSpecList, vugu.DOMEventHandlerSpec{EventType: event, Func: f})
}
