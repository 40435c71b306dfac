package dataset

import "math"

// filter decides which users and items stay; what counts are the positives among the records of s.
//
// To the fixed point: users with fewer than minUser positives and items with fewer than minItem are dropped, round by
// round, users first, until none is left that has too few. The result does not depend on the order (it is the largest
// set in which everybody has enough); how many interactions are counted for users and how many for items does.
// In one pass both are counted before anything is dropped, and only who has no positive left at all goes after that.
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

// positive reports whether a record counts as liked: rated at least min, or there are no ratings at all.
func (c *collector) positive(r *record, min float32) bool {
	return c.report.Likes(r.rating, float64(min))
}

func total(counts []int32) (n int) {
	for _, c := range counts {
		n += int(c)
	}
	return n
}

// threshold returns Report.Threshold, and says 0 to 0 for the range of ratings that there are none of.
func (c *collector) threshold(path string, asked *float64) (float64, error) {
	c.report.closeRange()
	return c.report.Threshold(path, asked)
}

// closeRange makes the range of no ratings 0 to 0.
func (r *Report) closeRange() {
	if math.IsInf(r.MaxRating, -1) {
		r.MaxRating, r.LeastRating = 0, 0
	}
}
