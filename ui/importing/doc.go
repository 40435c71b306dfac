// Package importing imports ratings that other services export. Files are read in the browser in small slices,
// reviewed, and then added or dropped.
package importing
