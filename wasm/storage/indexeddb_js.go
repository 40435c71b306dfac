//go:build js && wasm

package storage

import (
	"bytes"
	"errors"
	"fmt"
	"syscall/js"
	"time"
)

// table is the database's only object store: bytes by key.
const table = "bytes"

// Timeouts of the browser: for opening the database, which some browsers never do in private windows; and for ending a
// transaction, which may have to wait for another tab.
const (
	openTimeout        = 10 * time.Second
	transactionTimeout = 30 * time.Second
)

// open opens the database. The caller holds mu.
func (s *Store) open() error {
	if err := s.openVersion(); err != nil {
		return err
	}
	if s.db.Get("objectStoreNames").Call("contains", table).Bool() {
		return nil
	}
	// Other code made a database of that name. A new version of it adds the object store.
	version := s.db.Get("version").Int()
	s.closeDatabase()
	return s.openVersion(version + 1)
}

// openVersion opens the database in the given version, or in its current one.
func (s *Store) openVersion(version ...any) error {
	request, err := try(func() js.Value {
		// If site data is blocked, reading indexedDB throws in some browsers and gives null in others. An exception of
		// Value.Call is a panic; one of Value.Get would end the program.
		factory := js.Global().Get("Reflect").Call("get", js.Global(), "indexedDB")
		if !factory.Truthy() {
			panic(js.Error{Value: js.ValueOf("IndexedDB is missing")})
		}
		return factory.Call("open", append([]any{s.name}, version...)...)
	})
	if err != nil {
		return &UnavailableError{Err: err}
	}
	request.Set("onupgradeneeded", upgrader)
	// The event "blocked" means that another tab holds an older version; "success" follows when that tab closes it.
	event, err := waitFor(request, openTimeout, "success", "error")
	if err != nil {
		request.Set("onsuccess", closer) // a late answer must not leave the database open
		return &UnavailableError{Err: err}
	}
	if event == "error" {
		return &UnavailableError{Err: errorOf(request.Get("error"))}
	}
	s.db = request.Get("result")
	// Another tab that wants to delete or upgrade the database must not wait for this one.
	s.db.Set("onversionchange", closer)
	return nil
}

// upgrader creates the object store of a new database. It is never released: the browser may call it long after the
// store stopped waiting, and later visits could not use a database without its object store.
var upgrader = js.FuncOf(func(_ js.Value, args []js.Value) any {
	args[0].Get("target").Get("result").Call("createObjectStore", table)
	return nil
})

// closer closes the event's target: the database, or the result of a request to open it.
var closer = js.FuncOf(func(_ js.Value, args []js.Value) any {
	target := args[0].Get("target")
	if db := target.Get("result"); db.Truthy() {
		target = db
	}
	target.Call("close")
	return nil
})

// transact is Update with the browser's own errors. wrote reports whether anything was written.
func (s *Store) transact(keys []string, change func(values [][]byte) error) (wrote bool, err error) {
	var refused error // error of change, or of the browser during its call
	var t js.Value
	requests := make([]js.Value, len(keys))
	// The last answer comes after all others. Requests made while it is handled belong to the same transaction.
	answer := js.FuncOf(func(js.Value, []js.Value) any {
		refused = exchange(t, keys, requests, change, &wrote)
		if refused != nil {
			try(func() js.Value { return t.Get("transaction").Call("abort") })
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

// exchange reads the results of the requests and writes the values that change leaves.
func exchange(t js.Value, keys []string, requests []js.Value, change func([][]byte) error, wrote *bool) error {
	before, values := make([][]byte, len(keys)), make([][]byte, len(keys))
	for i, r := range requests {
		result := r.Get("result")
		if result.IsUndefined() {
			continue
		}
		if !result.InstanceOf(js.Global().Get("Uint8Array")) {
			return fmt.Errorf("%q holds data that this program did not write", keys[i])
		}
		before[i] = make([]byte, result.Length())
		js.CopyBytesToGo(before[i], result)
		values[i] = before[i]
	}
	if err := change(values); err != nil {
		return err
	}
	_, err := try(func() js.Value {
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

// run calls request in a transaction of its own and waits for its completion. If the database was closed in the
// meantime, by another tab or the browser, run reopens it once.
func (s *Store) run(request func(table js.Value)) error {
	for attempt := 0; ; attempt++ {
		if !s.db.Truthy() {
			if err := s.open(); err != nil {
				return err
			}
		}
		transaction, err := try(func() js.Value {
			// Strict: "complete" comes when the bytes are on the disk, not when the system has accepted them.
			t := s.db.Call("transaction", table, "readwrite", map[string]any{"durability": "strict"})
			request(t.Call("objectStore", table))
			return t
		})
		if e, ok := errors.AsType[*jsError](err); ok && e.Name == "InvalidStateError" && attempt == 0 {
			s.closeDatabase()
			continue
		}
		if err != nil {
			return err
		}
		// No event is lost: none is delivered before this goroutine waits.
		event, err := waitFor(transaction, transactionTimeout, "complete", "abort")
		if err != nil {
			return err
		}
		if event == "abort" {
			return errorOf(transaction.Get("error"))
		}
		return nil
	}
}
