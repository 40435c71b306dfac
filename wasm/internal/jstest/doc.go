// Package jstest runs the tests of a js/wasm package from a native test: under node, and in Chromium under a strict
// Content-Security-Policy. So `go test ./wasm/...` on any machine covers what only a JavaScript engine can run.
//
// Both put the program and the SIMD kernel together with assets/js/loader/instantiate.js, the code of the page. Where
// node or Chromium is missing the test is skipped, and says what to install.
package jstest
