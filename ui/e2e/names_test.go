//go:build !js

package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// The roles and names that the tests go by (testdata/visitor.js) are those that the browser tells assistive technology,
// for all buttons, boxes, sliders, links, lists and parts of the page.
func TestAccessibleNames(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.sees("list", words.Starters)
	v.checkNames("on the first visit")
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	v.openFilters()
	v.press(firstOf(t, v, "Why? "), "list", "Recommendations")
	v.press(words.Erase)
	v.sees("button", words.EraseYes)
	v.checkNames("with a list, filters and a question open")
	for _, thing := range [][2]string{{"searchbox", "Search titles"}, {"list", "Recommendations"},
		{"region", "Taste map"},
		{"button", "Like Alien"}, {"button", "Not for me: Alien"}, {"button", "Seen: Alien"}} {
		if !slices.Contains(v.accessibilityTree(), thing[0]+" "+thing[1]) {
			t.Errorf("assistive technology is told of no %s %q", thing[0], thing[1])
		}
	}
}

// compared are the roles whose things TestAccessibleNames compares.
var compared = []string{"button", "searchbox", "slider", "link", "list", "region", "navigation", "search", "heading",
	"application", "group"}

// checkNames compares what the tests see with what the browser tells.
func (v *visitor) checkNames(when string) {
	v.Helper()
	v.settled() // for the two are asked one after the other
	var seen []string
	for _, role := range compared {
		for _, name := range see[[]string](v, "visitor.names("+quote(role)+", null)") {
			seen = append(seen, strings.TrimSpace(role+" "+name))
		}
	}
	told := v.accessibilityTree()
	if len(told) < 20 {
		v.Fatalf("%s the browser tells of only %d things: %q", when, len(told), told)
	}
	slices.Sort(seen)
	missing := func(a, b []string, text string) {
		count := map[string]int{}
		for _, s := range b {
			count[s]++
		}
		for _, s := range a {
			if count[s]--; count[s] < 0 {
				v.Errorf("%s %s %q", when, text, s)
			}
		}
	}
	missing(told, seen, "the browser tells of what the tests do not see:")
	missing(seen, told, "the tests see what the browser does not tell of:")
}

// accessibilityTree is the browser's own list of "role name", sorted.
func (v *visitor) accessibilityTree() []string {
	v.Helper()
	tree, err := chromedp.Call(v.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		v.Fatal(err)
	}
	text := func(value *accessibility.Value) (s string) {
		if value != nil {
			_ = json.Unmarshal([]byte(value.Value), &s) // what is no text is no name
		}
		return strings.Join(strings.Fields(s), " ")
	}
	var out []string
	for _, n := range tree.Nodes {
		if role := text(n.Role); !n.Ignored && slices.Contains(compared, role) {
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s", role, text(n.Name))))
		}
	}
	slices.Sort(out)
	return out
}
