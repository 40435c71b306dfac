package catalogue

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// A template is a text with names of columns in braces, "https://shop.example/p/{id}" or "{price} €". {id}, {title} and
// {year} are columns too.

// Text fills in a template, or returns "" if the item lacks one of the columns. O(length).
func Text(template string, it *Item, columns []string) string {
	return fill(template, it, columns, func(s string) string { return s })
}

// Address fills in a template of an address, or returns "" if the item lacks one of the columns. Values are escaped. A
// template that is one column alone uses the column's whole address, or "" unless Leads. O(length).
func Address(template string, it *Item, columns []string) string {
	if name, ok := strings.CutPrefix(template, "{"); ok && strings.IndexByte(name, '}') == len(name)-1 {
		if a := it.value(name[:len(name)-1], columns); Leads(a) {
			return a
		}
		return ""
	}
	return fill(template, it, columns, escape)
}

// escape percent-encodes every byte except letters, digits and -._~, without package net/url, which would add 25 KB to
// the embedded program.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for _, c := range []byte(s) {
		if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// Leads reports whether an address leads to this site or to an https: one, whatever its columns hold.
func Leads(address string) bool {
	// Browsers skip control characters before an address, and some within, and read \ as /.
	odd := func(c rune) bool { return c <= ' ' || c == '\\' }
	if address == "" || strings.ContainsFunc(address, odd) || strings.HasPrefix(address, "//") {
		return false
	}
	head, _, _ := strings.Cut(address, "/")
	return strings.HasPrefix(address, "https://") || !strings.Contains(head, ":")
}

// Placeholders returns the names in braces in a template.
func Placeholders(template string) (names []string) {
	for {
		_, tail, found := strings.Cut(template, "{")
		name, rest, closed := strings.Cut(tail, "}")
		if !found || !closed {
			return names
		}
		names, template = append(names, name), rest
	}
}

// CheckTemplate returns an error for a column in a template that no item has. The error names the column and lists
// those that exist.
func CheckTemplate(template string, columns []string) error {
	known := append([]string{"id", "title", "year"}, columns...)
	for _, name := range Placeholders(template) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%q names the column %q; the model's catalogue has %s", brief.Text(template),
				brief.Text(name), brief.List(known))
		}
	}
	return nil
}

func fill(template string, it *Item, columns []string, escape func(string) string) string {
	var b strings.Builder
	for template != "" {
		head, tail, found := strings.Cut(template, "{")
		b.WriteString(head)
		if !found {
			break
		}
		name, rest, closed := strings.Cut(tail, "}")
		v := it.value(name, columns)
		if !closed || v == "" {
			return ""
		}
		b.WriteString(escape(v))
		template = rest
	}
	return b.String()
}

// value returns an item's value in the column with that name.
func (it *Item) value(column string, columns []string) string {
	switch column {
	case "id":
		return it.ID
	case "title":
		return it.Title
	case "year":
		if it.Year == 0 {
			return ""
		}
		return strconv.Itoa(it.Year)
	}
	if k := slices.Index(columns, column); k >= 0 && k < len(it.Values) {
		return it.Values[k]
	}
	return ""
}
