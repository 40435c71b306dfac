//go:build js && wasm

package storage

import (
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/wasm/internal/await"
)

// table is the one object store of the database: bytes by key.
const table = "bytes"

// patience bounds the wait for the browser to open the database; some never answer in private windows. The page waits
// for it before it shows anything.
const patience = 2 * time.Second

// Store is bytes by key in one database. It is safe for use by several goroutines; their calls run one after the other.
type Store struct {
	name string
	mu   sync.Mutex
	db   js.Value // the open database, or undefined
}

// Open opens the database of that name, and makes it where there is none. Where the browser refuses or does not answer
// it returns an *UnavailableError. It waits for the browser, two seconds at most.
func Open(name string) (*Store, error) {
	s := &Store{name: name}
	if err := s.open(); err != nil {
		return nil, &UnavailableError{Err: err}
	}
	return s, nil
}

// Load returns the bytes of key, or nil where there are none. It waits for the browser.
func (s *Store) Load(key string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []byte
	err := s.transact("readonly", func(t js.Value) js.Value { return t.Call("get", key) }, func(result js.Value) error {
		if result.IsUndefined() {
			return nil
		}
		if !result.InstanceOf(js.Global().Get("Uint8Array")) {
			return errors.New("it holds something that this program did not write")
		}
		found = make([]byte, result.Length())
		js.CopyBytesToGo(found, result)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("what is stored as %q cannot be read: %w", key, err)
	}
	return found, nil
}

// Save stores the bytes under key, and returns nil when the browser has committed them. Where it has no room for them
// Save returns a *FullError, and what was stored before stays. It waits for the browser.
func (s *Store) Save(key string, b []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	err := s.transact("readwrite", func(t js.Value) js.Value { return t.Call("put", array, key) }, nil)
	if e, ok := errors.AsType[*await.Error](err); ok && e.Name == "QuotaExceededError" {
		return &FullError{Key: key, Err: e}
	}
	if err != nil {
		return fmt.Errorf("%q cannot be stored: %w", key, err)
	}
	return nil
}

// Delete removes the bytes of key, where there are any. It waits for the browser.
func (s *Store) Delete(key string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.transact("readwrite", func(t js.Value) js.Value { return t.Call("delete", key) }, nil); err != nil {
		return fmt.Errorf("what is stored as %q cannot be removed: %w", key, err)
	}
	return nil
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

// open opens the database. The caller holds mu, or is alone.
func (s *Store) open() error {
	request, err := await.Try(func() js.Value {
		// Where site data is blocked, the mere look at indexedDB throws in some browsers and is null in others. What a
		// call throws is a panic here; what Value.Get throws would end the program.
		factory := js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB")
		if !factory.Truthy() {
			panic(js.Error{Value: js.ValueOf("there is no IndexedDB")})
		}
		return factory.Call("open", s.name, 1)
	})
	if err != nil {
		return err
	}
	request.Set("onupgradeneeded", upgrader)
	// The event blocked means that another tab holds an older version; it ends when that tab lets go.
	event, err := await.Event(request, patience, "success", "error")
	if err != nil {
		request.Set("onsuccess", closer) // an answer that still comes must not leave the database open
		return err
	}
	if event == "error" {
		return await.ErrorOf(request.Get("error"))
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

// transact runs one request in a transaction of its own, waits until it is complete, and hands over its result. A
// database that was closed meanwhile (by another tab, or by the browser) is opened again, once.
func (s *Store) transact(mode string, request func(table js.Value) js.Value, use func(result js.Value) error) error {
	for attempt := 0; ; attempt++ {
		if !s.db.Truthy() {
			if err := s.open(); err != nil {
				return err
			}
		}
		var result js.Value
		transaction, err := await.Try(func() js.Value {
			// Strict: complete comes when the bytes are on the disk, not when the system has promised to write them.
			t := s.db.Call("transaction", table, mode, map[string]any{"durability": "strict"})
			result = request(t.Call("objectStore", table))
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
		event, err := await.Event(transaction, 0, "complete", "abort")
		if err != nil {
			return err
		}
		if event == "abort" {
			return await.ErrorOf(transaction.Get("error"))
		}
		if use == nil {
			return nil
		}
		return use(result.Get("result"))
	}
}
