package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/pmlam/pmlam/core/dataset"
)

// Names of the metrics in Report.At, Report.Map and PerUser.Values.
const (
	Recall         = "recall"
	NDCG           = "ndcg"
	HitRate        = "hitrate"
	MRR            = "mrr"
	MAP            = "map"
	Coverage       = "coverage"
	MeanPopularity = "popularity"
)

// Metrics lists all names in printing order.
func Metrics() []string {
	return []string{Recall, NDCG, HitRate, MRR, MAP, Coverage, MeanPopularity}
}

// Report is the result of an evaluation. The slices of metrics are aligned with Ks. Recall to MAP are means over users,
// in [0,1]; each is exactly the float64 mean, in user order, of its PerUser values.
type Report struct {
	Users   int   // users evaluated
	Skipped int   // users without test items
	Items   int   // I
	Overlap int   // test items that are also in the user's training row, counted as missed
	Ks      []int // lengths of the lists

	Recall, NDCG, HitRate, MRR, MAP []float64
	Coverage                        []float64 // share of the catalogue shown to anybody, in [0,1]
	MeanPopularity                  []float64 // mean number of training users of the items shown

	Beyond  map[string][]float64 // BeyondMetrics, aligned with Ks
	PerUser PerUser
	Slices  []Slice // of users by activity, and if any test item is cold, of warm and cold test items; non-empty ones
}

// PerUser holds the metrics of every evaluated user: 5·|Ks| float32 per user. Paired tests compare the same metric of
// two reports on the same split, whose Users are equal.
type PerUser struct {
	Users                           []int32     // the users evaluated, ascending
	Recall, NDCG, HitRate, MRR, MAP [][]float32 // |Ks| × len(Users)

	ks []int
}

func newPerUser(ks []int, users []int32) PerUser {
	table := func() [][]float32 {
		t := make([][]float32, len(ks))
		for j := range t {
			t[j] = make([]float32, len(users))
		}
		return t
	}
	return PerUser{Users: users, Recall: table(), NDCG: table(), HitRate: table(), MRR: table(), MAP: table(), ks: ks}
}

// set writes the row of one user.
func (p *PerUser) set(at int, row []values) {
	for j, v := range row {
		p.Recall[j][at] = v.recall
		p.NDCG[j][at] = v.ndcg
		p.HitRate[j][at] = v.hit
		p.MRR[j][at] = v.rr
		p.MAP[j][at] = v.ap
	}
}

// Values returns a metric at k for every user, aligned with Users; false if there is no such per-user metric or no such
// k. The slice belongs to the report.
func (p *PerUser) Values(metric string, k int) ([]float32, bool) {
	j := slices.Index(p.ks, k)
	table := map[string][][]float32{Recall: p.Recall, NDCG: p.NDCG, HitRate: p.HitRate, MRR: p.MRR, MAP: p.MAP}[metric]
	if j < 0 || table == nil {
		return nil, false
	}
	return table[j], true
}

// Part is the result of an evaluation of some of the users. It can be encoded with gob.
type Part struct {
	Users, Skipped, Items, Overlap int // as in Report
	Ks                             []int
	PerUser                        PerUser // its Users are the part's rows
	Rows                           int     // of the part
	// over the part's lists, by place (0-based, up to the longest): I: the best place that an item was shown at,
	// MaxInt32 if never shown; lists that have the place; training users of the items there
	First           []int32
	Filled, Popular []int64
}

// part collects the results of the workers.
func (e *evaluation) part(total *tally) *Part {
	return &Part{
		Users:   len(e.users),
		Skipped: e.test.Rows() - len(e.users),
		Items:   e.train.Cols,
		Overlap: overlap(e.train, e.test),
		Ks:      e.ks,
		PerUser: e.perUser,
		Rows:    e.test.Rows(),
		First:   total.first, Filled: total.filled, Popular: total.popular,
	}
}

// Join returns the report of all users, given the parts in the order of the users. It has the same bits as the report
// of Evaluate, but no Beyond and Slices. It panics without parts; all parts must have the same catalogue and Ks.
// O(users·|Ks| + parts·I).
func Join(parts ...*Part) *Report {
	r := &Report{Items: parts[0].Items, Ks: parts[0].Ks}
	total := newTally(make([]int32, r.Items), len(parts[0].Filled), nil)
	r.PerUser = newPerUser(r.Ks, nil)
	before := 0
	for _, p := range parts {
		r.Users += p.Users
		r.Skipped += p.Skipped
		r.Overlap += p.Overlap
		r.PerUser.append(&p.PerUser, int32(before))
		before += p.Rows
		total.merge(&tally{first: p.First, filled: p.Filled, popular: p.Popular})
	}
	r.Recall, r.NDCG = means(r.PerUser.Recall), means(r.PerUser.NDCG)
	r.HitRate, r.MRR, r.MAP = means(r.PerUser.HitRate), means(r.PerUser.MRR), means(r.PerUser.MAP)
	for _, k := range r.Ks {
		r.Coverage = append(r.Coverage, total.coverage(k))
		r.MeanPopularity = append(r.MeanPopularity, total.meanPopularity(k))
	}
	return r
}

// append adds the values of a part whose first row is user number first.
func (p *PerUser) append(o *PerUser, first int32) {
	for _, u := range o.Users {
		p.Users = append(p.Users, first+u)
	}
	for j := range p.ks {
		p.Recall[j] = append(p.Recall[j], o.Recall[j]...)
		p.NDCG[j] = append(p.NDCG[j], o.NDCG[j]...)
		p.HitRate[j] = append(p.HitRate[j], o.HitRate[j]...)
		p.MRR[j] = append(p.MRR[j], o.MRR[j]...)
		p.MAP[j] = append(p.MAP[j], o.MAP[j]...)
	}
}

func means(table [][]float32) []float64 {
	out := make([]float64, len(table))
	for j, column := range table {
		for _, v := range column {
			out[j] += float64(v)
		}
		if len(column) > 0 {
			out[j] /= float64(len(column))
		}
	}
	return out
}

// overlap counts the entries that two matrices of one shape share.
func overlap(a, b *dataset.Matrix) int {
	n := 0
	for r := range b.Rows() {
		for _, c := range b.Row(r) {
			if a.Contains(r, c) {
				n++
			}
		}
	}
	return n
}

// At returns a metric at k; false if the report does not have it.
func (r *Report) At(metric string, k int) (float64, bool) {
	j := slices.Index(r.Ks, k)
	column := r.column(metric)
	if j < 0 || column == nil {
		return 0, false
	}
	return column[j], true
}

func (r *Report) column(metric string) []float64 {
	switch metric {
	case Recall:
		return r.Recall
	case NDCG:
		return r.NDCG
	case HitRate:
		return r.HitRate
	case MRR:
		return r.MRR
	case MAP:
		return r.MAP
	case Coverage:
		return r.Coverage
	case MeanPopularity:
		return r.MeanPopularity
	}
	return nil
}

// Key returns the name of a metric at k in JSON and in model files: "recall@10".
func Key(metric string, k int) string { return metric + "@" + strconv.Itoa(k) }

// Map returns every metric by its Key.
func (r *Report) Map() map[string]float64 {
	m := make(map[string]float64, len(r.Ks)*len(Metrics()))
	for _, metric := range Metrics() {
		for j, k := range r.Ks {
			m[Key(metric, k)] = r.column(metric)[j]
		}
	}
	return m
}

// Table returns the report as rows of text: a heading, then one row for each k.
func (r *Report) Table() [][]string {
	rows := [][]string{append([]string{"k"}, Metrics()...)}
	for j, k := range r.Ks {
		row := []string{strconv.Itoa(k)}
		for _, metric := range Metrics() {
			digits := 4
			if metric == MeanPopularity {
				digits = 1
			}
			row = append(row, strconv.FormatFloat(r.column(metric)[j], 'f', digits, 64))
		}
		rows = append(rows, row)
	}
	return rows
}

// String returns the table with aligned columns, and a line with the number of users.
func (r *Report) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, row := range r.Table() {
		fmt.Fprintln(w, strings.Join(row, "\t")+"\t")
	}
	w.Flush()
	fmt.Fprintf(&b, "%d users, %d without test items left out, %d items\n", r.Users, r.Skipped, r.Items)
	if r.Overlap > 0 {
		fmt.Fprintf(&b, "%d test items are also in training and count as missed\n", r.Overlap)
	}
	return b.String()
}
