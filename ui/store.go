package ui

// Store keeps what the visitor said, on their own machine, where other tabs of this page keep it too. Its methods may
// block, so the page calls them from goroutines of their own only. An error with a method NoRoom() says that the disk is
// full; any other, that nothing can be kept now.
type Store interface {
	// Update hands change the bytes of the keys, nil for a key that has none, and stores what change leaves there, nil
	// deletes: as a whole or, where it returns an error, not at all, and with no other tab between reading and writing.
	// change does not wait for anything, nor does it change bytes in place; it may be called twice.
	Update(keys []string, change func(values [][]byte) error) error
	// Erase removes everything.
	Erase() error
	// Listen has f called, in a goroutine, when another tab has changed or erased what is kept, or may have.
	Listen(f func(erased bool))
}

// The keys that the page uses in its Store. Each version of the encoding has a key of its own, so that an earlier program,
// which an update may fall back to, finds what it wrote.
const (
	StateKey = "state-2"   // what the visitor said: an encoded keep.Ledger
	OtherKey = "other-2"   // what a second person said, who chooses here too: the same, with a name
	AsideKey = "set-aside" // what could not be read: MessagePack binaries, one after the other

	firstKey      = "state"         // what program 0.1.0 wrote, kept until the visit after the one that took it over
	firstAsideKey = "state-damaged" // what it could not read
)
