// Command wasm is the program of the page. It runs in the browser: GOOS=js GOARCH=wasm.
//
// The loader (assets/js/loader/loader.js) fetches the program, the SIMD kernel and the model in parallel and starts the
// program. It decodes the model, opens a recommender with the fastest available scan, opens the visitor's storage, and
// hands both to the page's components (package ui), which it renders until the page is left. Startup errors go to the
// loader as a sentence; stored data is left unchanged.
//
// The packages around it:
//
//	kernel     the scan in SIMD, in place on Go's memory
//	storage    bytes by key in IndexedDB
//	embed      a second program, without a page: the recommender for other JavaScript, and its npm package
//	internal   the renderer of components (dom), the loader as the program sees it (host), tests under node and in
//	           Chromium (jstest, trial)
//
// `make program` compiles it with a plain go build. In brotli it must stay under 1.4 MB, so it imports no net/http and
// no text/template.
package main
