package dataset

import (
	"slices"
	"strings"
)

// carry completes the lines of Shopify's products export. Only the first line of a product has its title, vendor, type,
// tags and status; further lines hold variants, or pictures without a SKU.
type carry struct {
	handle int // column; −1: not such an export
	of     []int
	last   [][]byte // of the first line of the product, by place in of
	name   string
}

// carryOf returns the carry of a catalogue with these columns.
func carryOf(have []string) *carry {
	c := &carry{handle: -1}
	at := func(plain string) int {
		return slices.IndexFunc(have, func(name string) bool { return plainName(name) == plain })
	}
	if at("handle") < 0 || at("title") < 0 || at("variantsku") < 0 {
		return c
	}
	c.handle = at("handle")
	for i, name := range have {
		plain := plainName(name)
		if i != c.handle && !strings.HasPrefix(plain, "variant") && !strings.HasPrefix(plain, "option") &&
			!strings.HasPrefix(plain, "image") && plain != "costperitem" {
			c.of = append(c.of, i)
		}
	}
	c.last = make([][]byte, len(c.of))
	return c
}

// fill fills the empty cells of a line, and reports whether it belongs to the product of the line before.
func (c *carry) fill(f [][]byte) bool {
	if c.handle < 0 || c.handle >= len(f) {
		return false
	}
	again := string(f[c.handle]) == c.name && c.name != ""
	c.name = string(f[c.handle])
	for k, at := range c.of {
		switch {
		case !again:
			c.last[k] = append(c.last[k][:0], f[at]...)
		case len(trim(f[at])) == 0:
			f[at] = c.last[k]
		}
	}
	return again
}
