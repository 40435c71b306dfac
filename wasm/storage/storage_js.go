//go:build js && wasm

package storage

import (
	"errors"
	"sync"
	"syscall/js"
)

// Store is bytes by key in one database. Several goroutines may use it; their calls run one after the other.
type Store struct {
	name    string
	mu      sync.Mutex
	db      js.Value // the open database, or undefined
	channel js.Value // on which tabs tell one another of changes, or undefined
}

// New returns the store of that name. It does not wait: the first call that needs the database opens or creates it.
func New(name string) *Store {
	s := &Store{name: name}
	if channel := js.Global().Get("BroadcastChannel"); channel.Truthy() {
		// Where it is refused, tabs read again when the visitor comes back to them (Listen).
		s.channel, _ = try(func() js.Value { return channel.New(name) })
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
	if e, ok := errors.AsType[*jsError](err); ok && e.Name == "QuotaExceededError" {
		return &FullError{Err: e}
	}
	if err == nil && wrote {
		s.broadcast("changed")
	}
	return err
}

// Erase removes everything, the database itself too. It returns nil when nothing is left that could be read.
func (s *Store) Erase() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// After this transaction nothing is left; deleting the database itself may have to wait for other tabs.
	if err := s.run(func(t js.Value) { t.Call("clear") }); err != nil {
		return err
	}
	s.closeDatabase()
	s.broadcast("erased")
	request, err := try(func() js.Value { return js.Global().Get("indexedDB").Call("deleteDatabase", s.name) })
	if err == nil {
		waitFor(request, openTimeout, "success", "error") // a database that is left is empty
	}
	return nil
}

// Listen calls f in a goroutine when another tab has changed or erased what is stored, and when this one is looked at
// again after it may have missed that.
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

// broadcast tells the other tabs what was done.
func (s *Store) broadcast(what string) {
	if s.channel.Truthy() {
		try(func() js.Value { return s.channel.Call("postMessage", what) })
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
