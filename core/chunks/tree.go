package chunks

// Tree holds the digests of all parts of a set while they are written. Leaves are numbered in the order of Add.
type Tree struct {
	leaves []Digest
	levels [][]Digest // the leaves, and the nodes of each level below the roots
}

// Add adds a part by its content.
func (t *Tree) Add(content []byte) { t.leaves = append(t.leaves, Sum(content)) }

// Set returns the set of all parts added. O(parts).
func (t *Tree) Set() Set {
	t.levels = nil
	level := t.leaves
	for len(level) > MaxRoots {
		t.levels = append(t.levels, level)
		var next []Digest
		for i := 0; i < len(level); i += 2 {
			node := level[i] // without a sibling it moves up unchanged
			if i+1 < len(level) {
				node = Pair(node, level[i+1])
			}
			next = append(next, node)
		}
		level = next
	}
	var roots []byte
	for _, root := range level {
		roots = append(roots, root[:]...)
	}
	return newSet(roots)
}

// Proof returns the proof of a leaf. Call Set first.
func (t *Tree) Proof(leaf int) (proof []byte) {
	for _, level := range t.levels {
		if other := leaf ^ 1; other < len(level) {
			proof = append(proof, level[other][:]...)
		}
		leaf /= 2
	}
	return proof
}
