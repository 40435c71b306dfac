//go:build !js

package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
)

// axe returns axe-core's script. It skips the test if npm has not installed it.
func axe(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("node_modules/axe-core/axe.min.js")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("SKIPPED: axe-core is not installed (npm ci --prefix ui/e2e), so accessibility was not checked")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// accessible runs all rules of axe-core, including the one on target sizes, and fails the test for each violation.
func (v *visitor) accessible(script, state string) {
	v.Helper()
	v.settled()
	v.do(chromedp.Evaluate[chromedp.Void](script + "; undefined"))
	type violation struct {
		ID, Help string
		Nodes    []string
	}
	for _, found := range see[[]violation](v, `axe.run(document, { resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }).then((r) =>
		r.violations.map((v) => ({ id: v.id, help: v.help, nodes: v.nodes.map((n) => n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " ")) })))`) {
		more := ""
		if len(found.Nodes) > 3 {
			more = fmt.Sprintf("\n  and %d more", len(found.Nodes)-3)
			found.Nodes = found.Nodes[:3]
		}
		v.Errorf("%s: %s (%s)\n  %s%s", state, found.Help, found.ID, strings.Join(found.Nodes, "\n  "), more)
	}
}

// No state of the page breaks a rule of axe-core, in light and dark.
func TestAccessibility(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for _, colours := range []string{"light", "dark"} {
		t.Run(colours+" on a desktop", func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Dark: colours == "dark", NoCopy: true})
			v.open(ours.address)
			v.sees("list", words.Starters)
			v.accessible(script, "the first visit")
			v.search("star")
			v.sees("list", words.SearchResults)
			v.accessible(script, "search results")
			v.search("qqqqzzzz")
			v.reads(words.NoMatchAdvice)
			v.accessible(script, "no match")
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.accessible(script, "after three likes")
			v.openFilters()
			v.press("Comedy", "group", words.Genres)
			v.press(firstOf(t, v, "Why? "), "list", "Recommendations")
			v.press(words.AsText)
			v.press(words.About)
			v.press(words.Erase)
			v.sees("button", words.EraseYes)
			v.accessible(script, "with everything open")
			v.press(words.AsText)
			v.byDistance()
			v.attribute("button", words.ViewDistance, "aria-pressed", "true")
			v.accessible(script, "the map of distances")
		})
		t.Run(colours+" on a phone", func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, persona{Width: 390, Height: 844, Phone: true, Dark: colours == "dark", NoCopy: true})
			v.open(ours.address)
			v.sees("list", words.Starters)
			v.accessible(script, "the first visit")
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			v.accessible(script, "after three likes")
			for _, tab := range []string{words.TabMap, words.TabTaste, words.TabData} {
				v.tab(tab)
				v.accessible(script, "the view "+tab)
			}
		})
	}
	t.Run("when it fails", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Before: `delete globalThis.WebAssembly`})
		v.do(chromedp.Navigate(ours.address))
		v.reads("This page needs WebAssembly")
		v.accessible(script, "without WebAssembly")
	})
	t.Run("with a damaged model", func(t *testing.T) {
		t.Parallel()
		h := ownHost(t)
		v := newVisitor(t, persona{})
		defer h.replace(".msgpack", flipped(t))()
		v.open(h.address)
		v.reads("The page’s data is damaged.")
		v.accessible(script, "with a damaged model")
	})
}

// tab switches to another view on a narrow screen.
func (v *visitor) tab(name string) {
	v.Helper()
	v.press(name, "navigation", v.Language.Views)
	v.attribute("button", name, "aria-current", "page", "navigation", v.Language.Views)
}
