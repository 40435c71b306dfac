package dataset

// record is one interaction as read, with indices of the interners. It takes 20 bytes: the time is split in two so that
// it needs no alignment of 8.
type record struct {
	user, item int32
	rating     float32 // NaN: not rated
	timeLow    uint32
	timeHigh   int32
}

func (r *record) time() int64     { return int64(r.timeHigh)<<32 | int64(r.timeLow) }
func (r *record) setTime(t int64) { r.timeLow, r.timeHigh = uint32(t), int32(t>>32) }

// records is a list of records in chunks, so growing never copies it.
type records struct {
	chunks [][]record
	n      int
}

const (
	chunkBits = 16
	chunkSize = 1 << chunkBits // 65,536 records, 1.3 MB
)

func (s *records) add(r record) {
	last := s.n >> chunkBits
	if last == len(s.chunks) {
		// The first chunk grows by itself: many files are small.
		var c []record
		if last > 0 {
			c = make([]record, 0, chunkSize)
		}
		s.chunks = append(s.chunks, c)
	}
	s.chunks[last] = append(s.chunks[last], r)
	s.n++
}

func (s *records) at(i int) *record { return &s.chunks[i>>chunkBits][i&(chunkSize-1)] }

// truncate keeps the first n records and releases the chunks behind them.
func (s *records) truncate(n int) {
	used := (n + chunkSize - 1) >> chunkBits
	clear(s.chunks[used:])
	s.chunks = s.chunks[:used]
	if used > 0 {
		s.chunks[used-1] = s.chunks[used-1][:n-(used-1)<<chunkBits]
	}
	s.n = n
}

// groupByUser brings the records into the order of their users, each user's in the order they had (a stable counting
// sort), and returns where each user's begin: user u has [offsets[u], offsets[u+1]). It works in place: every record is
// given its destination in the field user (restored at the end), then each cycle of the permutation is rotated. O(n)
// time, O(users) memory.
func (s *records) groupByUser(users int) (offsets []int) {
	offsets = make([]int, users+1)
	for _, c := range s.chunks {
		for i := range c {
			offsets[c[i].user+1]++
		}
	}
	for u := range users {
		offsets[u+1] += offsets[u]
	}
	next := append([]int(nil), offsets...)
	for _, c := range s.chunks {
		for i := range c {
			u := c[i].user
			c[i].user = int32(next[u])
			next[u]++
		}
	}
	for i := range s.n {
		r := s.at(i)
		for int(r.user) != i {
			to := s.at(int(r.user))
			*r, *to = *to, *r
		}
	}
	for u := range users {
		for i := offsets[u]; i < offsets[u+1]; i++ {
			s.at(i).user = int32(u)
		}
	}
	return offsets
}
