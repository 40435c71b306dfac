package importer

// Limits, far above the ratings of a lifetime.
const (
	MaxBytes = 32 << 20 // of all files of a Read, and once more for the content of their zips

	maxRows    = 100_000 // of all files
	maxFields  = 256     // of a row
	maxCells   = 4 << 20 // of a file that is not delimited, counting empty cells
	maxField   = 1 << 20 // bytes of a field: more than a long review, less than a file after an unclosed quote
	maxText    = 500     // bytes kept of a title or a name
	maxMembers = 10_000  // of a zip
	maxTables  = 100     // tables read from a zip
	maxBad     = 5       // bad rows whose errors are kept
)

// Pause is called between small steps of long work, with the part done and the total, in units that depend on the work.
// If it returns an error, the work ends with that error. A nil Pause is never called.
type Pause func(done, total int) error

func (p Pause) at(done, total int) error {
	if p == nil {
		return nil
	}
	return p(done, total)
}
