package ui

// Next is the middle of the page: the first visit's invitation, the controls and the list.
type Next struct {
	P *Page
}
