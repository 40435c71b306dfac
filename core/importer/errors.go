package importer

import (
	"errors"
	"strconv"
)

type Reason uint8

// The kinds of errors.
const (
	TooLarge     Reason = iota // more than MaxBytes, packed or unpacked
	TooManyRows                // more than maxRows
	TooManyParts               // columns of a row, or files of a zip
	FieldTooLong               // above maxField
	OpenQuote                  // a quoted field does not end
	NotText                    // an unsupported kind of file
	NoTitle                    // a table without a column of titles or of known numbers
	ManyPeople                 // the rows have several users
	Empty                      // a table without rows
	ZipDamaged                 //
	ZipLocked                  // encrypted, or packed with an unsupported method
	ZipWithout                 // a zip without a table
	RowTooLong                 // a row has more fields than the header
	NoName                     // a row has neither a title nor a number
	NotARating                 // a rating is not a number of the scale
)

var reasons = [...]string{
	TooLarge:     "the files hold more than 32 MB, the limit",
	TooManyRows:  "there are more than 100,000 rows; keep only the ratings of one person",
	TooManyParts: "too many columns or files for an export of ratings",
	FieldTooLong: "a field is longer than 1 MB; is a quote missing?",
	OpenQuote:    "a quote opens here and is not closed",
	NotText:      "this kind of file is not supported; save or export it as CSV",
	NoTitle:      "there is no column of titles",
	ManyPeople:   "this holds the ratings of several people; keep the rows of one",
	Empty:        "the table has no rows",
	ZipDamaged:   "the zip is damaged; download it again",
	ZipLocked:    "the zip is locked or packed in an unusual way; unpack it first",
	ZipWithout:   "the zip does not contain a table of ratings",
	RowTooLong:   "the row has more fields than the header",
	NoName:       "the row has no title",
	NotARating:   "this is not a rating",
}

// Error makes a Reason an error inside the package, before its place is known.
func (r Reason) Error() string { return reasons[r] }

func (r Reason) String() string { return reasons[r] }

// Error says what is wrong with a file or a row, and where.
type Error struct {
	Reason Reason
	File   string // its name; in a zip after the zip's: "export.zip/ratings.csv"
	Line   int    // from 1; 0: the whole file
	Column string // the column's name; "": the whole row
	Value  string // the text at fault, shortened, or ""
}

func (e *Error) Error() string {
	s := e.File
	if e.Line > 0 {
		s += ", line " + strconv.Itoa(e.Line)
	}
	if e.Column != "" {
		s += ", column " + e.Column
	}
	s += ": " + e.Reason.String()
	if e.Value != "" {
		s += " (" + e.Value + ")"
	}
	return s
}

// AsError returns the *Error in err, or nil.
func AsError(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}
