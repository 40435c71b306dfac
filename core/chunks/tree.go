package chunks

// Tree holds the digests of all parts of a set, for whoever writes them. Leaves are numbered in the order of Add.
type Tree struct {
	leaves []Digest
	levels [][]Digest // the leaves, and what pairs of each level come to; the last is the root
}

// Add adds a part by its content.
func (t *Tree) Add(content []byte) { t.leaves = append(t.leaves, Sum(content)) }

// Root returns the set of all that was added, one part at least. O(parts).
func (t *Tree) Root() Set {
	t.levels = nil
	for level := t.leaves; ; {
		t.levels = append(t.levels, level)
		if len(level) == 1 {
			return Set(level[0])
		}
		var next []Digest
		for i := 0; i < len(level); i += 2 {
			node := level[i] // without a pair it moves up as it is
			if i+1 < len(level) {
				node = Pair(node, level[i+1])
			}
			next = append(next, node)
		}
		level = next
	}
}

// Proof returns the proof of a leaf. Root was called.
func (t *Tree) Proof(leaf int) (proof []byte) {
	for _, level := range t.levels {
		if other := leaf ^ 1; other < len(level) {
			proof = append(proof, level[other][:]...)
		}
		leaf /= 2
	}
	return proof
}
