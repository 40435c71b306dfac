package recommend

// fill sets keep to the items that pass the filter. A genre or column that the catalogue does not have leaves nothing.
// O(I) only where years or columns are asked for.
func (r *Recommender) fill(keep ItemSet, f Filter) {
	clear(keep)
	if len(f.Genres) == 0 {
		for i := range keep {
			keep[i] = ^uint64(0)
		}
		if tail := r.Len() % 64; tail != 0 {
			keep[len(keep)-1] = 1<<tail - 1
		}
	}
	for _, g := range f.Genres {
		if s := r.byGenre[g]; s != nil {
			keep.Or(s)
		}
	}
	if f.FromYear != 0 || f.ToYear != 0 {
		for i := range r.cat.Items {
			y := r.cat.Items[i].Year
			if y == 0 || f.FromYear != 0 && y < f.FromYear || f.ToYear != 0 && y > f.ToYear {
				keep.Remove(i)
			}
		}
	}
	for name, want := range f.Columns {
		c := r.cat.Column(name)
		for i := range r.cat.Items {
			if values := r.cat.Items[i].Values; c < 0 || c >= len(values) || values[c] != want {
				keep.Remove(i)
			}
		}
	}
}
