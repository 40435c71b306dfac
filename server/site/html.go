package site

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/html"
)

// element is a start tag: its name in lower case, its attributes, and its position in the page.
type element struct {
	name       string
	attributes []attribute
	start, end int
}

// attribute is an attribute of a start tag: its name in lower case, its value as written, and the position of the value
// without quotes. A missing value has the position of the attribute's end.
type attribute struct {
	name, value string
	start, end  int
}

// value returns the value of the named attribute, or "".
func (e *element) value(name string) string {
	for _, a := range e.attributes {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

// elements returns the start tags of a page in order. Comments, scripts, styles and similar content are skipped.
func elements(content []byte) ([]element, error) { return appendElements(nil, content, 0) }

// appendElements appends the start tags of content, which begins at this offset of the page.
func appendElements(all []element, content []byte, offset int) ([]element, error) {
	input := parse.NewInputBytes(bytes.Clone(content)) // the lexer lower-cases names in its input
	for lexer := html.NewLexer(input); ; {
		kind, data := lexer.Next()
		end := input.Offset()
		switch kind {
		case html.ErrorToken:
			if input.Err() == nil {
				return nil, mistakef(offset+end, "the page is not HTML: %v", lexer.Err())
			}
			return all, nil // the end
		case html.SVGToken, html.MathToken, html.XMLToken:
			// The lexer returns the whole element. Without the first letter of its name it is read tag by tag.
			inner := bytes.Clone(data)
			inner[1] = 'x'
			var err error
			if all, err = appendElements(all, inner, offset+end-len(data)); err != nil {
				return nil, err
			}
		case html.StartTagToken:
			all = append(all, element{name: string(lexer.Text()), start: offset + end - len(data), end: offset + end})
		case html.AttributeToken:
			e := &all[len(all)-1]
			value := lexer.AttrVal()
			a := attribute{name: string(lexer.Text()), start: end - len(value), end: end}
			if len(value) > 0 && (value[0] == '"' || value[0] == '\'') {
				a.start++
				if len(value) > 1 && value[len(value)-1] == value[0] {
					a.end--
				}
			}
			a.value = string(content[a.start:a.end])
			a.start, a.end = offset+a.start, offset+a.end
			e.attributes = append(e.attributes, a)
		case html.StartTagCloseToken, html.StartTagVoidToken:
			all[len(all)-1].end = offset + end
		}
	}
}

// scanHTML finds the references of the page: src and href of any element, and data- attributes whose value begins with
// assets/, by which the page tells its loader what to load. It rejects code that the site's Content-Security-Policy
// would block, as far as the builder can see it.
func scanHTML(content []byte) ([]reference, error) {
	all, err := elements(content)
	if err != nil {
		return nil, err
	}
	var refs []reference
	for i := range all {
		of, err := all[i].references()
		if err != nil {
			return nil, err
		}
		refs = append(refs, of...)
	}
	return refs, nil
}

// references returns the references of a start tag.
func (e *element) references() ([]reference, error) {
	var refs []reference
	for _, a := range e.attributes {
		switch {
		case a.name == "style" || strings.HasPrefix(a.name, "on"):
			return nil, mistakef(a.start, "the attribute %s is inline code, which the site's policy blocks: "+
				"move it to a file under assets/", a.name)
		case a.name == "srcset":
			return nil, mistakef(a.start, "the site builder does not support srcset: use src")
		case a.name == "src" || a.name == "href",
			strings.HasPrefix(a.name, "data-") && strings.HasPrefix(strings.TrimPrefix(a.value, "./"), "assets/"):
			refs = append(refs, reference{start: a.start, end: a.end, address: a.value, attribute: a.name})
		}
	}
	inline := e.name == "script" && runs(e.value("type")) &&
		!slices.ContainsFunc(e.attributes, func(a attribute) bool { return a.name == "src" })
	if e.name == "style" || inline {
		return nil, mistakef(e.start, "the site's policy blocks inline content of <%s>: move it to a file under "+
			"assets/", e.name)
	}
	joins := slices.ContainsFunc(e.attributes, func(a attribute) bool { return a.name == bundleAttribute })
	for i := range refs {
		refs[i].bundle = joins && refs[i].attribute == "src"
	}
	if e.name == "a" || e.name == "area" || e.name == "link" && namesOnly(e.value("rel")) {
		for i := range refs {
			refs[i].link = true
		}
	}
	return refs, nil
}

// runs reports whether a script element of this type is run, not kept as data.
func runs(kind string) bool {
	return slices.Contains([]string{"", "module", "importmap", "speculationrules", "text/javascript",
		"application/javascript"}, strings.ToLower(kind))
}

// namesOnly reports whether a link with this relation only describes the page and loads nothing.
func namesOnly(relation string) bool {
	return slices.Contains([]string{"alternate", "author", "canonical", "help", "license", "me"},
		strings.ToLower(relation))
}
