// Package words is all that a visitor sees or hears, in English and German.
//
// A language is a function that returns its Words, and a line in Languages; texts-xx.go and phrases-xx.go hold its
// values, which the compiler lays out, so that a language costs little more than its text. The texts before the program
// runs are in words.js, among the scripts of the page.
//
// In the flow: ui's components → words. The package imports nothing of ui.
package words
