// Package importing brings ratings that other services export: files are read here in small slices, reviewed, and added
// or not.
package importing
