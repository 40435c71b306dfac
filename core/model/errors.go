package model

import "fmt"

// Reason is why a file, or a model that was to be written, was refused.
type Reason uint8

// The reasons.
const (
	Truncated    Reason = iota + 1 // the file ends before it is complete
	Trailing                       // bytes follow the end of the model
	NotAModel                      // the file does not begin as a model file does
	NewerVersion                   // written by a newer version of the program
	BadVersion                     // a version that is no longer read
	BadDigest                      // the content is not the one that was written
	WrongType                      // a value of another msgpack type than the layout says
	UnknownKey                     // a key that the layout does not have
	DuplicateKey                   // a key that stands twice in one map
	MissingKey                     // a key that the layout has and the file has not
	TooLarge                       // a length or count above its limit
	BadText                        // invalid UTF-8, or texts that are not as many as they should be
	WrongShape                     // lengths that do not fit each other
	NotFinite                      // a number that is NaN or infinite
	BadStddev                      // a standard deviation below gaussian.MinStddev
	OutOfRange                     // a number outside its range, or an index that points nowhere
	BadValue                       // a value that is none of those allowed
)

// String returns a few words for people.
func (r Reason) String() string {
	switch r {
	case Truncated:
		return "the file ends too early"
	case Trailing:
		return "there are bytes after the end"
	case NotAModel:
		return "this is not a model file"
	case NewerVersion:
		return "written by a newer version"
	case BadVersion:
		return "written by an older version"
	case BadDigest:
		return "the content is damaged"
	case WrongType:
		return "wrong type"
	case UnknownKey:
		return "unknown key"
	case DuplicateKey:
		return "key given twice"
	case MissingKey:
		return "missing key"
	case TooLarge:
		return "too large"
	case BadText:
		return "bad text"
	case WrongShape:
		return "wrong shape"
	case NotFinite:
		return "not a finite number"
	case BadStddev:
		return "standard deviation too small"
	case OutOfRange:
		return "out of range"
	case BadValue:
		return "value not allowed"
	}
	return fmt.Sprintf("model.Reason(%d)", uint8(r))
}

// Error says why a model could not be read or written. It is a sentence; the parts are for programs.
type Error struct {
	Reason Reason
	Offset int    // where in the file, in bytes; −1 where it is not about a place, and always when writing
	Field  string // where in the layout, "content.items.mean"; "" where it is about the whole file
	Detail string // what was found, what is allowed, what to do
}

func (e *Error) Error() string {
	s := "model: " + e.Reason.String()
	if e.Field != "" {
		s += " in " + e.Field
	}
	if e.Offset >= 0 {
		s += fmt.Sprintf(" at byte %d", e.Offset)
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	return s
}
