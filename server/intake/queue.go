package intake

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// Bounds of requests.
const (
	MaxBody    = 1 << 20  // bytes in a body
	MaxMarks   = 4096     // entries in a list
	MaxText    = 4096     // bytes in an id or another text
	MaxSmall   = 16 << 20 // total bytes of small bodies (up to 16 KiB) that arrive or wait
	MaxLarge   = 8 << 20  // total bytes of larger bodies, including those being computed
	MaxLeaving = 64 << 20 // total bytes of answers that wait for their clients

	// DefaultWait is the maximum wait of a question for its turn, and of a large body for its memory.
	DefaultWait = 2 * time.Second

	small        = 16 << 10         // maximum bytes of a small body
	patience     = time.Second      // maximum time of a large body to arrive while others wait for memory
	writeTimeout = 30 * time.Second // maximum time of a client to read an answer
)

// Error is the reason why a request was not admitted.
type Error struct {
	Status   int
	Sentence string
}

func (e *Error) Error() string { return e.Sentence }

var errBusy = &Error{http.StatusServiceUnavailable, "the server is busy; try again in a second"}

// Queue admits questions. It is safe for concurrent use.
type Queue struct {
	// An element for each question being computed. More than one per processor would only alternate, each with its
	// memory.
	turns chan struct{}
	// An element for each of them with a large body. There are half as many, so that other questions get a turn.
	largeTurns chan struct{}
	wait       time.Duration
	waiting    atomic.Int64

	small   *budget // bodies
	large   large   // bodies
	leaving *budget // answers
}

// New returns a queue that computes atOnce questions in parallel, 0 for one per processor, and makes others wait up to
// wait, 0 for DefaultWait. Negative arguments are errors.
func New(atOnce int, wait time.Duration) (*Queue, error) {
	if atOnce < 0 || wait < 0 {
		return nil, fmt.Errorf("%d questions at once and a wait of %v: set positive values, or 0 for the default",
			atOnce, wait)
	}
	if atOnce == 0 {
		atOnce = runtime.GOMAXPROCS(0)
	}
	if wait == 0 {
		wait = DefaultWait
	}
	return &Queue{
		turns:      make(chan struct{}, atOnce),
		largeTurns: make(chan struct{}, max(1, atOnce/2)),
		wait:       wait,
		small:      newBudget(MaxSmall),
		large:      large{free: semaphore.NewWeighted(MaxLarge), wait: wait, patience: patience},
		leaving:    newBudget(MaxLeaving),
	}, nil
}

// Working returns the number of questions being computed.
func (q *Queue) Working() int { return len(q.turns) }

// Waiting returns the number of questions that wait for a turn or for memory.
func (q *Queue) Waiting() int { return int(q.waiting.Load() + q.large.waiting.Load()) }

// Turn is a question's time to be computed.
type Turn struct {
	queue *Queue
	body  *body
}

// Enter reads the body of a POST and waits for the request's turn, which must be ended by Leave. An error is an *Error:
// 415 for a body not declared as JSON, 413 for more than MaxBody bytes, 400 for an incomplete one; 503, with
// Retry-After set, for too many questions or bytes, or a client that has left.
func (q *Queue) Enter(w http.ResponseWriter, r *http.Request) (*Turn, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var givenUp atomic.Bool
	b, err := &body{begin: func() {}, end: func() {}}, error(nil)
	if r.Method == http.MethodPost {
		b, err = q.read(ctx, w, r, func() {
			givenUp.Store(true)
			cancel()
			// If the writer has no deadlines, as in tests, reads do not block either.
			_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
		})
	}
	if err == nil {
		err = q.take(ctx, len(b.text) > small)
		if err == nil {
			b.begin()
			return &Turn{q, b}, nil
		}
		b.end()
	}
	if givenUp.Load() {
		err = errBusy
	}
	if err == errBusy {
		w.Header().Set("Retry-After", "1")
	}
	return nil, err
}

// take waits for a turn.
func (q *Queue) take(ctx context.Context, large bool) error {
	ctx, cancel := context.WithTimeout(ctx, q.wait)
	defer cancel()
	q.waiting.Add(1)
	defer q.waiting.Add(-1)
	if large {
		select {
		case q.largeTurns <- struct{}{}:
		case <-ctx.Done():
			return errBusy
		}
	}
	select {
	case q.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
	}
	if large {
		<-q.largeTurns
	}
	return errBusy
}

// Request decodes the body as far as the shape covers it. An error is an *Error if the body is not JSON, or a
// *query.Error. O(bytes of the body); memory for the shape's parts of it.
func (t *Turn) Request(shape *query.Shape) (query.JSON, error) {
	return decode(t.body.text, shape, MaxMarks)
}

func (t *Turn) Leave() {
	<-t.queue.turns
	if len(t.body.text) > small {
		<-t.queue.largeTurns
	}
	t.body.end()
}

// Send sends an answer. If others need its memory and it is the costliest, it is cut off.
func (q *Queue) Send(w http.ResponseWriter, status int, answer []byte) {
	// Some writers have no deadlines; the server's own bound applies then.
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
	h := q.leaving.hold(func() { _ = control.SetWriteDeadline(time.Unix(1, 0)) })
	defer h.release()
	h.grow(int64(min(len(answer), MaxLeaving)))
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	w.WriteHeader(status)
	_, _ = w.Write(answer) // fails if the client has left, which is fine
}
