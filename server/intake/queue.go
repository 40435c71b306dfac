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
	MaxBody    = 1 << 20  // bytes of a body
	MaxMarks   = 4096     // entries of a list
	MaxText    = 4096     // bytes of an id or another text
	MaxSmall   = 16 << 20 // bytes of all bodies of up to 16 KiB that arrive or wait for their turn
	MaxLarge   = 8 << 20  // bytes of all larger ones, those that are worked on included
	MaxLeaving = 64 << 20 // bytes of all answers that wait for their clients

	// DefaultWait is how long a question waits for its turn, and a large body for its memory.
	DefaultWait = 2 * time.Second

	small        = 16 << 10         // bytes of a small body
	patience     = time.Second      // how long a large body may take to arrive while others wait for its memory
	writeTimeout = 30 * time.Second // how long a client may take to read an answer
)

// Error is why a request was not let in.
type Error struct {
	Status   int
	Sentence string
}

func (e *Error) Error() string { return e.Sentence }

var errBusy = &Error{http.StatusServiceUnavailable, "too many questions are being worked on; ask again in a second"}

// Queue lets questions in. It is safe for concurrent use.
type Queue struct {
	// One is in turns for each question that is worked on. More than there are processors would only alternate, with
	// the memory of all of them.
	turns chan struct{}
	// One is in largeTurns for each of them with a large body, of which there are half as many, so that the others wait
	// for one of those at most.
	largeTurns chan struct{}
	wait       time.Duration
	waiting    atomic.Int64

	small   *budget // bodies
	large   large   // bodies
	leaving *budget // answers
}

// New returns a queue that works on atOnce questions at once, 0 for one a processor, and has others wait for so long,
// 0 for DefaultWait. It returns an error where one of them is negative.
func New(atOnce int, wait time.Duration) (*Queue, error) {
	if atOnce < 0 || wait < 0 {
		return nil, fmt.Errorf("%d questions at once that wait %v: give numbers from 1, or 0 for the default", atOnce,
			wait)
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

// Working returns how many questions are worked on.
func (q *Queue) Working() int { return len(q.turns) }

// Waiting returns how many questions wait for their turn, or for the memory of their body.
func (q *Queue) Waiting() int { return int(q.waiting.Load() + q.large.waiting.Load()) }

// Turn is a question's time to be worked on.
type Turn struct {
	queue *Queue
	body  *body
}

// Enter reads the body of a POST and waits for the request's turn, which has to be ended by Leave. An error is an
// *Error: 415 for a body that is not said to be JSON, 413 for more than MaxBody bytes, 400 for one that does not come
// whole; 503, with Retry-After set, where there are too many questions or bytes, or the client has gone.
func (q *Queue) Enter(w http.ResponseWriter, r *http.Request) (*Turn, error) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	var givenUp atomic.Bool
	b, err := &body{begin: func() {}, end: func() {}}, error(nil)
	if r.Method == http.MethodPost {
		b, err = q.read(ctx, w, r, func() {
			givenUp.Store(true)
			cancel()
			// Where the writer has no deadlines, as in tests, no read blocks either.
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

// take waits for a turn, of a question with a large body or any other.
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

// Request returns what the body says, as far as the shape goes. An error is an *Error, where the body is not JSON, or
// a *query.Error. O(bytes of the body); memory for the shape's parts of it.
func (t *Turn) Request(shape *query.Shape) (query.JSON, error) {
	return decode(t.body.text, shape, MaxMarks)
}

// Leave ends the turn.
func (t *Turn) Leave() {
	<-t.queue.turns
	if len(t.body.text) > small {
		<-t.queue.largeTurns
	}
	t.body.end()
}

// Send sends an answer. Where others need its memory and it has cost the most, it is cut off.
func (q *Queue) Send(w http.ResponseWriter, status int, answer []byte) {
	// Not every writer has deadlines; the server's own bound holds then.
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTimeout))
	h := q.leaving.hold(func() { _ = control.SetWriteDeadline(time.Unix(1, 0)) })
	defer h.release()
	h.grow(int64(min(len(answer), MaxLeaving)))
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	w.WriteHeader(status)
	_, _ = w.Write(answer) // fails where the client has gone, which needs no report
}
