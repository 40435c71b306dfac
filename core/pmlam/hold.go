package pmlam

// Hold keeps the rows of these items (I: held[i] is about item i) and the margin networks as they are: only other rows
// are trained, on all interactions, so that they arrive where they lie best beside what is held. It is called before
// Run, of a training on the processor: a device trains all rows. It panics for another number of items, and where rows
// are composed of others (Config.Shrinkage), which would move them; after Begin they are not.
func (t *Trainer) Hold(held []bool) {
	if len(held) != t.train.Cols {
		panic("pmlam: Hold is about another number of items than there are")
	}
	if t.shrunk != nil {
		panic("pmlam: Hold of items whose rows are composed of others")
	}
	t.held = held
}

// holds reports whether the row of entity e stays as it is.
func (t *Trainer) holds(e int) bool { return t.held != nil && e >= t.items && t.held[e-t.items] }
