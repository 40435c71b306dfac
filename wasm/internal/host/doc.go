// Package host is the loader as the program sees it: globalThis.pmlamHost, described at the head of
// assets/js/loader/loader.js. The program takes it when it starts.
package host
