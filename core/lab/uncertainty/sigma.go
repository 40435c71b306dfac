package uncertainty

import (
	"context"
	"errors"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
)

// Trained is the result of one training.
type Trained struct {
	Users *gaussian.Table  // U×2h: of the training's users
	Items *gaussian.Table  // I×2h
	Part  *model.ItemLinks // added to the distance; nil: none
}

// Measures are three summaries of a row's standard deviations: their mean, the log determinant Σ_d ln s_d² of the
// covariance (per dimension), and their Euclidean norm.
var Measures = [...]string{"mean", "logdet", "norm"}

// Correlations are rank correlations of the measures of σ with one quantity.
type Correlations map[string]eval.Estimate

// SigmaReport has the correlations of the trained σ, for items and for users. An uncertainty would fall with the count
// and rise with the error and with the ensemble's spread, and two trainings would agree on it.
type SigmaReport struct {
	Members int         `json:"members"` // trainings that differ only in their seed
	Items   SigmaOfRows `json:"items"`
	Users   SigmaOfRows `json:"users"`
	// share of the item means' variance left after rotation; 0 with one member
	Residue float64 `json:"residue"`

	Points []SigmaPoint `json:"-"` // items, for the plot
}

// SigmaPoint is one item of the plot.
type SigmaPoint struct{ Count, Sigma, Spread float64 }

// SigmaOfRows has the rank correlations over items or over users. Fields that need several members are nil with one.
type SigmaOfRows struct {
	N        int          `json:"n"`
	Measured int          `json:"measured"` // rows with held-out interactions
	Count    Correlations `json:"count"`    // number of interactions in training
	// held out: 1 − NDCG@10 of a user; mean log rank of an item among its held-out likes
	Error Correlations `json:"error"`
	// users: 1 − recall@10; items: 1 − the share of lists of ten with it
	Recall Correlations `json:"recall"`
	Given  Correlations `json:"error_at_count"` // partial correlation with error, given the count
	Spread Correlations `json:"ensemble"`       // deviation of the means between the members, rotated onto each other
	// users: share of the first ten that two members do not share; needs no rotation
	Lists Correlations `json:"lists"`
	// σ of one training with σ of another, mean over the pairs with the first
	Seeds Correlations `json:"seeds"`

	// Correlations between the other quantities, for comparison with σ's.
	CountError  eval.Estimate `json:"count_and_error"`  // count with error
	SpreadError eval.Estimate `json:"spread_and_error"` // the ensemble's deviation with error
	SpreadCount eval.Estimate `json:"spread_and_count"` // the ensemble's deviation with the count
	MeanSigma   float64       `json:"mean_sigma"`       // mean of s over all rows and dimensions
	// standard deviation over the rows of their mean s, divided by MeanSigma
	Variation float64 `json:"variation"`
}

// Sigma measures the first member's σ; the others are trainings of the same split with other seeds. All are ranked like
// known users, by W2 and the item links, for at most maxRanked users. O(members·(maxRanked·I·h + I·h²)).
func Sigma(ctx context.Context, members []Trained, split dataset.Split, workers int,
	progress func(done, total int)) (*SigmaReport, error) {
	if len(members) == 0 {
		return nil, errors.New("no trainings to measure")
	}
	first := members[0]
	r := &SigmaReport{Members: len(members)}
	users, items := first.Users.Len(), first.Items.Len()
	perUser, perItem := make([]float64, users), make([]float64, items)
	for u := range users {
		perUser[u] = float64(len(split.Train.Row(u)))
		for _, i := range split.Train.Row(u) {
			perItem[i]++
		}
	}
	test := sampled(split.Test)
	rows := make([]*heldOutRanks, len(members))
	for k, m := range members {
		var err error
		if rows[k], err = rankHeldOut(ctx, m, dataset.Split{Train: split.Train, Test: test}, workers); err != nil {
			return nil, err
		}
		if progress != nil {
			progress(k+1, len(members))
		}
	}
	userError, userMiss := rows[0].userErrors()
	itemError, itemMiss := rows[0].itemErrors()

	var userSpread, itemSpread, lists []float64
	if len(members) > 1 {
		var err error
		if userSpread, itemSpread, r.Residue, err = align(members); err != nil {
			return nil, err
		}
		lists = listDisagreement(rows)
	}
	tables := func(of func(Trained) *gaussian.Table) (out []*gaussian.Table) {
		for _, m := range members {
			out = append(out, of(m))
		}
		return out
	}
	r.Users = ofRows(tables(func(t Trained) *gaussian.Table { return t.Users }), perUser, userError, userMiss,
		userSpread, lists)
	r.Items = ofRows(tables(func(t Trained) *gaussian.Table { return t.Items }), perItem, itemError, itemMiss,
		itemSpread, nil)
	sigma := measure(first.Items)["mean"]
	for i := range items {
		p := SigmaPoint{Count: perItem[i], Sigma: sigma[i]}
		if itemSpread != nil {
			p.Spread = itemSpread[i]
		}
		r.Points = append(r.Points, p)
	}
	return r, nil
}

// measure returns the Measures of every row.
func measure(t *gaussian.Table) map[string][]float64 {
	out := map[string][]float64{}
	for _, name := range Measures {
		out[name] = make([]float64, t.Len())
	}
	for i := range t.Len() {
		var sum, logs, squares float64
		for _, s := range t.Stddev(i) {
			v := math.Max(float64(s), gaussian.MinStddev)
			sum += v
			logs += 2 * math.Log(v)
			squares += v * v
		}
		h := float64(t.Dim())
		out["mean"][i], out["logdet"][i], out["norm"][i] = sum/h, logs/h, math.Sqrt(squares)
	}
	return out
}

// ofRows computes the correlations. An error of NaN was not measured; spread and lists may be nil.
func ofRows(tables []*gaussian.Table, count, failed, missed, spread, lists []float64) SigmaOfRows {
	sigma := measure(tables[0])
	r := SigmaOfRows{N: tables[0].Len(), Count: Correlations{}, Error: Correlations{}, Recall: Correlations{},
		Given: Correlations{}}
	// The measured rows.
	var at []int
	for i, e := range failed {
		if !math.IsNaN(e) {
			at = append(at, i)
		}
	}
	r.Measured = len(at)
	of := func(x []float64) []float64 {
		out := make([]float64, len(at))
		for k, i := range at {
			out[k] = x[i]
		}
		return out
	}
	for _, name := range Measures {
		s := sigma[name]
		r.Count[name] = eval.Spearman(s, count)
		r.Error[name] = eval.Spearman(of(s), of(failed))
		r.Recall[name] = eval.Spearman(of(s), of(missed))
		r.Given[name] = eval.Partial(of(s), of(failed), of(count))
	}
	r.CountError = eval.Spearman(of(count), of(failed))
	if spread != nil {
		r.Spread, r.Seeds = Correlations{}, Correlations{}
		for _, name := range Measures {
			r.Spread[name] = eval.Spearman(sigma[name], spread)
			var mean eval.Estimate
			for _, t := range tables[1:] {
				e, share := eval.Spearman(sigma[name], measure(t)[name]), 1/float64(len(tables)-1)
				mean = eval.Estimate{Value: mean.Value + share*e.Value, Low: mean.Low + share*e.Low, High: mean.High +
					share*e.High}
			}
			r.Seeds[name] = mean
		}
		r.SpreadError = eval.Spearman(of(spread), of(failed))
		r.SpreadCount = eval.Spearman(spread, count)
	}
	if lists != nil {
		r.Lists = Correlations{}
		for _, name := range Measures {
			r.Lists[name] = eval.Spearman(of(sigma[name]), of(lists))
		}
	}
	means := sigma["mean"]
	for _, s := range means {
		r.MeanSigma += s / float64(len(means))
	}
	for _, s := range means {
		r.Variation += (s - r.MeanSigma) * (s - r.MeanSigma) / float64(len(means))
	}
	r.Variation = math.Sqrt(r.Variation) / r.MeanSigma
	return r
}
