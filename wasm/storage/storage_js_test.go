//go:build js && wasm

package storage

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall/js"
	"testing"

	"github.com/pmlam/pmlam/wasm/internal/await"
)

func mustOpen(t *testing.T, name string) *Store {
	t.Helper()
	s, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustSave(t *testing.T, s *Store, key string, b []byte) {
	t.Helper()
	if err := s.Save(key, b); err != nil {
		t.Fatalf("Save(%q): %v", key, err)
	}
}

func wantLoad(t *testing.T, s *Store, key string, want []byte) {
	t.Helper()
	got, err := s.Load(key)
	if err != nil {
		t.Fatalf("Load(%q): %v", key, err)
	}
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("Load(%q) gives %d bytes, want %d", key, len(got), len(want))
	}
}

func TestDatabaseKeepsWhatIsSaved(t *testing.T) {
	s := mustOpen(t, "keeps")
	wantLoad(t, s, "visit", nil)
	mustSave(t, s, "visit", []byte("likes"))
	mustSave(t, s, "empty", []byte{})
	large := bytes.Repeat([]byte{0, 1, 254, 255}, 1<<20)
	mustSave(t, s, "large", large)
	mustSave(t, s, "visit", []byte("more likes"))
	s.Close()
	// Another store of the same name is what the next visit opens.
	next := mustOpen(t, "keeps")
	wantLoad(t, next, "visit", []byte("more likes"))
	wantLoad(t, next, "empty", []byte{})
	wantLoad(t, next, "large", large)
	if err := next.Delete("visit"); err != nil {
		t.Fatal(err)
	}
	if err := next.Delete("never saved"); err != nil {
		t.Fatal(err)
	}
	// The first store was closed, and opens again by itself.
	wantLoad(t, s, "visit", nil)
	wantLoad(t, mustOpen(t, "another name"), "large", nil)
}

func TestDatabaseSurvivesBeingClosedByTheBrowser(t *testing.T) {
	s := mustOpen(t, "closed")
	mustSave(t, s, "visit", []byte("likes"))
	s.db.Call("close") // behind the store's back
	wantLoad(t, s, "visit", []byte("likes"))
}

func TestDatabaseMakesWayForAnotherTab(t *testing.T) {
	s := mustOpen(t, "deleted")
	mustSave(t, s, "visit", []byte("likes"))
	request := js.Global().Get("indexedDB").Call("deleteDatabase", "deleted")
	if event, err := await.Event(request, patience, "success", "error"); event != "success" {
		t.Fatalf("deleting from elsewhere: %q, %v", event, err)
	}
	wantLoad(t, s, "visit", nil)
	mustSave(t, s, "visit", []byte("again"))
	wantLoad(t, s, "visit", []byte("again"))
}

func TestDatabaseServesManyGoroutines(t *testing.T) {
	s := mustOpen(t, "many")
	var group sync.WaitGroup
	failed := make(chan error, 20)
	for i := range 20 {
		group.Go(func() {
			key := fmt.Sprint("key ", i%5)
			if err := s.Save(key, []byte(key)); err != nil {
				failed <- err
			}
			if b, err := s.Load(key); err != nil || string(b) != key {
				failed <- fmt.Errorf("Load(%q) = %q, %v", key, b, err)
			}
		})
	}
	group.Wait()
	close(failed)
	for err := range failed {
		t.Error(err)
	}
}

func TestDatabaseRefusesWhatItDidNotWrite(t *testing.T) {
	s := mustOpen(t, "foreign")
	err := s.transact("readwrite", func(t js.Value) js.Value { return t.Call("put", "text", "visit") }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := s.Load("visit"); err == nil {
		t.Errorf("a text under the key was read as the bytes %q", b)
	}
}

func TestFullDiskIsSaidAndNothingIsLost(t *testing.T) {
	s := mustOpen(t, "full")
	mustSave(t, s, "visit", []byte("likes"))
	array := make([]byte, 16<<20)
	rand.NewChaCha8([32]byte{}).Read(array) // the browser compresses what it can
	err := s.Save("visit", array)
	if _, ok := errors.AsType[*FullError](err); !ok {
		t.Fatalf("16 MiB into 1 MiB: %v, want a *FullError", err)
	}
	wantLoad(t, s, "visit", []byte("likes"))
}

func TestUnavailableIsSaid(t *testing.T) {
	s, err := Open("nowhere")
	if _, ok := errors.AsType[*UnavailableError](err); !ok || s != nil {
		t.Fatalf("Open without IndexedDB: %v, %v; want an *UnavailableError", s, err)
	}
}

// Where site data is blocked, some browsers throw at the mere look at indexedDB. A getter that calls structuredClone
// without an argument throws as well.
func TestDatabaseThatMayNotBeLookedAt(t *testing.T) {
	global := js.Global()
	object := global.Get("Object")
	before := object.Call("getOwnPropertyDescriptor", global, "indexedDB")
	if before.IsUndefined() {
		t.Fatal("indexedDB is no property of the window itself")
	}
	object.Call("defineProperty", global, "indexedDB",
		map[string]any{"configurable": true, "get": global.Get("structuredClone")})
	defer object.Call("defineProperty", global, "indexedDB", before)
	_, err := Open("forbidden")
	if _, ok := errors.AsType[*UnavailableError](err); !ok {
		t.Fatalf("Open where indexedDB throws: %v, want an *UnavailableError", err)
	}
}
