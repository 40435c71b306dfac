// Command wasm is the program of the page. It runs in the browser: GOOS=js GOARCH=wasm.
//
// The loader (assets/js/loader/loader.js) fetches it, the SIMD kernel and the model side by side and starts it. It
// decodes the model, opens a recommender on it with the fastest scan there is, opens the visitor's storage, and hands
// both to the page's components (package ui), which it renders until the page is left. It reports errors on the way to
// the loader in a sentence; what is stored stays as it is.
//
// The packages around it:
//
//	kernel     the scan in SIMD, in place on Go's memory
//	storage    bytes by key in IndexedDB
//	embed      a second program, without a page: the recommender for other JavaScript, and its npm package
//	internal   the renderer of components (dom), the loader as the program sees it (host), tests under node and in
//	           Chromium (jstest, trial)
//
// `make program` compiles it: a plain go build. In brotli it must stay under 1.4 MB: no net/http, no text/template.
package main
