package catalogue

// Forms returns the folded names that a title goes by, its main name first; none for a title without letters and
// digits. A year in parentheses at the end is no name, what stands in other parentheses is one, and an article behind a
// comma goes in front.
func Forms(title string) []string { return forms(title) }

// Bare returns a folded name without the article in front, or all of it where nothing else would be left.
func Bare(name string) string { return bare(name) }

// Arabic returns the digit of a small Roman number from ii to ix, as sequels carry them, or "".
func Arabic(word string) string { return roman[word] }

// Errors returns the smallest number of letters left out, added, changed or exchanged with their neighbour that turn a
// into b, limit+1 where there are more than limit. Only the first 32 bytes count. O(len(a)·len(b)).
func Errors(a, b string, limit int) int {
	e, _ := distances(a, b, limit)
	return e
}
