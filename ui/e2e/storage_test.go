//go:build !js

package e2e

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/keep"
)

// anotherTab opens a tab of the same browser.
func (v *visitor) anotherTab() *visitor {
	v.Helper()
	ctx, closeTab := chromedp.NewContext(v.ctx)
	v.Cleanup(closeTab)
	other := &visitor{TB: v.TB, persona: v.persona, ctx: ctx}
	other.do(chromedp.Steps())
	other.watch = newWatch(other)
	other.script(visitorScript)
	other.look()
	return other
}

// ledger is what the browser has stored of what the visitor said, whole; the zero value where it has nothing.
func (v *visitor) ledger() (l keep.Ledger) {
	v.Helper()
	for place, value := range see[map[string]string](v, "visitor.stored()") {
		if !strings.HasSuffix(place, " / "+ui.StateKey) {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			v.Fatalf("under %s is stored what are no bytes: %q", place, value)
		}
		if l, err = keep.Decode(b); err != nil {
			v.Fatalf("under %s: %v", place, err)
		}
	}
	return l
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
	var total, between int
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
		pause := time.Duration(rng.IntN(60)) * time.Millisecond
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
		time.Sleep(pause)
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
		if total += told; found < told {
			between++
		}
		said = got
	}
	t.Logf("%d kills over %d clicks; in %d of them the last clicks were not yet stored", kills, total, between)
	if total < kills || between == 0 {
		t.Errorf("only %d clicks came before %d kills, and %d were lost: nothing was killed while it wrote", total, kills, between)
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
	ctx, cancel := context.WithTimeout(v.ctx, 200*time.Millisecond)
	defer cancel()
	chromedp.Call(ctx, page.Crash, cdp.Empty{}) // there is nobody left to answer
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
