package eval

import (
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/pmlam/pmlam/core/dataset"
)

// Slice holds the metrics of some of the users, or of some of the test items, of an evaluation. Lists still rank all
// items.
type Slice struct {
	Name  string
	Users int // evaluated users that have test items in the slice
	Pairs int // their test items in the slice
	// training likes of its users, from the least active to the most; 0, 0 if the slice is not by activity
	From, To int

	Recall, NDCG, HitRate, MRR, MAP []float64 // means over its users, aligned with Report.Ks
}

// Names of slices. An item is cold if it has no likes in the training part, and so is a user. The other users form
// three groups by their number of training likes, split at a third and two thirds of them. Users with equally many
// likes are in the same group, so groups may differ in size, or be missing.
const (
	ColdUsers   = "cold users"
	LeastActive = "least active users"
	Medium      = "medium users"
	MostActive  = "most active users"
	WarmItems   = "warm items"
	ColdItems   = "cold items"
)

// itemSlices measures the warm and the cold test items of every user separately. Metrics are relative to the test items
// of the slice, and only count users who have any.
type itemSlices struct {
	cold  []bool     // I
	parts [2]PerUser // warm, cold
	has   [2][]bool  // users that have test items of the slice
	pairs [2][]int32 // number of these items
}

// newItemSlices returns nil if no test item is cold, since the warm ones are then all.
func newItemSlices(train, test *dataset.Matrix, popularity []int32, ks []int, users []int32) *itemSlices {
	if !slices.ContainsFunc(test.Indices, func(i int32) bool { return popularity[i] == 0 }) {
		return nil
	}
	s := &itemSlices{cold: make([]bool, train.Cols)}
	for i, n := range popularity {
		s.cold[i] = n == 0
	}
	for p := range s.parts {
		s.parts[p] = newPerUser(ks, users)
		s.has[p], s.pairs[p] = make([]bool, len(users)), make([]int32, len(users))
	}
	return s
}

// itemMeter is one worker's memory for itemSlices.
type itemMeter struct {
	*itemSlices
	relevant [2][]int32
}

// add measures one user's list. O(|T| + len(list)·log|T| + Σ ks).
func (m *itemMeter) add(at int, list, relevant []int32, ks []int, gain []float64, hits []bool, row []values) {
	for p := range m.relevant {
		m.relevant[p] = m.relevant[p][:0]
	}
	for _, i := range relevant {
		p := 0
		if m.cold[i] {
			p = 1
		}
		m.relevant[p] = append(m.relevant[p], i)
	}
	for p, part := range m.relevant {
		if len(part) == 0 {
			continue
		}
		measure(list, part, ks, gain, hits, row)
		m.parts[p].set(at, row)
		m.has[p][at], m.pairs[p][at] = true, int32(len(part))
	}
}

// slices returns the non-empty slices, starting with slices of users.
func (e *evaluation) slices() (out []Slice) {
	for _, g := range e.activity() {
		out = append(out, e.perUser.slice(g.Slice, g.in, func(at int) int { return len(e.test.Row(int(e.users[at]))) }))
	}
	if s := e.byItem; s != nil {
		for p, name := range []string{WarmItems, ColdItems} {
			out = append(out, s.parts[p].slice(Slice{Name: name}, func(at int) bool { return s.has[p][at] },
				func(at int) int { return int(s.pairs[p][at]) }))
		}
	}
	return slices.DeleteFunc(out, func(s Slice) bool { return s.Users == 0 })
}

// group is a slice of users before it is measured.
type group struct {
	Slice
	in func(at int) bool // by position in users
}

// activity divides the users into cold ones and three groups.
func (e *evaluation) activity() []group {
	likes := func(at int) int { return len(e.train.Row(int(e.users[at]))) }
	var counts []int // of the users who are not cold
	for at := range e.users {
		if n := likes(at); n > 0 {
			counts = append(counts, n)
		}
	}
	groups := []group{{Slice{Name: ColdUsers}, func(at int) bool { return likes(at) == 0 }}}
	if len(counts) == 0 {
		return groups
	}
	slices.Sort(counts)
	n := len(counts)
	after := 0
	for g, name := range []string{LeastActive, Medium, MostActive} {
		from, to := after, counts[(n*(g+1)+2)/3-1]
		after = to
		groups = append(groups, group{Slice{Name: name, From: from + 1, To: to},
			func(at int) bool { return likes(at) > from && likes(at) <= to }})
	}
	return groups
}

// slice computes the means over the users selected by in, in order.
func (p *PerUser) slice(s Slice, in func(at int) bool, pairs func(at int) int) Slice {
	var places []int
	for at := range p.Users {
		if in(at) {
			places = append(places, at)
			s.Pairs += pairs(at)
		}
	}
	s.Users = len(places)
	mean := func(table [][]float32) []float64 {
		out := make([]float64, len(table))
		for j, column := range table {
			for _, at := range places {
				out[j] += float64(column[at])
			}
			out[j] /= float64(max(len(places), 1))
		}
		return out
	}
	s.Recall, s.NDCG, s.HitRate, s.MRR, s.MAP = mean(p.Recall), mean(p.NDCG), mean(p.HitRate), mean(p.MRR), mean(p.MAP)
	return s
}

// Map returns the slice's metrics by their Keys.
func (s *Slice) Map(ks []int) map[string]float64 {
	m := map[string]float64{}
	for j, k := range ks {
		for metric, column := range map[string][]float64{Recall: s.Recall, NDCG: s.NDCG, HitRate: s.HitRate, MRR: s.MRR,
			MAP: s.MAP} {
			m[Key(metric, k)] = column[j]
		}
	}
	return m
}

// SliceTable returns the slices as aligned text, one row each: Recall and NDCG at every k. "" without slices.
func (r *Report) SliceTable() string {
	if len(r.Slices) == 0 {
		return ""
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(cells ...string) { w.Write([]byte(strings.Join(cells, "\t") + "\t\n")) }
	head := []string{"of", "likes", "users", "test items"}
	for _, k := range r.Ks {
		head = append(head, Key(Recall, k), Key(NDCG, k))
	}
	line(head...)
	for _, s := range r.Slices {
		likes := ""
		switch {
		case s.From > 0:
			likes = strconv.Itoa(s.From) + "–" + strconv.Itoa(s.To)
		case s.Name == ColdUsers:
			likes = "0"
		}
		cells := []string{s.Name, likes, strconv.Itoa(s.Users), strconv.Itoa(s.Pairs)}
		for j := range r.Ks {
			for _, x := range []float64{s.Recall[j], s.NDCG[j]} {
				cells = append(cells, strconv.FormatFloat(x, 'f', 4, 64))
			}
		}
		line(cells...)
	}
	w.Flush()
	return b.String()
}
