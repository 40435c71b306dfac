// Package importer reads what a visitor has rated elsewhere and finds it in this catalogue.
//
// Read turns files into a Library: the exports of Letterboxd (zip or CSV), IMDb, Goodreads, StoryGraph and MovieLens,
// and any table with a title and a rating. Columns are known by their names, never by their places. A Matcher finds
// each entry of the Library among a catalogue's items, by an external number where both sides have one, else by name
// and year; it is Certain only where it would be a surprise to be wrong, asks where it is not, and says what is not
// there. A Meaning turns ratings into likes and dislikes. Nothing is kept and nothing is applied: that is the caller's
// part.
//
// Files are a stranger's: everything is bounded (limits.go) before memory is taken for it, and what cannot be read is
// an *Error that names file, line and column. Long work asks the caller's Pause between small steps, so that a page
// stays awake and can stop it.
//
// In the flow: files → Library → []Match → ui. The package is linked by the
// browser's program, which is why it reads a zip's directory itself (archive/zip would take 62 KB of the program's
// budget) and has its caller unpack what it finds there (compress/flate would take 23 KB; a browser can do it).
package importer
