//go:build !js

package server

import (
	"container/list"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Limits bound the concurrent resources of [Serve]'s clients. In both, 0 means no bound.
//
// A connection is busy from the end of a request's header to the end of its answer. It is quiet one second after it was
// opened or last answered. Closing a quiet connection is harmless: the client opens another one.
//
//   - If Connections are open and one more arrives, a quiet one is closed: the longest quiet one of the client with
//     the most quiet connections. A client with thousands of idle or very slow connections thus loses its own first.
//   - Busy connections are never closed to make room. If none is quiet, new ones wait in the system's queue.
//   - A request of a client that already has PerAddress busy connections gets 503 with Retry-After, so that one
//     client's slow downloads cannot take every connection.
//
// A client is an IPv4 address, or the /64 network of an IPv6 address. Behind a proxy all visitors are one client, so
// PerAddress must be 0 there.
type Limits struct {
	Connections int
	PerAddress  int
}

// DefaultLimits are the limits of the command serve. core/lab/docs/server.md has measurements.
var DefaultLimits = Limits{Connections: 4096, PerAddress: 512}

const (
	// retryAfter is the time in seconds after which a refused client may ask again: about the duration of a first
	// visit.
	retryAfter = 5
	// timeToAsk is the time that a connection has for a request, from its start and after each answer, before it counts
	// as quiet. Without it, under load each connection would be closed for the next before its request was read.
	timeToAsk = time.Second
	// warnEvery is the minimum time between log lines about waiting connections.
	warnEvery = time.Minute
)

// limiter is a listener that enforces Limits. The server reports changes of connections to track, and asks guard before
// it answers a request.
type limiter struct {
	net.Listener
	limits    Limits
	log       *slog.Logger
	timeToAsk time.Duration // the constant, except in tests

	mu      sync.Mutex
	changed *sync.Cond // a connection was closed or became the first of fresh, or the listener was closed
	conns   map[net.Conn]*conn
	fresh   list.List // of *conn: neither busy nor quiet yet; the first becomes quiet next
	clients map[netip.Prefix]*client
	byQuiet byQuiet // all clients
	closed  bool
	warned  time.Time
}

// conn is a connection. It is in one of three lists: fresh, or its client's busy or quiet list.
type conn struct {
	net.Conn
	client  *client
	in      *list.List    // nil once closed
	at      *list.Element // in in
	quietAt time.Time     // when it becomes quiet
	refused bool          // the client had its maximum of busy connections
}

func newLimiter(l net.Listener, limits Limits, log *slog.Logger) (*limiter, error) {
	if limits.Connections < 0 || limits.PerAddress < 0 {
		return nil, fmt.Errorf("the limits are %d connections and %d of an address: set numbers from 1, or 0 for no "+
			"limit", limits.Connections, limits.PerAddress)
	}
	m := &limiter{
		Listener:  l,
		limits:    limits,
		log:       log,
		timeToAsk: timeToAsk,
		conns:     map[net.Conn]*conn{},
		clients:   map[netip.Prefix]*client{},
	}
	m.changed = sync.NewCond(&m.mu)
	return m, nil
}

// Accept returns the next connection as soon as there is room for it.
func (m *limiter) Accept() (net.Conn, error) {
	c, err := m.Listener.Accept()
	if err != nil {
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
			// The system allows fewer connections than the limit. The server tries again soon.
			m.mu.Lock()
			m.closeQuiet()
			m.mu.Unlock()
		}
		return nil, err
	}
	c = newCounted(c)
	if !m.admit(c) {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	return c, nil
}

// Close closes the listener, not the connections.
func (m *limiter) Close() error {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
	m.changed.Signal()
	return m.Listener.Close()
}

// admit makes room for c and counts it. It returns false if the listener was closed in the meantime.
func (m *limiter) admit(c net.Conn) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.limits.Connections > 0 && len(m.conns) >= m.limits.Connections && !m.closeQuiet() {
		if m.closed {
			return false
		}
		m.wait()
	}
	key := clientOf(c.RemoteAddr())
	owner := m.clients[key]
	if owner == nil {
		owner = &client{key: key}
		m.clients[key] = owner
		m.byQuiet.add(owner)
	}
	owner.open++
	entry := &conn{Conn: c, client: owner}
	m.conns[c] = entry
	m.moveToSpared(entry)
	return true
}

// wait returns when a connection was closed or may have become quiet, or the listener was closed.
func (m *limiter) wait() {
	if first := m.fresh.Front(); first != nil {
		wake := time.AfterFunc(time.Until(first.Value.(*conn).quietAt), func() {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.changed.Signal()
		})
		defer wake.Stop()
	} else if now := time.Now(); now.Sub(m.warned) >= warnEvery {
		m.warned = now
		m.log.Warn("all connections are busy: new ones wait", "connections", len(m.conns))
	}
	m.changed.Wait()
}

// closeQuiet closes a quiet connection, if there is one.
func (m *limiter) closeQuiet() bool {
	now := time.Now()
	for e := m.fresh.Front(); e != nil && !e.Value.(*conn).quietAt.After(now); e = m.fresh.Front() {
		c := e.Value.(*conn)
		m.move(c, &c.client.quiet)
	}
	if len(m.byQuiet) == 0 || m.byQuiet[0].quiet.Len() == 0 {
		return false
	}
	c := m.byQuiet[0].quiet.Front().Value.(*conn)
	m.forget(c)
	_ = c.Close()
	return true
}

// move appends c to another list, or to none.
func (m *limiter) move(c *conn, to *list.List) {
	if c.in != nil {
		c.in.Remove(c.at)
	}
	if c.in = to; to != nil {
		c.at = to.PushBack(c)
	}
	m.byQuiet.fix(c.client)
}

func (m *limiter) moveToSpared(c *conn) {
	c.quietAt = time.Now().Add(m.timeToAsk)
	m.move(c, &m.fresh)
	if m.fresh.Len() == 1 {
		m.changed.Signal()
	}
}

func (m *limiter) forget(c *conn) {
	m.move(c, nil)
	delete(m.conns, c.Conn)
	m.changed.Signal()
	c.client.open--
	if c.client.open == 0 {
		m.byQuiet.remove(c.client)
		delete(m.clients, c.client.key)
	}
}

// track is the server's ConnState. It ignores connections that were closed to make room.
func (m *limiter) track(nc net.Conn, state http.ConnState) {
	if h, ok := nc.(*counted); ok && state == http.StateActive {
		h.end()
	} else if ok && state == http.StateIdle {
		h.begin()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.conns[nc]
	if c == nil {
		return
	}
	switch state {
	case http.StateActive:
		if m.limits.PerAddress > 0 && c.client.busy.Len() >= m.limits.PerAddress {
			// Not counted as busy: a client that does not read its refusal takes no slot.
			c.refused = true
			m.moveToSpared(c)
			return
		}
		m.move(c, &c.client.busy)
	case http.StateIdle:
		m.moveToSpared(c)
	case http.StateClosed, http.StateHijacked:
		m.forget(c)
	}
}

type connKey struct{}

// withConn is the server's ConnContext: it lets guard find a request's connection, which is nil if already closed.
func (m *limiter) withConn(ctx context.Context, nc net.Conn) context.Context {
	m.mu.Lock()
	defer m.mu.Unlock()
	return context.WithValue(ctx, connKey{}, m.conns[nc])
}

// guard answers requests that track refused, and passes others to next.
func (m *limiter) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := r.Context().Value(connKey{}).(*conn)
		m.mu.Lock()
		closed, refused := c == nil || c.in == nil, c != nil && c.refused
		m.mu.Unlock()
		switch {
		case closed: // to make room, while the request was being read
			panic(http.ErrAbortHandler)
		case refused:
			refuse(w)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func refuse(w http.ResponseWriter) {
	h := w.Header()
	setSecurity(h)
	h.Set("Retry-After", strconv.Itoa(retryAfter))
	h.Set("Connection", "close") // a refused connection gets one answer
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, "Your network has too many downloads in progress. Try again in a few seconds.\n")
}
