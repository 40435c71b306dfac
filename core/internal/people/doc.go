// Package people finds e-mail addresses and telephone numbers in texts to be published: ids, titles and columns of a
// catalogue. It recognises their forms, not their owners; it does not find names of people.
//
// dataset calls it for everything that a model file can hold, and for anything that it prints from a file.
package people
