package related

// Bounds of the input.
const (
	maxEntries  = 4_000_000 // files and folders that are walked
	maxPages    = 200_000
	maxBytes    = 16 << 20 // of one page; larger ones are left out
	maxAttr     = 64       // attributes of one tag that are read
	maxRegions  = 256      // nested elements that change how text is read
	maxWords    = 50_000   // of one page
	maxTerms    = 8_000    // different words of one page
	maxLinks    = 2_000    // of one page
	maxTags     = 64       // of one page
	maxTitle    = 300      // bytes of a title or tag
	maxDescribe = 600      // bytes of a description
	maxWord     = 40       // bytes; longer words are left out
	maxElements = 64       // <pmlam-related> elements of one page
	maxList     = 50       // pages of one list
	maxVisited  = 200      // pages of one visitor; those with more are left out as robots
)
