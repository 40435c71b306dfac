//go:build !js

package e2e

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/keep"
	visitlog "github.com/pmlam/pmlam/ui/visit"
)

// ledger returns the visitor's complete stored data, or the zero value.
func (v *visitor) ledger() keep.Ledger {
	v.Helper()
	l, _ := v.storedAs(visitlog.StateKey)
	return l
}

// storedAs returns the ledger stored under this key, if any.
func (v *visitor) storedAs(key string) (l keep.Ledger, there bool) {
	v.Helper()
	for place, value := range see[map[string]string](v, "visitor.stored()") {
		if !strings.HasSuffix(place, " / "+key) {
			continue
		}
		b, err := base64.StdEncoding.DecodeString(value)
		if err != nil {
			v.Fatalf("the value of %s is not bytes: %q", place, value)
		}
		if l, err = keep.Decode(b); err != nil {
			v.Fatalf("under %s: %v", place, err)
		}
		there = true
	}
	return l, there
}

// state returns the visitor's stored marks, or the zero value.
func (v *visitor) state() keep.State {
	v.Helper()
	l := v.ledger()
	return l.State()
}

// second returns the second person's stored marks, or nil.
func (v *visitor) second() *keep.State {
	v.Helper()
	l, there := v.storedAs(visitlog.OtherKey)
	if !there {
		return nil
	}
	s := l.State()
	return &s
}

// ids returns the catalogue's ids of titles.
func ids(t testing.TB, titles ...string) (out []string) {
	t.Helper()
	for _, title := range titles {
		out = append(out, native.Item(find(t, title)).ID)
	}
	return out
}

// likesStored waits until exactly these likes are stored.
func (v *visitor) likesStored(likes ...string) {
	v.Helper()
	var want []string
	for _, title := range likes {
		want = append(want, native.Item(find(v, title)).ID)
	}
	v.wait("the likes to be stored", func() string {
		v.Helper()
		got := v.state().Likes
		if slices.Equal(got, want) {
			return ""
		}
		return fmt.Sprintf("stored are %q", got)
	})
}

// keyStored waits until the key has a stored value.
func (v *visitor) keyStored(key string) {
	v.Helper()
	until[bool](v, key+" to be stored",
		`visitor.stored().then((s) => Object.keys(s).some((k) => k.includes(`+quote(key)+`)))`)
}

// marksStored waits until exactly these marks are stored, in any order.
func (v *visitor) marksStored(likes, dislikes, seen []string) {
	v.Helper()
	v.wait("the imported marks to be stored", func() string {
		v.Helper()
		s := v.state()
		for _, l := range []struct{ got, want []string }{{s.Likes, likes}, {s.Dislikes, dislikes}, {s.Seen, seen}} {
			if got, want := slices.Sorted(slices.Values(l.got)),
				slices.Sorted(slices.Values(l.want)); !slices.Equal(got, want) {
				return fmt.Sprintf("stored are %q, %q, %q", s.Likes, s.Dislikes, s.Seen)
			}
		}
		return ""
	})
}

// nothingStored waits until all stores of the browser are empty for this site.
func (v *visitor) nothingStored() {
	v.Helper()
	v.wait("every store to be empty", func() string {
		v.Helper()
		for place := range see[map[string]string](v, "visitor.stored()") {
			return "something is stored under " + place
		}
		return ""
	})
}

// nothingSaid waits until no marks of either person are stored.
func (v *visitor) nothingSaid() {
	v.Helper()
	v.wait("no marks of either to be stored", func() string {
		v.Helper()
		if first, second := v.state(), v.second(); first.Marked() || second != nil {
			return fmt.Sprintf("stored are %+v and %+v", first, second)
		}
		return ""
	})
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

// seed makes every page wait, before its own scripts, until the database contains these bytes.
const seed = `(() => {
	const open = IDBFactory.prototype.open;
	const request = open.call(indexedDB, "pmlam /", 1);
	request.onupgradeneeded = () => request.result.createObjectStore("bytes").put(Uint8Array.fromBase64?.(%[2]s) ?? Uint8Array.from(atob(%[2]s), (c) => c.charCodeAt(0)), %[1]s);
	request.onsuccess = () => request.result.close();
})()`

// siteStored waits until the browser has the whole site.
func (v *visitor) siteStored() {
	v.Helper()
	since, _, _ := strings.Cut(v.Language.CopySince(2026, 1, 1), "1")
	v.reads(since)
}
