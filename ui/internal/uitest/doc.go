// Package uitest opens the page in tests: an engine with predictable answers, a disk in memory, and a visitor who acts
// on the page and reads it as text.
package uitest
