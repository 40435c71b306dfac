package chunks

// Roots returns the roots of the set.
func (s Set) Roots() []byte { return []byte(s.roots) }

// Proves reports whether a proof leads from a content to a root.
func (s Set) Proves(content, proof []byte) bool { return s.proves(content, proof) }

// Content returns a part of the set without its proof, which has less than 128 bytes.
func (s Set) Content(part []byte) []byte {
	for at := len(part) - 1; at >= 0; at -= len(Digest{}) {
		if s.proves(part[:at], part[at+1:]) {
			return part[:at]
		}
	}
	panic("chunks: not a part of the set")
}
