// Package sharing turns the visitor's taste into a link, and shows a taste received by link.
package sharing
