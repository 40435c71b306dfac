// Package people finds e-mail addresses and telephone numbers in texts that are to be published: ids, titles and
// columns of a catalogue. It knows how they are written, not whose they are; names of people it does not find.
//
// dataset calls it for everything that a model file can hold, and for what it prints of a file.
package people
