// Package keep is the stored form of a visit: on the visitor's device, and in backup files.
//
// A State is the page's view: lists of ids. A Ledger is the stored form: the latest mark of every title, with its time.
// Two ledgers merge title by title, and the later entry counts. The order of merging makes no difference, so two tabs
// that write at the same time lose nothing. A title that was taken off all lists keeps an entry without a mark; only
// the latest maxRemoved of these are kept.
//
// Titles are named by the catalogue's ids, never by index, so a Ledger outlives the model. Their names are stored too,
// so that a backup can be read, and matched with a catalogue that has other ids.
//
// In the flow: package visit appends entries, merges them into the stored bytes (Decode, Merge, Encode) in one
// transaction, and shows the result. Input is bounded before memory is allocated, and fuzzed. The package knows neither
// the page nor the browser.
package keep
