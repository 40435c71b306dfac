package query

import "fmt"

// Error is a mistake in a request.
type Error struct {
	Field    string // the option that is wrong; "" where it is the request as a whole
	Sentence string
	Err      error // what Sentence was made of, or nil
}

func (e *Error) Error() string { return e.Sentence }

// Unwrap returns the error that made the option wrong.
func (e *Error) Unwrap() error { return e.Err }

// wrong returns an Error about the field.
func wrong(field, format string, args ...any) *Error {
	return &Error{Field: field, Sentence: fmt.Sprintf(format, args...)}
}
