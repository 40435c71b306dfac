// Package chunks answers from a model that is too large for one download. The model is cut into plain files: a coarse
// part, the index, and chunks that are fetched on demand.
//
//	c, err := chunks.Open(index, recommend.Options{})
//	for {
//		r, err := c.Gather(chunks.Question{People: []chunks.Person{{Likes: []string{"6", "1214"}}}})
//		missing, ok := errors.AsType[*chunks.Missing](err)
//		if !ok {
//			break // r answers, or err is another error
//		}
//		for _, name := range missing.Names {
//			err := c.Put(name, fetched(name)) // from the network, a folder, a cache
//		}
//	}
//
// The package does no I/O: Gather names the parts that it lacks, and the caller fetches them. Gather returns a
// recommender over the gathered part of the catalogue, so rules, reasons, chances and modes work as in package
// recommend. Facts about the whole catalogue come from the index (recommend.CatalogueStats). The one difference: an
// item that was not gathered may belong in the list, which then misses it. Package chunks/writer writes the files, and
// explains how it keeps such misses rare; core/lab/docs/scale.md has the measured rates.
//
// # What is fetched
//
// Similar items form a cell, and similar cells a group. Items are numbered by cell and place within it.
//
//	index      facts about the whole catalogue, the common items, and the mean row of each group
//	ids/B      the numbers of the items whose ids have the hash B
//	cells/C    a cell's items, and its guests: items of other cells that are listed near this cell
//	links/C    what each item of the cell adds to the scores of others (model.ItemLinks, by source)
//	groups/G   the mean rows of the cells of a group
//	titles/P   titles with a key in one alphabetical range (catalogue.Keys), for Search
//	directory  where these ranges begin
//
// A question needs the numbers of the ids that it names, the cells and links of those items, the groups nearest to the
// visitor's row, and the nearest of their cells until there are enough items. Items in the likes' own cells count too:
// the more likes a visitor has, the more of their list is in these cells. The distance from a visitor's row u to the
// items of a cell with mean row c has the mean m and, assuming a normal distribution, the standard deviation sd,
//
//	m = ‖u − c‖² + v        sd = √((4‖u − c‖² v + 2v²)/2h)        v = mean ‖θ_i − c‖²
//
// Cells are read in the order of m − 2.5·sd − b. Here b is the largest bonus that the visitor's likes give to one of
// the cell's items through links, minus c·τ times the items' mean ln(1 + count), with the visitor's weight c of being
// little known (recommend.Rareness). The more that weight is, the more items are gathered.
//
// # Shapes
//
// I items of the whole catalogue, h latent dimension, n items gathered.
//
// # Untrusted input
//
// A part may come from anywhere. Put and Open check every byte before they keep it; a *PartError says where it is
// wrong. Memory is at most 8 times the length of a part: 4 bits become a float32, or a byte an int.
package chunks
