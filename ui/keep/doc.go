// Package keep is the form in which what a visitor said is kept: on their device, and in the file of a backup.
//
// A State is what the page works with: lists of ids. A Ledger is what is stored: the latest word on every title, with
// the moment at which it was said. Two ledgers merge title by title, the later word counts, and the order in which they
// are merged makes no difference; so two tabs that write at the same time lose nothing. A title that was taken out of
// all lists keeps an entry that says so, until others have pushed it out.
//
// Titles are named by the catalogue's own ids, never by index, so that a Ledger outlives the model; what the catalogue
// called them stands beside, so that a backup can be read, and matched where another catalogue has other ids.
//
// In the flow: ui turns what the visitor does into entries (Changes), its store merges them into the stored bytes
// (Decode, Merge, Encode) in one transaction, and the page shows the result (Ledger.State). All that comes from outside
// is bounded before memory is taken, and fuzzed. The package knows neither the page nor the browser.
package keep
