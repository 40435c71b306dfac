package ui

import "strconv"

// Links is a row of links to views.
type Links struct {
	Links []Link
	Label string
}

func (l *Link) count() string {
	if l.Count == 0 {
		return ""
	}
	return strconv.Itoa(l.Count)
}
