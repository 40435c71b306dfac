package query

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// Error is a mistake in a request.
type Error struct {
	Field    string // the option at fault; "" if it is the whole request
	Sentence string
}

func (e *Error) Error() string { return e.Sentence }

// wrong returns an Error about the field. Shorten any part of a request that it repeats.
func wrong(field, format string, args ...any) *Error {
	return &Error{Field: brief.Text(field), Sentence: fmt.Sprintf(format, args...)}
}

// TooMany is the error for a list or an object in option with more than most entries.
func TooMany(option, list string, most int) *Error {
	return wrong(option, "%s has more than %d entries; at most %[2]d are allowed", list, most)
}

// TooLong is the error for a text in option with more than most bytes.
func TooLong(option string, most int) *Error {
	return wrong(option, "%s has a text of more than %d bytes", brief.Text(option), most)
}

// Twice is the error for an object in option with a duplicate name.
func Twice(option, name string) *Error {
	return wrong(option, "%s is a duplicate", quoted(name))
}

// noOption is the error for an unknown option of a method.
func noOption(method, name string, options []string) *Error {
	return wrong(name, "%s has no option %s; choose from %s", method, quoted(name), strings.Join(options, ", "))
}

// noField is the error for an unknown field in a part of the rules.
func noField(part, name, fields string) *Error {
	return wrong("rules", "%s has no field %s; choose from %s", part, quoted(name), fields)
}

// quoted returns a name as %q does, shortened: an escape has up to four times the bytes of its character.
func quoted(name string) string { return brief.Cut(strconv.Quote(brief.Text(name)), 2*brief.Max) }
