// Package importer reads a visitor's ratings from the export of another service and matches them with a catalogue.
//
// Read turns files into a Library: tables as CSV, JSON, XML, HTML and .xlsx, in a zip, gzipped or not. Columns are
// found by their names, in some twenty languages, and by their values, not by position; a Source says which were
// taken. What a table does not say, such as whether the titles of a list were seen, is not guessed: a Kind and a
// Meaning leave it to the caller. A Matcher matches each entry of the Library with an item: by an external number
// (IMDb, TMDB, ISBN) that the name or the year confirms, otherwise by name and year. A match is certain only where an
// error is very unlikely; otherwise there are candidates to choose from, or none. Nothing is stored or applied here;
// the caller does that.
//
// Files are not trusted: every bound (limits.go) is checked before memory is taken, what cannot be read is an *Error
// with file, line and column, and one bad row or file never ends the rest. Long work calls the caller's Pause between
// small steps, so that a page stays responsive and can stop it.
//
// Data flow: files → table → Library → []Match → ui. The package is linked into the browser's program. It therefore
// cuts delimited files and markup, and reads a zip's directory, itself (encoding/csv would add 27 KB, encoding/xml 200
// KB, archive/zip 62 KB), and the caller unpacks the members (compress/flate would add 23 KB; the browser can
// inflate).
package importer
