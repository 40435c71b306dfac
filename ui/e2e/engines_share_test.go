//go:build !js

package e2e

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/share"
	speech "github.com/pmlam/pmlam/ui/words"
)

// Sharing works in each engine: a link through the device's share sheet, the clipboard, or by hand; the list as text; a
// picture of the map; and an opened link, whose likes and dislikes are added, undone and kept.
//
// The drivers show no share sheet, so the data passed to it is checked instead. WebKit's driver does not let pages
// write to the clipboard, so there the page offers a field to copy from, and a file.
func TestSharingInEachEngine(t *testing.T) {
	inEachEngine(t, sharingPath)
}

// undoing presses the undo button as soon as it appears: on a busy machine it may be gone before a driver reaches it.
const undoing = `new MutationObserver((_, watch) => {
	const button = document.querySelector('[data-key="undo"]');
	if (button !== null) {
		watch.disconnect();
		button.click();
	}
}).observe(document.body, { childList: true, subtree: true })`

func sharingPath(t *testing.T, v *visitor, h *host) {
	if v.ctx != nil {
		v.hasClipboard()
	}
	folder := v.downloads()
	fragment, _ := share.Encode(&share.Taste{Likes: ids(t, three...), Dislikes: ids(t, "Cars")})
	link := h.address + "#" + fragment
	liked := visit(t, three...)
	liked.Dislikes = []int{find(t, "Cars")}

	// Received: previewed before anything changes, removed from the address, added completely, undone completely.
	v.open(link)
	heading := words.SharedWith(4)
	v.sees("region", heading)
	v.reads(words.SharedLikes + " (3)")
	v.reads(words.SharedDislikes + " (1)")
	if got := see[string](v, "location.href"); got != h.address {
		t.Errorf("the address is still %s", got)
	}
	v.reload()
	v.sees("region", heading)
	v.run(undoing)
	v.press(words.BringAgree, "region", heading)
	v.sees("list", words.Starters)
	v.marksStored(nil, nil, nil)
	v.run("location.hash = " + quote(fragment))
	v.press(words.BringAgree, "region", heading)
	v.reads(words.BringDone(words.SharedLink, speech.Tally{Likes: 3, Dislikes: 1}))
	v.lists(answer(liked, recommend.Request{}))
	v.marksStored(ids(t, three...), ids(t, "Cars"), nil)

	// Through the share sheet.
	v.run(sharer)
	v.press(words.ShareDislikes)
	if got := v.shares(); got != link {
		t.Errorf("the link is\n%s, want\n%s", got, link)
	}

	// Copied, checked by pasting; or offered for copying by hand.
	v.run(`Navigator.prototype.canShare = undefined`)
	v.press(words.ShareLink)
	if until[string](
		v,
		"the link to be passed on",
		`visitor.has("textbox", `+quote(
			words.ShareByHand,
		)+`) ? "by hand" : document.body.innerText.includes(`+quote(
			words.ShareCopied,
		)+`) ? "copied" : ""`,
	) == "copied" {
		if got := v.pasted(); got != link {
			t.Errorf("copied is\n%s, want\n%s", got, link)
		}
	} else {
		if got := see[string](v, `visitor.find("textbox", `+quote(words.ShareByHand)+`)[0].value`); got != link {
			t.Errorf("the link to copy by hand is\n%s, want\n%s", got, link)
		}
		v.press(words.Close)
	}
	v.run(`Clipboard.prototype.writeText = () => Promise.reject(new DOMException("no", "NotAllowedError"))`)
	v.press(words.ShareLink)
	v.focusOn("the link", is("textbox", words.ShareByHand))
	until[bool](v, "the whole link to be selected",
		`((e) => e.value.slice(e.selectionStart, e.selectionEnd) === `+quote(link)+`)(document.activeElement)`)
	v.press(words.Close)
	v.misses("textbox", words.ShareByHand)

	// The list as a file, since the clipboard is blocked now, and the map as a picture.
	v.press(words.ListCopy)
	_, text := v.file(folder, ".txt")
	for _, s := range native.Recommend(liked, native.Taste(liked, nil), recommend.Request{K: 10}) {
		if title := native.Item(s.Item).Title; !strings.Contains(string(text), ". "+title+", ") {
			t.Errorf("the list lacks %s:\n%s", title, text)
		}
	}
	until[bool](v, "the map to be painted", `visitor.painted().colours > 50`)
	v.press(words.Picture)
	_, file := v.file(folder, ".png")
	m, err := png.Decode(bytes.NewReader(file))
	v.must(err)
	if b := m.Bounds(); b.Dx() < 1600 || colours(m, b) < 300 {
		t.Errorf("the picture is %v with %d colours", b, colours(m, b))
	}
	v.marksStored(ids(t, three...), ids(t, "Cars"), nil)
	v.noErrors()
}

// pasted returns the clipboard's content by pasting it into a field.
func (v *visitor) pasted() string {
	v.Helper()
	v.click("searchbox", v.Language.SearchLabel)
	v.must(v.driver.selectAll())
	v.must(v.driver.paste())
	return until[string](v, "the pasted text",
		`visitor.find("searchbox", `+quote(v.Language.SearchLabel)+`)[0].value`)
}
