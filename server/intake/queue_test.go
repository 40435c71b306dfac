package intake

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/server"
)

func newQueue(t *testing.T, atOnce int, wait time.Duration) *Queue {
	t.Helper()
	q, err := New(atOnce, wait)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// answer returns a handler that answers POST with the number of likes.
func answer(q *Queue) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		turn, err := q.Enter(w, r)
		if err != nil {
			status := http.StatusInternalServerError
			if refused, ok := errors.AsType[*Error](err); ok {
				status = refused.Status
			}
			q.Send(w, status, []byte(err.Error()))
			return
		}
		defer turn.Leave()
		v, err := turn.Request(query.RequestShape())
		if err != nil {
			q.Send(w, http.StatusBadRequest, []byte(err.Error()))
			return
		}
		q.Send(w, http.StatusOK, fmt.Append(nil, v.Field("likes").Len()))
	})
}

// post returns the answer of h to a body.
func post(h http.Handler, body io.Reader) (int, string) {
	r := httptest.NewRequest("POST", "/", body)
	r.Header.Set("Content-Type", "Application/JSON ; charset=utf-8")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// likes returns a body of exactly this many bytes, 20 or more, with one like.
func likes(bytes int) string { return `{"likes": ["x"]}` + strings.Repeat(" ", bytes-16) }

// Bodies with lengths around the bounds, declared or not, arrive complete.
func TestBodiesArriveComplete(t *testing.T) {
	q := newQueue(t, 1, 0)
	for _, n := range []int{20, 100, small - 1, small, small + 1, 4 * small, MaxBody - 1, MaxBody} {
		for name, body := range map[string]io.Reader{
			"said": strings.NewReader(likes(n)), "not said": io.MultiReader(strings.NewReader(likes(n))),
		} {
			if status, got := post(answer(q), body); status != 200 || got != "1" {
				t.Errorf("%d bytes, %s: %d %s", n, name, status, got)
			}
		}
	}
	for name, body := range map[string]io.Reader{
		"said": strings.NewReader(likes(MaxBody + 1)), "not said": io.MultiReader(strings.NewReader(likes(MaxBody + 1))),
	} {
		if status, got := post(answer(q), body); status != 413 || !strings.Contains(got, "longer than 1048576") {
			t.Errorf("too long, %s: %d %s", name, status, got)
		}
	}
	broken := io.MultiReader(strings.NewReader(likes(100)), failing{})
	if status, got := post(answer(q), broken); status != 400 || !strings.Contains(got, "the body is incomplete") {
		t.Errorf("broken: %d %s", status, got)
	}
	r := httptest.NewRequest("POST", "/", strings.NewReader("{}"))
	r.Header.Set("Content-Type", "text/plain")
	w := httptest.NewRecorder()
	if answer(q).ServeHTTP(w, r); w.Code != 415 {
		t.Errorf("no JSON: %d", w.Code)
	}
	empty(t, q)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("it broke") }

// free reports whether large bodies could use this many more bytes.
func free(q *Queue, bytes int64) bool {
	ok := q.large.free.TryAcquire(bytes)
	if ok {
		q.large.free.Release(bytes)
	}
	return ok
}

// empty checks that nothing in q is in use.
func empty(t *testing.T, q *Queue) {
	t.Helper()
	if q.Working() != 0 || q.Waiting() != 0 || len(q.largeTurns) != 0 || q.small.bytes != 0 || q.leaving.bytes != 0 ||
		!free(q, MaxLarge) {
		t.Errorf("left: %d turns, %d waiting, %d large turns, %d and %d bytes", q.Working(), q.Waiting(), len(q.largeTurns),
			q.small.bytes, q.leaving.bytes)
	}
}

// serve serves h on a real network until the test ends.
func serve(t *testing.T, h http.Handler) (address string) {
	t.Helper()
	l, err := server.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { _ = server.Serve(ctx, l, h, server.Limits{}, slog.New(slog.DiscardHandler)) })
	t.Cleanup(func() { cancel(); done.Wait() })
	return l.Addr().String()
}

// begin sends a body without its last byte, and returns the connection.
func begin(t *testing.T, address, body string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body),
		body[:len(body)-1])
	return c
}

// status reads an answer.
func status(t *testing.T, c net.Conn) (int, http.Header) {
	t.Helper()
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, resp.Header
}

// until waits for a state.
func until(t *testing.T, state func() bool) {
	t.Helper()
	for !state() {
		time.Sleep(time.Millisecond)
	}
}

// Incomplete bodies hold no turn: the only one answers others. They are answered once complete.
func TestSlowBodiesHoldNoTurn(t *testing.T) {
	q := newQueue(t, 1, time.Minute)
	h := answer(q)
	address := serve(t, h)
	var slow []net.Conn
	held := 0
	for _, n := range []int{20, small, small + 1, MaxBody} {
		slow = append(slow, begin(t, address, likes(n)))
		if n <= small {
			held += n
		}
	}
	until(t, func() bool { return q.small.used() == int64(held) && !free(q, MaxLarge-MaxBody) })
	for _, n := range []int{20, small + 1} {
		if status, got := post(h, strings.NewReader(likes(n))); status != 200 {
			t.Errorf("%d bytes, meanwhile: %d %s", n, status, got)
		}
	}
	if q.Working() != 0 {
		t.Errorf("incomplete bodies hold %d turns", q.Working())
	}
	for _, c := range slow {
		_, _ = io.WriteString(c, " ")
		if code, _ := status(t, c); code != 200 {
			t.Errorf("a slow body: %d", code)
		}
	}
	until(t, func() bool { return q.Working() == 0 })
	empty(t, q)
}

// If memory runs out, an incomplete body is rejected for a new one, small or large.
func TestSlowBodiesAreGivenUp(t *testing.T) {
	for _, c := range []struct{ slow, bytes int }{{2, small / 2}, {1, MaxBody}} {
		q := newQueue(t, 1, time.Minute)
		q.small.max = small
		q.large.free, q.large.patience = semaphore.NewWeighted(MaxBody), time.Millisecond
		h := answer(q)
		address := serve(t, h)
		refused := make(chan bool)
		var all []net.Conn
		for range c.slow {
			slow := begin(t, address, likes(c.bytes))
			all = append(all, slow)
			go func() {
				resp, err := http.ReadResponse(bufio.NewReader(slow), nil)
				refused <- err == nil && resp.StatusCode == 503 && resp.Header.Get("Retry-After") != ""
			}()
		}
		until(t, func() bool { return q.small.used() == small || !free(q, MaxBody) })
		if status, got := post(h, strings.NewReader(likes(c.bytes))); status != 200 {
			t.Errorf("%d bytes: %d %s", c.bytes, status, got)
		}
		if !<-refused {
			t.Errorf("%d bytes: a slow body was not rejected with 503", c.bytes)
		}
		for i, slow := range all {
			if slow.Close(); i > 0 {
				<-refused
			}
		}
		until(t, func() bool { return q.small.used() == 0 && free(q, MaxBody) })
	}
}

// Concurrent large bodies hold a bounded number of bytes, and all are answered.
func TestLargeBodiesWait(t *testing.T) {
	q := newQueue(t, 2, time.Minute)
	q.large.patience = time.Hour
	h := answer(q)
	var all sync.WaitGroup
	for range 64 {
		all.Go(func() {
			if status, got := post(h, strings.NewReader(likes(MaxBody))); status != 200 {
				t.Errorf("%d %s", status, got)
			}
		})
	}
	all.Wait()
	empty(t, q)
}

// Large questions leave turns to others: they get one of two.
func TestLargeQuestionsLeaveTurnsToOthers(t *testing.T) {
	q := newQueue(t, 2, time.Millisecond)
	enter := func(n int) (*Turn, error) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(likes(n)))
		r.Header.Set("Content-Type", "application/json")
		return q.Enter(httptest.NewRecorder(), r)
	}
	first, err := enter(MaxBody)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := enter(MaxBody); err != errBusy {
		t.Errorf("a second large question: %v", err)
	}
	other, err := enter(100)
	if err != nil {
		t.Errorf("a small question next to a large one: %v", err)
	}
	if _, err := enter(100); err != errBusy {
		t.Errorf("a third question for two turns: %v", err)
	}
	first.Leave()
	other.Leave()
	empty(t, q)
}

// A client that has left does not wait.
func TestGoneClientsDoNotWait(t *testing.T) {
	q := newQueue(t, 1, time.Hour)
	r := httptest.NewRequest("GET", "/", nil)
	first, err := q.Enter(httptest.NewRecorder(), r)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	if _, err := q.Enter(w, r.WithContext(ctx)); err != errBusy || w.Header().Get("Retry-After") == "" {
		t.Errorf("two turns of one: %v, %v", err, w.Header())
	}
	first.Leave()
	empty(t, q)
}

// stuck is a writer whose client does not read before its deadline.
type stuck struct {
	http.ResponseWriter
	writing chan struct{}
	cut     chan struct{}
}

func (s *stuck) Write([]byte) (int, error) {
	close(s.writing)
	<-s.cut
	return 0, errors.New("too late")
}

func (s *stuck) SetWriteDeadline(at time.Time) error {
	if at.Before(time.Now()) {
		close(s.cut)
	}
	return nil
}

// If unread answers hold all memory, the costliest is cut off for the next one.
func TestUnreadAnswersAreCutOff(t *testing.T) {
	q := newQueue(t, 1, 0)
	q.leaving.max = 100
	var unread sync.WaitGroup
	w := &stuck{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	unread.Go(func() { q.Send(w, 200, make([]byte, 80)) })
	<-w.writing
	got := httptest.NewRecorder()
	q.Send(got, 200, bytes.Repeat([]byte("x"), 30))
	unread.Wait()
	if got.Body.Len() != 30 {
		t.Errorf("the answer that was read has %d bytes", got.Body.Len())
	}
	empty(t, q)
}

func TestOptionsAreChecked(t *testing.T) {
	for _, o := range []struct {
		atOnce int
		wait   time.Duration
	}{{-1, 0}, {0, -1}} {
		if _, err := New(o.atOnce, o.wait); err == nil || !strings.Contains(err.Error(), "positive values") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
