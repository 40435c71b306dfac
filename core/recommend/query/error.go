package query

import "fmt"

// Error is a mistake in a request.
type Error struct {
	Field    string // the option that is wrong; "" where it is the request as a whole
	Sentence string
}

func (e *Error) Error() string { return e.Sentence }

// wrong returns an Error about the field.
func wrong(field, format string, args ...any) *Error {
	return &Error{Field: field, Sentence: fmt.Sprintf(format, args...)}
}
