package reproduce

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/pmlam/pmlam/core/eval"
)

// Outcome holds the measurements of a method on a data set.
type Outcome struct {
	Data   *Data
	Method *Method
	Folds  []*Measurement // by split; nil: not measured
}

// Outcomes groups a study's measurements by data and method, in the order of the units.
func Outcomes(units []Unit, measured []*Measurement) (all []*Outcome) {
	for k, u := range units {
		var of *Outcome
		for _, o := range all {
			if o.Data == u.Data && o.Method.Name == u.Method.Name {
				of = o
			}
		}
		if of == nil {
			of = &Outcome{u.Data, u.Method, make([]*Measurement, u.Data.Splits())}
			all = append(all, of)
		}
		of.Folds[u.Fold] = measured[k]
	}
	return all
}

// has reports whether there are figures of a fold.
func (o *Outcome) has(fold int) bool { return o.Folds[fold] != nil && o.Folds[fold].Failed == "" }

// measured returns the number of folds with figures.
func (o *Outcome) measured() (n int) {
	for k := range o.Folds {
		if o.has(k) {
			n++
		}
	}
	return n
}

// failed returns the reason for missing figures of a fold; "" without one.
func (o *Outcome) failed() string {
	for _, m := range o.Folds {
		if m != nil && m.Failed != "" {
			return m.Failed
		}
	}
	return ""
}

// Figure returns the mean over the measured folds of a metric at the lists of length Ks[at], and the standard deviation
// between folds, NaN for one fold. Without any fold both are NaN.
func (o *Outcome) Figure(metric string, at int) (mean, deviation float64) {
	var values []float64
	for k := range o.Folds {
		if o.has(k) {
			values = append(values, o.Folds[k].figure(metric, at))
		}
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	return stat.MeanStdDev(values, nil)
}

// figure returns a metric for lists of length Ks[at]; users returns its value for every user at TableK.
func (m *Measurement) figure(metric string, at int) float64 {
	if metric == eval.NDCG {
		return m.NDCG[at]
	}
	return m.Recall[at]
}

func (m *Measurement) users(metric string) []float32 {
	if metric == eval.NDCG {
		return m.NDCGs
	}
	return m.Recalls
}

// average returns the mean over the measured folds of f; NaN without any.
func (o *Outcome) average(f func(m *Measurement) float64) float64 {
	sum, n := 0.0, 0.0
	for k, m := range o.Folds {
		if o.has(k) {
			sum, n = sum+f(m), n+1
		}
	}
	return sum / n
}

// Comparison compares one method with another, user by user.
type Comparison struct {
	Of, Than   *Outcome
	Metric     string
	Users      int
	Difference eval.Estimate // mean of the users' differences, with the bootstrap's interval
	Share      float64       // the difference relative to the other's figure; NaN if that is 0
	T, W       eval.Test     // Student's and Wilcoxon's
}

// Compare compares two methods on one data set at TableK, on the folds with figures of both. A user's value is the mean
// over the folds in which they have test items, so every user counts once and differences are independent. It returns
// false without such a fold. O(users), and 2,000 times that for the bootstrap.
func Compare(of, than *Outcome, metric string, seed uint64) (Comparison, bool) {
	a, b, folds := together(of, than, metric)
	if folds == 0 {
		return Comparison{}, false
	}
	d := differences(of, than, metric)
	return Comparison{
		Of: of, Than: than, Metric: metric, Users: len(d), Difference: eval.Mean(d, seed),
		Share: relativeTo(a, b), T: eval.PairedT(d), W: eval.Wilcoxon(d),
	}, true
}

// differences returns a value for every user with test items in any of the folds with figures of both, in order of
// users.
func differences(of, than *Outcome, metric string) (d []float64) {
	users := 0 // upper bound of the compared users
	for k := range of.Folds {
		if of.has(k) {
			for _, u := range of.Folds[k].Users {
				users = max(users, int(u)+1)
			}
		}
	}
	sums, counts := make([]float64, users), make([]int, users)
	for k := range of.Folds {
		if !of.has(k) || !than.has(k) {
			continue
		}
		left, right := of.Folds[k].users(metric), than.Folds[k].users(metric)
		for i, u := range of.Folds[k].Users {
			sums[u] += float64(left[i]) - float64(right[i])
			counts[u]++
		}
	}
	for u, n := range counts {
		if n > 0 {
			d = append(d, sums[u]/float64(n))
		}
	}
	return d
}

// together returns the figures of two methods at TableK on the folds with figures of both, and the number of these
// folds.
func together(of, than *Outcome, metric string) (a, b float64, folds int) {
	for k := range of.Folds {
		if of.has(k) && than.has(k) {
			a, b, folds = a+of.Folds[k].figure(metric, tableAt), b+than.Folds[k].figure(metric, tableAt), folds+1
		}
	}
	n := float64(max(folds, 1))
	return a / n, b / n, folds
}

// tableAt is the index of TableK in Ks.
const tableAt = 1

// relativeTo returns (x−y)/y; NaN for y = 0.
func relativeTo(x, y float64) float64 {
	if y == 0 {
		return math.NaN()
	}
	return (x - y) / y
}

// best returns the outcome with the largest figure among methods that pass accepts and that have figures of all folds
// of with; nil without any.
func best(all []*Outcome, with *Outcome, metric string, pass func(*Method) bool) (top *Outcome) {
	most := math.Inf(-1)
	for _, o := range all {
		covers := true
		for k := range with.Folds {
			covers = covers && (o.has(k) || !with.has(k))
		}
		if v, _ := o.Figure(metric, tableAt); covers && pass(o.Method) && v > most {
			top, most = o, v
		}
	}
	return top
}
