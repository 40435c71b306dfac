// Package apitest makes random requests, for the tests that hold the server's answers to those of core/recommend and of
// the program in the browser.
package apitest
