// Package importer reads a visitor's ratings from the export of another service and matches them with a catalogue.
//
// Read turns files into a Library. It accepts tables as CSV, JSON, XML, HTML and .xlsx, alone or in a zip, gzipped or
// not. It finds columns by name, in some twenty languages, and by values, never by position; a Source lists the columns
// used. It does not guess facts that a table does not state, such as whether the titles of a list were seen: the caller
// decides, using a Kind and a Meaning. A Matcher matches each entry of the Library with an item: by an external number
// (IMDb, TMDB, ISBN) confirmed by name or year, otherwise by name and year. A match is certain only if an error is very
// unlikely; otherwise there are candidates to choose from, or none. The package neither stores nor applies anything.
//
// Files are not trusted. Every bound (limits.go) is checked before memory is allocated, errors have the type *Error
// with file, line and column, and one bad row or file does not stop the rest. Long work calls the caller's Pause
// between small steps, so a page stays responsive and can stop it.
//
// Data flow: files → table → Library → []Match → ui. The package is linked into the browser's program, so it has its
// own small readers of delimited files, markup and zip directories (encoding/csv would add 27 KB, encoding/xml 200 KB,
// archive/zip 62 KB). The caller inflates zip members, as the browser can (compress/flate would add 23 KB).
package importer
