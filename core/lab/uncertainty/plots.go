package uncertainty

import (
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/plot"
	"github.com/pmlam/pmlam/core/recommend"
)

// Pictures returns the pictures of the studies that were made.
func (r *Report) Pictures() []plot.Picture {
	var out []plot.Picture
	if r.Sigma != nil && len(r.Sigma.Points) > 0 {
		out = append(out, r.Sigma.picture())
	}
	if r.Coverage != nil {
		out = append(out, r.Coverage.picture())
	}
	if r.Places != nil {
		out = append(out, r.Places.picture())
	}
	if r.Reliability != nil {
		out = append(out, r.Reliability.picture())
	}
	if r.Stability != nil {
		out = append(out, r.Stability.picture())
	}
	if r.Selective != nil {
		out = append(out, r.Selective.picture())
	}
	if r.Exploration != nil {
		out = append(out, r.Exploration.picture())
	}
	if r.Questions != nil {
		out = append(out, r.Questions.picture())
	}
	return out
}

// levelled returns a line of shares, one for each of recommend.Probabilities.
func levelled(name string, of [3]eval.Estimate) plot.Line {
	l := plot.Line{Name: name, X: recommend.Probabilities[:], Marks: true}
	for _, e := range of {
		l.Y, l.Low, l.High = append(l.Y, e.Value), append(l.Low, e.Low), append(l.High, e.High)
	}
	return l
}

// rowName names visitors by their number of likes; to 0: no upper bound.
func rowName(from, to int) string {
	if to == 0 {
		return fmt.Sprintf("%d likes and more", from)
	}
	return fmt.Sprintf("%d to %d likes", from, to)
}

// picture shows the coverage of the rings on the map, by the number of likes told.
func (r *PlacesReport) picture() plot.Picture {
	held := plot.Panel{Title: "Do the rings on the map hold their stated share?",
		X: "stated share", Y: "share of other likes inside", Square: true}
	for _, row := range r.Rows {
		held.Lines = append(held.Lines, levelled(rowName(row.From, row.To), row.Held))
	}
	return plot.Picture{Name: "places", Panels: []plot.Panel{held}}
}

// picture shows the coverage of the regions, over all people and by number of likes.
func (r *CoverageReport) picture() plot.Picture {
	all := plot.Panel{Title: "Does the region hold its stated share?", X: "stated share",
		Y: "share of refits inside", Square: true, Lines: []plot.Line{
			levelled("refits on halves", r.Halves.All.Full), levelled("other likes", r.Fresh.All.Full),
		}}
	rows := plot.Panel{Title: "… by the number of likes told (halves)", X: all.X, Y: all.Y, Square: true}
	for _, row := range r.Halves.Rows {
		rows.Lines = append(rows.Lines, levelled(rowName(row.From, row.To), row.Full))
	}
	return plot.Picture{Name: "coverage", Panels: []plot.Panel{all, rows}}
}

// picture shows every item's mean s, and the ensemble's spread, against its count.
func (r *SigmaReport) picture() plot.Picture {
	var count, sigma, known, spread []float64
	for _, p := range r.Points {
		if p.Count > 0 && p.Sigma > 0 {
			count, sigma = append(count, p.Count), append(sigma, p.Sigma)
			if p.Spread > 0 {
				known, spread = append(known, p.Count), append(spread, p.Spread)
			}
		}
	}
	of := func(e eval.Estimate) string { return fmt.Sprintf(" (ρ %+.2f)", e.Value) }
	out := plot.Picture{Name: "sigma", Panels: []plot.Panel{{
		Title: "The trained σ" + of(r.Items.Count["mean"]), X: "likes in training", Y: "mean σ of an item", LogX: true,
		Clouds: []plot.Cloud{{X: count, Y: sigma}},
	}}}
	if len(known) > 0 {
		out.Panels = append(out.Panels, plot.Panel{
			Title: fmt.Sprintf("Disagreement of %d trainings", r.Members) + of(r.Items.SpreadCount),
			X:     "likes in training", Y: "deviation of an item's mean", LogX: true,
			Clouds: []plot.Cloud{{X: known, Y: spread}},
		})
	}
	return out
}

// shown returns the policies that fit into a picture: the named and the chosen ones.
func shown(all []PolicyReport, names ...string) (out []PolicyReport) {
	for _, p := range all {
		if p.Chosen || slices.Contains(names, p.Name) {
			out = append(out, p)
		}
	}
	return out
}

func (r *ExploreReport) picture() plot.Picture {
	names := []string{"random", "popularity", "greedy"}
	return plot.Picture{Name: "exploration", Panels: []plot.Panel{
		results("Asked about any title", "recall@20 of the other likes", shown(r.Asked, names...), recalls),
		results("Asked about titles that they know", "recall@20 of the other likes", shown(r.Known, names...), recalls),
		results("How fast a visitor becomes known", "variance, 1 before the first answer", shown(r.Asked, names...),
			variances),
	}}
}

func (r *QuestionReport) picture() plot.Picture {
	return plot.Picture{Name: "questions", Panels: []plot.Panel{
		results("Asked about any title", "recall@20 of the other likes", r.Asked, recalls),
		results("Asked about titles that they know", "recall@20 of the other likes", r.Known, recalls),
	}}
}

func recalls(p *PolicyReport) ([]float64, []eval.Estimate)   { return p.Recalls, p.Recall }
func variances(p *PolicyReport) ([]float64, []eval.Estimate) { return p.Variances, p.Variance }

// results plots a figure against the number of answers, with intervals if there are any.
func results(title, y string, ps []PolicyReport, of func(*PolicyReport) ([]float64, []eval.Estimate)) plot.Panel {
	const apart = 0.14 // offset in answers that keeps the lines' bars apart
	p := plot.Panel{Title: title, X: "answers", Y: y, Legend: plot.UpperLeft}
	for k := range ps {
		values, at := of(&ps[k])
		l := plot.Line{Name: ps[k].Name, Y: values, Low: slices.Clone(values), High: slices.Clone(values)}
		for n := range values {
			l.X = append(l.X, float64(Steps[n])+apart*(float64(k)-float64(len(ps)-1)/2))
		}
		for i, answers := range ReportedAfter {
			n := slices.Index(Steps[:], answers)
			l.Low[n], l.High[n] = at[i].Low, at[i].High
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}
