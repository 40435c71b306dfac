// Package host connects the program to the script that started it, through globalThis.pmlamHost (documented in
// assets/js/loader/loader.js). The program takes it once, when it starts.
package host
