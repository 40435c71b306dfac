// Package titles is the page's view of the catalogue: the engine, and tables derived from its items and the owner's
// settings. It does not change while the page is open.
package titles
