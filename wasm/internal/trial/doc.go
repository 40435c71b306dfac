// Command trial is a program without a page that the loader's tests start in place of the real one: it does what the
// first word of its "model" says.
package main
