package model

import "fmt"

// Reason is the reason why a file, or a model to be written, was refused.
type Reason uint8

const (
	Truncated    Reason = iota + 1 // the file ends before it is complete
	Trailing                       // bytes follow the end of the model
	NotAModel                      // bad magic
	NewerVersion                   // written by a newer version of the program
	BadVersion                     // a version that is no longer read
	BadDigest                      // the content does not match its digest
	WrongType                      // a value of another msgpack type than in the layout
	UnknownKey                     // a key outside the layout
	DuplicateKey                   // a key that occurs twice in one map
	MissingKey                     // a key of the layout that the file lacks
	TooLarge                       // a length or count above its limit
	BadText                        // invalid UTF-8, or a wrong number of texts
	WrongShape                     // lengths that do not match each other
	NotFinite                      // a number that is NaN or infinite
	BadStddev                      // a standard deviation below gaussian.MinStddev
	OutOfRange                     // a number outside its range, or an index that points nowhere
	BadValue                       // a value that is not allowed
)

// String returns a short description.
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

// Error reports why a model could not be read or written. Its text is a sentence; its fields are for programs.
type Error struct {
	Reason Reason
	Offset int    // position in the file, in bytes; −1 if it is not about a position, and always when writing
	Field  string // path in the layout, "content.items.mean"; "" if it is about the whole file
	Detail string // the value found, the allowed values, the remedy
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
