// Package tasks runs work alongside the page's events, and holds the render lock.
//
// An event handler holds the lock. Work of more than a few milliseconds runs in a goroutine of its own and takes the
// lock to deliver its result.
package tasks

import (
	"sync"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
)

// Tasks are the page's goroutines. Before Begin, the zero value can do everything that takes no lock.
type Tasks struct {
	env    vugu.EventEnv
	jobs   sync.WaitGroup
	first  sync.WaitGroup // jobs that the first page waits for
	stands chan struct{}  // closed when the page is first rendered; nil: nobody waits for that
}

// Begin takes the page's lock, and reports whether this is the first call.
func (t *Tasks) Begin(env vugu.EventEnv) bool {
	if t.env != nil {
		return false
	}
	t.env = env
	return true
}

// Running reports whether Begin was called.
func (t *Tasks) Running() bool { return t.env != nil }

// Lock takes the render lock.
func (t *Tasks) Lock() { t.env.Lock() }

// Unlock releases the render lock without rendering.
func (t *Tasks) Unlock() { t.env.UnlockOnly() }

// UnlockRender releases the render lock and renders.
func (t *Tasks) UnlockRender() { t.env.UnlockRender() }

// Locked runs f with the render lock, and renders.
func (t *Tasks) Locked(f func()) {
	t.Lock()
	f()
	t.UnlockRender()
}

// Background runs f in a goroutine that Wait and First wait for.
func (t *Tasks) Background(f func()) {
	t.first.Add(1)
	t.start(func() {
		defer t.first.Done()
		f()
	})
}

// Afterwards runs f in a goroutine that Wait waits for, once the page is rendered (Hold, Stand).
func (t *Tasks) Afterwards(f func()) {
	t.start(func() {
		if t.stands != nil {
			<-t.stands
		}
		f()
	})
}

// start runs f in a goroutine that Wait waits for, and counts it for the page's scripts.
func (t *Tasks) start(f func()) {
	browser.Begin()
	t.jobs.Go(func() {
		defer browser.End()
		f()
	})
}

// Aside runs f in a goroutine that Wait does not wait for, since nothing depends on it, and counts it for the page's
// scripts.
func (t *Tasks) Aside(f func()) {
	browser.Begin()
	go func() {
		defer browser.End()
		f()
	}()
}

// Hold makes Afterwards wait for Stand.
func (t *Tasks) Hold() { t.stands = make(chan struct{}) }

// Stand is called when the page is rendered, and may be called again.
func (t *Tasks) Stand() {
	if t.stands != nil {
		close(t.stands)
		t.stands = nil
	}
}

// First returns when all functions given to Background so far are done.
func (t *Tasks) First() { t.first.Wait() }

// Wait returns when nothing is being computed or stored. It is called without the render lock.
func (t *Tasks) Wait() { t.jobs.Wait() }
