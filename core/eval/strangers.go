package eval

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/pmlam/pmlam/core/dataset"
)

// Strangers measures methods on users outside their training. Of several settings of a method, only the best
// on the validation users is measured on the test users. Make one with NewStrangers.
type Strangers struct {
	K    int // length of the lists that are compared by NDCG@K: the last of Options.Ks
	Rows []*StrangersRow

	split   dataset.UserSplit
	told    []int
	tells   []dataset.Split // of the test users: by told, then with all likes that they give
	options Options
}

// StrangersRow holds the results of one method.
type StrangersRow struct {
	Method     string    `json:"method"`
	Family     string    `json:"-"`                    // the method without its settings; "": of a model
	Validation *float64  `json:"validation,omitempty"` // NDCG@K of the validation users; nil: there are none
	Told       []ByLikes `json:"told,omitempty"`       // nil: other settings are better on the validation users
	Report     *Report   `json:"-"`                    // of the test users, with all likes that they give
}

// ByLikes is NDCG@K of the test users for one number of likes that they tell.
type ByLikes struct {
	Likes  int       `json:"likes"` // 0: all likes of a user
	Users  int       `json:"users"` // users with at least that many likes
	NDCG   float64   `json:"ndcg"`
	Error  float64   `json:"error"` // standard error
	Values []float32 `json:"-"`     // of every user
}

// Margin compares a model with the best plain method for one number of told likes.
type Margin struct {
	Likes   int     `json:"likes"` // 0: all likes of a user
	Against string  `json:"against"`
	Mean    float64 `json:"mean"`  // of the difference in NDCG@K
	Error   float64 `json:"error"` // standard error of the differences of users
	Share   float64 `json:"share"` // Mean as a share of the plain method's
}

// NewStrangers prepares measurements with the likes that the test users give, and with fewer: for each number told,
// that many random ones, drawn by seed (Split.Tell).
func NewStrangers(split dataset.UserSplit, told []int, seed uint64, o Options) *Strangers {
	if len(o.Ks) == 0 {
		o.Ks = DefaultKs
	}
	o.Training = split.Train
	s := &Strangers{K: o.Ks[len(o.Ks)-1], split: split, told: append(append([]int(nil), told...), 0), options: o}
	for _, n := range told {
		s.tells = append(s.tells, split.Test.Tell(n, seed))
	}
	s.tells = append(s.tells, split.Test)
	return s
}

// Measure adds a method. scorer returns its scorer of users with these likes; it is called once for the validation
// users and once for each number of told likes. A family other than "" compares settings. The row has no Report if
// other settings of the family are better.
func (s *Strangers) Measure(ctx context.Context, method, family string,
	scorer func(likes *dataset.Matrix) (Scorer, error)) (*StrangersRow, error) {
	on := func(split dataset.Split) (*Report, error) {
		of, err := scorer(split.Train)
		if err != nil {
			return nil, err
		}
		return Evaluate(ctx, of, split.Train, split.Test, s.options)
	}
	row := &StrangersRow{Method: method, Family: family}
	if s.split.Validation.Test.Len() > 0 {
		r, err := on(s.split.Validation)
		if err != nil {
			return nil, err
		}
		ndcg, _ := r.At(NDCG, s.K)
		row.Validation = &ndcg
	}
	var worse *StrangersRow
	for _, other := range s.Rows {
		if row.Validation != nil && family != "" && other.Family == family && other.Told != nil {
			worse = other
		}
	}
	if worse != nil && *worse.Validation >= *row.Validation {
		s.Rows = append(s.Rows, row)
		return row, nil
	}
	for k, split := range s.tells {
		r, err := on(split)
		if err != nil {
			return nil, err
		}
		f := ByLikes{Users: r.Users, Likes: s.told[k]}
		f.Values, _ = r.PerUser.Values(NDCG, s.K)
		f.NDCG, f.Error = StandardError(f.Values)
		row.Told, row.Report = append(row.Told, f), r
	}
	if worse != nil {
		worse.Told, worse.Report = nil, nil
	}
	s.Rows = append(s.Rows, row)
	return row, nil
}

// Margins compares a model's row with the plain method that is best on the test users, for each number of told likes;
// nil without plain methods.
func (s *Strangers) Margins(of *StrangersRow) (out []Margin) {
	for k := range of.Told {
		var best *StrangersRow
		for _, r := range s.Rows {
			if r.Family != "" && r.Told != nil && (best == nil || r.Told[k].NDCG > best.Told[k].NDCG) {
				best = r
			}
		}
		if best == nil || best.Told[k].NDCG == 0 {
			continue
		}
		paired := make([]float32, len(of.Told[k].Values))
		for i, v := range of.Told[k].Values {
			paired[i] = v - best.Told[k].Values[i]
		}
		m := Margin{Likes: of.Told[k].Likes, Against: best.Method}
		m.Mean, m.Error = StandardError(paired)
		m.Share = m.Mean / best.Told[k].NDCG
		out = append(out, m)
	}
	return out
}

// Table returns NDCG@K of all methods by the number of told likes, and the margins of the models.
func (s *Strangers) Table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	line := func(first, second string, of func(k int) string) {
		fmt.Fprintf(w, "%s\t%s\t", first, second)
		for k := range s.told {
			fmt.Fprintf(w, "%s\t", of(k))
		}
		fmt.Fprintln(w)
	}
	line(fmt.Sprintf("NDCG@%d, likes told", s.K), "validation", func(k int) string { return likes(s.told[k]) })
	var users *StrangersRow
	for _, r := range s.Rows {
		validation := "–"
		if r.Validation != nil {
			validation = fmt.Sprintf("%.4f", *r.Validation)
		}
		line(r.Method, validation, func(k int) string {
			if r.Told == nil {
				return "–"
			}
			return fmt.Sprintf("%.4f ± %.4f", r.Told[k].NDCG, r.Told[k].Error)
		})
		if r.Told != nil {
			users = r
		}
	}
	if users != nil {
		line("users", "", func(k int) string { return fmt.Sprint(users.Told[k].Users) })
	}
	w.Flush()
	for _, r := range s.Rows {
		if r.Family != "" {
			continue
		}
		for _, m := range s.Margins(r) {
			fmt.Fprintf(&b, "%s, likes told: %s: %+.1f%%, %+.4f ± %.4f, against %s\n", r.Method, likes(m.Likes),
				100*m.Share, m.Mean, m.Error, m.Against)
		}
	}
	return b.String()
}

// likes returns a number of told likes in words.
func likes(n int) string {
	if n == 0 {
		return "all given"
	}
	return fmt.Sprint(n)
}
