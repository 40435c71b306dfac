package pmlam

// Hold freezes the rows of the items with held[i] set, and the margin networks. Only other rows are trained, on all
// interactions, so that they move to where they fit the frozen ones best. Call it before Run, for a training on the
// CPU, since a device trains all rows. It panics if len(held) is not the number of items, and if rows are composed of
// others (Config.Shrinkage), because training those would move the held ones; after Begin they are not composed.
func (t *Trainer) Hold(held []bool) {
	if len(held) != t.train.Cols {
		panic("pmlam: Hold with a wrong number of items")
	}
	if t.shrunk != nil {
		panic("pmlam: Hold with shrinkage, which composes rows of others")
	}
	t.held = held
}

// holds reports whether the row of entity e is frozen.
func (t *Trainer) holds(e int) bool { return t.held != nil && e >= t.items && t.held[e-t.items] }
