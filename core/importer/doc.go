// Package importer reads a visitor's ratings from the export of another service and matches them with a catalogue.
//
// Read turns files into a Library: the exports of Letterboxd (zip or CSV), IMDb, Goodreads, StoryGraph and MovieLens,
// and any table with a title and a rating. Columns are found by name, not by position. A Matcher matches each entry of
// the Library with an item: by an external number (IMDb, TMDB, ISBN) where both sides have one, otherwise by name and
// year. A match is certain only where an error is very unlikely; otherwise there are candidates to choose from, or
// none. A Meaning turns ratings into likes and dislikes. Nothing is stored or applied here; the caller does that.
//
// Files are not trusted: every bound (limits.go) is checked before memory is taken, and what cannot be read is an
// *Error with file, line and column. Long work calls the caller's Pause between small steps, so that a page stays
// responsive and can stop it.
//
// Data flow: files → Library → []Match → ui. encoding/csv cuts the fields (table.go). The package is linked into the
// browser's program. It therefore reads a zip's directory itself (archive/zip would add 62 KB to the program) and the
// caller unpacks the members (compress/flate would add 23 KB; the browser can inflate).
package importer
