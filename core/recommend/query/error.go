package query

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// Error is a mistake in a request.
type Error struct {
	Field    string // the option that is wrong; "" where it is the request as a whole
	Sentence string
}

func (e *Error) Error() string { return e.Sentence }

// wrong returns an Error about the field. Whatever it repeats of a request has to be brief.
func wrong(field, format string, args ...any) *Error {
	return &Error{Field: brief.Text(field), Sentence: fmt.Sprintf(format, args...)}
}

// TooMany is the mistake of a list, or an object of any names, with more entries than a reader takes. The list is the
// option or a part of it.
func TooMany(option, list string, most int) *Error {
	return wrong(option, "%s has more than %d entries; at most %[2]d are allowed", list, most)
}

// TooLong is the mistake of a text of more bytes than a reader takes, in the option of that name.
func TooLong(option string, most int) *Error {
	return wrong(option, "%s has a text of more than %d bytes", brief.Text(option), most)
}

// Twice is the mistake of an object that has a name twice, in the option of that name.
func Twice(option, name string) *Error {
	return wrong(option, "%q stands there twice: a duplicate", brief.Text(name))
}

// noOption is the mistake of an option that the method does not have.
func noOption(method, name string, options []string) *Error {
	return wrong(name, "%s has no option %q; there are %s", method, brief.Text(name), strings.Join(options, ", "))
}

// noField is the mistake of a field that a part of the rules does not have.
func noField(part, name, fields string) *Error {
	return wrong("rules", "%s has no field %q; there are %s", part, brief.Text(name), fields)
}
