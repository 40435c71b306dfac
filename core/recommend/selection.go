package recommend

// countFarther counts for each of the limits, which must ascend, the distances that are greater. O(I log k).
func countFarther(out []int, distances []float32, limits []float32) {
	clear(out)
	for _, d := range distances {
		// lo is the number of limits below d.
		lo, hi := 0, len(limits)
		for lo < hi {
			m := (lo + hi) / 2
			if limits[m] < d {
				lo = m + 1
			} else {
				hi = m
			}
		}
		if lo > 0 {
			out[lo-1]++
		}
	}
	for i := len(out) - 2; i >= 0; i-- {
		out[i] += out[i+1]
	}
}

// kthSmallest returns the k-th smallest value of x, k from 0, and reorders x. O(n) on average.
func kthSmallest(x []float32, k int) float32 {
	lo, hi := 0, len(x)-1
	for lo < hi {
		a, b, c := x[lo], x[lo+(hi-lo)/2], x[hi]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for pivot < x[j] {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return x[k]
		}
	}
	return x[k]
}

func grow[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
