// Package sharing hands out the visitor's taste as a link, and shows a taste that came with one.
package sharing
