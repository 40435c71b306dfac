package dataset

import "slices"

// merge leaves one record a (user, item): the one with the latest time, and among equal times (or without times) the
// one that is last in the file, with the sum of all ratings where sum is true. Afterwards the records are ordered
// by user, then item. It returns where each user's records begin and how many were dropped. O(n log of the longest row)
// time, in place but for the longest row.
func (s *records) merge(users int, sum bool) (offsets []int, dropped int) {
	offsets = s.groupByUser(users)
	var row []record
	var keys []uint64 // item, then place in the file: sorting them sorts the row stably
	w := 0
	for u := range users {
		begin, end := offsets[u], offsets[u+1]
		row, keys = row[:0], keys[:0]
		for i := begin; i < end; i++ {
			r := s.at(i)
			keys = append(keys, uint64(r.item)<<32|uint64(len(row)))
			row = append(row, *r)
		}
		slices.Sort(keys)
		offsets[u] = w
		for k := 0; k < len(keys); {
			best := &row[uint32(keys[k])]
			total := best.rating
			for k++; k < len(keys) && keys[k]>>32 == keys[k-1]>>32; k++ {
				r := &row[uint32(keys[k])]
				total = addRating(total, r.rating)
				if r.time() >= best.time() {
					best = r
				}
			}
			if sum {
				best.rating = total
			}
			*s.at(w) = *best // w never passes the end of what was copied to row
			w++
		}
	}
	offsets[users] = w
	dropped = s.n - w
	s.truncate(w)
	return offsets, dropped
}
