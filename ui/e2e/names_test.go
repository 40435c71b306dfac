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

// The roles and names used by the tests (testdata/visitor.js) equal those that the browser reports to assistive
// technology, for all buttons, boxes, sliders, links, lists and parts of the page.
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
	for _, thing := range [][2]string{{"searchbox", "Search films"}, {"list", "Recommendations"},
		{"region", "Taste map"},
		{"button", "Like Alien"}, {"button", "Not for me: Alien"}, {"button", "Seen: Alien"}} {
		if !slices.Contains(v.accessibilityTree(), thing[0]+" "+thing[1]) {
			t.Errorf("the accessibility tree has no %s %q", thing[0], thing[1])
		}
	}
}

// compared are the roles that TestAccessibleNames compares.
var compared = []string{"button", "searchbox", "slider", "link", "list", "region", "navigation", "search", "heading",
	"application", "group"}

// checkNames compares the tests' view with the browser's.
func (v *visitor) checkNames(when string) {
	v.Helper()
	v.settled() // because the two are queried one after the other
	var seen []string
	for _, role := range compared {
		for _, name := range see[[]string](v, "visitor.names("+quote(role)+", null)") {
			seen = append(seen, strings.TrimSpace(role+" "+name))
		}
	}
	told := v.accessibilityTree()
	if len(told) < 20 {
		v.Fatalf("%s the browser reports only %d elements: %q", when, len(told), told)
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
	missing(told, seen, "the browser reports elements that the tests do not see:")
	missing(seen, told, "the tests see what the browser does not tell of:")
}

// accessibilityTree returns the browser's own list of "role name", sorted.
func (v *visitor) accessibilityTree() []string {
	v.Helper()
	tree, err := chromedp.Call(v.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	if err != nil {
		v.Fatal(err)
	}
	text := func(value *accessibility.Value) (s string) {
		if value != nil {
			_ = json.Unmarshal([]byte(value.Value), &s) // names are texts
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
