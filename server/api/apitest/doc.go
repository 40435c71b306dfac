// Package apitest generates random requests, for tests that compare the server's answers with core/recommend and with
// the program in the browser.
package apitest
