//go:build !js

package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// product is a page with the lists that follow the order of likes.
const product = `<!doctype html><html lang="en"><title>Heat</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css"><script src="page.js"></script>
<script type="module" src="embed/components.js"></script>
<main><h1>Heat</h1><pmlam-like item="6">I like Heat</pmlam-like>
<pmlam-recommendations id="with" model="embed/model.msgpack" item="6" list="goes-with" k="4" href="/p/{id}"
	label="Goes with Heat"></pmlam-recommendations>
<pmlam-recommendations id="next" model="embed/model.msgpack" list="next" k="4" href="/p/{id}"
	label="Next"></pmlam-recommendations>
</main></html>`

// The lists next and goes-with equal the native program's. Recent items are kept like marks: only with consent, at most
// twenty, for thirty days; withdrawing consent deletes them.
func TestElementsFollowTheOrder(t *testing.T) {
	b := buyerAt(t, product)
	m, err := model.ReadFile(filepath.Join(jstest.Root(t), "assets/models/movielens.msgpack"))
	if err != nil {
		t.Fatal(err)
	}
	native, err := recommend.Open(m, recommend.Options{})
	if err != nil || !native.About().Order {
		t.Fatalf("the demo does not know the order of likes: %v", err)
	}
	lists := func(v recommend.Visit) string {
		return paths(native, native.Recommend(v, native.Taste(v, nil), recommend.Request{K: 4}))
	}
	item := func(id string) int { return native.IDs()[id] }
	const recent = `localStorage.getItem("pmlam-recent")`
	b.until(of(state, "with"), "ready")
	with := lists(recommend.Visit{Recent: []int{item("6")}})
	if got := b.says(of(links, "with")); got != with || got == paths(native, native.Similar(item("6"), recommend.Visit{}, 4)) {
		t.Errorf("with Heat goes %s, want %s, which differs from similar items", got, with)
	}
	b.until(of(state, "next"), "empty")
	b.says(module + `visitor.viewed(1214))`)
	b.until(of(state, "next"), "ready")
	b.until(of(links, "next"), lists(recommend.Visit{Recent: []int{item("1214")}}))
	b.says(module + `visitor.bought("1"))`)
	visit := recommend.Visit{Recent: []int{item("1214"), item("1")}, Likes: []int{item("1")}}
	b.until(of(links, "next"), lists(visit))
	b.until(pressed, "false")
	b.until(recent, "null") // no consent yet
	if got := b.says(module + `{ try { visitor.viewed("") } catch (e) { return e.code } })`); got != "profile" {
		t.Errorf("an empty id says %s", got)
	}

	b.says(module + `(visitor.consent = true))`)
	b.reload()
	b.until(of(links, "next"), lists(visit))
	b.says(module + `{ for (let k = 0; k < 25; k++) visitor.viewed(String(k)); visitor.viewed("20") })`)
	var kept [][]any
	if err := json.Unmarshal([]byte(b.says(recent)), &kept); err != nil || len(kept) != 20 || kept[19][0] != "20" ||
		kept[0][0] != "5" {
		t.Errorf("kept are %v, want 20 from 5 to 24 with 20 last; %v", kept, err)
	}

	// The expired, the future and the damaged do not count.
	b.says(`localStorage.setItem("pmlam-recent", JSON.stringify([["6", Date.now() - 31 * 864e5], ["7", Date.now() + 864e5],
		"x", null, [8], [{}, 5], ["1214", Date.now() - 29 * 864e5]]))`)
	b.reload()
	if got := b.says(module + `visitor.recent)`); got != "1214" {
		t.Errorf("recent are %q, want the one of the last 30 days", got)
	}
	b.says(`localStorage.setItem("pmlam-recent", "{damaged")`)
	b.reload()
	if got := b.says(module + `visitor.recent)`); got != "" {
		t.Errorf("of a damaged text, recent are %q", got)
	}
	b.says(module + `visitor.viewed("6"))`)
	b.says(module + `(visitor.consent = false))`)
	b.until(recent, "null")
	b.until(of(state, "next"), "empty")
	b.until("violations.join()", "")
}
