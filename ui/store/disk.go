package store

// Disk keeps a visit on the visitor's device, shared with other tabs of this page. Its methods may block, so the store
// calls them only from goroutines of their own. An error with a method NoRoom() means that the disk is full; any other,
// that nothing can be stored now. Its keys are visit.Keys.
type Disk interface {
	// Update calls change with the values of the keys, where a missing key is nil, and stores the values that change
	// leaves; nil deletes a key. It is atomic: no other tab gets in between, and an error of change stores nothing.
	// change must not wait, nor change bytes in place, and may be called twice.
	Update(keys []string, change func(values [][]byte) error) error
	// Erase deletes everything.
	Erase() error
	// Listen calls f in a goroutine when another tab has, or may have, changed or erased the visit.
	Listen(f func(erased bool))
}
