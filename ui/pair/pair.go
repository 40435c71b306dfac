package pair

// Pair asks which of two titles the visitor likes better. Its tiles have no keys: the two that come next take the
// places, and the focus, of those before.
type Pair struct {
	Pair *State
}
