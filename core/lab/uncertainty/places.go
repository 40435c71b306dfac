package uncertainty

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// PlacesReport measures the map that visitors see (recommend.Places), as means over people: each tells some likes, and
// the others are looked for on the map.
type PlacesReport struct {
	People int         `json:"people"`
	Levels [3]float64  `json:"levels"`
	Rows   []PlacesRow `json:"rows"`
}

// PlacesRow has visitors who told From to To likes; To 0: no upper bound.
type PlacesRow struct {
	From   int              `json:"from"`
	To     int              `json:"to"`
	People int              `json:"people"`
	Held   [3]eval.Estimate `json:"held"`   // share of their other likes within the rings of Levels
	Titles [3]eval.Estimate `json:"titles"` // share of all titles within them
	// share of their other likes among the hottest 15% of titles: those where the glow of Places.Next is brightest
	Hot     eval.Estimate `json:"hot"`
	Outside eval.Estimate `json:"outside"` // number of their first ten titles outside every 95% ring
	Tastes  eval.Estimate `json:"tastes"`  // number of tastes
}

// placesRows are the ranges of likes told; 0: no upper bound.
var placesRows = [...][2]int{{3, 5}, {6, 10}, {11, 20}, {21, 0}}

// hottest is the share of hot titles.
const hottest = 0.15

// Places measures the map for people unseen by training, calibration and map. Each visits once per row that they have
// enough likes for. O(people·(Places + 100·I)).
func Places(ctx context.Context, d calibrate.Data, cases []Case, seed uint64, workers int) (*PlacesReport, error) {
	const figures = 3 + 3 + 1 + 1 + 1
	var rows [len(placesRows)][figures][]float64
	r := &PlacesReport{Levels: recommend.Probabilities}
	for _, c := range cases {
		r.People += len(c.LeftOut)
		of := make([][len(placesRows)][]float64, len(c.LeftOut))
		if err := parallel.Each(ctx, len(c.LeftOut), workers, func() func(int) {
			return func(k int) {
				u := c.LeftOut[k]
				random := calibrate.UserRand(seed^0x706c6163, u)
				for b, row := range placesRows {
					told, others := calibrate.SplitLikes(d.Likes.Row(u), row[0], row[1], random)
					if len(told) > 0 {
						of[k][b] = placed(c.Engine, told, others)
					}
				}
			}
		}); err != nil {
			return nil, err
		}
		for k := range of {
			for b, person := range of[k] {
				for f, v := range person {
					rows[b][f] = append(rows[b][f], v)
				}
			}
		}
	}
	for b, row := range rows {
		var mean [figures]eval.Estimate
		for f := range mean {
			mean[f] = eval.Mean(row[f], seed)
		}
		r.Rows = append(r.Rows, PlacesRow{
			From: placesRows[b][0], To: placesRows[b][1], People: len(row[0]),
			Held: [3]eval.Estimate(mean[:3]), Titles: [3]eval.Estimate(mean[3:6]),
			Hot: mean[6], Outside: mean[7], Tastes: mean[8],
		})
	}
	return r, nil
}

// placed returns the figures of a visit, in the order of PlacesRow.
func placed(e *recommend.Recommender, told, others []int) []float64 {
	v := recommend.Visit{Likes: told}
	p := e.Places(v, e.Taste(v, nil))
	inside := func(level int, i int) bool {
		x, y := e.Point(i)
		return slices.ContainsFunc(p.Tastes, func(t recommend.Place) bool { return t.Ellipses[level].Contains(x, y) })
	}
	var held, titles [3]float64
	for level := range held {
		for _, i := range others {
			if inside(level, i) {
				held[level] += 1 / float64(len(others))
			}
		}
		for i := range e.Len() {
			if inside(level, i) {
				titles[level] += 1 / float64(e.Len())
			}
		}
	}
	hot, isHot := 0.0, hot(e, p.Next)
	for _, i := range others {
		if isHot[i] {
			hot += 1 / float64(len(others))
		}
	}
	outside := 0.0
	for _, i := range p.Next[:min(recommend.Top, len(p.Next))] {
		if !inside(2, i) {
			outside++
		}
	}
	return slices.Concat(held[:], titles[:], []float64{hot, outside, float64(len(p.Tastes))})
}

// hot reports which titles are among the hottest.
func hot(e *recommend.Recommender, next []int) []bool {
	heat, order := make([]float64, e.Len()), make([]int, e.Len())
	for i := range heat {
		order[i] = i
		x, y := e.Point(i)
		for _, j := range next {
			nx, ny := e.Point(j)
			heat[i] += math.Exp(-((x-nx)*(x-nx) + (y-ny)*(y-ny)) / (2 * recommend.Glow * recommend.Glow))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heat[b], heat[a]) })
	out := make([]bool, e.Len())
	for _, i := range order[:int(hottest*float64(e.Len()))] {
		out[i] = true
	}
	return out
}

func (r *PlacesReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nThe visitor on the map: %d people left out; share of their other likes, and of all titles, "+
		"within the rings of 50, 80 and 95%%\n%-12s %6s   %-20s %-20s %-24s %-22s %s\n", r.People, "likes told",
		"people", "likes held, %", "titles held, %", "likes in hottest 15%, %", "of ten, outside 95%", "tastes")
	for _, row := range r.Rows {
		label := fmt.Sprintf("%d–%d", row.From, row.To)
		if row.To == 0 {
			label = fmt.Sprintf("%d and more", row.From)
		}
		fmt.Fprintf(b, "%-12s %6d  ", label, row.People)
		for _, e := range [][3]eval.Estimate{row.Held, row.Titles} {
			fmt.Fprintf(b, " %5.1f %5.1f %5.1f   ", 100*e[0].Value, 100*e[1].Value, 100*e[2].Value)
		}
		fmt.Fprintf(b, " %-24.1f %-22.2f %.1f\n", 100*row.Hot.Value, row.Outside.Value, row.Tastes.Value)
	}
}
