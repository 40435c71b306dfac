package dataset

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Audit counts ways in which a training could already know a test part. For a split without leaks all counts are 0,
// except those about time, which only a split at one moment guarantees.
type Audit struct {
	TestPairs int // pairs of user and item in the test part, those that were left out as InTrain included
	// test pairs that are also in the training part as read; they are left out before training and measuring, and show
	// that the files overlap
	InTrain      int
	InTrainUsers int // users of theirs
	// pairs that occur more than once in a part, as read
	Duplicates int
	// test pairs whose user has the same item in training under another id: the ids, or the titles with year, differ
	// only in letter case, blanks and punctuation
	NearCopies []NearCopy
	// users of the test part who are repeated by another user: at least nine tenths of the items that either likes,
	// test items included, and at least five, are the same, and the other has one of the user's test items in training
	Twins []Twin
	// how unevenly the test pairs fall on items, see unevenness; 1 for a random part of each user's items
	Unevenness float64

	Timed bool // all pairs have times; without them what follows is not known
	// test pairs dated before the latest training pair of all, and those before their own user's latest
	BeforeTrain, BeforeOwn int
	WithOwn                int   // test pairs of the same time as their own user's latest: their order is unknown
	FirstTest, LastTrain   int64 // seconds since 1970
}

// NearCopy is a test pair and the training pair of the same user that it copies.
type NearCopy struct {
	User       int
	Test, Like int32 // items
}

// Twin is a user of the test part and another user who repeats them.
type Twin struct {
	User, Other int
	Told        int // test items of User that Other has in training
}

// Leaks reports whether the training part reveals anything of the test part. With atMoment, a test pair dated before a
// training pair counts too.
func (a *Audit) Leaks(atMoment bool) bool {
	return a.InTrain > 0 || len(a.NearCopies) > 0 || len(a.Twins) > 0 || atMoment && (!a.Timed || a.BeforeTrain > 0)
}

// The bounds of Twin.
const (
	twinShare = 0.9
	twinItems = 5
)

// AuditSplit looks for leaks between the two parts of a split of d. Counts of pairs dropped while reading (repeated
// pairs, test pairs that are also in training) come from d.Read. O(nnz log nnz + Σ_i |U_i|²) time, the sum over the
// training users of items with a test pair.
func (d *Dataset) AuditSplit(s Split) Audit {
	a := Audit{TestPairs: s.Test.Len() + d.Read.InTrain, InTrain: d.Read.InTrain, InTrainUsers: d.Read.InTrainUsers,
		Duplicates: d.Read.Duplicates}
	for u := range s.Test.Rows() {
		own := 0
		for _, i := range s.Test.Row(u) {
			if s.Train.Contains(u, i) {
				own++
			}
		}
		if own > 0 {
			a.InTrain += own
			a.InTrainUsers++
		}
	}
	a.NearCopies = d.nearCopies(s)
	a.Twins = twins(s)
	a.Unevenness = unevenness(s)
	d.auditTimes(s, &a)
	return a
}

// nearCopies finds, for each test pair, the first item of the user's training row that is the same under another id.
func (d *Dataset) nearCopies(s Split) (out []NearCopy) {
	same := d.alike()
	for u := range s.Test.Rows() {
		for _, i := range s.Test.Row(u) {
			for _, j := range same[i] {
				if s.Train.Contains(u, j) {
					out = append(out, NearCopy{u, i, j})
					break
				}
			}
		}
	}
	return out
}

// alike returns, for each item, the others with the same id or title in plain form.
func (d *Dataset) alike() [][]int32 {
	same := make([][]int32, d.Items.Len())
	group := func(key func(i int) string) {
		of := map[string][]int32{}
		for i := range same {
			if k := key(i); k != "" {
				of[k] = append(of[k], int32(i))
			}
		}
		for i := range same {
			for _, j := range of[key(i)] {
				if int(j) != i && !slices.Contains(same[i], j) {
					same[i] = append(same[i], j)
				}
			}
		}
	}
	group(func(i int) string { return plainText(d.Items.ID(i)) })
	if d.Catalogue != nil && d.Read.Described > 0 {
		group(func(i int) string {
			item := &d.Catalogue.Items[i]
			title := plainText(item.Title)
			if title == "" || item.Year == 0 {
				return ""
			}
			return title + "\n" + strconv.Itoa(item.Year)
		})
	}
	return same
}

// plainText returns the letters and digits of a text in lower case, or the text itself if it has none.
func plainText(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
	if plain == "" {
		return text
	}
	return plain
}

// twins finds, for each user of the test part, the user who repeats them most; ties go to the first.
func twins(s Split) (out []Twin) {
	byItem := s.Train.Transpose()
	shared := make([]int, s.Train.Rows()) // items of both, of those who have a test item
	var met []int32
	for u := range s.Test.Rows() {
		test, own := s.Test.Row(u), s.Train.Row(u)
		if len(test) == 0 || len(test)+len(own) < twinItems {
			continue
		}
		told := map[int32]int{}
		for _, i := range test {
			for _, v := range byItem.Row(int(i)) {
				if int(v) != u {
					told[v]++
				}
			}
		}
		met = met[:0]
		for v := range told {
			met = append(met, v)
		}
		slices.Sort(met)
		for _, v := range met {
			shared[v] = told[v]
		}
		for _, i := range own {
			for _, v := range byItem.Row(int(i)) {
				shared[v]++
			}
		}
		best := Twin{User: u, Other: -1}
		most := 0.0
		for _, v := range met {
			union := len(own) + len(test) + len(s.Train.Row(int(v))) - shared[v]
			if like := float64(shared[v]) / float64(union); shared[v] >= twinItems && like >= twinShare && like > most {
				most, best.Other, best.Told = like, int(v), told[v]
			}
		}
		if best.Other >= 0 {
			out = append(out, best)
		}
		for _, v := range met {
			shared[v] = 0
		}
		for _, i := range own {
			for _, v := range byItem.Row(int(i)) {
				shared[v] = 0
			}
		}
	}
	return out
}

// unevenness returns the mean of (k_i − e_i)²/v_i over items i, where k_i of the item's users have it in the test
// part, and e_i = Σ_u p_u and v_i = Σ_u p_u(1−p_u) are its mean and variance where each of them, a share p_u of
// whose items is tested, has as likely this one there as any other. It is 1 up to noise for a random part of each
// user's items, and larger where the part was chosen by time or by anything else that prefers some items. Items
// with v_i = 0 are left out; 0 where all are. O(nnz).
func unevenness(s Split) float64 {
	tested := make([]float64, s.Train.Cols)
	expected, variance := make([]float64, s.Train.Cols), make([]float64, s.Train.Cols)
	for u := range s.Train.Rows() {
		train, test := s.Train.Row(u), s.Test.Row(u)
		p := float64(len(test)) / float64(max(len(train)+len(test), 1))
		for _, i := range test {
			tested[i]++
		}
		for _, row := range [][]int32{train, test} {
			for _, i := range row {
				expected[i] += p
				variance[i] += p * (1 - p)
			}
		}
	}
	var sum, items float64
	for i, v := range variance {
		if v > 0 {
			d := tested[i] - expected[i]
			sum += d * d / v
			items++
		}
	}
	return sum / max(items, 1)
}

// auditTimes compares the times of the two parts.
func (d *Dataset) auditTimes(s Split, a *Audit) {
	a.Timed = d.Times != nil && !slices.Contains(d.Times, 0)
	if !a.Timed {
		return
	}
	latest := make([]int64, d.Positives.Rows()) // of a user's training pairs; 0 without any
	each := func(part *Matrix, do func(u int, t int64)) {
		for u := range d.Positives.Rows() {
			for at := d.Positives.Offsets[u]; at < d.Positives.Offsets[u+1]; at++ {
				if part.Contains(u, d.Positives.Indices[at]) {
					do(u, d.Times[at])
				}
			}
		}
	}
	each(s.Train, func(u int, t int64) {
		latest[u] = max(latest[u], t)
		a.LastTrain = max(a.LastTrain, t)
	})
	each(s.Test, func(u int, t int64) {
		if a.FirstTest == 0 || t < a.FirstTest {
			a.FirstTest = t
		}
		if t < a.LastTrain {
			a.BeforeTrain++
		}
		switch {
		case t < latest[u]:
			a.BeforeOwn++
		case t == latest[u]:
			a.WithOwn++
		}
	})
}
