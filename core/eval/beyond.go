package eval

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Names of the metrics beyond accuracy in Report.Beyond and Key. Coverage and MeanPopularity are among the other
// metrics.
const (
	Gini      = "gini"
	APLT      = "aplt"
	Novelty   = "novelty"
	Diversity = "diversity"

	Unbiased    = "unbiased"    // NDCG in which a hit counts by the inverse of its item's training users
	TailRecall  = "tail-recall" // recall of the test items in the long tail; over users who have some
	Information = "information" // of a list's hits, in bits
)

// Distance returns the difference between two items, for the diversity of lists: 0 for equal items, NaN if unknown,
// which excludes the pair. It is called concurrently.
type Distance func(i, j int32) float64

// BeyondMetrics lists the keys of the report's Beyond in printing order. Diversity is only there if a Distance was
// given.
func (r *Report) BeyondMetrics() []string {
	names := []string{Gini, APLT, Novelty, Unbiased, TailRecall, Information}
	if r.Beyond[Diversity] != nil {
		names = append(names, Diversity)
	}
	return names
}

// beyond accumulates the metrics beyond accuracy. Every worker writes only the columns of its own users.
type beyond struct {
	ks       []int
	tail     []bool    // I: part of the long tail
	self     []float64 // I: self-information, in bits
	distance Distance
	// |Ks| × users; NaN for lists that do not count
	aplt, novelty, diversity          [][]float64
	unbiased, tailRecall, information [][]float64

	inverse []float64 // I: 1/training users
	gain    []float64 // of places
}

// newBeyond prepares the metrics for the given number of evaluated users. popularity holds the training users of every
// item, and active is the number of users with any training item.
func newBeyond(ks []int, popularity []int32, active, users int, d Distance) *beyond {
	table := func() [][]float64 {
		t := make([][]float64, len(ks))
		for j := range t {
			t[j] = make([]float64, users)
		}
		return t
	}
	b := &beyond{ks: ks, tail: longTail(popularity), self: make([]float64, len(popularity)), distance: d,
		aplt: table(), novelty: table(), unbiased: table(), tailRecall: table(), information: table(),
		inverse: make([]float64, len(popularity)), gain: discounts(min(slices.Max(ks), len(popularity)))}
	for i, n := range popularity {
		b.inverse[i] = 1 / float64(max(n, 1))
		b.self[i] = math.Log2(float64(max(active, 1)) / float64(max(n, 1)))
	}
	if d != nil {
		b.diversity = table()
	}
	return b
}

// longTail returns the ⌊0.8·I⌋ items with the fewest training users; ties go to the lower index. O(I log I).
func longTail(popularity []int32) []bool {
	order := make([]int, len(popularity))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(popularity[a]) - int(popularity[b]) })
	tail := make([]bool, len(order))
	for _, i := range order[:len(order)*4/5] {
		tail[i] = true
	}
	return tail
}

// add measures one user's list; relevant are the test items, ascending. O(|Ks|·len(list)·log|T| + |T| log|T|), with a
// distance O(len(list)²) calls of it.
func (b *beyond) add(at int, list, relevant []int32) {
	b.hits(at, list, relevant)
	for j, k := range b.ks {
		shown := list[:min(k, len(list))]
		tail, bits := 0, 0.0
		for _, i := range shown {
			if b.tail[i] {
				tail++
			}
			bits += b.self[i]
		}
		b.aplt[j][at], b.novelty[j][at] = float64(tail)/float64(len(shown)), bits/float64(len(shown))
	}
	if b.distance == nil {
		return
	}
	// The first k places add to the pairs of the first k−1 the pairs of place k with the ones before it.
	sum, pairs, r := 0.0, 0, 0
	for _, k := range ascending(b.ks) {
		for ; r < min(b.ks[k], len(list)); r++ {
			for _, i := range list[:r] {
				if d := b.distance(i, list[r]); d == d {
					sum += d
					pairs++
				}
			}
		}
		b.diversity[k][at] = sum / float64(pairs)
	}
}

// hits measures the metrics of a list's hits.
//
// People meet well-known items more often, so well-known ones are among the test items more often than among the items
// that people would like. If an item is met in proportion to its training users n_i, weighting each hit by 1/n_i
// corrects this (inverse propensity, Yang and others 2018):
//
//	unbiased NDCG = Σ_{hits at place r} 1/(n_i·log₂(r+1)) / the same of the best possible list
func (b *beyond) hits(at int, list, relevant []int32) {
	best, rare := make([]float64, len(relevant)), 0.0
	for t, i := range relevant {
		best[t] = b.inverse[i]
		if b.tail[i] {
			rare++
		}
	}
	slices.SortFunc(best, func(x, y float64) int { return cmp.Compare(y, x) })
	for j, k := range b.ks {
		var dcg, ideal, tail, bits float64
		for r, i := range list[:min(k, len(list))] {
			if _, hit := slices.BinarySearch(relevant, i); hit {
				dcg += b.gain[r] * b.inverse[i]
				bits += b.self[i]
				if b.tail[i] {
					tail++
				}
			}
		}
		for r, x := range best[:min(k, len(best))] {
			ideal += b.gain[r] * x
		}
		b.unbiased[j][at], b.tailRecall[j][at], b.information[j][at] = dcg/ideal, tail/rare, bits
	}
}

// ascending returns the positions of ks in the order of their values.
func ascending(ks []int) []int {
	order := make([]int, len(ks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return ks[a] - ks[b] })
	return order
}

// report returns the means over the users, by metric and position in ks. shown is |Ks|×I: the number of lists of that
// length that show the item.
func (b *beyond) report(shown [][]int64) map[string][]float64 {
	r := map[string][]float64{APLT: known(b.aplt), Novelty: known(b.novelty), Unbiased: known(b.unbiased),
		TailRecall: known(b.tailRecall), Information: known(b.information)}
	if b.distance != nil {
		r[Diversity] = known(b.diversity)
	}
	for j := range b.ks {
		r[Gini] = append(r[Gini], gini(shown[j]))
	}
	return r
}

// known returns the means over the users whose lists count, 0 without any.
func known(table [][]float64) []float64 {
	out := make([]float64, len(table))
	for j, column := range table {
		n := 0
		for _, v := range column {
			if v == v {
				out[j] += v
				n++
			}
		}
		out[j] /= float64(max(n, 1))
	}
	return out
}

// gini returns the Gini index of the numbers of times that items are shown, 0 if nothing is shown. It sorts shown. O(I
// log I).
func gini(shown []int64) float64 {
	slices.Sort(shown)
	var sum, total float64
	for i, n := range shown {
		sum += float64(2*i+1-len(shown)) * float64(n)
		total += float64(n)
	}
	if total == 0 {
		return 0
	}
	return sum / (float64(len(shown)) * total)
}

// BeyondTable returns the metrics beyond accuracy as aligned text: a heading, then one row for each k.
func (r *Report) BeyondTable() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(cells []string) { w.Write([]byte(strings.Join(cells, "\t") + "\t\n")) }
	line(append([]string{"k"}, r.BeyondMetrics()...))
	for j, k := range r.Ks {
		row := []string{strconv.Itoa(k)}
		for _, name := range r.BeyondMetrics() {
			row = append(row, strconv.FormatFloat(r.Beyond[name][j], 'f', 4, 64))
		}
		line(row)
	}
	w.Flush()
	return b.String()
}

// All returns every metric of the report by its Key: all of Map, and the metrics beyond accuracy.
func (r *Report) All() map[string]float64 {
	m := r.Map()
	for name, column := range r.Beyond {
		for j, k := range r.Ks {
			m[Key(name, k)] = column[j]
		}
	}
	return m
}
