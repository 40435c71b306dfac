package after

// After shows the row. Its tiles have no keys, so the next row takes over the elements and the focus.
type After struct {
	After *State
}
