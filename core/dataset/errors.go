package dataset

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/people"
)

// ParseError describes a fault in one line of a file.
type ParseError struct {
	File   string // path as it was given
	Line   int64  // 1-based, in physical lines
	Column int    // 1-based field; 0: the whole line
	Name   string // the column's name or part; "" where it has none
	Value  string // the text at that place, shortened to 64 bytes, addresses and telephone numbers masked
	Rule   string // the expected form
}

// Error returns one sentence: file, line, column, value, rule, and a remedy.
func (e *ParseError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, line %d", e.File, e.Line)
	switch {
	case e.Column > 0 && e.Name != "":
		fmt.Fprintf(&b, ", column %d (%s)", e.Column, e.Name)
	case e.Column > 0:
		fmt.Fprintf(&b, ", column %d", e.Column)
	case e.Name != "":
		fmt.Fprintf(&b, " (%s)", e.Name)
	}
	fmt.Fprintf(&b, ": %q: %s; correct the line, or have bad lines skipped", e.Value, e.Rule)
	return b.String()
}

// newParseError shortens the value, so the error does not hold on to a line's buffer.
func newParseError(file string, line int64, column int, name string, value []byte, rule string) *ParseError {
	return &ParseError{file, line, column, name, shorten(value), rule}
}

// shorten cuts a text to 64 bytes and masks personal data, since the result is printed and logged.
func shorten(b []byte) string {
	const limit = 64
	b = []byte(people.Mask(string(b[:min(len(b), 8*limit)])))
	if len(b) <= limit {
		return string(b)
	}
	b = b[:limit]
	for len(b) > limit-utf8.UTFMax && !utf8.RuneStart(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return string(b[:len(b)-1]) + "…"
}

// FileError says that a file or a folder cannot be used as a whole.
type FileError struct {
	Path   string
	Reason string // a clause: the fault and the remedy
	Err    error  // the cause, or nil
}

func (e *FileError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("%s: %s: %v", e.Path, e.Reason, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Path, e.Reason)
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// FormatError says that a file's format is unknown, or differs from the one asked for.
type FormatError struct {
	Path   string
	Format string // as asked for; "" where it was to be detected
	Reason string
	Ask    string // the option that would settle it: "format", "delimiter"; "" where none would
}

func (e *FormatError) Error() string {
	if e.Format != "" {
		return fmt.Sprintf("%s: cannot be read as %q: %s", e.Path, brief.Text(e.Format), e.Reason)
	}
	return fmt.Sprintf("%s: %s", e.Path, e.Reason)
}

// ColumnError says that a required column is missing, or that no name identifies it.
type ColumnError struct {
	File     string
	Role     string   // "user", "item", "rating", "time", "title", "id", or "page" for one that is to be published
	Wanted   string   // name or number that was asked for; "" where known names were tried
	Have     []string // the columns there are
	NoHeader bool     // the file has no line of names
}

func (e *ColumnError) Error() string {
	have := fmt.Sprintf("the columns are %s", brief.List(e.Have))
	switch {
	case e.Wanted != "":
		return fmt.Sprintf("%s: there is no column %q for the %s; %s", e.File, brief.Text(e.Wanted), e.Role, have)
	case e.Role == "id":
		return fmt.Sprintf("%s: no column has a name known for the id, and no column holds ids of items; %s: "+
			"name the right one id", e.File, have)
	case e.NoHeader:
		return fmt.Sprintf("%s: the first line holds no known column names, so the column of the %s is not known; "+
			"%s, with the values of the first line in brackets: say which one it is, by number, or by name if these "+
			"are names",
			e.File, e.Role, have)
	}
	return fmt.Sprintf("%s: no column has a name known for the %s; %s: say which one it is, by name or by number",
		e.File, e.Role, have)
}

// QuestionError says that a column is unused but probably should not be. Somebody who knows the file must decide.
type QuestionError struct {
	File   string
	Role   string   // "rating", "time", "title" or "event"
	Column string   // its name, or its number where the file has no names
	Values []string // a few of its values
	Why    string   // a clause, such as: looks like a time
	// of the role "event": a value that no vocabulary has
	Unknown string
}

func (e *QuestionError) Error() string {
	var values []string
	for _, v := range e.Values {
		values = append(values, visible(brief.Text(v)))
	}
	if e.Role == "event" {
		return fmt.Sprintf("%s: the column %q says what each line is, and %q is not known; say which of its values "+
			"are likes, or that all are; there are %s", e.File, brief.Text(e.Column), visible(brief.Text(e.Unknown)),
			strings.Join(values, ", "))
	}
	return fmt.Sprintf("%s: the column %q (%s, …) is not used and %s; say that it is the %s, or that there is none",
		e.File, brief.Text(e.Column), strings.Join(values, ", "), e.Why, e.Role)
}

// LimitError says that a file exceeds a limit of this package.
type LimitError struct {
	File  string
	Line  int64 // 0: not of one line
	What  string
	Limit int64
}

func (e *LimitError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s, line %d", e.File, e.Line)
	}
	return fmt.Sprintf("%s: %s: the limit is %d", where, e.What, e.Limit)
}

// ScaleError says that the ratings fit no scale, so the smallest rating of a positive has no default.
type ScaleError struct {
	File string
	Max  float64
}

func (e *ScaleError) Error() string {
	return fmt.Sprintf("%s: the largest rating is %g, which fits no scale up to 1, 5, 10 or 100; say from which "+
		"rating on an interaction is positive (minimum rating), or that these are not ratings", e.File, e.Max)
}

// EmptyError says that nothing is left to train on, or to test on.
type EmptyError struct {
	Path string
	Test bool   // the test part is empty
	Read Report // what became of the lines
}

func (e *EmptyError) Error() string {
	r := e.Read
	switch {
	case e.Test:
		return fmt.Sprintf("%s: the test part is empty: none of its interactions is a positive of a user and an item "+
			"that were kept, except %d that are also in the training part; check that both parts have the same ids "+
			"and columns, or lower the minima", e.Path, r.InTrain)
	case r.Interactions == 0 && r.Skipped > 0:
		return fmt.Sprintf("%s: all %d lines are bad; the first: %v", e.Path, r.Skipped, r.Examples[0])
	case r.Interactions == 0:
		return fmt.Sprintf("%s: holds no interactions; is it the right file?", e.Path)
	case r.WithheldLikes == r.Interactions:
		return fmt.Sprintf("%s: all %d interactions are with items that are drafts, archived or not published; is the "+
			"catalogue the right file?", e.Path, r.Interactions)
	case r.BelowRating+r.Unrated == r.Interactions-r.Duplicates-r.WithheldLikes-r.OtherLikes:
		return fmt.Sprintf("%s: none of %d interactions has a rating of at least %g (the largest is %g); lower the "+
			"minimum rating", e.Path, r.Interactions, r.MinRating, r.MaxRating)
	}
	return fmt.Sprintf("%s: no interactions are left: of %d, %d were dropped by rating, %d because their user has "+
		"fewer than %d, %d because their item has fewer than %d; lower the minima",
		e.Path, r.Interactions, r.BelowRating+r.Unrated, r.BelowUser, r.MinUser, r.BelowItem, r.MinItem)
}

// NoTimesError says that a split by time was requested for a data set without times.
type NoTimesError struct{ Name string }

func (e *NoTimesError) Error() string {
	return fmt.Sprintf("%s: the interactions have no times, so they cannot be split by time; use folds", e.Name)
}
