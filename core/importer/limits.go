package importer

// Bounds, far above what a person rates in a lifetime.
const (
	MaxBytes = 32 << 20 // of all files of a Read, and once more of what their zips hold

	maxRows    = 100_000 // of all files
	maxFields  = 256     // of a row
	maxCells   = 4 << 20 // of a file that is not delimited, empty ones too
	maxField   = 1 << 20 // bytes of a field: a long review, not the rest of a file behind a lost quote
	maxText    = 500     // bytes of a title or a name that are kept
	maxMembers = 10_000  // of a zip
	maxTables  = 100     // of a zip that are read
	maxBad     = 5       // rows that could not be read whose errors are kept
)

// Pause is called between small steps of long work, with the part that is done and the total, in the work's own unit.
// The work ends with the error that it returns. A nil Pause is never called.
type Pause func(done, total int) error

func (p Pause) at(done, total int) error {
	if p == nil {
		return nil
	}
	return p(done, total)
}
