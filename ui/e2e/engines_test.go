//go:build !js

package e2e

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// The main path works in each engine: an invitation, three likes, the native ten with reasons, a map that draws and
// reacts, the same after a reload and offline, an import and a backup. The browser does not complain, and nothing is
// sent.
func TestEngines(t *testing.T) {
	inEachEngine(t, mainPath)
}

// inEachEngine runs the path in WebKit, Chromium and Firefox in parallel.
func inEachEngine(t *testing.T, path func(*testing.T, *visitor, *host)) {
	t.Parallel()
	needBrowser(t) // the site is only built if there is one
	for _, engine := range []struct {
		name string
		open func(testing.TB, persona) *visitor
	}{{"WebKit", newWebKit}, {"Chromium", newVisitor}, {"Firefox", newFirefox}} {
		t.Run(engine.name, func(t *testing.T) {
			t.Parallel()
			path(t, engine.open(t, persona{Requests: true}), ownHost(t))
		})
	}
}

func mainPath(t *testing.T, v *visitor, h *host) {
	folder := v.downloads()
	v.open(h.address)
	v.sees("list", words.Starters)
	v.missesNothing()
	before := v.painted()
	v.press(words.About)
	v.reads(words.Kernel("simd"))

	v.like(three...)
	want := answer(visit(t, three...), recommend.Request{})
	v.lists(want)
	explained(t, v)
	v.press(words.ClearSearch)

	v.wait("the visitor's ellipses on the map", func() string {
		if after := see[paint](v, `visitor.painted()`); after.Share < before.Share*1.2 ||
			after.Colours <= before.Colours {
			return "the map is not more than the sleeping one"
		}
		return ""
	})
	v.labels("with three likes")
	v.savePicture("the map")
	liked := find(t, three[0])
	v.clickMap(three[0], fmt.Sprintf("[m.sx(%d), m.sy(%[1]d)]", liked))
	v.sees("group", three[0])

	v.likesStored(three...)
	v.reload()
	v.lists(want)

	v.siteStored()
	restore := v.down(h)
	defer restore()
	v.reload()
	v.lists(want)
	for _, title := range three {
		v.sees("button", words.RemoveTitle(title))
	}
	restore()

	v.chooseImport(export(t, "movielens-site.csv"))
	v.reads(words.BringFrom("MovieLens", 3))
	v.press(words.BringCancel)
	v.chooseImport(export(t, "movielens.csv"))
	v.press(words.BringAgree)
	v.marksStored(ids(t, three...), ids(t, "Batman Forever"), ids(t, "Forrest Gump"))
	v.savePicture("after an import")

	v.press(words.BackupSave)
	_, file := v.file(folder, ".json")
	for _, title := range append([]string{"Batman Forever", "Forrest Gump"}, three...) {
		if !strings.Contains(string(file), `"title": "`+title+`"`) {
			t.Errorf("the backup lacks %s:\n%s", title, file)
		}
	}

	// Requests as reported by the engine and by the page itself.
	page, err := url.Parse(h.address)
	v.must(err)
	for _, address := range append(v.requests(),
		see[[]string](v, `performance.getEntriesByType("resource").map((e) => e.name)`)...) {
		if u, err := url.Parse(address); err != nil || u.Host != page.Host {
			t.Errorf("a request went outside the site: %s", address)
		}
	}
	v.noErrors()
}

// missesNothing makes the page move between aiming and clicking: clicks that miss their target never reach the page,
// even if the element under the pointer was reused for something else; the next click does.
func (v *visitor) missesNothing() {
	v.Helper()
	label := words.AsText
	button := fmt.Sprintf(`visitor.find("button", %s)[0]`, quote(label))
	v.run(`globalThis.aside = ` + button)
	v.run(`globalThis.got = []; for (const type of ["pointerdown", "mousedown", "mouseup", "click"]) {
		document.addEventListener(type, (e) => got.push(e.type), true);
	}`)
	for how, steps := range map[string][2]string{
		"moved away": {`aside.style.translate = "0 -200px"`, `aside.style.translate = ""`},
		"is another": {`aside.setAttribute("aria-label", "another")`, `aside.removeAttribute("aria-label")`},
	} {
		at := see[struct{ X, Y float64 }](v, fmt.Sprintf("visitor.aim(%q, %s)", "button", quote(label)))
		v.run(steps[0])
		v.must(v.driver.click(at.X, at.Y))
		if why := v.clicked(); !strings.HasPrefix(why, "it hit ") {
			v.Errorf("%s: a click aimed at an element that %s hit: %q", label, how, why)
		}
		v.run(steps[1])
		if got := see[[]string](v, "got"); len(got) > 0 {
			v.Errorf("%s: a click aimed at an element that %s reached the page: %q", label, how, got)
		}
	}
	v.press(label)
	if got := see[string](v, "got.join()"); got != "pointerdown,mousedown,mouseup,click" {
		v.Errorf("%s: the page received %s for a click", label, got)
	}
	v.press(label)
}

// savePicture keeps a screenshot; go test -artifacts -outputdir sets the folder.
func (v *visitor) savePicture(name string) {
	v.Helper()
	if artifacts, ok := v.TB.(interface{ ArtifactDir() string }); ok {
		shot, err := v.driver.picture()
		v.must(err)
		v.must(os.WriteFile(filepath.Join(artifacts.ArtifactDir(), name+".png"), shot, 0o644))
	}
}
