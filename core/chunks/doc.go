// Package chunks answers from a model that does not fit one download: a coarse part, the index, and chunks that are
// fetched as they are wanted, all of them plain files.
//
//	c, err := chunks.Open(index, recommend.Options{})
//	for {
//		r, err := c.Gather(chunks.Question{People: []chunks.Person{{Likes: []string{"6", "1214"}}}})
//		missing, ok := errors.AsType[*chunks.Missing](err)
//		if !ok {
//			break // r answers, or err is of something else
//		}
//		for _, name := range missing.Names {
//			err := c.Put(name, fetched(name)) // from the network, a folder, a cache
//		}
//	}
//
// The package knows no network: Gather says what it lacks, and whoever asks fetches it. What Gather returns is a
// recommender over the part of the catalogue that was gathered, so rules, reasons, chances and modes are those of
// package recommend. It knows what that takes of the whole catalogue (recommend.CatalogueStats); what it cannot know is
// whether an item that was not gathered costs less than one that was, and so would be listed before it. Package
// chunks/writer writes the files and says how they are chosen so that this is rare; core/lab/docs/scale.md says how
// rare, as measured.
//
// # What is fetched
//
// Items that lie together are a cell, cells that lie together a group. Items are numbered by cell and place within it.
//
//	index      what is known of the whole catalogue, the common items, and the mean row of each group
//	ids/B      the numbers of the items whose ids have the hash B
//	cells/C    a cell's items, and its guests: items of other cells that are listed where this cell is near
//	links/C    what each item of the cell adds to the scores of others (model.ItemLinks, by source)
//	groups/G   the mean rows of the cells of a group
//	titles/P   titles that have a key between two texts (catalogue.Keys), for Search
//	directory  these texts
//
// A question takes the numbers of the ids that it names, the cells and links of those items, the groups nearest to the
// visitor's row, and of their cells the nearest, until there are as many items as it asks for. Those of the first cells
// are among them, since the more somebody likes, the more of their list lies there. The distance from a visitor's row u
// to the items of a cell of mean row c has the mean m and, were they normally distributed, the standard deviation sd,
//
//	m = ‖u − c‖² + v        sd = √((4‖u − c‖² v + 2v²)/2h)        v = mean ‖θ_i − c‖²
//
// and cells are read in the order of m − 2.5·sd − b, where b is the largest bonus that the visitor's likes give to one
// of the cell's items by their links.
//
// # Shapes
//
// I items of the whole catalogue, h latent dimension, n items gathered.
//
// # What is promised of foreign bytes
//
// A part may come from anywhere. Put and Open check all of it before they keep it: what is wrong is a *PartError that
// says where. Memory is taken for no more than a part's length proves to be there, times 8 where 4 bits become a
// float32, or a byte an int.
package chunks
