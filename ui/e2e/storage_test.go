//go:build !js

package e2e

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui/keep"
	visitlog "github.com/pmlam/pmlam/ui/visit"
)

// anotherTab opens another tab of the same visitor.
func (v *visitor) anotherTab() *visitor {
	v.Helper()
	ctx, closeTab := chromedp.NewContext(v.ctx)
	v.Cleanup(closeTab)
	other := &visitor{TB: v.TB, persona: v.persona, ctx: ctx, driver: chromiumDriver{ctx, v.persona}}
	other.do(chromedp.Steps())
	other.prepare()
	return other
}

// ledger is what the browser has stored of what the visitor said, whole; the zero value where it has nothing.
func (v *visitor) ledger() keep.Ledger {
	v.Helper()
	l, _ := v.storedAs(visitlog.StateKey)
	return l
}

// storedAs is the ledger that the browser has stored under that key, if there is one.
func (v *visitor) storedAs(key string) (l keep.Ledger, there bool) {
	v.Helper()
	for place, value := range see[map[string]string](v, "visitor.stored()") {
		if !strings.HasSuffix(place, " / "+key) {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			v.Fatalf("under %s is stored what are no bytes: %q", place, value)
		}
		if l, err = keep.Decode(b); err != nil {
			v.Fatalf("under %s: %v", place, err)
		}
		there = true
	}
	return l, there
}

// ids are the catalogue's ids of titles.
func ids(t testing.TB, titles ...string) (out []string) {
	t.Helper()
	for _, title := range titles {
		out = append(out, native.Item(find(t, title)).ID)
	}
	return out
}

// Two tabs show the same, whichever the visitor uses; what is said in both at the same time is all kept; undo takes back
// what was said in its own tab; and what is erased in one is gone from both.
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
	a.press("Seen Alien", "search", "") // a title that b likes: the later word counts
	b.attribute("button", "Like Alien", "aria-pressed", "false", "search", "")
	b.press(words.Undo) // of its own like, which no longer holds
	b.misses("button", words.Undo)
	b.sees("button", words.RemoveTitle("Alien"), "list", words.SeenHeading)

	// In the same moment, again and again: each tab likes and takes back its own five.
	mine, theirs := native.Starters(12, 3)[:5], native.Starters(12, 4)[:5]
	if slices.ContainsFunc(mine, func(i int) bool { return slices.Contains(theirs, i) }) {
		t.Fatal("the two tabs would like the same titles")
	}
	var group sync.WaitGroup
	for v, items := range map[*visitor][]int{a: mine, b: theirs} {
		group.Go(func() { v.turnTo(items) })
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
	b.press(words.Modes[recommender.HiddenGems])
	a.attribute("button", words.Modes[recommender.HiddenGems], "aria-pressed", "true")

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
	a.quiet()
	b.quiet()
}

// turnTo searches for the titles and likes each, fast, by script.
func (v *visitor) turnTo(items []int) {
	v.Helper()
	for _, i := range items {
		title := native.Item(i).Title
		v.search(strings.ToLower(title))
		v.sees("button", "Like "+title, "search", "")
		see[bool](v, fmt.Sprintf(`visitor.find("button", %s, ["search", ""])[0].click(), true`, quote("Like "+title)))
	}
}

// kills is how often a tab is killed while it writes.
const kills = 50

// In a tab that is killed while it writes, what it was told to be kept is kept, and nothing is kept by half: each time the
// store holds a state that was said, and none before the last that was acknowledged. Another tab of the site, which holds
// no program, listens to what is acknowledged and reads what is stored.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Limit: 15 * time.Minute})
	witness := v.anotherTab()
	witness.do(chromedp.Navigate(ours.address + "assets/models/README.txt"))
	see[bool](witness, `(() => {
		globalThis.acknowledged = 0;
		globalThis.told = 0;
		new BroadcastChannel("pmlam /").onmessage = (e) => { if (e.data === "changed") acknowledged++; };
		new BroadcastChannel("trial").onmessage = () => told++;
		return true;
	})()`)
	rng := rand.New(rand.NewPCG(50, 5))
	var total, stored, between int
	said := map[string]bool{} // likes, as they are stored
	var tab *visitor
	for trial := range kills {
		if tab == nil {
			tab = v.anotherTab()
		}
		tab.open(ours.address)
		tab.search("the ")
		rows := until[[]string](tab, "eight titles", `(() => {
			const rows = [...document.querySelectorAll(".found > [data-key]")].map((row) => row.dataset.key);
			return rows.length === 8 ? rows : [];
		})()`)
		see[bool](witness, `acknowledged = told = 0, true`)
		see[bool](tab, fmt.Sprintf(`(() => {
			const trial = new BroadcastChannel("trial");
			let n = 0;
			const next = () => {
				trial.postMessage(n);
				document.querySelectorAll('.found > [data-key] [data-act="like"]')[n++ %% 8].click();
				setTimeout(next, Math.random() * %d);
			};
			next();
			return true;
		})()`, rng.IntN(20)))
		// Somewhere after the first few were acknowledged, and before the next is.
		enough := fmt.Sprintf("acknowledged >= %d && told > 0", rng.IntN(4))
		until[bool](witness, "the tab to write", enough)
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		tab.crash()
		witness.settle()
		told, acknowledged := see[int](witness, "told"), see[int](witness, "acknowledged")
		// What the store holds is one of the states after so many clicks.
		got := map[string]bool{}
		for _, id := range witness.state().Likes {
			got[id] = true
		}
		now := map[string]bool{}
		for id := range said {
			now[id] = true
		}
		found := -1
		for n := 0; n <= told+2; n++ {
			if n > 0 {
				id := idOf(t, rows[(n-1)%8])
				if now[id] = !now[id]; !now[id] {
					delete(now, id)
				}
			}
			if n >= acknowledged && len(now) == len(got) && contains(now, got) {
				found = n
				break
			}
		}
		if found < 0 {
			t.Fatalf("trial %d: after %d clicks, %d acknowledged, the store holds %d likes that were never said together: %v (before: %v)", trial, told, acknowledged, len(got), got, said)
		}
		if found < told {
			between++
		}
		total, stored, said = total+told, stored+acknowledged, got
	}
	t.Logf("%d kills, %d clicks, %d acknowledged; in %d trials the last clicks were not yet stored", kills, total, stored, between)
	if stored < kills/2 || between == 0 {
		t.Errorf("%d writes were acknowledged before %d kills, of which %d came in the middle: nothing was killed while it wrote", stored, kills, between)
	}
}

func contains(a, b map[string]bool) bool {
	for id := range a {
		if !b[id] {
			return false
		}
	}
	return true
}

// idOf is the id of the item that a row stands for.
func idOf(t testing.TB, key string) string {
	t.Helper()
	var i int
	if _, err := fmt.Sscan(strings.TrimLeft(key, "abcdefghijklmnopqrstuvwxyz-"), &i); err != nil {
		t.Fatalf("a row has the key %q: %v", key, err)
	}
	return native.Item(i).ID
}

// crash kills the tab's process, as a lack of memory does.
func (v *visitor) crash() {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, patience)
	defer cancel()
	if err := chromedp.Listen(v.ctx, func(e any) {
		if _, gone := e.(*inspector.EventTargetCrashed); gone {
			cancel()
		}
	}); err != nil {
		v.Fatal(err)
	}
	chromedp.Call(ctx, page.Crash, cdp.Empty{}) // there is nobody left to answer
	if ctx.Err() != context.Canceled {
		v.Fatal("the tab does not crash")
	}
}

// settle waits until what was on its way has arrived.
func (v *visitor) settle() {
	v.Helper()
	see[bool](v, `new Promise((resolve) => {
		const c = new BroadcastChannel("echo"), d = new BroadcastChannel("echo");
		d.onmessage = () => { c.close(); d.close(); resolve(true); };
		c.postMessage("");
	})`)
}

// press's kin for what has no button of its own: chooses a file in the input that the label stands for.
func (v *visitor) choose(file string) {
	v.Helper()
	v.must(v.driver.choose(`document.getElementById("backup-file")`, file))
}

// downloads has the browser put what the page hands over into a folder.
func (v *visitor) downloads() (folder string) {
	v.Helper()
	folder, err := v.driver.downloads()
	v.must(err)
	return folder
}

// file waits for a download that ends so, and returns its path and content.
func (v *visitor) file(folder, end string) (path string, b []byte) {
	v.Helper()
	v.wait("the download of a file "+end, func() string {
		found, _ := filepath.Glob(filepath.Join(folder, "*"+end))
		if len(found) == 0 {
			return "there is none"
		}
		path = found[0]
		var err error
		if b, err = os.ReadFile(path); err != nil || !complete(end, b) {
			return fmt.Sprintf("it is not complete, at %d bytes", len(b))
		}
		return ""
	})
	return path, b
}

// complete tells whether b is a whole file of a kind, by how such a file ends: WebKit writes a download where it will lie, a
// piece at a time, so that a file which is there may be one that is being written. (Chromium and Firefox rename a whole one.)
func complete(end string, b []byte) bool {
	switch end {
	case ".png":
		return bytes.HasSuffix(b, []byte("IEND\xaeB`\x82")) // the last chunk's name and checksum
	case ".json":
		return json.Valid(b)
	case ".txt":
		return bytes.HasSuffix(b, []byte("\n"))
	}
	return len(b) > 0
}

// writes makes a file and returns its path.
func writes(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Backup, erase everything, go back: all is as it was, settings too. Merging adds what is missing, says so before, and can
// be undone. Titles of another catalogue are found by what other catalogues call them, and kept where they are not found.
func TestBackup(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	folder := v.downloads()
	v.open(ours.address)
	if v.has("button", words.BackupSave) {
		t.Error("nothing was said, and there is a backup to be saved")
	}
	v.like(three...)
	v.search("cars")
	v.press("Not for me Cars", "search", "")
	v.press(words.Modes[recommender.HiddenGems])
	v.press(words.Theme(words.ThemeAuto))
	want := answer(recommender.Visit{Likes: visit(t, three...).Likes, Dislikes: visit(t, "Cars").Likes}, recommender.Request{Mode: recommender.HiddenGems})
	v.lists(want)
	v.press(words.BackupSave)
	path, file := v.file(folder, ".json")
	for _, title := range append(slices.Clone(three), "Cars") {
		if !strings.Contains(string(file), `"title": "`+title+`"`) {
			t.Errorf("%s is not in the backup:\n%s", title, file)
		}
	}

	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	v.nothingStored()
	v.choose(path)
	v.sees("group", words.BackupOpened)
	v.reads(words.Adds(4, append(slices.Clone(three), "Cars")))
	if stored := v.state(); stored.Marked() {
		t.Errorf("before the visitor agreed there is stored %+v", stored)
	}
	v.press(words.BackupRestore, "group", words.BackupOpened)
	v.lists(want)
	v.sees("button", words.Theme(words.ThemeLight))
	v.kept(three...)
	v.reload()
	v.lists(want)

	// Another list is merged in, with titles by other names.
	v.press("Remove Cars")
	v.choose(writes(t, "from elsewhere.json", `{"format": "pmlam-backup", "version": 1, "catalogue": "Elsewhere", "titles": [
		{"mark": "like", "id": "1", "title": "amélie  (le fabuleux destin d'amélie poulain)", "year": 2001},
		{"mark": "seen", "id": "nowhere-7", "title": "Another Country’s Film", "year": 1931},
		{"mark": "like", "id": "2", "title": "Also Unknown"},
		{"mark": "seen", "title": "Heat", "year": 1995}
	]}`))
	v.reads("2 of them are not in this catalogue")
	v.press(words.BackupMerge, "group", words.BackupOpened)
	amelie := "Amelie (Le Fabuleux destin d'Amélie Poulain)"
	v.sees("button", words.RemoveTitle(amelie))
	v.reads(words.Unknown(2))
	v.wait("the merged titles to be stored", func() string {
		v.Helper()
		s := v.state()
		likes := append(ids(v, three...), ids(v, amelie)...)
		for _, id := range append(likes, "Elsewhere 2") {
			if !slices.Contains(s.Likes, id) {
				return fmt.Sprintf("%q is not liked in %+v", id, s)
			}
		}
		if !slices.Contains(s.Seen, "nowhere-7") || len(s.Dislikes) > 0 {
			return fmt.Sprintf("it is %+v", s)
		}
		return ""
	})
	v.press(words.Undo)
	v.misses("button", words.RemoveTitle(amelie))
	v.kept(three...)

	// A file that is no backup changes nothing, and says in which line.
	v.choose(writes(t, "bad.json", string(file[:len(file)/2])))
	v.reads("not a backup of this page, or it is damaged in line")
	v.press(words.BackupClose)
	v.misses("group", words.BackupOpened)
	v.kept(three...)
	v.quiet()
}

// Where the disk is full the page says so and works; once there is room, all of it is kept without being asked.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	quota := func(size float64) {
		of := storage.OverrideQuotaForOriginParams{Origin: strings.TrimSuffix(ours.address, "/"), QuotaSize: &size}
		if _, err := chromedp.Call(v.ctx, storage.OverrideQuotaForOrigin, of); err != nil {
			t.Fatal(err)
		}
	}
	quota(1 << 20)
	v.open(ours.address)
	v.like("Heat")
	v.kept("Heat")
	// Another database takes all that is left, in ever smaller pieces.
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
	v.lists(answer(visit(t, "Heat", "Alien", "Toy Story"), recommender.Request{}))
	if got := v.state().Likes; !slices.Equal(got, ids(t, "Heat")) {
		t.Errorf("on a full disk there is stored %q, and was Heat", got)
	}
	quota(1 << 30)
	v.misses("alert", "")
	v.kept("Heat", "Alien", "Toy Story")
	v.quiet("could not be kept for use without a network") // the service worker had no room either
}

// A private window in which the database does not open, and later does.
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
	v.lists(answer(visit(t, three...), recommender.Request{}))
	if s := v.state(); s.Marked() {
		t.Errorf("where nothing can be stored there is stored %+v", s)
	}
	see[bool](v, `letIn(), true`)
	v.misses("alert", "")
	v.kept(three...)
	v.quiet("console.warning: ")
}

// seed has every page, before its own scripts, wait with its database until these bytes lie in it.
const seed = `(() => {
	const open = IDBFactory.prototype.open;
	const request = open.call(indexedDB, "pmlam /", 1);
	request.onupgradeneeded = () => request.result.createObjectStore("bytes").put(Uint8Array.fromBase64?.(%[2]s) ?? Uint8Array.from(atob(%[2]s), (c) => c.charCodeAt(0)), %[1]s);
	request.onsuccess = () => request.result.close();
})()`

// What program 0.1.0 has written is taken over.
func TestMigration(t *testing.T) {
	t.Parallel()
	old, err := os.ReadFile(filepath.Join("..", "keep", "testdata", "v1-visitor.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	v := newVisitor(t, persona{Before: fmt.Sprintf(seed, quote("state"), quote(base64.StdEncoding.EncodeToString(old)))})
	v.open(ours.address)
	for _, id := range []string{"6", "1214", "2", "3", "1"} { // MovieLens' own
		v.sees("button", words.RemoveTitle(titleByID(t, id)))
	}
	v.reads(words.Unknown(1))
	v.wait("the likes to be stored in the new form", func() string {
		v.Helper()
		if got := v.state(); !slices.Equal(got.Likes, []string{"6", "1214", "vanished"}) || got.Settings.Exploration != 0.5 {
			return fmt.Sprintf("stored is %+v", got)
		}
		return ""
	})
	v.press(words.RemoveTitle(titleByID(t, "6")))
	v.wait("that to be stored", func() string {
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
	v.quiet()
}

func titleByID(t testing.TB, id string) string {
	t.Helper()
	for i := range native.Len() {
		if native.Item(i).ID == id {
			return native.Item(i).Title
		}
	}
	t.Fatalf("no item has the id %s", id)
	return ""
}

// What is stored and cannot be read is set aside, and can be had as a file; after that the page keeps what is said.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	damaged := []byte("\x93\x02 no state at all")
	v := newVisitor(t, persona{Before: fmt.Sprintf(seed, quote(visitlog.StateKey), quote(base64.StdEncoding.EncodeToString(damaged)))})
	folder := v.downloads()
	v.open(ours.address)
	v.reads(words.StateDamaged)
	v.like("Heat")
	v.kept("Heat")
	v.press(words.AsideSave)
	if _, b := v.file(folder, ".msgpack"); !strings.Contains(string(b), string(damaged)) {
		t.Errorf("the file holds %q", b)
	}
	v.reload()
	v.sees("button", words.AsideSave)
	v.press(words.Erase)
	v.press(words.EraseMarks)
	v.misses("button", words.AsideSave)
	v.quiet()
}

// The browser is asked to keep things for good once there is something to keep, not when the page is opened, and once. What
// is erased is gone from every place where this site keeps anything, and what others keep stays.
func TestAskedAndErased(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Before: `
		globalThis.asked = 0;
		StorageManager.prototype.persist = async () => { asked++; return true; };`})
	v.open(ours.address)
	v.like("Heat", "Alien")
	v.kept("Heat", "Alien")
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
	v.kept("Heat", "Alien", "Toy Story", "Cars")
	if n := see[int](v, `asked`); n != 0 {
		t.Errorf("at the next visit the browser was asked %d times again", n)
	}
	see[bool](v, `Promise.all([caches.open("site / 1"), caches.open("another site / 1")]).then(() => true)`)
	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	until[bool](v, "the database to be gone", `indexedDB.databases().then((all) => all.length === 0)`)
	v.wait("all to be gone", func() string {
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
	v.quiet()
}

// The whole of Your data by keyboard, on a narrow screen and in the dark.
func TestDataByKeyboard(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 360, Height: 740, Dark: true})
	folder := v.downloads()
	v.open(ours.address)
	v.like(three...)
	v.kept(three...)
	v.tab(words.TabData)
	v.tabTo("the button that saves a backup", is("button", words.BackupSave))
	v.keys(enter)
	path, _ := v.file(folder, ".json")
	v.choose(path)
	v.holds("what was opened", is("group", words.BackupOpened))
	v.reads(words.ChangesNothing)
	if wide := see[int](v, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %d px wide on a screen of 360", wide)
	}
	v.tabTo("the button that closes it", is("button", words.BackupClose))
	v.keys(enter)
	v.misses("group", words.BackupOpened)
	v.holds("the button that opens one", is("button", words.BackupOpen))
	v.tabTo("the button that erases", is("button", words.Erase))
	v.keys(enter)
	v.tabTo("the answer", is("button", words.EraseMarks))
	v.keys(enter)
	v.sees("list", words.Starters)
	v.nothingSaid() // but for settings: that the browser was asked to keep things is one
	v.quiet()
}
