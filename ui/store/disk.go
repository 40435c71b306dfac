package store

// Disk keeps a visit on the visitor's own machine, where other tabs of this page keep it too. Its methods may block, so
// the store calls them from goroutines of their own only. An error with a method NoRoom() says that the disk is full;
// any other, that nothing can be kept now. visit.Keys are its keys.
type Disk interface {
	// Update hands change the bytes of the keys, nil for a key that has none, and stores what change leaves there, nil
	// deletes: as a whole or, where it returns an error, not at all, and with no other tab between reading and writing.
	// change does not wait for anything, nor does it change bytes in place; it may be called twice.
	Update(keys []string, change func(values [][]byte) error) error
	// Erase removes everything.
	Erase() error
	// Listen has f called, in a goroutine, when another tab has, or may have, changed or erased the visit.
	Listen(f func(erased bool))
}
