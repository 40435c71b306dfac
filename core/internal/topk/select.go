package topk

// Select moves the best k entries to the front, in no order, and returns them. Scores must not be NaN. O(len(entries))
// on average.
func Select[S float32 | float64](entries []Entry[S], k int) []Entry[S] {
	k = max(k, 0)
	for in, at := entries, k; at < len(in) && at > 0; {
		// The pivot is the median of three; the entries before it go to the front.
		last := len(in) - 1
		a, b, c := 0, last/2, last
		if in[b].Before(in[a]) {
			a, b = b, a
		}
		if in[c].Before(in[b]) {
			if b = c; in[b].Before(in[a]) {
				b = a
			}
		}
		in[b], in[last] = in[last], in[b]
		pivot, front := in[last], 0
		for i, e := range in[:last] {
			if e.Before(pivot) {
				in[i], in[front] = in[front], e
				front++
			}
		}
		in[last], in[front] = in[front], pivot
		if at <= front {
			in = in[:front]
		} else {
			in, at = in[front+1:], at-front-1
		}
	}
	return entries[:min(k, len(entries))]
}
