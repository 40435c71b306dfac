// Package e2e holds the tests of the whole page in a real browser: the built site, served by this project's server and
// by a plain file server under a sub-path, opened by headless Chromium as a visitor would, each visitor with a fresh
// profile.
//
// Its promises are the page's: three likes lead to ten recommendations, the same ten as natively; nothing is sent
// anywhere; what was said survives a reload and can be erased; everything works by keyboard and by accessible names;
// it starts without a network, and updates are whole or do not happen; what can go wrong is told in words.
// The main path is walked in Firefox and WebKit too, by the same script (TestEngines).
//
// The tests find things as assistive technology does, by role and accessible name, click where the thing is (a thing
// that is covered by another cannot be clicked), and wait for what they expect, never for a time. A click that hits
// something else, because the page has moved on its way, never reaches the page, and is aimed again; what is read in
// several looks is read once the page has settled: when it has nothing left to compute, store, render or draw.
//
//	go test ./ui/e2e                                     the tests; needs Chromium (apt-get install chromium), and for
//	                                                     the other engines firefox-esr, webkit2gtk-driver and xvfb
//	go test ./ui/e2e -run Engines -artifacts -outputdir DIR  keeps a picture of the page in each engine
//	npm ci --prefix ui/e2e                               once, for the accessibility tests (axe-core)
//	go test ./ui/e2e -run Shots -shots docs/images       writes pictures of the page into that folder
//	go test ./ui/e2e -run '^$' -bench . -benchtime 20x   how long a visitor waits
//
// Where a browser or axe-core is missing the tests are skipped and say so.
package e2e
