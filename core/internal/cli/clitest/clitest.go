// Package clitest holds what the tests of several commands share.
package clitest

// Hostile are texts by what they would do to a terminal.
var Hostile = map[string]string{
	"colour":        "\x1b[31mred",
	"clipboard":     "\x1b]52;c;cm0gLXJmIH4=\x07",
	"title":         "\x1b]0;you are root\x1b\\",
	"overwriting":   "good\rbad",
	"backspace":     "good\b\b\b\bbad",
	"C1":            "\u009b31mred",
	"turned around": "invoice\u202egpj.exe",
	"isolate":       "\u2066a\u2069",
	"line end":      "a\npmlam: all is well",
	"tab":           "a\tb",
	"separator":     "a\u2028b\u2029c",
	"delete":        "a\x7fb",
}
