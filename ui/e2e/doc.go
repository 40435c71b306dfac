// Package e2e tests the whole page in a real browser: the built site, served by this project's server and by a plain
// file server under a sub-path, opened in headless Chromium like a visitor would, each visitor with a fresh profile.
//
// It tests the page's promises: three likes give ten recommendations, the same as natively; nothing is sent anywhere;
// marks survive a reload and can be erased; everything works by keyboard and by accessible names; the page starts
// offline, and updates are atomic; errors are explained.
// Firefox and WebKit run the main path with the same script (TestEngines).
//
// Tests find elements as assistive technology does, by role and accessible name, click at their position (covered
// elements cannot be clicked), and wait for expected states, never for a time. A click that would hit something else,
// because the page has moved, is held back and retried. Values read in several steps are read once the page has
// settled: when it has nothing left to compute, store, render or draw.
//
//	go test ./ui/e2e                                     the tests; needs Chromium (apt-get install chromium), and for
//	                                                     the other engines firefox-esr, webkit2gtk-driver and xvfb
//	go test ./ui/e2e -run Engines -artifacts -outputdir DIR  keeps a screenshot of each engine
//	npm ci --prefix ui/e2e                               once, for the accessibility tests (axe-core)
//	go test ./ui/e2e -run Shots -shots docs/images       writes screenshots to that folder
//	go test ./ui/e2e -run '^$' -bench . -benchtime 20x   waiting times
//
// Without a browser or axe-core, tests are skipped with a message.
package e2e
