// Command trial is a program without a page that the tests of the loader start in place of the page's: the first word
// of its "model" tells it what to do.
package main
