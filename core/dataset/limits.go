package dataset

import "math"

// Limits on input. They are far above any real data set, yet low enough that a hostile or damaged file ends in an error
// instead of exhausting memory.
const (
	maxLine         = 16 << 20      // bytes in a line, or in a record whose quoted fields hold line ends
	maxFields       = 1 << 12       // fields in a delimited line
	maxMatrixFields = 1 << 18       // fields in a line of a user × item matrix
	maxIDLength     = 1 << 10       // bytes in an id
	maxIDText       = math.MaxInt32 // bytes of all ids together
	maxIDs          = math.MaxInt32 // distinct users, and distinct items
	maxField        = 1 << 15       // bytes in one text of a catalogue
	maxTitle        = 1 << 12       // bytes of a title, a genre and a column's name: what a model file takes
	maxGenres       = 1 << 8        // genres of one item
	maxColumns      = 1 << 8        // further columns of a catalogue
	maxDepth        = 64            // nesting of a JSON value
	sniffed         = 64 << 10      // bytes read to detect a format
	sniffedLong     = 8 << 20       // the same for a file with very long lines
	keptExamples    = 5             // skipped lines whose errors are kept
	maxInteractions = 400_000_000   // default of Options.MaxInteractions: 8 GB of records
)
