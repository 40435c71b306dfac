package uncertainty

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// CandidateReport measures one estimate, on the map, of the accuracy of a visitor's mean.
type CandidateReport struct {
	Name string `json:"name"`
	// Plain is, for the levels 50, 80 and 95%, the share of refits on halves inside the ellipse with the normal
	// distribution's radii; the mean over people with all their likes.
	Plain [3]float64 `json:"plain"`
	// Scaled is the same with radii fitted on other people, as the calibration does.
	Scaled [3]float64 `json:"scaled"`
	// Worst is the largest miss of Scaled at any level and any number of likes (the rows of Coverage).
	Worst float64 `json:"worst"`
	// Surprise is the mean −log-likelihood of refits on as many other likes, minus the posterior's. The scale is fitted
	// for each size, as in the choice of κ, so it compares shapes.
	Surprise float64 `json:"surprise"`
}

// candidate is a named way to compute the covariance of a visitor's mean on the plane in which the items vary
// most.
type candidate struct {
	name string
	of   func(c *compared, t *recommend.Taste, likes []int) model.Covariance
}

// candidates are all compared estimates; the posterior is the last.
var candidates = []candidate{
	{"spread of the normal model, dimensions independent", func(c *compared, _ *recommend.Taste,
		likes []int) model.Covariance {
		return c.plane.Covariance(c.plain.Infer(recommend.Evidence{Likes: likes}, nil).Spread)
	}},
	{"trained σ", func(c *compared, t *recommend.Taste, _ []int) model.Covariance {
		return c.plane.Covariance(t.Row[c.m.Items.Dim():])
	}},
	{"Laplace: curvature of the training's loss", (*compared).laplace},
	{"sampling variance of the visitor's own likes", func(c *compared, _ *recommend.Taste,
		likes []int) model.Covariance {
		return c.covariance(c.own, c.own.Infer(recommend.Evidence{Likes: likes}, nil))
	}},
	{"posterior", func(c *compared, t *recommend.Taste, _ []int) model.Covariance { return c.covariance(c.post, t) }},
}

// compared is a model with the candidates' inferrers.
type compared struct {
	m                *model.Model
	plane            *tastemap.Plane
	post, own, plain *recommend.Inferrer
}

// refit is one refit of one visitor, measured by every candidate.
type refit struct {
	row, user, likes int
	fresh            bool
	distance, logdet []float64 // by candidate
}

// Candidates compares estimates of the accuracy of a visitor's mean, on the people of Coverage. held needs at least two
// models, trained with the softmax loss: radii are fitted on the next model's people.
func Candidates(ctx context.Context, d calibrate.Data, held []HeldOut, seed uint64) ([]CandidateReport, error) {
	if len(held) < 2 {
		return nil, errors.New("comparing candidates needs at least two models, each with people left out")
	}
	refits := make([][]refit, len(held))
	for k, h := range held {
		if h.Model.Objective.Loss.Kind != gaussian.Softmax {
			return nil, errors.New("candidates can be compared for models of the softmax loss only")
		}
		p, err := calibrate.NewPeople(d, h.Model, h.LeftOut, seed)
		if err != nil {
			return nil, err
		}
		post, err := calibrate.Posterior(ctx, []*calibrate.People{p}, 0)
		if err != nil {
			return nil, err
		}
		if refits[k], err = compare(ctx, p, post, h.LeftOut, seed); err != nil {
			return nil, err
		}
	}
	out := make([]CandidateReport, len(candidates))
	for c := range candidates {
		out[c] = candidateReport(c, refits)
	}
	for c := range out {
		out[c].Surprise -= out[len(out)-1].Surprise
	}
	return out, nil
}

// compare makes visits of all users and refits of each visit.
func compare(ctx context.Context, p *calibrate.People, post model.Posterior, users []int, seed uint64) (out []refit,
	err error) {
	c := &compared{m: p.Model, plane: &p.Plane}
	alone := post
	alone.Strength = 1e-6
	for _, x := range []struct {
		into *(*recommend.Inferrer)
		post *model.Posterior
	}{{&c.post, &post}, {&c.own, &alone}, {&c.plain, nil}} {
		s := recommend.InferenceSettingsOf(p.Model)
		s.Posterior = x.post
		if *x.into, err = recommend.NewInferrer(s); err != nil {
			return nil, err
		}
	}
	for _, u := range users {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r := calibrate.UserRand(seed+2, u)
		all := calibrate.Ints(p.Likes.Row(u))
		for k := range len(calibrate.Sizes) + 1 {
			row, n := 0, len(all)
			if k > 0 {
				n = calibrate.Sizes[k-1]
				row = 1 + slices.IndexFunc(coverageRows[:], func(row [2]int) bool { return row[1] == 0 || n <= row[1] })
			}
			if n < 3 || n > len(all) {
				continue
			}
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			v := c.visit(row, u, all[:n])
			if 2*n <= len(all) {
				out = append(out, v.refit(all[n:2*n], calibrate.OtherDeviation(c.post, n), true))
			}
			drawn := slices.Clone(all[:n])
			for range calibrate.Refits {
				r.Shuffle(n, func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
				k := n/2 + r.IntN(n%2+1)
				out = append(out, v.refit(drawn[:k], calibrate.HalfDeviation(c.post, n, k), false))
			}
		}
	}
	return out, nil
}

// comparedVisit is a visitor with every candidate's covariance.
type comparedVisit struct {
	*compared
	row, user, likes int
	x, y             float64
	of               []model.Covariance
}

func (c *compared) visit(row, user int, likes []int) *comparedVisit {
	t := c.post.Infer(recommend.Evidence{Likes: likes}, nil)
	v := &comparedVisit{compared: c, row: row, user: user, likes: len(likes)}
	v.x, v.y = c.plane.Point(t.Row[:c.m.Items.Dim()])
	for _, x := range candidates {
		v.of = append(v.of, x.of(c, t, likes))
	}
	return v
}

func (v *comparedVisit) refit(likes []int, times float64, fresh bool) refit {
	x, y := v.plane.Point(v.post.Row(recommend.Evidence{Likes: likes})[:v.m.Items.Dim()])
	x, y = (x-v.x)/times, (y-v.y)/times
	r := refit{row: v.row, user: v.user, likes: v.likes, fresh: fresh}
	for _, c := range v.of {
		det := max(c.XX*c.YY-c.XY*c.XY, 1e-300)
		r.distance = append(r.distance, math.Sqrt(max((c.YY*x*x-2*c.XY*x*y+c.XX*y*y)/det, 0)))
		r.logdet = append(r.logdet, math.Log(det))
	}
	return r
}

func (c *compared) covariance(f *recommend.Inferrer, t *recommend.Taste) (out model.Covariance) {
	out.XX, out.XY, out.YY, _ = f.Covariance(t, c.plane.Axes[0], c.plane.Axes[1])
	return out
}

// laplace returns the inverse of the curvature of the training's loss on n likes, with respect to the visitor's mean.
// With the items' shares π_i ∝ exp(−W2²/τ) of the softmax the curvature is n·(4/τ²)·Cov_π(μ). If the mean lies on the
// sphere of the bound, only directions across it count.
func (c *compared) laplace(t *recommend.Taste, likes []int) (out model.Covariance) {
	items, h, tau := c.m.Items, c.m.Items.Dim(), float64(c.m.Objective.Loss.Temperature)
	share, total := make([]float64, items.Len()), 0.0
	mean := make([]float64, h)
	for i := range share {
		share[i] = math.Exp(-float64(gaussian.W2Squared(t.Row, items.Row(i))) / tau)
		total += share[i]
	}
	for i := range share {
		share[i] /= total
		for d, m := range items.Mean(i) {
			mean[d] += share[i] * float64(m)
		}
	}
	curvature := mat.NewSymDense(h, nil)
	dev := mat.NewVecDense(h, nil)
	for i := range share {
		for d, m := range items.Mean(i) {
			dev.SetVec(d, float64(m)-mean[d])
		}
		curvature.SymRankOne(curvature, share[i]*float64(len(likes))*4/(tau*tau), dev)
	}
	trace := mat.Trace(curvature)
	norm := 0.0
	for _, m := range t.Row[:h] {
		norm += float64(m) * float64(m)
	}
	for d := range h {
		curvature.SetSym(d, d, curvature.At(d, d)+1e-6*trace)
	}
	if norm >= 1-1e-4 { // no freedom along the mean
		for d, m := range t.Row[:h] {
			dev.SetVec(d, float64(m))
		}
		curvature.SymRankOne(curvature, 1e6*trace, dev)
	}
	var factor mat.Cholesky
	if !factor.Factorize(curvature) {
		return out
	}
	solve := func(axis []float32) *mat.VecDense {
		b := mat.NewVecDense(h, nil)
		for d, a := range axis {
			b.SetVec(d, float64(a))
		}
		x := new(mat.VecDense)
		_ = factor.SolveVecTo(x, b) // an error means bad conditioning, which the ridge above bounds
		return x
	}
	x, y := solve(c.plane.Axes[0]), solve(c.plane.Axes[1])
	for d := range h {
		a, b := float64(c.plane.Axes[0][d]), float64(c.plane.Axes[1][d])
		out.XX += a * x.AtVec(d)
		out.XY += b * x.AtVec(d)
		out.YY += b * y.AtVec(d)
	}
	return out
}

// candidateReport summarises one candidate's refits. The radii for a model's people are fitted on the next model's.
func candidateReport(c int, refits [][]refit) CandidateReport {
	out := CandidateReport{Name: candidates[c].name}
	type key struct{ row, user int }
	type inside struct {
		n             float64
		plain, scaled [3]float64
	}
	people, order := map[key]*inside{}, []key(nil)
	square, det, fresh := [6]float64{}, [6]float64{}, [6]float64{}
	for k, own := range refits {
		distances := map[int][]float64{}
		for _, r := range refits[(k+1)%len(refits)] {
			if r.row > 0 && !r.fresh {
				distances[r.likes] = append(distances[r.likes], r.distance[c])
			}
		}
		region := calibrate.Normal(2)
		calibrate.FitRadii(&region, distances, calibrate.Refits)
		for _, r := range own {
			if r.fresh {
				square[r.row] += r.distance[c] * r.distance[c]
				det[r.row] += r.logdet[c] / 2
				fresh[r.row]++
				continue
			}
			at := key{r.row, r.user}
			if people[at] == nil {
				people[at] = new(inside)
				order = append(order, at)
			}
			people[at].n++
			for l, level := range recommend.Probabilities {
				if r.distance[c] <= model.EllipseRadius(level) {
					people[at].plain[l]++
				}
				if r.distance[c] <= region.Radius(level, r.likes) {
					people[at].scaled[l]++
				}
			}
		}
	}
	var rows [6]struct {
		n             float64
		plain, scaled [3]float64
	}
	for _, at := range order {
		row, p := &rows[at.row], people[at]
		row.n++
		for l := range p.plain {
			row.plain[l] += p.plain[l] / p.n
			row.scaled[l] += p.scaled[l] / p.n
		}
	}
	used := 0.0
	for k := range rows {
		if rows[k].n == 0 {
			continue
		}
		for l, level := range recommend.Probabilities {
			out.Worst = max(out.Worst, math.Abs(rows[k].scaled[l]/rows[k].n-level))
			if k == 0 {
				out.Plain[l], out.Scaled[l] = rows[k].plain[l]/rows[k].n, rows[k].scaled[l]/rows[k].n
			}
		}
		if k > 0 && fresh[k] > 0 {
			out.Surprise += det[k]/fresh[k] + math.Log(square[k]/fresh[k])
			used++
		}
	}
	out.Surprise /= max(used, 1)
	return out
}

// CandidatesText returns the comparison as a table.
func CandidatesText(reports []CandidateReport) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-52s %-18s %-18s %6s %9s\n", "estimate of the mean's accuracy", "as it is 50 80 95",
		"scaled 50 80 95", "worst", "surprise")
	for _, r := range reports {
		fmt.Fprintf(&b, "%-52s %5.1f %5.1f %5.1f  %5.1f %5.1f %5.1f  %6.1f %+9.3f\n", r.Name,
			100*r.Plain[0], 100*r.Plain[1], 100*r.Plain[2], 100*r.Scaled[0], 100*r.Scaled[1], 100*r.Scaled[2],
			100*r.Worst, r.Surprise)
	}
	return b.String()
}
