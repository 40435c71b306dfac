package ui

// Store keeps what the visitor said, on their own machine. Its methods may block, so the page calls them from
// goroutines of their own only. Load of a key that was never saved returns nil and no error.
type Store interface {
	Load(key string) ([]byte, error)
	Save(key string, value []byte) error
	Delete(key string) error
}

// The keys that the page uses in its Store.
const (
	StateKey = "state"         // what the visitor said: an encoded State
	AsideKey = "state-damaged" // a State that could not be read, kept for later
)
