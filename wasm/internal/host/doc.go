// Package host is the program's connection to the script that started it: globalThis.pmlamHost, which
// assets/js/loader/loader.js documents. The program takes it once, when it starts.
package host
