//go:build !js

package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommend"
	visitlog "github.com/pmlam/pmlam/ui/visit"
)

// anotherTab opens another tab of the same visitor.
func (v *visitor) anotherTab() *visitor {
	v.Helper()
	ctx, closeTab := chromedp.NewContext(v.ctx)
	v.Cleanup(closeTab)
	other := &visitor{TB: v.TB, persona: v.persona, ctx: ctx, driver: chromiumDriver{ctx, v.persona}}
	other.attach()
	other.prepare()
	return other
}

// Two tabs always show the same; simultaneous changes in both are all kept; undo reverts changes of its own tab; and
// erasing in one tab erases in both.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	a := newVisitor(t, persona{})
	a.open(ours.address)
	b := a.anotherTab()
	b.open(ours.address)
	a.like("Heat")
	b.sees("button", words.RemoveTitle("Heat"))
	b.like("Alien")
	a.sees("button", words.RemoveTitle("Alien"))
	a.search("alien")
	a.press("Seen: Alien", "search", "") // a title that b likes: the later mark wins
	b.attribute("button", "Like Alien", "aria-pressed", "false", "search", "")
	b.press(words.Undo) // its own like, which was replaced
	b.misses("button", words.Undo)
	b.sees("button", words.RemoveTitle("Alien"), "list", words.SeenHeading)

	// Simultaneously and repeatedly, each tab likes and unlikes its own five.
	mine, theirs := native.Starters(12, 3)[:5], native.Starters(12, 4)[:5]
	if slices.ContainsFunc(mine, func(i int) bool { return slices.Contains(theirs, i) }) {
		t.Fatal("the two tabs would like the same titles")
	}
	var group sync.WaitGroup
	for v, items := range map[*visitor][]int{a: mine, b: theirs} {
		group.Go(func() { v.likeFast(items) })
	}
	group.Wait()
	var want []string
	for _, i := range slices.Concat(mine, theirs) {
		want = append(want, native.Item(i).ID)
	}
	want = append(want, ids(t, "Heat")...)
	slices.Sort(want)
	for name, v := range map[string]*visitor{"the first tab": a, "the second": b} {
		v.wait(name+" to show the likes of both", func() string {
			v.Helper()
			got := v.state().Likes
			slices.Sort(got)
			if !slices.Equal(got, want) {
				return fmt.Sprintf("stored are %q, want %q", got, want)
			}
			if n := see[int](v, `Number(document.querySelector(".taste .tally")?.textContent ?? "0")`); n != len(want) {
				return fmt.Sprintf("%d likes are shown, want %d", n, len(want))
			}
			return ""
		})
	}

	// Settings too.
	a.press(words.Theme(words.ThemeAuto))
	b.sees("button", words.Theme(words.ThemeLight))
	b.openFilters()
	b.press(words.Modes[recommend.HiddenGems])
	a.attribute("button", words.Modes[recommend.HiddenGems], "aria-pressed", "true")

	b.press(words.Erase)
	b.press(words.EraseYes)
	for _, v := range []*visitor{b, a} {
		v.sees("list", words.Starters)
		v.sees("button", words.Theme(words.ThemeAuto))
		v.nothingStored()
	}
	a.reload()
	a.sees("list", words.Starters)
	a.nothingStored()
	a.noErrors()
	b.noErrors()
}

// likeFast searches for and likes the titles quickly, by script.
func (v *visitor) likeFast(items []int) {
	v.Helper()
	for _, i := range items {
		title := native.Item(i).Title
		v.search(strings.ToLower(title))
		v.sees("button", "Like "+title, "search", "")
		see[bool](v, fmt.Sprintf(`visitor.find("button", %s, ["search", ""])[0].click(), true`, quote("Like "+title)))
	}
}

// With a full disk the page says so and works; once there is space, everything is stored automatically.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.setQuota(ours, 1<<20)
	v.open(ours.address)
	v.like("Heat")
	v.likesStored("Heat")
	v.reads(words.CopyNoRoom) // the worker has freed the space of its copy of the site
	// Another database fills the rest, in ever smaller pieces.
	see[bool](v, `new Promise((resolve, reject) => {
		const open = indexedDB.open("filler", 1);
		open.onupgradeneeded = () => open.result.createObjectStore("bytes", { autoIncrement: true });
		open.onerror = () => reject(open.error);
		open.onsuccess = () => {
			const db = open.result;
			db.onversionchange = () => db.close();
			const fill = (size) => {
				if (size < 1) {
					return resolve(true);
				}
				const t = db.transaction("bytes", "readwrite");
				t.oncomplete = () => fill(size);
				t.onabort = () => fill(Math.floor(size / 2));
				t.onerror = (e) => e.preventDefault();
				const noise = new Uint8Array(size);
				for (let i = 0; i < size; i += 65536) {
					crypto.getRandomValues(noise.subarray(i, i + 65536));
				}
				t.objectStore("bytes").put(noise);
			};
			fill(1 << 18);
		};
	})`)
	v.like("Alien")
	v.reads(words.StoreFull)
	v.like("Toy Story")
	v.lists(answer(visit(t, "Heat", "Alien", "Toy Story"), recommend.Request{}))
	if got := v.state().Likes; !slices.Equal(got, ids(t, "Heat")) {
		t.Errorf("on a full disk the store has %q, want Heat", got)
	}
	v.setQuota(ours, 1<<30)
	v.misses("alert", "")
	v.likesStored("Heat", "Alien", "Toy Story")
	v.noErrors("could not be kept for use without a network") // the service worker had no space either
}

// A private window in which the database does not open at first.
func TestPrivateWindow(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: `
		const open = IDBFactory.prototype.open;
		let closed = true;
		IDBFactory.prototype.open = function (...a) {
			if (closed) {
				throw new DOMException("not here", "SecurityError");
			}
			return open.apply(this, a);
		};
		globalThis.letIn = () => { closed = false; };`})
	v.open(ours.address)
	v.reads(words.StoreBlocked)
	v.like(three...)
	v.lists(answer(visit(t, three...), recommend.Request{}))
	if s := v.state(); s.Marked() {
		t.Errorf("without storage the store has %+v", s)
	}
	see[bool](v, `letIn(), true`)
	v.misses("alert", "")
	v.likesStored(three...)
	v.noErrors("console.warning: ")
}

// Data of program 0.1.0 is migrated.
func TestMigration(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile(filepath.Join("..", "keep", "testdata", "v1-visitor.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	v := newVisitor(t, persona{Before: fmt.Sprintf(seed, quote("state"),
		quote(base64.StdEncoding.EncodeToString(old)))})
	v.open(ours.address)
	for _, id := range []string{"6", "1214", "2", "3", "1"} { // MovieLens' ids
		v.sees("button", words.RemoveTitle(titleByID(t, id)))
	}
	v.reads(words.Unknown(1))
	v.wait("the likes to be stored in the new form", func() string {
		v.Helper()
		if got := v.state(); !slices.Equal(got.Likes, []string{"6", "1214", "vanished"}) ||
			got.Settings.Exploration != 0.5 {
			return fmt.Sprintf("stored is %+v", got)
		}
		return ""
	})
	v.press(words.RemoveTitle(titleByID(t, "6")))
	v.wait("the changes to be stored", func() string {
		if got := v.state().Likes; slices.Contains(got, "6") {
			return fmt.Sprintf("stored are %q", got)
		}
		return ""
	})
	v.reload()
	v.sees("button", words.RemoveTitle(titleByID(t, "1214")))
	if v.has("button", words.RemoveTitle(titleByID(t, "6"))) {
		t.Error("a title that was removed after the migration is back")
	}
	v.noErrors()
}

// Unreadable stored data is set aside and can be saved as a file; then the page stores marks again.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	damaged := []byte("\x93\x02 no state at all")
	v := newVisitor(t, persona{Before: fmt.Sprintf(seed, quote(visitlog.StateKey),
		quote(base64.StdEncoding.EncodeToString(damaged)))})
	folder := v.downloads()
	v.open(ours.address)
	v.reads(words.StateDamaged)
	v.like("Heat")
	v.likesStored("Heat")
	v.press(words.AsideSave)
	if _, b := v.file(folder, ".msgpack"); !strings.Contains(string(b), string(damaged)) {
		t.Errorf("the file contains %q", b)
	}
	v.reload()
	v.sees("button", words.AsideSave)
	v.press(words.Erase)
	v.press(words.EraseMarks)
	v.misses("button", words.AsideSave)
	v.noErrors()
}

// The browser is asked for persistent storage once, when there is something to keep, not when the page is opened.
// Erasing removes the site's data everywhere, and leaves other data.
func TestAskedAndErased(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: `
		globalThis.asked = 0;
		StorageManager.prototype.persist = async () => { asked++; return true; };`})
	v.open(ours.address)
	v.like("Heat", "Alien")
	v.likesStored("Heat", "Alien")
	v.settled()
	if n := see[int](v, `asked`); n != 0 {
		t.Errorf("after two likes the browser was asked %d times", n)
	}
	v.like("Toy Story")
	until[bool](v, "the browser to be asked", `asked === 1`)
	v.press(words.Theme(words.ThemeAuto))
	v.wait("the settings to be stored", func() string {
		if s := v.state().Settings; !s.Asked || s.Theme != 1 {
			return fmt.Sprintf("they are %+v", s)
		}
		return ""
	})
	v.reload()
	v.like("Cars")
	v.likesStored("Heat", "Alien", "Toy Story", "Cars")
	v.settled()
	v.siteStored() // it is erased below
	if n := see[int](v, `asked`); n != 0 {
		t.Errorf("at the next visit the browser was asked %d more times", n)
	}
	see[bool](v, `Promise.all([caches.open("site / 1"), caches.open("another site / 1")]).then(() => true)`)
	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	until[bool](v, "the database to be gone", `indexedDB.databases().then((all) => all.length === 0)`)
	v.wait("everything to be gone", func() string {
		v.Helper()
		for place := range see[map[string]string](v, "visitor.stored()") {
			if place != "caches / another site / 1" {
				return place + " is there"
			}
		}
		return ""
	})
	v.wait("the copy of the site to be gone", func() string {
		v.Helper()
		if left := see[[]string](v, `caches.keys()`); !slices.Equal(left, []string{"another site / 1"}) {
			return fmt.Sprintf("there are %q", left)
		}
		return ""
	})
	v.noErrors()
}
