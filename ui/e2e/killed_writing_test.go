//go:build !js

package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// kills is the number of tabs killed while writing.
const kills = 50

// If a tab is killed while writing, acknowledged marks are kept, and no write is partial: the store always has a state
// that existed, not older than the last acknowledged one. Another tab of the site, without a program, listens to the
// acknowledgements and reads the store.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	// A narrow screen without a map, which would store nothing.
	v := newVisitor(t, persona{Width: 390, Height: 844, NoCopy: true, Limit: 15 * time.Minute})
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
	said := map[string]bool{} // likes, as stored
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
		tab.settled() // excludes what the page stores at its start
		witness.flushMessages()
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
		// Kill it after the first few were acknowledged, and before the next is.
		enough := fmt.Sprintf("acknowledged >= %d && told > 0", rng.IntN(4))
		until[bool](witness, "the tab to write", enough)
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		tab.crash()
		witness.flushMessages()
		told, acknowledged := see[int](witness, "told"), see[int](witness, "acknowledged")
		// The store must have the state after some number of clicks.
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
			t.Fatalf(
				"trial %d: after %d clicks, %d acknowledged, the store has %d likes that never existed together: %v (before: %v)",
				trial,
				told,
				acknowledged,
				len(got),
				got,
				said,
			)
		}
		if found < told {
			between++
		}
		total, stored, said = total+told, stored+acknowledged, got
	}
	t.Logf("%d kills, %d clicks, %d acknowledged; in %d trials the last clicks were not yet stored", kills, total,
		stored, between)
	if stored < kills/2 || between == 0 {
		t.Errorf(
			"%d writes were acknowledged before %d kills, of which %d came during one: no write was interrupted",
			stored,
			kills,
			between,
		)
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

// idOf returns the id of the item with a row's key.
func idOf(t testing.TB, key string) string {
	t.Helper()
	var i int
	if _, err := fmt.Sscan(strings.TrimLeft(key, "abcdefghijklmnopqrstuvwxyz-"), &i); err != nil {
		t.Fatalf("a row has the key %q: %v", key, err)
	}
	return native.Item(i).ID
}

// crash kills the tab's process, as if it had run out of memory.
func (v *visitor) crash() {
	v.Helper()
	ctx, cancel := context.WithTimeout(v.ctx, waitLimit)
	defer cancel()
	if err := chromedp.Listen(v.ctx, func(e any) {
		if _, gone := e.(*inspector.EventTargetCrashed); gone {
			cancel()
		}
	}); err != nil {
		v.Fatal(err)
	}
	chromedp.Call(ctx, page.Crash, cdp.Empty{}) // nothing is left to answer
	if ctx.Err() != context.Canceled {
		v.Fatal("the tab did not crash")
	}
}

// flushMessages waits for messages in transit.
func (v *visitor) flushMessages() {
	v.Helper()
	see[bool](v, `new Promise((resolve) => {
		const c = new BroadcastChannel("echo"), d = new BroadcastChannel("echo");
		d.onmessage = () => { c.close(); d.close(); resolve(true); };
		c.postMessage("");
	})`)
}
