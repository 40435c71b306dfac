// Package related finds the pages of a static site that are like each page, from the site's built HTML alone.
//
//	site, err := related.Read(ctx, "public", related.Options{})
//	lists, err := site.Lists(ctx, 5, 0)
//	report, err := site.WriteElements(ctx, lists)
//
// # What is read
//
// Read walks a folder and reads its .html files: title, description, tags, section, language, headings, the main text,
// and the links from it to other pages of the folder (reader.go). It does not follow symbolic links. Pages that no list
// should offer (Page.Unlisted) still get a list of their own.
//
// # How pages are compared
//
// A page is a sparse vector of two blocks. The first holds its words, weighted by field as in BM25F and by idf. The
// second holds its links to and from other pages, and itself, so that two pages are near if one links to the other, if
// they link to the same pages, or if the same pages link to them. Each block has unit length times its weight; the
// score of two pages is the inner product (rank.go). core/lab/related measures it.
//
// # What is written
//
// WriteElements fills the <pmlam-related> elements of pages. It replaces only content that it can prove to have
// written, by a checksum, and leaves all other bytes as they are (element.go). WriteFile and WriteFragments write the
// lists to a JSON file or to a folder of HTML fragments.
//
// # Promises
//
//   - The same folder gives the same lists, for any number of workers. Ties go to the page with the lower file name.
//   - A second run on its own result changes nothing.
//   - Files, bytes per file, words, links and tags are bounded (limits.go).
//
// In the flow: built HTML → related → the same HTML. It needs no model and no ratings. Native only.
package related
