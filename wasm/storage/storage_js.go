//go:build js && wasm

package storage

import (
	"errors"
	"sync"
	"syscall/js"
)

// Store holds bytes by key in one database. Concurrent calls run one after the other.
type Store struct {
	name    string
	mu      sync.Mutex
	db      js.Value // the open database, or undefined
	channel js.Value // notifies the other tabs of changes; or undefined
}

// New returns the store of that name. It does not wait: the first call that needs the database opens or creates it.
func New(name string) *Store {
	s := &Store{name: name}
	if channel := js.Global().Get("BroadcastChannel"); channel.Truthy() {
		// Without a channel, tabs read again when the visitor returns to them (Listen).
		s.channel, _ = try(func() js.Value { return channel.New(name) })
	}
	return s
}

// Open opens the database, so that later calls need not wait. It returns an *UnavailableError if the browser refuses or
// does not answer within ten seconds.
func (s *Store) Open() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db.Truthy() {
		return nil
	}
	return s.open()
}

// Update passes change the bytes of the keys, nil for missing ones, and stores the values that change leaves; nil
// deletes. It runs in one transaction, atomic and isolated from other tabs. If change returns an error, nothing is
// stored and Update returns that error. It returns nil once the browser has committed. change must not wait for
// anything or modify the given bytes in place, and may be called twice.
func (s *Store) Update(keys []string, change func(values [][]byte) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	wrote, err := s.transact(keys, change)
	if e, ok := errors.AsType[*jsError](err); ok && e.Name == "QuotaExceededError" {
		return &FullError{Err: e}
	}
	if err == nil && wrote {
		s.broadcast("changed")
	}
	return err
}

// Erase deletes everything, including the database. It returns nil once no data can be read any more.
func (s *Store) Erase() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// This transaction empties the store; deleting the database itself may have to wait for other tabs.
	if err := s.run(func(t js.Value) { t.Call("clear") }); err != nil {
		return err
	}
	s.closeDatabase()
	s.broadcast("erased")
	request, err := try(func() js.Value { return js.Global().Get("indexedDB").Call("deleteDatabase", s.name) })
	if err == nil {
		waitFor(request, openTimeout, "success", "error") // a database that remains is empty
	}
	return nil
}

// Listen calls f in a goroutine when another tab has changed or erased the store, and when this tab becomes visible
// again after it may have missed a change.
func (s *Store) Listen(f func(erased bool)) {
	listener := js.FuncOf(func(_ js.Value, args []js.Value) any {
		// Other pages of the origin can send anything on the channel.
		go f(args[0].Get("data").Equal(js.ValueOf("erased")))
		return nil
	})
	if s.channel.Truthy() {
		s.channel.Call("addEventListener", "message", listener)
	}
	if page := js.Global().Get("document"); page.Truthy() {
		back := js.FuncOf(func(js.Value, []js.Value) any {
			if page.Get("visibilityState").String() == "visible" {
				go f(false)
			}
			return nil
		})
		page.Call("addEventListener", "visibilitychange", back)
		js.Global().Call("addEventListener", "pageshow", back)
	}
}

// broadcast sends a message to the other tabs.
func (s *Store) broadcast(what string) {
	if s.channel.Truthy() {
		try(func() js.Value { return s.channel.Call("postMessage", what) })
	}
}

// Close closes the database. A later call reopens it.
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
