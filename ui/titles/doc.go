// Package titles is the catalogue as the page shows it: the engine, with everything that follows from its items and
// from the settings of the site's owner. It does not change while the page is open.
package titles
