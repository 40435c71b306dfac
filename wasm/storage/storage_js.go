//go:build js && wasm

package storage

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/wasm/internal/await"
)

// table is the one object store of the database: bytes by key.
const table = "bytes"

// How long the browser is waited for: to open the database, which some never do in private windows; and to end a
// transaction, which may have to wait for another tab's.
const (
	patience = 10 * time.Second
	eternity = 30 * time.Second
)

// Store is bytes by key in one database. It is safe for use by several goroutines; their calls run one after the other.
type Store struct {
	name    string
	mu      sync.Mutex
	db      js.Value // the open database, or undefined
	channel js.Value // on which tabs tell one another of changes, or undefined
}

// New returns the store of that name. It does not wait: the database is opened, and made where there is none, by the
// first call that needs it.
func New(name string) *Store {
	s := &Store{name: name}
	if channel := js.Global().Get("BroadcastChannel"); channel.Truthy() {
		s.channel, _ = await.Try(func() js.Value { return channel.New(name) }) // refused: tabs look when they are looked at
	}
	return s
}

// Open opens the database, so that a later call need not wait. Where the browser refuses or does not answer it returns
// an *UnavailableError. It waits for the browser, ten seconds at most.
func (s *Store) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db.Truthy() {
		return nil
	}
	return s.open()
}

// Update hands change the bytes of the keys, nil for a key that has none, and stores what change leaves there, nil
// deletes. All happens in one transaction: no other tab comes between, and it is done as a whole or not at all. Where
// change returns an error nothing is stored, and Update returns that error. Update returns nil when the browser has
// committed. change must not wait for anything, nor change the bytes that it is given in place; it may be called twice.
func (s *Store) Update(keys []string, change func(values [][]byte) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wrote, err := s.transact(keys, change)
	if e, ok := errors.AsType[*await.Error](err); ok && e.Name == "QuotaExceededError" {
		return &FullError{Err: e}
	}
	if err == nil && wrote {
		s.tell("changed")
	}
	return err
}

// Erase removes everything, the database itself too. It returns nil when nothing is left that could be read.
func (s *Store) Erase() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The promise is kept by a transaction; that the database then goes as well may have to wait for other tabs.
	if err := s.run(func(t js.Value) { t.Call("clear") }); err != nil {
		return err
	}
	s.closeDatabase()
	s.tell("erased")
	request, err := await.Try(func() js.Value { return js.Global().Get("indexedDB").Call("deleteDatabase", s.name) })
	if err == nil {
		await.Event(request, patience, "success", "error") // what is left is empty
	}
	return nil
}

// Listen calls f in a goroutine when another tab has changed or erased what is stored, and when this one is looked at
// again after it may have missed that.
func (s *Store) Listen(f func(erased bool)) {
	listener := js.FuncOf(func(_ js.Value, args []js.Value) any {
		data := args[0].Get("data")
		go f(data.Type() == js.TypeString && data.String() == "erased")
		return nil
	})
	if s.channel.Truthy() {
		s.channel.Call("addEventListener", "message", listener)
	}
	if page := js.Global().Get("document"); page.Truthy() {
		page.Call("addEventListener", "visibilitychange", listener)
		js.Global().Call("addEventListener", "pageshow", listener)
	}
}

// tell tells the other tabs.
func (s *Store) tell(what string) {
	if s.channel.Truthy() {
		await.Try(func() js.Value { return s.channel.Call("postMessage", what) })
	}
}

// Close closes the database. A later call opens it again.
func (s *Store) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closeDatabase()
}

func (s *Store) closeDatabase() {
	if s.db.Truthy() {
		s.db.Call("close")
	}
	s.db = js.Undefined()
}

// open opens the database. The caller holds mu.
func (s *Store) open() error {
	if err := s.openVersion(); err != nil {
		return err
	}
	if s.db.Get("objectStoreNames").Call("contains", table).Bool() {
		return nil
	}
	// Somebody has made a database of that name, and not this package. A new version of it gets the object store.
	version := s.db.Get("version").Int()
	s.closeDatabase()
	return s.openVersion(version + 1)
}

// openVersion opens the database in a version, or in the one that it has.
func (s *Store) openVersion(version ...any) error {
	request, err := await.Try(func() js.Value {
		// Where site data is blocked, the mere look at indexedDB throws in some browsers and is null in others. What a
		// call throws is a panic here; what Value.Get throws would end the program.
		factory := js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB")
		if !factory.Truthy() {
			panic(js.Error{Value: js.ValueOf("there is no IndexedDB")})
		}
		return factory.Call("open", append([]any{s.name}, version...)...)
	})
	if err != nil {
		return &UnavailableError{Err: err}
	}
	request.Set("onupgradeneeded", upgrader)
	// The event blocked means that another tab holds an older version; it ends when that tab lets go.
	event, err := await.Event(request, patience, "success", "error")
	if err != nil {
		request.Set("onsuccess", closer) // an answer that still comes must not leave the database open
		return &UnavailableError{Err: err}
	}
	if event == "error" {
		return &UnavailableError{Err: await.ErrorOf(request.Get("error"))}
	}
	s.db = request.Get("result")
	// Another tab that wants to delete or upgrade the database must not wait for this one.
	s.db.Set("onversionchange", closer)
	return nil
}

// upgrader makes the object store of a new database. It is never released: the browser may ask for it long after the
// store has given up waiting, and a database without its object store would be of no use to the next visit.
var upgrader = js.FuncOf(func(_ js.Value, args []js.Value) any {
	args[0].Get("target").Get("result").Call("createObjectStore", table)
	return nil
})

// closer closes the database that an event is about: of an opening request, or the database itself.
var closer = js.FuncOf(func(_ js.Value, args []js.Value) any {
	target := args[0].Get("target")
	if db := target.Get("result"); db.Truthy() {
		target = db
	}
	target.Call("close")
	return nil
})

// transact is Update without its words. It tells whether anything was written.
func (s *Store) transact(keys []string, change func(values [][]byte) error) (wrote bool, err error) {
	var refused error // by change, or by the browser while it was called
	var t js.Value
	requests := make([]js.Value, len(keys))
	// The last answer comes after all others. What is asked for while it is handled is of the same transaction.
	answer := js.FuncOf(func(js.Value, []js.Value) any {
		refused = exchange(t, keys, requests, change, &wrote)
		if refused != nil {
			await.Try(func() js.Value { return t.Get("transaction").Call("abort") })
		}
		return nil
	})
	defer answer.Release()
	err = s.run(func(table js.Value) {
		t = table
		for i, key := range keys {
			requests[i] = t.Call("get", key)
		}
		requests[len(keys)-1].Set("onsuccess", answer)
	})
	if refused != nil {
		return false, refused
	}
	return wrote, err
}

// exchange reads what the requests have brought and writes what change makes of it.
func exchange(t js.Value, keys []string, requests []js.Value, change func([][]byte) error, wrote *bool) error {
	before, values := make([][]byte, len(keys)), make([][]byte, len(keys))
	for i, r := range requests {
		result := r.Get("result")
		if result.IsUndefined() {
			continue
		}
		if !result.InstanceOf(js.Global().Get("Uint8Array")) {
			return fmt.Errorf("%q holds something that this program did not write", keys[i])
		}
		before[i] = make([]byte, result.Length())
		js.CopyBytesToGo(before[i], result)
		values[i] = before[i]
	}
	if err := change(values); err != nil {
		return err
	}
	_, err := await.Try(func() js.Value {
		for i, key := range keys {
			switch {
			case (values[i] == nil) == (before[i] == nil) && bytes.Equal(values[i], before[i]):
				continue
			case values[i] == nil:
				t.Call("delete", key)
			default:
				array := js.Global().Get("Uint8Array").New(len(values[i]))
				js.CopyBytesToJS(array, values[i])
				t.Call("put", array, key)
			}
			*wrote = true
		}
		return js.Undefined()
	})
	return err
}

// run has request ask for what it wants in a transaction of its own, and waits until that is complete. A database that
// was closed meanwhile (by another tab, or by the browser) is opened again, once.
func (s *Store) run(request func(table js.Value)) error {
	for attempt := 0; ; attempt++ {
		if !s.db.Truthy() {
			if err := s.open(); err != nil {
				return err
			}
		}
		transaction, err := await.Try(func() js.Value {
			// Strict: complete comes when the bytes are on the disk, not when the system has promised to write them.
			t := s.db.Call("transaction", table, "readwrite", map[string]any{"durability": "strict"})
			request(t.Call("objectStore", table))
			return t
		})
		if e, ok := errors.AsType[*await.Error](err); ok && e.Name == "InvalidStateError" && attempt == 0 {
			s.closeDatabase()
			continue
		}
		if err != nil {
			return err
		}
		// No other goroutine has run and no event has come between the request and the listeners.
		event, err := await.Event(transaction, eternity, "complete", "abort")
		if err != nil {
			return err
		}
		if event == "abort" {
			return await.ErrorOf(transaction.Get("error"))
		}
		return nil
	}
}
