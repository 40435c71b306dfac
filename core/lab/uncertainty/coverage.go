package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// HeldOut is a model and the users left out of its training, by number in the data, ascending.
type HeldOut struct {
	Model   *model.Model
	LeftOut []int
}

// CoverageReport has the shares of refitted means inside a visitor's regions, for each of Levels, as means over people.
type CoverageReport struct {
	People int           `json:"people"`
	Levels [3]float64    `json:"levels"`
	Halves CoverageTable `json:"halves"` // refits on random halves of the likes told
	// refits on as many other likes; the region's radii are √2 times as large, because both means vary
	Fresh  CoverageTable `json:"fresh"`
	Growth GrowthReport  `json:"growth"` // effect of one more like on the ellipse on the plane of most variance
}

// CoverageTable has one kind of refit. All: visitors with all their likes (in Fresh, half of them). Rows: visitors by
// number of likes.
type CoverageTable struct {
	All  CoverageRow   `json:"all"`
	Rows []CoverageRow `json:"rows"`
}

// CoverageRow has visitors with From to To likes; To 0: no upper bound.
type CoverageRow struct {
	From   int              `json:"from"`
	To     int              `json:"to"`
	People int              `json:"people"`
	Full   [3]eval.Estimate `json:"full"` // in all dimensions
}

// GrowthReport measures the effect of one more like on the area of the visitor's ellipse on the plane of most variance.
type GrowthReport struct {
	Likes  int     `json:"likes"`  // number of likes added, from the second
	Shrunk float64 `json:"shrunk"` // share that shrank it
}

// coverageRows are the reported ranges of likes; 0: no upper bound.
var coverageRows = [][2]int{{3, 5}, {6, 10}, {11, 20}, {21, 50}, {51, 0}}

const (
	maxLikes       = 400 // likes of a visitor of the last row
	maxGrowthLikes = 30  // likes added one by one
	visitsPerRow   = 4   // visits of each person in each row
)

// Coverage measures the posterior of visitors' means on people left out of the trainings; d has all users' data. The
// calibration is never fitted on the people it is measured on: each model takes the one fitted with the next model and
// its users, as a published model takes another training's. With a single model, half of its users fit and the others
// measure.
func Coverage(ctx context.Context, d calibrate.Data, held []HeldOut, seed uint64) (*CoverageReport, error) {
	if len(held) == 0 {
		return nil, errors.New("no people to measure coverage on")
	}
	c := &coverageCounter{seed: seed, halves: newTally(), fresh: newTally()}
	people := make([]*calibrate.People, len(held))
	for k, h := range held {
		var err error
		if people[k], err = calibrate.NewPeople(d, h.Model, h.LeftOut, seed); err != nil {
			return nil, err
		}
	}
	for k, p := range people {
		from, measured := people[(k+1)%len(people)], held[k].LeftOut
		if len(people) == 1 {
			half := *p
			half.Left, measured = p.Left[:len(p.Left)/2], p.Left[len(p.Left)/2:]
			from = &half
		}
		post, err := calibrate.Posterior(ctx, []*calibrate.People{from}, 0)
		if err != nil {
			return nil, err
		}
		carried, err := calibrate.Transfer(&model.Calibration{Posterior: post},
			calibrate.Data{Likes: calibrate.Without(d.Likes, held[k].LeftOut)}, p.Model, 0)
		if err != nil {
			return nil, err
		}
		if err := c.measure(ctx, p, &carried.Posterior, measured); err != nil {
			return nil, err
		}
	}
	r := &CoverageReport{People: c.people, Levels: recommend.Probabilities, Halves: c.halves.table(seed),
		Fresh: c.fresh.table(seed)}
	r.Growth = GrowthReport{c.added, float64(c.shrunk) / float64(max(c.added, 1))}
	return r, nil
}

// coverageCounter counts refits inside the regions.
type coverageCounter struct {
	seed                  uint64
	halves, fresh         *tally
	people, added, shrunk int
}

// measure counts the refits of a model's users under the given posterior.
func (c *coverageCounter) measure(ctx context.Context, p *calibrate.People, post *model.Posterior, users []int) error {
	s := recommend.InferenceSettingsOf(p.Model)
	s.Posterior = post
	inf, err := recommend.NewInferrer(s)
	if err != nil {
		return err
	}
	times, visits := calibrate.Refits, visitsPerRow
	if p.Model.Objective.Composition.Free { // inference needs a descent
		times, visits = times/4, 1
	}
	for _, u := range users {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.people++
		likes := p.Likes.Row(u)
		r := calibrate.UserRand(c.seed+1, u)
		into := func(t *tally, row int) func(calibrate.Refit) {
			return func(f calibrate.Refit) { t.add(row, u, post, f) }
		}
		calibrate.RefitHalves(inf, &p.Plane, likes, []int{len(likes)}, 4*times, r, into(c.halves, 0))
		calibrate.RefitOthers(inf, &p.Plane, likes, []int{len(likes) / 2}, r, into(c.fresh, 0))
		for k, row := range coverageRows {
			for range visits {
				if n := drawSize(r, row, len(likes)); n > 0 {
					calibrate.RefitHalves(inf, &p.Plane, likes, []int{n}, times, r, into(c.halves, k+1))
				}
				if n := drawSize(r, row, len(likes)/2); n > 0 {
					calibrate.RefitOthers(inf, &p.Plane, likes, []int{n}, r, into(c.fresh, k+1))
				}
			}
		}
		c.countGrowth(inf, &p.Plane, likes, r)
	}
	return nil
}

// drawSize draws a number of likes within a row for a user with that many; 0 for users with too few.
func drawSize(r *rand.Rand, row [2]int, likes int) int {
	to := min(row[1], likes)
	if row[1] == 0 {
		to = min(likes, maxLikes)
	}
	if to < row[0] {
		return 0
	}
	return row[0] + r.IntN(to-row[0]+1)
}

// countGrowth adds likes in random order, one at a time, and counts how often the ellipse shrinks.
func (c *coverageCounter) countGrowth(inf *recommend.Inferrer, plane *tastemap.Plane, likes []int32, r *rand.Rand) {
	var e recommend.Evidence
	before := 0.0
	for k, at := range r.Perm(len(likes))[:min(maxGrowthLikes, len(likes))] {
		e.Likes = append(e.Likes, int(likes[at]))
		aa, ab, bb, _ := inf.Covariance(inf.Infer(e, nil), plane.Axes[0], plane.Axes[1])
		area := aa*bb - ab*ab
		if k > 0 {
			c.added++
			if area < before {
				c.shrunk++
			}
		}
		before = area
	}
}

// tally counts refits by row and person.
type tally struct {
	rows []map[int]*counted // by user; row 0 is All
}

type counted struct {
	refits float64
	full   [3]float64 // inside
}

func newTally() *tally {
	t := &tally{rows: make([]map[int]*counted, len(coverageRows)+1)}
	for k := range t.rows {
		t.rows[k] = map[int]*counted{}
	}
	return t
}

func (t *tally) add(row, user int, post *model.Posterior, f calibrate.Refit) {
	n := t.rows[row][user]
	if n == nil {
		n = new(counted)
		t.rows[row][user] = n
	}
	n.refits++
	for k, level := range recommend.Probabilities {
		if f.Full <= post.Full.Radius(level, f.Likes) {
			n.full[k]++
		}
	}
}

func (t *tally) table(seed uint64) CoverageTable {
	out := CoverageTable{}
	for k, users := range t.rows {
		row := CoverageRow{People: len(users)}
		if k > 0 {
			row.From, row.To = coverageRows[k-1][0], coverageRows[k-1][1]
		}
		for level := range recommend.Probabilities {
			var full []float64
			for _, u := range slices.Sorted(maps.Keys(users)) {
				n := users[u]
				full = append(full, n.full[level]/n.refits)
			}
			row.Full[level] = eval.Mean(full, seed)
		}
		if k == 0 {
			out.All = row
		} else {
			out.Rows = append(out.Rows, row)
		}
	}
	return out
}

// String returns the report as a table.
func (r *CoverageReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "share of refitted means inside a visitor's regions, %d people left out\n", r.People)
	fmt.Fprintf(&b, "%-14s %-16s %6s   %-24s\n", "refit on", "likes", "people", "all dimensions 50 80 95%")
	for k, t := range []*CoverageTable{&r.Halves, &r.Fresh} {
		name := [...]string{"half of them", "as many others"}[k]
		for _, row := range append([]CoverageRow{t.All}, t.Rows...) {
			label := fmt.Sprintf("%d–%d", row.From, row.To)
			switch {
			case row.From == 0:
				label = "all they have"
			case row.To == 0:
				label = fmt.Sprintf("%d and more", row.From)
			}
			fmt.Fprintf(&b, "%-14s %-16s %6d   %5.1f %5.1f %5.1f\n", name, label, row.People,
				100*row.Full[0].Value, 100*row.Full[1].Value, 100*row.Full[2].Value)
		}
	}
	fmt.Fprintf(&b, "%d likes added one by one: %.1f%% shrank the ellipse\n", r.Growth.Likes,
		100*r.Growth.Shrunk)
	return b.String()
}
