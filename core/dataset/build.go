package dataset

import "slices"

// numbering maps the interners' indices to indices of a Dataset: kept ones in the same order, −1 for dropped ones.
func numbering(keep []bool) (to []int32, n int) {
	to = make([]int32, len(keep))
	for i, k := range keep {
		to[i] = -1
		if k {
			to[i] = int32(n)
			n++
		}
	}
	return to, n
}

// rows builds the matrix of those records of s for which want is true and whose user and item were kept, and their
// times if there are any. s is merged, so every row is ascending. O(records), no memory besides the result.
func (c *collector) rows(s *records, users, items []bool, want func(*record) bool) (m *Matrix, times []int64) {
	user, rows := numbering(users)
	item, cols := numbering(items)
	m = &Matrix{Cols: cols, Offsets: make([]int, rows+1)}
	each := func(do func(r *record)) {
		for _, chunk := range s.chunks {
			for i := range chunk {
				if r := &chunk[i]; users[r.user] && items[r.item] && want(r) {
					do(r)
				}
			}
		}
	}
	each(func(r *record) { m.Offsets[user[r.user]+1]++ })
	for r := range rows {
		m.Offsets[r+1] += m.Offsets[r]
	}
	m.Indices = make([]int32, 0, m.Offsets[rows])
	if c.report.HasTimes {
		times = make([]int64, 0, m.Offsets[rows])
	}
	each(func(r *record) {
		m.Indices = append(m.Indices, item[r.item])
		if times != nil {
			times = append(times, r.time())
		}
	})
	return m, times
}

// build filters one part and makes a data set of it.
func (c *collector) build(path string, o Options) (*Dataset, error) {
	r := &c.report
	s := &c.parts[partTrain]
	_, r.Duplicates, r.Repeats = s.merge(c.users.len(), r.Counts)
	r.Pairs = s.n
	min, err := c.threshold(path, o.MinRating)
	if err != nil {
		return nil, err
	}
	r.MinRating = min
	r.MinUser, r.MinItem = Minimum(o.MinUser, StandardMinUser), Minimum(o.MinItem, StandardMinItem)
	c.countRatings(s)
	users, items := c.filter(s, float32(min), r.MinUser, r.MinItem, o.OnePass)
	d := &Dataset{Users: c.users.ids(users), Items: c.items.ids(items)}
	d.Positives, d.Times = c.rows(s, users, items, func(x *record) bool { return c.positive(x, float32(min)) })
	r.Kept = d.Positives.Len()
	if r.HasRatings && !r.Counts {
		d.Low, _ = c.rows(s, users, items, c.low)
		d.Unliked, _ = c.rows(s, users, items, c.unliked)
	}
	if r.Kept == 0 {
		return nil, &EmptyError{Path: path, Read: *r}
	}
	return d, nil
}

// low reports whether a record is a dislike: rated at most half of the threshold, or below 0 if there are such ratings.
func (c *collector) low(r *record) bool {
	if c.report.LeastRating < 0 {
		return r.rating < 0
	}
	return r.rating <= float32(c.report.MinRating/2)
}

// unliked reports whether a record is rated but not a positive.
func (c *collector) unliked(r *record) bool { return r.rating < float32(c.report.MinRating) }

// countRatings counts the records on either side of the threshold.
func (c *collector) countRatings(s *records) {
	if !c.report.HasRatings {
		c.report.Liked += s.n
		return
	}
	for _, chunk := range s.chunks {
		for i := range chunk {
			switch r := &chunk[i]; {
			case r.rating != r.rating:
				c.report.Unrated++
			case r.rating < float32(c.report.MinRating):
				c.report.BelowRating++
			default:
				c.report.Liked++
			}
		}
	}
}

// buildFixed makes the data set and the split of a published pair. The minima apply to the training part; the other
// parts keep the users and items that survive there. Pairs that are in train are removed from the others, since they
// can never be recommended.
func (c *collector) buildFixed(path string, o Options) (*Dataset, Split, error) {
	r := &c.report
	for p := range c.parts {
		_, dropped, repeats := c.parts[p].merge(c.users.len(), r.Counts)
		r.Duplicates, r.Repeats, r.Pairs = r.Duplicates+dropped, r.Repeats+repeats, r.Pairs+c.parts[p].n
	}
	min, err := c.threshold(path, o.MinRating)
	if err != nil {
		return nil, Split{}, err
	}
	r.MinRating = min
	r.MinUser, r.MinItem = Minimum(o.MinUser, 1), Minimum(o.MinItem, 1)
	for p := range c.parts {
		c.countRatings(&c.parts[p])
	}
	positive := func(x *record) bool { return c.positive(x, float32(min)) }
	users, items := c.survivors(positive, o)
	var m [parts]*Matrix
	var times [parts][]int64
	for p := range c.parts {
		m[p], times[p] = c.rows(&c.parts[p], users, items, positive)
	}
	c.leaveOutTrain(&m, &times, users, items, positive)
	// A pair of both validation and test counts as test: validation must not contain test pairs.
	left := m[partValidation].Len()
	m[partValidation], times[partValidation] = without(m[partValidation], times[partValidation], m[partTest])
	r.InTrain += left - m[partValidation].Len()

	d := &Dataset{Users: c.users.ids(users), Items: c.items.ids(items)}
	d.Positives, d.Times = union(m[:], times[:])
	r.Kept = d.Positives.Len()
	if r.HasRatings && !r.Counts {
		d.Low, _ = c.rows(&c.parts[partTrain], users, items, c.low)
		d.Unliked, _ = c.rows(&c.parts[partTrain], users, items, c.unliked)
	}
	if m[partValidation].Len() > 0 {
		d.Validation = m[partValidation]
	}
	if m[partTrain].Len() == 0 {
		return nil, Split{}, &EmptyError{Path: path, Read: *r}
	}
	if m[partTest].Len() == 0 {
		return nil, Split{}, &EmptyError{Path: path, Test: true, Read: *r}
	}
	return d, Split{Train: m[partTrain], Test: m[partTest]}, nil
}

// survivors returns the users and items that a published pair keeps: with minima of 1 all with a positive in any part,
// otherwise those that the minima leave in the training part.
func (c *collector) survivors(positive func(*record) bool, o Options) (users, items []bool) {
	r := &c.report
	if r.MinUser > 1 || r.MinItem > 1 {
		return c.filter(&c.parts[partTrain], float32(r.MinRating), r.MinUser, r.MinItem, o.OnePass)
	}
	users, items = make([]bool, c.users.len()), make([]bool, c.items.len())
	for p := range c.parts {
		for _, chunk := range c.parts[p].chunks {
			for i := range chunk {
				if x := &chunk[i]; positive(x) {
					users[x.user], items[x.item] = true, true
				}
			}
		}
	}
	return users, items
}

// leaveOutTrain removes the pairs of the training part from the other parts. It counts these, and the pairs whose user,
// or else item, the minima dropped.
func (c *collector) leaveOutTrain(m *[parts]*Matrix, times *[parts][]int64, users, items []bool,
	positive func(*record) bool) {
	r := &c.report
	repeats := make([]bool, m[partTrain].Rows()) // users with test or validation pairs in train
	for p := partValidation; p < parts; p++ {
		for _, chunk := range c.parts[p].chunks {
			for i := range chunk {
				if x := &chunk[i]; positive(x) && !users[x.user] {
					r.BelowUser++
				} else if positive(x) && !items[x.item] {
					r.BelowItem++
				}
			}
		}
		whole := m[p]
		m[p], times[p] = without(whole, times[p], m[partTrain])
		r.InTrain += whole.Len() - m[p].Len()
		for u := range whole.Rows() {
			repeats[u] = repeats[u] || len(m[p].Row(u)) < len(whole.Row(u))
		}
	}
	for _, is := range repeats {
		if is {
			r.InTrainUsers++
		}
	}
}

// without returns m minus the ones of other, with the remaining times.
func without(m *Matrix, times []int64, other *Matrix) (*Matrix, []int64) {
	out := &Matrix{Cols: m.Cols, Offsets: make([]int, m.Rows()+1)}
	var t []int64
	if times != nil {
		t = []int64{}
	}
	for r := range m.Rows() {
		for i := m.Offsets[r]; i < m.Offsets[r+1]; i++ {
			if !other.Contains(r, m.Indices[i]) {
				out.Indices = append(out.Indices, m.Indices[i])
				if times != nil {
					t = append(t, times[i])
				}
			}
		}
		out.Offsets[r+1] = len(out.Indices)
	}
	return out, t
}

// union joins disjoint matrices of one shape, and their times.
func union(parts []*Matrix, times [][]int64) (*Matrix, []int64) {
	type cell struct {
		col  int32
		time int64
	}
	out := &Matrix{Cols: parts[0].Cols, Offsets: make([]int, parts[0].Rows()+1)}
	var t []int64
	if times[0] != nil {
		t = []int64{}
	}
	var row []cell
	for r := range parts[0].Rows() {
		row = row[:0]
		for p, m := range parts {
			for i := m.Offsets[r]; i < m.Offsets[r+1]; i++ {
				c := cell{col: m.Indices[i]}
				if times[p] != nil {
					c.time = times[p][i]
				}
				row = append(row, c)
			}
		}
		slices.SortFunc(row, func(a, b cell) int { return int(a.col) - int(b.col) })
		for _, c := range row {
			out.Indices = append(out.Indices, c.col)
			if t != nil {
				t = append(t, c.time)
			}
		}
		out.Offsets[r+1] = len(out.Indices)
	}
	return out, t
}
