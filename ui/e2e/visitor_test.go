//go:build !js

package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/pmlam/pmlam/server/sitetest"
	speech "github.com/pmlam/pmlam/ui/words"
)

// waitLimit is the maximum wait for one state; only a busy machine needs it.
const waitLimit = 3 * time.Minute

//go:embed testdata/visitor.js
var visitorScript string

// persona describes the visitor. The zero value has a wide screen, a mouse, light colours and reduced motion, so that
// nothing moves away from the pointer.
type persona struct {
	Width, Height int64         // screen in CSS pixels; 0 means 1440 × 900
	Phone         bool          // touch, and a phone's pixel density
	Dark          bool          // prefers dark colours
	Motion        bool          // does not prefer reduced motion
	Forced        bool          // forced colours
	Scale         float64       // device pixels per CSS pixel; 0 means 1
	Limit         time.Duration // for the whole visit; 0 means ten minutes
	Requests      bool          // record the tab's requests, for visitor.requests
	NoCopy        bool          // without service worker, to save time
	Language      *speech.Words // the browser's language; nil means English
	RightToLeft   bool          // mirror the page, as for a right-to-left language
	Before        string        // a script that runs before the page's
	Profile       string        // the folder of a separate browser; "" for the shared one
}

// visitor is a user with one tab, isolated from other visitors.
type visitor struct {
	testing.TB
	persona
	driver driver
	watch  *watch
	ctx    context.Context // chromedp's, in Chromium
}

// needBrowser skips the test without a browser.
func needBrowser(t testing.TB) {
	t.Helper()
	if sitetest.Chromium() == "" {
		t.Skip("SKIPPED: Chromium is not installed (apt-get install chromium), so the browser tests did not run")
	}
}

// complete fills in zero values.
func (p persona) complete(t testing.TB) persona {
	if p.Width == 0 {
		p.Width, p.Height = 1440, 900
	}
	if p.Limit == 0 {
		p.Limit = 10 * time.Minute
	}
	if p.Language == nil {
		p.Language = words
	}
	if p.Profile == "" {
		p.Profile = t.TempDir()
	}
	return p
}

// newVisitor opens a tab in the shared browser, in a context of its own: cookies, databases, caches and workers are
// isolated and removed with the test. With a Profile, and in a benchmark, the visitor has a separate browser with a
// window. Without a browser it skips the test.
func newVisitor(t testing.TB, p persona) *visitor {
	t.Helper()
	v := newTab(t, p)
	v.prepare()
	v.script(`Object.defineProperty(navigator, "languages", { value: ["xx", ` + quote(v.Language.Tag+"-XX") + `] })`)
	if v.Before != "" {
		v.script(v.Before)
	}
	t.Cleanup(v.picture)
	return v
}

// newTab is newVisitor without prepare: for scripts that open pages in frames, each of which would pay for it.
func newTab(t testing.TB, p persona) *visitor {
	t.Helper()
	needBrowser(t)
	_, measured := t.(*testing.B)
	alone := p.Profile != "" || measured
	p = p.complete(t)
	parent, own := browserContext, chromedp.WithNewBrowserContext()
	if alone {
		options := chromiumOptions(sitetest.Chromium(), p.Profile)
		if !measured {
			options = append(options, withoutOptimizer)
		}
		ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
		t.Cleanup(stop)
		parent, own = ctx, func(*chromedp.Context) {}
	}
	parent, cancel := context.WithTimeout(parent, p.Limit)
	t.Cleanup(cancel)
	ctx, closeTab := chromedp.NewContext(parent, own)
	t.Cleanup(closeTab)
	v := &visitor{TB: t, persona: p, ctx: ctx, driver: chromiumDriver{ctx, p}}
	v.attach()
	return v
}

// attach opens the tab and switches off chromedp's default subscriptions, which nothing here uses: changes of the
// document and styles, other tabs and, unless Requests is set, the network. This saves an eighth of the CPU time of
// visits to tiny sites. It also detaches the debugger from workers: a debugged worker never idles, so it would never
// make room for its successor.
func (v *visitor) attach() {
	v.Helper()
	v.do(chromedp.Steps())
	unheard := []cdp.Command[cdp.Empty, cdp.Empty]{css.Disable, dom.Disable}
	if !v.Requests {
		unheard = append(unheard, network.Disable)
	}
	for _, end := range unheard {
		_, err := chromedp.Call(v.ctx, end, cdp.Empty{})
		v.must(err)
	}
	_, err := chromedp.Call(v.ctx, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{})
	v.must(err)
	_, err = chromedp.Call(v.ctx, target.SetAutoAttach, target.SetAutoAttachParams{Flatten: new(true)})
	v.must(err)
}

// prepare sets up the tab: the watch, the tests' script, the screen, and the focus as if no other window existed.
func (v *visitor) prepare() {
	v.Helper()
	v.watch = newWatch(v)
	v.script(visitorScript)
	if v.NoCopy {
		v.script(`delete Navigator.prototype.serviceWorker`)
	}
	if _, err := chromedp.Call(v.ctx, emulation.SetFocusEmulationEnabled,
		emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		v.Fatal(err)
	}
	v.emulateScreen()
}

// script makes every page run the source before its own scripts.
func (v *visitor) script(source string) {
	v.Helper()
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: source}); err != nil {
		v.Fatal(err)
	}
}

// emulateScreen applies the persona's screen and preferences. It is called again after a change.
func (v *visitor) emulateScreen() {
	v.Helper()
	options := []chromedp.EmulateViewportOption{}
	if v.Scale > 0 {
		options = append(options, chromedp.EmulateScale(v.Scale))
	}
	if v.Phone {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait)
	}
	v.do(chromedp.EmulateViewport(v.Width, v.Height, options...))
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"},
		{Name: "prefers-reduced-motion", Value: "reduce"}}
	if v.Dark {
		features[0].Value = "dark"
	}
	if v.Motion {
		features[1].Value = "no-preference"
	}
	if v.Forced {
		features = append(features, &emulation.MediaFeature{Name: "forced-colors", Value: "active"})
	}
	if _, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: features}); err != nil {
		v.Fatal(err)
	}
}

// picture keeps a screenshot if the test failed; go test -artifacts -outputdir sets the folder.
func (v *visitor) picture() {
	if !v.Failed() {
		return
	}
	artifacts, ok := v.TB.(interface{ ArtifactDir() string })
	if !ok {
		return
	}
	shot, err := v.driver.picture()
	if err != nil {
		return
	}
	name := filepath.Join(artifacts.ArtifactDir(), "screen.png")
	if os.WriteFile(name, shot, 0o644) == nil {
		v.Logf("screenshot: %s", name)
	}
}

// --- navigation ------------------------------------------------------------------------------------------------------

// open opens the address and waits until the page is complete.
func (v *visitor) open(address string) {
	v.Helper()
	v.must(v.driver.navigate(address))
	v.ready()
}

// reload reloads the page and waits until it is complete.
func (v *visitor) reload() {
	v.Helper()
	v.must(v.driver.reload())
	v.ready()
}

func (v *visitor) ready() {
	v.Helper()
	until[bool](
		v,
		"the page to be complete",
		`document.getElementById("loading")?.hidden && visitor.has("searchbox", `+quote(v.Language.SearchLabel)+`) ||
		visitor.find("navigation", `+quote(v.Language.Views)+`).length > 0 || document.querySelector(".failure") !== null`,
	)
}

// settled waits until the page has nothing left to compute, store, render or draw. Repeated reads then give the same
// result, until something happens to the page, or its offline copy is complete (siteStored).
func (v *visitor) settled() {
	v.Helper()
	v.wait("the page to settle", func() string {
		v.Helper()
		return see[string](v, "visitor.goesOn()")
	})
}

// --- reading ---------------------------------------------------------------------------------------------------------

// see evaluates an expression in the page, once.
func see[T any](v *visitor, expression string) (value T) {
	v.Helper()
	found, err := v.driver.evaluate(expression)
	if err == nil {
		err = json.Unmarshal(found, &value)
	}
	if err != nil {
		v.Fatalf("%s: %v", expression, err)
	}
	return value
}

// until evaluates the expression until its value is neither the zero value nor an empty list. Exceptions are retried
// too, because the elements may not exist yet.
func until[T any](v *visitor, what, expression string) T {
	v.Helper()
	var value T
	v.wait(what, func() string {
		v.Helper()
		found, err := v.driver.evaluate(expression)
		if err == nil {
			value = *new(T)
			err = json.Unmarshal(found, &value)
		}
		if err != nil {
			return err.Error()
		}
		if s := fmt.Sprint(value); s == "false" || s == "" || s == "[]" || s == "0" {
			return "it is " + fmt.Sprintf("%q", s)
		}
		return ""
	})
	return value
}

// wait polls until why returns "", and fails the test with its last answer after waitLimit.
func (v *visitor) wait(what string, why func() string) {
	v.Helper()
	pause := 5 * time.Millisecond // the polling interval, not a fixed wait
	for end := time.Now().Add(waitLimit); ; {
		reason := why()
		if reason == "" {
			return
		}
		if time.Now().After(end) {
			v.Fatalf("waited %v for %s: %s\nthe page shows:\n%s", waitLimit, what, reason, v.text())
		}
		time.Sleep(pause)
		pause = min(pause*3/2, 100*time.Millisecond) // polling takes time from the page
	}
}

// text returns the page's visible text, shortened.
func (v *visitor) text() string {
	v.Helper()
	s := strings.Join(strings.Fields(see[string](v, `document.body.innerText`)), " ")
	if len(s) > 1200 {
		s = s[:1200] + " …"
	}
	return s
}

// within quotes the role and name of an enclosing element for scripts: at most one pair.
func within(in []string) string {
	if len(in) == 0 {
		return "null"
	}
	return "[" + quote(in[0]) + "," + quote(in[1]) + "]"
}

// has tells whether an element with this role and accessible name exists now.
func (v *visitor) has(role, name string, in ...string) bool {
	v.Helper()
	return see[bool](v, fmt.Sprintf("visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// sees waits for an element with this role and accessible name.
func (v *visitor) sees(role, name string, in ...string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the %s %q", role, name),
		fmt.Sprintf("visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// misses waits until there is no such element.
func (v *visitor) misses(role, name string, in ...string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the %s %q to go", role, name),
		fmt.Sprintf("!visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// dismiss closes the offer to undo, which may have ended by itself.
func (v *visitor) dismiss() {
	v.Helper()
	v.run(`document.querySelector(".undo .mark-button")?.click()`)
	v.misses("button", v.Language.Undo)
}

// reads waits until the page shows the text.
func (v *visitor) reads(text string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the text %q", text),
		fmt.Sprintf(`document.body.innerText.replace(/\s+/g, " ").includes(%s)`, quote(text)))
}

// attribute waits until an element has this attribute value.
func (v *visitor) attribute(role, name, attribute, value string, in ...string) {
	v.Helper()
	v.wait(fmt.Sprintf("%s=%q of the %s %q", attribute, value, role, name), func() string {
		v.Helper()
		if got := see[string](v, fmt.Sprintf("visitor.attribute(%s, %s, %s, %s)", quote(attribute), quote(role),
			quote(name), within(in))); got != value {
			return fmt.Sprintf("it is %q", got)
		}
		return ""
	})
}

// card is a recommendation as displayed.
type card struct {
	Heading    string   `json:"heading"`
	Paragraphs []string `json:"paragraphs"`
	Buttons    []string `json:"buttons"`
	Marks      int      `json:"marks"` // circles that show the chance
}

func (v *visitor) cards() []card {
	v.Helper()
	return see[[]card](v, "visitor.cards()")
}

func (v *visitor) headings() []string {
	v.Helper()
	return see[[]string](v, "visitor.headings()")
}

// lists waits until the list is exactly this, in this order.
func (v *visitor) lists(want []string) {
	v.Helper()
	v.wait("the list", func() string {
		v.Helper()
		got := v.headings()
		// The list leaves out the pick for the week above it, and the next title moves up.
		pick := see[string](v, `document.querySelector(".week-title")?.textContent ?? ""`)
		if k := slices.Index(want, pick); k >= 0 && len(got) == len(want) &&
			slices.Equal(got[:len(got)-1], slices.Concat(want[:k], want[k+1:])) {
			return ""
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			return fmt.Sprintf("it is\n%q, and should be\n%q", got, want)
		}
		return ""
	})
}

// --- acting ----------------------------------------------------------------------------------------------------------

func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	v.must(chromedp.Do(v.ctx, steps...))
}

// must ends the test if the browser failed.
func (v *visitor) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

// press clicks the button of that name, or taps it on a phone.
func (v *visitor) press(name string, in ...string) {
	v.Helper()
	v.click("button", name, in...)
}

// click clicks the element with this role and name once it can be clicked.
func (v *visitor) click(role, name string, in ...string) {
	v.Helper()
	v.aimed(fmt.Sprintf("the %s %q", role, name),
		fmt.Sprintf("visitor.aim(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// clickMap clicks a position on the map. The expression returns it as [x, y] in pixels of the picture, where m is the
// painted map, or undefined if it does not exist yet.
func (v *visitor) clickMap(what, place string) {
	v.Helper()
	v.aimed(what, "visitor.aimMap(() => ((m) => "+place+")("+picture+"))")
}

// aimed clicks the expression's position until a click hits its target. The page never receives other clicks
// (testdata/visitor.js): it may have moved after aiming.
func (v *visitor) aimed(what, aim string) {
	v.Helper()
	v.wait(what+" to be clicked", func() string {
		v.Helper()
		at := see[struct {
			X, Y float64
			Why  string
		}](v, aim)
		if at.Why != "" {
			return at.Why
		}
		v.must(v.driver.click(at.X, at.Y))
		why := v.clicked()
		if why != "" {
			v.Logf("a click for %s missed and was held back: %s", what, why)
		}
		return why
	})
}

// clicked waits until the click has arrived, and describes what it hit instead of its target. A page that has navigated
// since was hit; while it navigates, nothing answers.
func (v *visitor) clicked() (why string) {
	v.Helper()
	v.wait("the click to arrive", func() string {
		v.Helper()
		var said struct {
			Over bool
			Why  string
		}
		found, err := v.driver.evaluate("visitor.clicked()")
		if err == nil {
			err = json.Unmarshal(found, &said)
		}
		if err != nil {
			return err.Error()
		}
		if !said.Over {
			return "it is on its way"
		}
		why = said.Why
		return ""
	})
	return why
}

// keys types.
func (v *visitor) keys(keys string) {
	v.Helper()
	v.must(v.driver.keys(keys))
}

// search replaces the content of the search box by the query.
func (v *visitor) search(query string) {
	v.Helper()
	v.click("searchbox", v.Language.SearchLabel)
	v.must(v.driver.selectAll())
	v.keys(query)
	v.wait("the search box to hold the query", func() string {
		v.Helper()
		if got := see[string](v, `visitor.find("searchbox", `+quote(v.Language.SearchLabel)+`)[0].value`); got != query {
			return fmt.Sprintf("it holds %q", got)
		}
		return ""
	})
}

// like searches for each title in lower case, and likes it in the results.
func (v *visitor) like(titles ...string) {
	v.Helper()
	for _, title := range titles {
		v.search(strings.ToLower(title))
		v.press(v.Language.LikeTitle(title), "search", "")
		v.attribute("button", v.Language.LikeTitle(title), "aria-pressed", "true", "search", "")
	}
}

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Keys, in chromedp's encoding.
const (
	tab    = kb.Tab
	enter  = kb.Enter
	home   = kb.Home
	end    = kb.End
	down   = kb.ArrowDown
	up     = kb.ArrowUp
	right  = kb.ArrowRight
	escape = kb.Escape
	f6     = kb.F6
)
