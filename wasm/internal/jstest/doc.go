// Package jstest runs the tests of a js/wasm package from a native test: under node, and in Chromium under a strict
// Content-Security-Policy. `go test ./wasm/...` thereby covers code that needs a JavaScript engine.
//
// Both load the program and the SIMD kernel with assets/js/loader/instantiate.js, as the page does. Without node or
// Chromium the test is skipped and names the package to install.
package jstest
