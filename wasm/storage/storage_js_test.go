//go:build js && wasm

package storage

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"syscall/js"
	"testing"
)

func save(s *Store, key string, b []byte) error {
	return s.Update([]string{key}, func(values [][]byte) error {
		values[0] = b
		return nil
	})
}

func load(s *Store, key string) (b []byte, err error) {
	err = s.Update([]string{key}, func(values [][]byte) error {
		b = values[0]
		return nil
	})
	return b, err
}

func mustSave(t *testing.T, s *Store, key string, b []byte) {
	t.Helper()
	if err := save(s, key, b); err != nil {
		t.Fatalf("saving %q: %v", key, err)
	}
}

func wantLoad(t *testing.T, s *Store, key string, want []byte) {
	t.Helper()
	got, err := load(s, key)
	if err != nil {
		t.Fatalf("loading %q: %v", key, err)
	}
	if !bytes.Equal(got, want) || (got == nil) != (want == nil) {
		t.Fatalf("loading %q gives %d bytes, want %d", key, len(got), len(want))
	}
}

func TestDatabaseKeepsWhatIsSaved(t *testing.T) {
	s := New("keeps")
	wantLoad(t, s, "visit", nil)
	mustSave(t, s, "visit", []byte("likes"))
	mustSave(t, s, "empty", []byte{})
	large := bytes.Repeat([]byte{0, 1, 254, 255}, 1<<20)
	mustSave(t, s, "large", large)
	mustSave(t, s, "visit", []byte("more likes"))
	s.Close()
	// The next visit opens another store of the same name.
	next := New("keeps")
	wantLoad(t, next, "visit", []byte("more likes"))
	wantLoad(t, next, "empty", []byte{})
	wantLoad(t, next, "large", large)
	mustSave(t, next, "visit", nil)
	mustSave(t, next, "never saved", nil)
	// The first store was closed, and reopens by itself.
	wantLoad(t, s, "visit", nil)
	wantLoad(t, New("another name"), "large", nil)
}

func TestDatabaseSurvivesBeingClosedByTheBrowser(t *testing.T) {
	s := New("closed")
	mustSave(t, s, "visit", []byte("likes"))
	s.db.Call("close") // without the store's knowledge
	wantLoad(t, s, "visit", []byte("likes"))
}

func TestDatabaseMakesWayForAnotherTab(t *testing.T) {
	s := New("deleted")
	mustSave(t, s, "visit", []byte("likes"))
	request := js.Global().Get("indexedDB").Call("deleteDatabase", "deleted")
	if event, err := waitFor(request, openTimeout, "success", "error"); event != "success" {
		t.Fatalf("deleting by other code: %q, %v", event, err)
	}
	wantLoad(t, s, "visit", nil)
	mustSave(t, s, "visit", []byte("again"))
	wantLoad(t, s, "visit", []byte("again"))
}

func TestDatabaseServesManyGoroutines(t *testing.T) {
	s := New("many")
	var group sync.WaitGroup
	failed := make(chan error, 20)
	for i := range 20 {
		group.Go(func() {
			key := fmt.Sprint("key ", i%5)
			if err := save(s, key, []byte(key)); err != nil {
				failed <- err
			}
			if b, err := load(s, key); err != nil || string(b) != key {
				failed <- fmt.Errorf("load(%q) = %q, %v", key, b, err)
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
	s := New("foreign")
	err := s.run(func(t js.Value) { t.Call("put", "text", "visit") })
	if err != nil {
		t.Fatal(err)
	}
	if b, err := load(s, "visit"); err == nil {
		t.Errorf("a text under the key was read as the bytes %q", b)
	}
}

func TestFullDiskIsSaidAndNothingIsLost(t *testing.T) {
	s := New("full")
	mustSave(t, s, "visit", []byte("likes"))
	array := make([]byte, 16<<20)
	rand.NewChaCha8([32]byte{}).Read(array) // random, because the browser compresses
	err := save(s, "visit", array)
	if _, ok := errors.AsType[*FullError](err); !ok {
		t.Fatalf("16 MiB into 1 MiB: %v, want a *FullError", err)
	}
	wantLoad(t, s, "visit", []byte("likes"))
}

func TestUnavailableIsSaid(t *testing.T) {
	s := New("nowhere")
	for what, err := range map[string]error{"Open": s.Open(), "Update": save(s, "visit", []byte("likes")),
		"Erase": s.Erase()} {
		if _, ok := errors.AsType[*UnavailableError](err); !ok {
			t.Errorf("%s without IndexedDB: %v; want an *UnavailableError", what, err)
		}
	}
}

// If site data is blocked, some browsers throw when indexedDB is read. A getter that calls structuredClone without an
// argument throws as well.
func TestDatabaseThatThrows(t *testing.T) {
	global := js.Global()
	object := global.Get("Object")
	before := object.Call("getOwnPropertyDescriptor", global, "indexedDB")
	if before.IsUndefined() {
		t.Fatal("indexedDB is not an own property of the window")
	}
	object.Call("defineProperty", global, "indexedDB",
		map[string]any{"configurable": true, "get": global.Get("structuredClone")})
	s := New("forbidden")
	err := s.Open()
	object.Call("defineProperty", global, "indexedDB", before)
	if _, ok := errors.AsType[*UnavailableError](err); !ok {
		t.Fatalf("Open with a throwing indexedDB: %v; want an *UnavailableError", err)
	}
	// Once it can be read again, the store works.
	mustSave(t, s, "visit", []byte("likes"))
}

// Two stores of one name act as two tabs: each adds one to the same number many times, and no addition is lost.
func TestDatabaseUpdatesDoNotOverlap(t *testing.T) {
	tabs := [2]*Store{New("counted"), New("counted")}
	var group sync.WaitGroup
	const times = 50
	for _, s := range tabs {
		group.Go(func() {
			for range times {
				err := s.Update([]string{"n", "other"}, func(values [][]byte) error {
					values[0] = append(bytes.Clone(values[0]), 1)
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	wantLoad(t, tabs[0], "n", bytes.Repeat([]byte{1}, 2*times))
	wantLoad(t, tabs[0], "other", nil)
}

func TestDatabaseWritesAllOrNothing(t *testing.T) {
	s := New("atomic")
	mustSave(t, s, "a", []byte("before"))
	refused := errors.New("refused")
	err := s.Update([]string{"a", "b"}, func(values [][]byte) error {
		values[0], values[1] = []byte("after"), []byte("after")
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("a change that fails gives %v", err)
	}
	wantLoad(t, s, "a", []byte("before"))
	wantLoad(t, s, "b", nil)
}

func TestDatabaseTellsOtherTabs(t *testing.T) {
	s, other := New("told"), New("told")
	heard := make(chan bool, 10)
	other.Listen(func(erased bool) { heard <- erased })
	mustSave(t, s, "visit", []byte("likes"))
	if <-heard {
		t.Error("a change was reported as erasing")
	}
	mustSave(t, s, "visit", []byte("likes")) // no change, so no message
	if err := s.Erase(); err != nil {
		t.Fatal(err)
	}
	if !<-heard {
		t.Error("erasing was reported as a change")
	}
	wantLoad(t, other, "visit", nil)
}

// Other pages of the origin share the channel and the database. Anything they write there is an error of a call, or
// counts as a change to read.
func TestDatabaseSurvivesForeignData(t *testing.T) {
	s, other := New("anything"), New("anything")
	heard := make(chan bool)
	other.Listen(func(erased bool) { heard <- erased })
	global := js.Global()
	foreign := global.Get("BroadcastChannel").New("anything")
	big := global.Get("BigInt").Invoke("10")
	for name, v := range map[string]any{
		"BigInt": big, "object": global.Get("Object").New(), "array": global.Get("Array").New(big),
		"date": global.Get("Date").New(math.NaN()), "map": global.Get("Map").New(), "error": global.Get("Error").New("e"),
		"numbers": global.Get("BigInt64Array").New(2), "null": nil, "undefined": js.Undefined(), "NaN": math.NaN(),
		"true": true, "empty": "", "text": "text", "bytes": global.Get("Uint8Array").New(2), "erased": "erased",
	} {
		foreign.Call("postMessage", v)
		if erased := <-heard; erased != (name == "erased") {
			t.Errorf("%s on the channel: erased is %v", name, erased)
		}
		if err := s.run(func(t js.Value) { t.Call("put", v, "visit") }); err != nil {
			t.Fatal(err)
		}
		b, err := load(s, "visit")
		if ok := name == "bytes" || name == "undefined"; (err == nil) != ok || (b != nil) != (name == "bytes") {
			t.Errorf("%s was read as %q, %v", name, b, err)
		}
		if errorOf(js.ValueOf(v)).Error() == "" && name != "empty" {
			t.Errorf("the error %s has no text", name)
		}
	}
}

// settled waits for the promise and returns its value.
func settled(promise js.Value) js.Value {
	value := make(chan js.Value, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		value <- args[0]
		return nil
	})
	defer then.Release()
	promise.Call("then", then)
	return <-value
}

func TestDatabaseIsGoneOnceErased(t *testing.T) {
	s, other := New("erased"), New("erased")
	mustSave(t, s, "visit", []byte("likes"))
	wantLoad(t, other, "visit", []byte("likes")) // another tab holds it open
	if err := s.Erase(); err != nil {
		t.Fatal(err)
	}
	all := settled(js.Global().Get("indexedDB").Call("databases"))
	for i := range all.Length() {
		if all.Index(i).Get("name").String() == "erased" {
			t.Error("the database still exists")
		}
	}
	mustSave(t, s, "visit", []byte("new likes"))
	wantLoad(t, other, "visit", []byte("new likes"))
}

// A database of that name without our object store is taken over, as if other code had opened it first.
func TestDatabaseOfOtherCode(t *testing.T) {
	request := js.Global().Get("indexedDB").Call("open", "bare")
	if event, err := waitFor(request, openTimeout, "success", "error"); event != "success" {
		t.Fatalf("opening by other code: %q, %v", event, err)
	}
	request.Get("result").Call("close")
	mustSave(t, New("bare"), "visit", []byte("likes"))
	wantLoad(t, New("bare"), "visit", []byte("likes"))
}
