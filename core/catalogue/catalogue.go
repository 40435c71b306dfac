package catalogue

// Item describes one item. The zero value is an item without any information.
type Item struct {
	ID     string   // the data set's own id, unique in a catalogue
	Title  string   // without the year; the ID if the title is unknown
	Year   int      // 0: unknown
	Genres []string // genres or tags, in the file's order
	Values []string // further columns as text, aligned with Catalogue.Columns; "" if missing
	Count  int      // interactions in the training data, a measure of popularity
}

// Catalogue lists the items by index: Items[i] describes item i of every table and matrix.
type Catalogue struct {
	Items   []Item
	Columns []string // names of the further columns, as in the files; external ids are "imdbId", "tmdbId"
	LeftOut []string // names of further items with too few interactions, ascending; a search can give that reason
}

// Len returns I, the number of items.
func (c *Catalogue) Len() int { return len(c.Items) }

// DropListed takes the names of the catalogue's items out of LeftOut, after items were added. O(I + LeftOut).
func (c *Catalogue) DropListed() {
	listed := make(map[string]bool, len(c.Items))
	for i := range c.Items {
		listed[Main(c.Items[i].Title)] = true
	}
	var rest []string
	for _, name := range c.LeftOut {
		if !listed[name] {
			rest = append(rest, name)
		}
	}
	c.LeftOut = rest
}

// Column returns the index of the further column with that name, or −1.
func (c *Catalogue) Column(name string) int {
	for i, n := range c.Columns {
		if n == name {
			return i
		}
	}
	return -1
}
