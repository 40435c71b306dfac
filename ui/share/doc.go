// Package share puts a visitor's taste into the fragment of a link, the part behind the #, which browsers send to no
// server.
//
//	taste=1&like=6,1214,2571&not=45517&check=2c232b27
//
// The members are the version, the ids of liked titles, of disliked titles and of titles kept for later, and a checksum
// that shows whether the link was cut or changed on its way. docs/share.md documents the format for other programs.
// Titles are named by the catalogue's ids, as in package keep, so a link stays valid for later models; the page counts
// the titles that its catalogue lacks.
//
// In the flow: ui encodes the titles that the visitor chose to share and gives the link to the browser. The recipient's
// page decodes the fragment, shows its titles, and asks what to do. Input is bounded before memory is allocated, and
// fuzzed. The package knows neither the page nor the browser.
package share
