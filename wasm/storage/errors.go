package storage

import "fmt"

// UnavailableError says that the browser lets this page store nothing.
type UnavailableError struct {
	Err error // what the browser answered
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("this browser does not let the page store anything "+
		"(a private window, or site data is blocked), so what you say is forgotten when the page closes: %v", e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// FullError says that the browser has no room left for this page. What was stored before is still there.
type FullError struct {
	Err error // what the browser answered
}

func (e *FullError) Error() string {
	return fmt.Sprintf("there is no room left on this device for what the page is to keep; "+
		"free some space and try again: %v", e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// NoRoom marks the error for package ui, which does not import this package.
func (e *FullError) NoRoom() {}
