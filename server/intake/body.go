package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// body is the content of a request and the memory that it holds.
type body struct {
	text  []byte
	begin func() // called when its turn begins
	end   func() // called when its turn ends, or if it gets none
}

var (
	errMedia = &Error{http.StatusUnsupportedMediaType,
		"the body must be JSON: send it with Content-Type: application/json"}
	errLarge = &Error{http.StatusRequestEntityTooLarge, fmt.Sprintf("the body is longer than %d bytes", MaxBody)}
	errCut   = &Error{http.StatusBadRequest, "the body is incomplete"}
)

// read reads a body. giveUp is called if others need its memory before it has arrived or, for a small one, before its
// turn.
func (q *Queue) read(ctx context.Context, w http.ResponseWriter, r *http.Request, giveUp func()) (*body, error) {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case !strings.EqualFold(strings.TrimSpace(kind), "application/json"):
		return nil, errMedia
	case r.ContentLength > MaxBody:
		return nil, errLarge
	}
	from := http.MaxBytesReader(w, r.Body, MaxBody)
	if r.ContentLength > small {
		return q.readLarge(ctx, from, nil, r.ContentLength, giveUp)
	}
	size := r.ContentLength
	if size < 0 { // unknown
		size = small
	}
	h := q.small.hold(giveUp)
	if !h.grow(size) {
		return nil, errBusy
	}
	text, whole, err := fill(from, nil, size)
	if whole {
		return &body{text, h.release, h.release}, nil
	}
	defer h.release()
	if err != nil {
		return nil, err
	}
	return q.readLarge(ctx, from, text, MaxBody, giveUp)
}

// readLarge reads the rest of a body of at most size bytes, which starts with begun.
func (q *Queue) readLarge(ctx context.Context, from io.Reader, begun []byte, size int64, giveUp func()) (*body, error) {
	settle, free, ok := q.large.take(ctx, size, giveUp)
	if !ok {
		return nil, errBusy
	}
	text, whole, err := fill(from, begun, size)
	settle()
	if !whole {
		free()
		return nil, err
	}
	return &body{text, func() {}, free}, nil
}

// fill reads the rest after begun. whole is false if it exceeds size bytes; it is then truncated.
func fill(from io.Reader, begun []byte, size int64) (text []byte, whole bool, err error) {
	text = append(make([]byte, 0, size+1), begun...) // one more byte detects the end
	for len(text) < cap(text) {
		n, err := from.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		var large *http.MaxBytesError
		switch {
		case err == io.EOF:
			return text, true, nil
		case errors.As(err, &large):
			return nil, false, errLarge
		case err != nil:
			return nil, false, errCut
		}
	}
	return text, false, nil
}
