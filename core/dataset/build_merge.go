package dataset

import (
	"slices"
	"sort"
)

// maxCopied is the longest row that merge copies to sort it. A longer one is sorted in place, which is slower.
const maxCopied = 1 << 20

// merge leaves one record for each user and item: the one with the latest time, or the last in the file if times are
// equal or missing, with the sum of all ratings if sum is true. Afterwards records are ordered by user and item. It
// returns the offset of each user's records, how many were dropped, and of how many pairs the times are a day or more
// apart. O(n log of the longest row) time; memory for a
// copy of one row, at most maxCopied records.
func (s *records) merge(users int, sum bool) (offsets []int, dropped, repeats int) {
	offsets = s.groupByUser(users)
	var row []record
	var keys []uint64 // item, then place in the file: sorting them sorts the row stably
	w := 0
	for u := range users {
		begin, end := offsets[u], offsets[u+1]
		offsets[u] = w
		if end-begin > maxCopied {
			w = s.mergeInPlace(begin, end, w, sum, &repeats)
			continue
		}
		row, keys = row[:0], keys[:0]
		for i := begin; i < end; i++ {
			r := s.at(i)
			keys = append(keys, uint64(r.item)<<32|uint64(len(row)))
			row = append(row, *r)
		}
		slices.Sort(keys)
		for k := 0; k < len(keys); {
			best := &row[uint32(keys[k])]
			total, first := best.rating, best.time()
			for k++; k < len(keys) && keys[k]>>32 == keys[k-1]>>32; k++ {
				r := &row[uint32(keys[k])]
				total, first = addRating(total, r.rating), earlier(first, r.time())
				if r.time() >= best.time() {
					best = r
				}
			}
			if first != 0 && best.time()-first >= aDay {
				repeats++
			}
			if sum {
				best.rating = total
			}
			*s.at(w) = *best // w stays within the part already copied to row
			w++
		}
	}
	offsets[users] = w
	dropped = s.n - w
	s.truncate(w)
	return offsets, dropped, repeats
}

// mergeInPlace merges the row from begin to end without copying it, and writes the result from w ≤ begin on. It returns
// where the result ends.
func (s *records) mergeInPlace(begin, end, w int, sum bool, repeats *int) int {
	sort.Stable(&rowByItem{s, begin, end - begin})
	for i := begin; i < end; {
		best := *s.at(i)
		total, first := best.rating, best.time()
		for i++; i < end && s.at(i).item == best.item; i++ {
			r := s.at(i)
			total, first = addRating(total, r.rating), earlier(first, r.time())
			if r.time() >= best.time() {
				best = *r
			}
		}
		if first != 0 && best.time()-first >= aDay {
			*repeats++
		}
		if sum {
			best.rating = total
		}
		*s.at(w) = best
		w++
	}
	return w
}

// aDay is a day in seconds.
const aDay = 24 * 60 * 60

// earlier returns the earlier of two times, of which 0 is unknown.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// rowByItem sorts the records of one user by their items.
type rowByItem struct {
	s        *records
	begin, n int
}

func (r *rowByItem) Len() int           { return r.n }
func (r *rowByItem) Less(i, j int) bool { return r.s.at(r.begin+i).item < r.s.at(r.begin+j).item }
func (r *rowByItem) Swap(i, j int) {
	a, b := r.s.at(r.begin+i), r.s.at(r.begin+j)
	*a, *b = *b, *a
}
