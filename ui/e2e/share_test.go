//go:build !js

package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/share"
)

// sharer simulates a device with a share sheet, and records its data.
const sharer = `Navigator.prototype.canShare = () => true; Navigator.prototype.share = async (what) => { globalThis.given = what; };`

// shares presses the button that shares a link, and returns the link.
func (v *visitor) shares() string {
	v.Helper()
	see[bool](v, `globalThis.given = undefined, true`)
	v.press(words.ShareLink)
	return until[string](v, "a link to be passed on", `globalThis.given?.url ?? ""`)
}

// A link takes likes from one visitor to another: it is previewed before anything changes, removed from the address,
// and never sent to a server. The second visitor opens it, adds the likes, and undoes that.
func TestShareLink(t *testing.T) {
	t.Parallel()
	a := newVisitor(t, persona{Before: sharer})
	a.open(ours.address)
	a.like(three...)
	a.search("cars")
	a.press("Not for me: Cars", "search", "")
	a.likesStored(three...)
	fragment, _ := share.Encode(&share.Taste{Likes: ids(t, three...)})
	if got, want := a.shares(), ours.address+"#"+fragment; got != want {
		t.Errorf("the link is\n%s, want\n%s", got, want)
	}
	a.press(words.ShareDislikes)
	fragment, _ = share.Encode(&share.Taste{Likes: ids(t, three...), Dislikes: ids(t, "Cars")})
	link := a.shares()
	if want := ours.address + "#" + fragment; link != want {
		t.Errorf("with dislikes the link is\n%s, want\n%s", link, want)
	}
	a.noErrors()

	b := newVisitor(t, persona{Requests: true, Before: sharer})
	b.open(link)
	heading := words.SharedWith(4)
	b.sees("region", heading)
	for _, title := range three {
		b.reads(named(find(t, title)))
	}
	b.checkLinkGone(fragment)
	b.siteStored()
	b.reload() // from the offline copy, through the worker
	b.sees("region", heading)
	b.checkLinkGone(fragment)

	b.press(words.SharedLook)
	them := visit(t, three...)
	them.Dislikes = []int{find(t, "Cars")}
	b.lists(answer(them, recommend.Request{}))
	b.sees("heading", words.SharedLeads)
	b.misses("list", words.Starters)
	if s := b.state(); s.Marked() {
		t.Errorf("after a preview the store has %+v", s)
	}
	b.press(words.Back, "region", heading)
	b.sees("list", words.Starters)

	b.press(words.BringAgree, "region", heading)
	b.misses("region", heading)
	b.lists(answer(them, recommend.Request{}))
	b.marksStored(ids(t, three...), ids(t, "Cars"), nil)
	b.press(words.Undo)
	b.sees("list", words.Starters)
	b.wait("nothing to be stored", func() string {
		if s := b.state(); s.Marked() {
			return fmt.Sprintf("stored are %+v", s)
		}
		return ""
	})
	b.reload()
	b.misses("region", heading)
	b.noErrors()
}

// checkLinkGone checks that the fragment is removed from the address, and neither sent nor stored.
func (v *visitor) checkLinkGone(fragment string) {
	v.Helper()
	if got := see[string](v, "location.href"); got != ours.address {
		v.Errorf("the address is still %s", got)
	}
	ids := regexp.MustCompile(`like=([^&]*)`).FindStringSubmatch(fragment)[1]
	ours.Lock()
	heard := ours.received.String()
	ours.Unlock()
	for place, value := range see[map[string]string](v, "visitor.stored()") {
		heard += place + " " + value + "\n"
	}
	heard += strings.Join(v.requests(), "\n") + strings.Join(see[[]string](v, `(async () => {
		const out = [];
		for (const name of await caches.keys()) {
			for (const request of await (await caches.open(name)).keys()) out.push(request.url);
		}
		return out;
	})()`), "\n")
	for _, part := range []string{"taste=", ids, fragment[len(fragment)-8:]} {
		if at := strings.Index(heard, part); at >= 0 {
			v.Errorf("%q of the link has left the page: …%q…", part, heard[max(at-60, 0):min(at+60, len(heard))])
		}
	}
}

// Without a share sheet, the link is copied; if that is blocked too, it is selected in a field. Both work by keyboard.
func TestShareWays(t *testing.T) {
	t.Parallel()
	t.Run("copied", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Before: `delete Navigator.prototype.canShare;`})
		v.mayCopy()
		v.open(ours.address)
		v.like(three...)
		v.press(words.ShareLink)
		v.reads(words.ShareCopied)
		fragment, _ := share.Encode(&share.Taste{Likes: ids(t, three...)})
		if got := see[string](v, `navigator.clipboard.readText()`); got != ours.address+"#"+fragment {
			t.Errorf("copied %q", got)
		}
		v.noErrors()
	})
	t.Run("by hand", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Before: `
			Navigator.prototype.canShare = () => true;
			Navigator.prototype.share = () => Promise.reject(new DOMException("no", "NotAllowedError"));
			Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));`})
		v.open(ours.address)
		v.like(three...)
		v.tabTo("the button that shares", is("button", words.ShareLink))
		v.keys(enter)
		v.sees("textbox", words.ShareByHand)
		v.focusOn("the link", is("textbox", words.ShareByHand))
		fragment, _ := share.Encode(&share.Taste{Likes: ids(t, three...)})
		until[bool](
			v,
			"the whole link to be selected",
			`document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd) === `+quote(
				ours.address+"#"+fragment,
			),
		)
		v.tabTo("the button that closes", is("button", words.Close))
		v.keys(enter)
		v.misses("textbox", words.ShareByHand)
		v.focusOn("the button that shares", is("button", words.ShareLink))
		v.noErrors()
	})
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		v := newVisitor(t, persona{Before: `
			Navigator.prototype.canShare = () => true;
			Navigator.prototype.share = () => { globalThis.asked = true; return Promise.reject(new DOMException("no", "AbortError")); };`})
		v.open(ours.address)
		v.like("Heat")
		v.press(words.ShareLink)
		until[bool](v, "the share sheet to be called", "globalThis.asked === true")
		if v.has("textbox", words.ShareByHand) {
			t.Error("cancelling the share sheet offers a field to copy from")
		}
		v.noErrors()
	})
}

// clipboard is locked by the test that uses Chromium's clipboard, which all contexts share.
var clipboard sync.Mutex

// hasClipboard reserves the clipboard for the visitor until the test ends.
func (v *visitor) hasClipboard() {
	clipboard.Lock()
	v.Cleanup(clipboard.Unlock)
}

// mayCopy lets the page read and write the clipboard, as a visitor's click allows writing.
func (v *visitor) mayCopy() {
	v.Helper()
	v.hasClipboard()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		if _, err := chromedp.CallBrowser(v.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
			BrowserContextID: chromedp.FromContext(v.ctx).BrowserContextID,
		}); err != nil {
			v.Fatal(err)
		}
	}
}

// A truncated link, one of a later version, one made by the documentation's program, and one opened while the page is
// open.
func TestSharedByOthers(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(root + "/docs/share.md")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile("(?s)```js\n(.*?)```").FindSubmatch(doc)
	if code == nil {
		t.Fatal("docs/share.md has no program that makes a link")
	}
	v := newVisitor(t, persona{})
	fragment, _ := share.Encode(&share.Taste{Likes: ids(t, three...)})
	v.open(ours.address + "#" + fragment[:len(fragment)-3])
	v.sees("region", words.SharedUnread)
	v.reads(words.SharedBroken)
	v.press(words.Close, "region", words.SharedUnread)
	v.misses("region", words.SharedUnread)

	v.run("location.hash = " + quote("taste=2&like=6"))
	v.sees("region", words.SharedUnread)
	v.reads(words.SharedNewer)

	v.run(string(code[1]) + "location.href = link(" + quote(ours.address) + ", [" + quote(ids(t, "Heat")[0]) +
		`, "no such, title!"]);`)
	v.sees("region", words.SharedWith(2))
	v.focusOn("what was shared", is("region", words.SharedWith(2)))
	v.reads(words.SharedMissing + " no such, title!")
	v.tabTo("the button that puts it away", is("button", words.SharedDrop))
	v.keys(enter)
	v.misses("region", words.SharedWith(2))
	v.focusOn("the recommendations", is("region", words.Next))
	if s := v.state(); s.Marked() {
		t.Errorf("the store has %+v", s)
	}
	v.noErrors()
}

// run runs a script in the page.
func (v *visitor) run(script string) {
	v.Helper()
	see[bool](v, "(() => {"+script+"; return true; })()")
}

// The first ten of the list as text, copied and as a file.
func TestListAsText(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.mayCopy()
	folder := v.downloads()
	v.open(ours.address)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	want := words.ListTitle + "\n\n"
	for k, s := range native.Recommend(visit(t, three...), native.Taste(visit(t, three...), nil),
		recommend.Request{K: 10}) {
		it := native.Item(s.Item)
		liked := ""
		if likes, _, _ := because(s); len(likes) > 0 { // general popularity is left out
			liked = " " + words.ListBecause + " " + strings.Join(likes, " and ") + "."
		}
		want += fmt.Sprintf("%d. %s, %d.%s\n", k+1, it.Title, it.Year, liked)
	}
	want += "\n" + words.Name + ", " + ours.address + "\n"
	v.press(words.ListCopy)
	v.sees("button", words.ListCopied)
	if got := see[string](v, `navigator.clipboard.readText()`); got != want {
		t.Errorf("copied is\n%s\nwant\n%s", got, want)
	}
	// If copying is blocked, it becomes a file.
	v.run(`Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))`)
	v.press(words.ListCopied)
	_, file := v.file(folder, ".txt")
	if string(file) != want {
		t.Errorf("saved is\n%s\nwant\n%s", file, want)
	}
	v.noErrors()
}

// A picture of the map is a PNG as wide as the map in device pixels, with its dots, on the page's background, and with
// text above and below.
func TestPicture(t *testing.T) {
	t.Parallel()
	for _, p := range []persona{{}, {Dark: true, Scale: 2}, {Width: 360, Height: 740, Phone: true, Scale: 3}} {
		t.Run(fmt.Sprintf("%d wide, dark %v", p.Width, p.Dark), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			folder := v.downloads()
			v.open(ours.address)
			v.like(three...)
			v.lists(answer(visit(t, three...), recommend.Request{}))
			if v.Phone {
				v.tab(words.TabMap)
			}
			until[bool](v, "the map to be painted", `visitor.painted().colours > 50`)
			v.press(words.Picture)
			_, file := v.file(folder, ".png")
			got, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			// As on the screen, and large even if the screen is small.
			size := see[[2]float64](v, `[`+picture+`.width, `+picture+`.height]`)
			b := got.Bounds()
			each := float64(b.Dx()) / size[0] // pixels per CSS pixel
			high := int(size[1] * each)
			if b.Dx() < 1600 || each < 1 || b.Dy() < high+int(100*each) || b.Dy() > high+int(400*each) {
				t.Errorf("the picture is %v for a map of %v CSS pixels", b, size)
			}
			head := int(48 * each)
			for what, r := range map[string]image.Rectangle{
				"title": image.Rect(0, 0, b.Dx(), head), "map": image.Rect(0, head, b.Dx(), head+high),
				"foot": image.Rect(0, head+high+int(2*each), b.Dx(), b.Dy()),
			} {
				if n := colours(got, r); n < map[string]int{"title": 5, "map": 300, "foot": 40}[what] {
					t.Errorf("its %s has %d colours", what, n)
				}
			}
			if r, _, _, a := got.At(1, 1).RGBA(); (r < 0x8000) != v.Dark || a != 0xffff {
				t.Errorf("its background is %v", got.At(1, 1))
			}
			v.noErrors()
		})
	}
}

// colours counts the colours in a part of a picture.
func colours(m image.Image, in image.Rectangle) int {
	out := map[[3]uint32]bool{}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			out[[3]uint32{r, g, b}] = true
		}
	}
	return len(out)
}

// Shared content is well laid out at every width, in light and dark, and accessible.
func TestSharedForEveryone(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	likes := append(slices.Clone(three), "Die Hard", "Braveheart", "Fargo", "Trainspotting", "Vertigo", "Casablanca",
		"Psycho", "Jaws", "Speed", "The Godfather")
	fragment, _ := share.Encode(&share.Taste{Likes: append(ids(t, likes...), "999999"),
		Dislikes: ids(t, "Batman Forever", "Forrest Gump")})
	for _, p := range []persona{{}, {Width: 360, Height: 640, Phone: true, Dark: true}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			p.Before = `delete Navigator.prototype.canShare; Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"));`
			v := newVisitor(t, p)
			v.open(ours.address + "#" + fragment)
			v.sees("region", words.SharedWith(16))
			v.accessible(script, "what was shared")
			v.checkFits("what was shared")
			v.press(words.SharedLook)
			v.sees("heading", words.SharedLeads)
			v.accessible(script, "where it leads")
			v.checkFits("where it leads")
			v.press(words.BringAgree, "region", words.SharedWith(16))
			if v.Phone {
				v.tab(words.TabTaste)
			}
			v.press(words.ShareLink)
			v.sees("textbox", words.ShareByHand)
			v.accessible(script, "a link to be copied")
			v.checkFits("a link to be copied")
			v.noErrors()
		})
	}
}

// checkFits checks that nothing needs horizontal scrolling, and that touch targets on a phone are large enough.
func (v *visitor) checkFits(when string) {
	v.Helper()
	see[bool](v, "scrollTo(0, 0), true")
	if got := see[float64](v, `Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)`); got > float64(
		v.Width,
	) {
		v.Errorf("%s: on a screen of %d px the page is %v px wide; rightmost: %s", when, v.Width, got, v.widest())
	}
	if v.Phone {
		for _, small := range see[[]string](v, "("+targets+")(44)") {
			v.Errorf("%s: too small to touch: %s", when, small)
		}
	}
}
