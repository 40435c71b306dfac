package site

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// htmlAttribute matches one attribute of a start tag: its name, and its value in one of three spellings. Matched one
// after another from the tag's name on, it never looks into a quoted value.
var htmlAttribute = regexp.MustCompile(`\s([^\s=>/"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?`)

// scanHTML finds the references of the page: src and href of any element, and each data- attribute whose value begins
// with assets/ (that is how the page tells its loader what to load). It refuses what the site's
// Content-Security-Policy would block, where the builder can see it.
func scanHTML(content []byte) ([]reference, error) {
	var refs []reference
	z := html.NewTokenizer(bytes.NewReader(content))
	for offset := 0; ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return refs, nil // the reader is memory: this is the end
		}
		raw := z.Raw()
		if kind == html.StartTagToken || kind == html.SelfClosingTagToken {
			tagRefs, err := scanTag(raw, offset)
			if err != nil {
				return nil, err
			}
			refs = append(refs, tagRefs...)
		}
		offset += len(raw)
	}
}

// scanTag finds the references of one start tag, "<name …>", which begins at offset.
func scanTag(raw []byte, offset int) ([]reference, error) {
	nameEnd := 1
	for nameEnd < len(raw) && !bytes.ContainsRune([]byte(" \t\r\n/>"), rune(raw[nameEnd])) {
		nameEnd++
	}
	tag := strings.ToLower(string(raw[1:nameEnd]))
	values := map[string]string{}
	var refs []reference
	for _, m := range htmlAttribute.FindAllSubmatchIndex(raw[nameEnd:], -1) {
		for i := range m {
			if m[i] >= 0 {
				m[i] += nameEnd
			}
		}
		attribute := strings.ToLower(string(raw[m[2]:m[3]]))
		r := reference{start: offset + m[0], end: offset + m[0], attribute: attribute}
		for group := 2; group <= 4; group++ {
			if m[2*group] >= 0 {
				r = found(raw, m, group)
				r.start, r.end, r.attribute = r.start+offset, r.end+offset, attribute
			}
		}
		values[attribute] = r.address
		switch {
		case attribute == "style" || strings.HasPrefix(attribute, "on"):
			return nil, mistakef(r.start, "the attribute %s is inline code, which the site's policy blocks: move it to a file under assets/", attribute)
		case attribute == "srcset":
			return nil, mistakef(r.start, "srcset is not followed by the site builder: use src")
		case attribute == "src" || attribute == "href",
			strings.HasPrefix(attribute, "data-") && strings.HasPrefix(strings.TrimPrefix(r.address, "./"), "assets/"):
			refs = append(refs, r)
		}
	}
	_, hasSource := values["src"]
	if tag == "style" || tag == "script" && !hasSource && runs(values["type"]) {
		return nil, mistakef(offset, "a <%s> with its content inline is blocked by the site's policy: move it to a file under assets/", tag)
	}
	if tag == "a" || tag == "area" || tag == "link" && namesOnly(values["rel"]) {
		for i := range refs {
			refs[i].link = true
		}
	}
	return refs, nil
}

// runs reports whether a script element of this type is run, rather than kept as data.
func runs(kind string) bool {
	return slices.Contains([]string{"", "module", "importmap", "speculationrules", "text/javascript", "application/javascript"}, strings.ToLower(kind))
}

// namesOnly reports whether a link of this relation says something about the page and loads nothing.
func namesOnly(relation string) bool {
	return slices.Contains([]string{"alternate", "author", "canonical", "help", "license", "me"}, strings.ToLower(relation))
}
