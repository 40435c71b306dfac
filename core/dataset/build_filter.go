package dataset

import "math"

// filter selects the users and items to keep, by their positives among the records of s.
//
// It repeats to the fixed point: users with fewer than minUser positives and items with fewer than minItem are dropped
// in rounds, users first, until all have enough. The result does not depend on the order (it is the largest set in
// which everybody has enough); only the counts of interactions dropped by user and by item do. With onePass, both are
// counted before anything is dropped; then only users and items with no positives left are dropped.
//
// O(rounds · records).
func (c *collector) filter(s *records, minRating float32, minUser, minItem int, onePass bool) (users, items []bool) {
	users, items = make([]bool, c.users.len()), make([]bool, c.items.len())
	for i := range users {
		users[i] = true
	}
	for i := range items {
		items[i] = true
	}
	byUser, byItem := make([]int32, len(users)), make([]int32, len(items))
	count := func() {
		clear(byUser)
		clear(byItem)
		for _, chunk := range s.chunks {
			for i := range chunk {
				if r := &chunk[i]; users[r.user] && items[r.item] && c.positive(r, minRating) {
					byUser[r.user]++
					byItem[r.item]++
				}
			}
		}
	}
	drop := func(keep []bool, degree []int32, least int) (lost int) {
		for i, d := range degree {
			if keep[i] && int(d) < least {
				keep[i] = false
				lost += int(d)
			}
		}
		return lost
	}
	count()
	if onePass {
		before := total(byUser)
		c.report.BelowUser = drop(users, byUser, minUser)
		drop(items, byItem, minItem)
		count()
		c.report.BelowItem = before - c.report.BelowUser - total(byUser)
		c.report.Rounds = 1
		drop(users, byUser, 1)
		drop(items, byItem, 1)
		return users, items
	}
	for {
		lostUser := drop(users, byUser, minUser)
		if lostUser > 0 {
			count()
		}
		lostItem := drop(items, byItem, minItem)
		if lostItem > 0 {
			count()
		}
		c.report.BelowUser += lostUser
		c.report.BelowItem += lostItem
		if lostUser+lostItem == 0 {
			return users, items
		}
		c.report.Rounds++
	}
}

// positive reports whether a record counts as liked: rated at least min, or without any ratings in the data.
func (c *collector) positive(r *record, min float32) bool {
	return c.report.Likes(r.rating, float64(min))
}

func total(counts []int32) (n int) {
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// threshold returns Report.Threshold. Without ratings it sets their range to 0 to 0.
func (c *collector) threshold(path string, asked *float64) (float64, error) {
	c.report.closeRange()
	return c.report.Threshold(path, asked)
}

// closeRange sets the range to 0 to 0 without ratings.
func (r *Report) closeRange() {
	if math.IsInf(r.MaxRating, -1) {
		r.MaxRating, r.LeastRating = 0, 0
	}
}
