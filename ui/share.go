package ui

// Share is where the visitor hands out a link to their taste.
type Share struct {
	P *Page
}
