//go:build !js

package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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

// waitLimit is how long a visitor waits for one thing; a busy machine needs it, an idle one never does.
const waitLimit = 60 * time.Second

//go:embed testdata/visitor.js
var visitorScript string

// persona says who opens the page. The zero value has a wide screen, a mouse, light colours and asks for less motion,
// so that nothing glides away from the pointer.
type persona struct {
	Width, Height int64         // of the screen in CSS pixels; 0: 1440 × 900
	Phone         bool          // touch, and the pixels of a phone
	Dark          bool          // prefers dark colours
	Motion        bool          // does not ask for less motion
	Forced        bool          // sees the colours that their system forces upon pages
	Scale         float64       // device pixels per CSS pixel; 0: 1
	Limit         time.Duration // of the whole visit; 0: ten minutes
	Requests      bool          // what the tab requests is recorded, for visitor.requests
	NoCopy        bool          // their browser cannot keep the page for use without a network, which takes time
	Language      *speech.Words // the language their browser asks for; nil: English
	RightToLeft   bool          // the page is turned round, as languages are that are written from right to left
	Before        string        // a script that runs before the page's own
	Profile       string        // the folder of a browser of their own; "": the browser that all share
}

// visitor is somebody with one tab, of whose doings nobody else's page learns.
type visitor struct {
	testing.TB
	persona
	driver driver
	watch  *watch
	ctx    context.Context // chromedp's, in Chromium
}

// needBrowser skips the test where there is no browser.
func needBrowser(t testing.TB) {
	t.Helper()
	if sitetest.Chromium() == "" {
		t.Skip("SKIPPED: Chromium is not installed (apt-get install chromium), so nothing was run in a browser")
	}
}

// complete is the persona with zero values filled in.
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

// newVisitor opens a tab in the browser that all tests share, in a context of its own: cookies, databases, caches and
// workers of other visitors are not there, and those of this one go with the test. With a Profile, and in a benchmark,
// the visitor has a browser of their own, with a window. It skips the test where there is no browser.
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

// newTab is newVisitor without what prepare does: for scripts that open pages in frames, each of which would pay for
// it.
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

// attach opens the tab and ends what chromedp asks of every tab and nobody here listens to: news of the document, of
// its styles, of other tabs and, but for Requests, of what is requested. The visits to tiny sites take an eighth less
// of the processor without. It keeps the debugger out of the workers too: one that is debugged never rests, and so never
// makes room for its successor.
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

// prepare makes the tab the visitor's: watched, with the tests' script, of their screen, and with the focus as if
// nobody else were there.
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

// script has every page run the source before its own scripts.
func (v *visitor) script(source string) {
	v.Helper()
	if _, err := chromedp.Call(v.ctx, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: source}); err != nil {
		v.Fatal(err)
	}
}

// emulateScreen brings screen and preferences to what the persona says. It is called again after a change.
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

// picture keeps what the screen shows where the test failed: go test -artifacts -outputdir says where.
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
		v.Logf("what the screen showed: %s", name)
	}
}

// --- going places ---------------------------------------------------------------------------------------------------

// open goes to the address and waits until the page stands.
func (v *visitor) open(address string) {
	v.Helper()
	v.must(v.driver.navigate(address))
	v.ready()
}

// reload loads the page again and waits until it stands.
func (v *visitor) reload() {
	v.Helper()
	v.must(v.driver.reload())
	v.ready()
}

func (v *visitor) ready() {
	v.Helper()
	until[bool](
		v,
		"the page to stand",
		`document.getElementById("loading")?.hidden && visitor.has("searchbox", `+quote(v.Language.SearchLabel)+`) ||
		visitor.find("navigation", `+quote(v.Language.Views)+`).length > 0 || document.querySelector(".failure") !== null`,
	)
}

// settled waits until the page has computed, stored, rendered and drawn all that there is to do: what is read now twice
// is the same, until something happens to the page, or its copy for use without a network is there (siteStored).
func (v *visitor) settled() {
	v.Helper()
	v.wait("the page to settle", func() string {
		v.Helper()
		return see[string](v, "visitor.goesOn()")
	})
}

// --- seeing ---------------------------------------------------------------------------------------------------------

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

// until evaluates the expression until it gives something other than its zero value, or an empty list. What it throws
// is no end either: what it asks may not be there yet.
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

// wait asks until why returns "", and fails the test with its last answer when patience has ended.
func (v *visitor) wait(what string, why func() string) {
	v.Helper()
	pause := 5 * time.Millisecond // between two questions, not for anything
	for end := time.Now().Add(waitLimit); ; {
		reason := why()
		if reason == "" {
			return
		}
		if time.Now().After(end) {
			v.Fatalf("waited %v for %s: %s\nthe page shows:\n%s", waitLimit, what, reason, v.text())
		}
		time.Sleep(pause)
		pause = min(pause*3/2, 100*time.Millisecond) // each question takes time from what it asks for
	}
}

// text is all that the page shows, shortened.
func (v *visitor) text() string {
	v.Helper()
	s := strings.Join(strings.Fields(see[string](v, `document.body.innerText`)), " ")
	if len(s) > 1200 {
		s = s[:1200] + " …"
	}
	return s
}

// within quotes role and name of what a thing is inside of, for the scripts: at most one pair.
func within(in []string) string {
	if len(in) == 0 {
		return "null"
	}
	return "[" + quote(in[0]) + "," + quote(in[1]) + "]"
}

// has tells whether a thing of that role and accessible name is there now.
func (v *visitor) has(role, name string, in ...string) bool {
	v.Helper()
	return see[bool](v, fmt.Sprintf("visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// sees waits for a thing of that role and accessible name.
func (v *visitor) sees(role, name string, in ...string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the %s %q", role, name),
		fmt.Sprintf("visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// misses waits until there is no such thing.
func (v *visitor) misses(role, name string, in ...string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the %s %q to go", role, name),
		fmt.Sprintf("!visitor.has(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// reads waits until the page shows the text.
func (v *visitor) reads(text string) {
	v.Helper()
	until[bool](v, fmt.Sprintf("the text %q", text),
		fmt.Sprintf(`document.body.innerText.replace(/\s+/g, " ").includes(%s)`, quote(text)))
}

// attribute waits until a thing has an attribute of that value.
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

// card is one recommendation as it is seen.
type card struct {
	Heading    string   `json:"heading"`
	Paragraphs []string `json:"paragraphs"`
	Buttons    []string `json:"buttons"`
	Marks      int      `json:"marks"` // circles of the chance
}

func (v *visitor) cards() []card {
	v.Helper()
	return see[[]card](v, "visitor.cards()")
}

func (v *visitor) headings() []string {
	v.Helper()
	return see[[]string](v, "visitor.headings()")
}

// lists waits until the list holds exactly these, in this order.
func (v *visitor) lists(want []string) {
	v.Helper()
	v.wait("the list", func() string {
		v.Helper()
		if got := v.headings(); strings.Join(got, "|") != strings.Join(want, "|") {
			return fmt.Sprintf("it is\n%q, and should be\n%q", got, want)
		}
		return ""
	})
}

// --- doing ----------------------------------------------------------------------------------------------------------

func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	v.must(chromedp.Do(v.ctx, steps...))
}

// must ends the test where the browser could not do what it was asked for.
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

// click clicks the thing of that role and name once it can be clicked.
func (v *visitor) click(role, name string, in ...string) {
	v.Helper()
	v.aimed(fmt.Sprintf("the %s %q", role, name),
		fmt.Sprintf("visitor.aim(%s, %s, %s)", quote(role), quote(name), within(in)))
}

// clickMap clicks a place of the map, which the expression gives as [x, y] in pixels of the picture, where m is the
// painted map; undefined: there is none yet.
func (v *visitor) clickMap(what, place string) {
	v.Helper()
	v.aimed(what, "visitor.aimMap(() => ((m) => "+place+")("+picture+"))")
}

// aimed clicks where the expression says, until the click has reached what it was aimed at. The page never gets a
// click that has not (testdata/visitor.js): it may have moved after it was aimed at.
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
			v.Logf("a click for %s went elsewhere and was held back: %s", what, why)
		}
		return why
	})
}

// clicked waits until the click has arrived, and says what else than its aim it hit. A page that has gone since was
// clicked; while it goes, nobody answers.
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

// search empties the search box and types the query into it.
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

// like searches for the title, which is typed in small letters, and likes it among what is found.
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

// Keys, as chromedp writes them.
const (
	tab    = kb.Tab
	enter  = kb.Enter
	home   = kb.Home
	end    = kb.End
	down   = kb.ArrowDown
	up     = kb.ArrowUp
	right  = kb.ArrowRight
	escape = kb.Escape
)
