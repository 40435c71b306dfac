package storage

import "fmt"

// UnavailableError reports that the browser does not allow this page to store anything.
type UnavailableError struct {
	Err error // the browser's error
}

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("this browser does not let the page store anything "+
		"(a private window, or blocked site data), so your likes are forgotten when the page closes: %v", e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// FullError reports that the browser has no space left for this page. Earlier data is kept.
type FullError struct {
	Err error // the browser's error
}

func (e *FullError) Error() string {
	return fmt.Sprintf("this device has no space left for the page's data; "+
		"free some space and try again: %v", e.Err)
}

func (e *FullError) Unwrap() error { return e.Err }

// NoRoom marks the error for package ui, which does not import this package.
func (e *FullError) NoRoom() {}
