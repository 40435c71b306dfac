// Package keep is the form in which a visit is stored: on the visitor's device, and in the file of a backup.
//
// A State is what the page works with: lists of ids. A Ledger is what is stored: the latest mark of every title, with
// the moment at which it was made. Two ledgers merge title by title, the later entry counts, and the order in which
// they are merged makes no difference; so two tabs that write at the same time lose nothing. A title that was taken out
// of all lists keeps an entry without a mark; the oldest of those are dropped beyond a number.
//
// Titles are named by the catalogue's own ids, never by index, so that a Ledger outlives the model; what the catalogue
// called them stands beside, so that a backup can be read, and matched where another catalogue has other ids.
//
// In the flow: package visit appends entries, merges them into the stored bytes (Decode, Merge, Encode) in one
// transaction, and shows the result. All that comes from outside is bounded before memory is taken, and fuzzed. The
// package knows neither the page nor the browser.
package keep
