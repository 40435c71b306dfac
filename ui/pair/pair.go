package pair

// Pair asks which of two titles the visitor likes better. Its tiles have no keys, so the next pair takes over the
// elements and the focus of the previous one.
type Pair struct {
	Pair *State
}
