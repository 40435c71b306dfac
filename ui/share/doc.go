// Package share is the form in which a visitor hands their taste to somebody else: the fragment of a link, the part
// behind the # that browsers keep to themselves and send to no server.
//
//	taste=1&like=6,1214,2571&not=45517&check=2c232b27
//
// The members are the version, the ids of what is liked, the ids of what is not for them, and a check that tells a
// whole link from one that was cut or changed on its way (docs/share.md has the format for who writes such links
// elsewhere). Titles are named by the catalogue's own ids, as in package keep, so a link outlives the model it was made
// with; what a catalogue does not have is still named, and the page says so.
//
// In the flow: ui encodes what the visitor chose to share and hands the link to the browser; whoever opens it has the
// fragment decoded, is shown what is in it, and decides. What comes from outside is bounded before memory is taken, and
// fuzzed. The package knows neither the page nor the browser.
package share
