// Package words holds all texts that a visitor sees or hears, in English and German.
//
// A language is a function that returns its Words, and an element of Languages. Its texts are composite literals in
// texts-xx.go and phrases-xx.go, which the compiler lays out, so a language adds little more to the program than its
// text. The texts shown before the program runs are in assets/js/page/words.js.
//
// In the flow: ui's components → words. The package imports nothing of ui.
package words
