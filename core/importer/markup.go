package importer

import (
	"bytes"
	"strconv"
	"strings"
)

// markup splits XML or HTML into tags and texts. encoding/xml would add 200 KB to the program. Nothing is checked:
// malformed markup gives other tags, not an error. A tag has a name; a text has none.
type markup struct {
	data          []byte
	at, tags      int
	name, text    string
	attributes    []string // names and values
	closes, empty bool
}

// until returns the bytes from begin up to end, and moves past both.
func (x *markup) until(begin int, end string) []byte {
	rest := x.data[min(x.at+begin, len(x.data)):]
	i := bytes.Index(rest, []byte(end))
	if i < 0 {
		x.at = len(x.data)
		return rest
	}
	x.at += begin + i + len(end)
	return rest[:i]
}

// next moves to the next tag or text, skipping comments and declarations. It returns false at the end.
func (x *markup) next() bool {
	const cdata, comment = "<![CDATA[", "<!--"
	x.name, x.text, x.attributes, x.closes, x.empty = "", "", x.attributes[:0], false, false
	for x.at < len(x.data) {
		rest := x.data[x.at:]
		switch {
		case rest[0] != '<':
			b := x.until(0, "<")
			if x.at < len(x.data) || x.data[x.at-1] == '<' {
				x.at--
			}
			x.text = unescape(string(b[:min(len(b), maxField)]))
			return true
		case bytes.HasPrefix(rest, []byte(cdata)):
			b := x.until(len(cdata), "]]>")
			x.text = string(b[:min(len(b), maxField)])
			return true
		case bytes.HasPrefix(rest, []byte(comment)):
			x.until(len(comment), "-->")
			continue
		}
		x.tags++
		b := x.until(1, ">")
		s := string(b[:min(len(b), maxField)])
		if s == "" || s[0] == '!' || s[0] == '?' {
			continue
		}
		s, x.closes = strings.CutPrefix(s, "/")
		s, x.empty = strings.CutSuffix(s, "/")
		i := 0
		for i < len(s) && s[i] > ' ' {
			i++
		}
		if x.name = cut(s[:i], maxText); x.name == "" {
			continue
		}
		for s = s[i:]; len(x.attributes) < 2*maxFields; {
			key, rest, ok := strings.Cut(s, "=")
			if rest = strings.Trim(rest, blank); !ok || rest == "" {
				break
			}
			end := " "
			if rest[0] == '"' || rest[0] == '\'' {
				end, rest = rest[:1], rest[1:]
			}
			var value string
			value, s, _ = strings.Cut(rest, end)
			x.attributes = append(x.attributes, strings.Trim(key, blank), unescape(value))
		}
		return true
	}
	return false
}

// attribute returns the value of an attribute, or "".
func (x *markup) attribute(name string) string {
	for i := 0; i < len(x.attributes); i += 2 {
		if x.attributes[i] == name {
			return x.attributes[i+1]
		}
	}
	return ""
}

// entities are XML's predefined entities, and HTML's non-breaking space.
var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&nbsp;", " ", "&amp;", "&")

// unescape replaces these entities and leaves others. Package html knows all 2,231 of HTML, but would add 60 KB to the
// program.
func unescape(s string) string {
	if !strings.Contains(s, "&") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "&#")
		b.WriteString(before)
		if !ok {
			return entities.Replace(b.String())
		}
		s = rest
		end := strings.IndexByte(rest, ';')
		if end > 1 && end < 10 {
			digits, base := rest[:end], 10
			if digits[0] == 'x' {
				digits, base = digits[1:], 16
			}
			if n, err := strconv.ParseUint(digits, base, 21); err == nil {
				b.WriteRune(rune(n))
				s = rest[end+1:]
				continue
			}
		}
		b.WriteString("&#")
	}
}
