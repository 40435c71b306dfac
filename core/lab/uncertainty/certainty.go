package uncertainty

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/lab/plot"
)

// Tables and pictures of Reliability, Stability and Selective.

func writeWords(b *strings.Builder, what string, all []Word) {
	fmt.Fprintf(b, "  %s:\n", what)
	for _, w := range all {
		fmt.Fprintf(b, "    %-12s %.2f to %.2f  stated %.3f, came true %s  (%d, %.0f%%)\n", w.Certainty,
			w.From, w.To, w.Stated, w.Observed, w.Count, 100*w.Share)
	}
}

func (r *ReliabilityReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nThe chance that somebody likes what they rate: %d people\n", r.People)
	for _, row := range []struct {
		name string
		of   *Reliable
	}{{"all", &r.All}, {"among the first fifty", &r.Shown}, {"among the first ten", &r.First},
		{"after three likes or fewer", &r.Few}, {"after twenty or more", &r.Many}, {"little known titles",
			&r.LittleKnown}} {
		x := row.of
		fmt.Fprintf(b, "  %-28s%7d ratings, %.3f likes; calibration error %s; Brier %s, below the base rate's by %s, "+
			"popularity's %s, the like rate's %s\n",
			row.name, x.Statements, x.Liked, x.ECE, x.Brier, x.OverBase, x.OverPopularity, x.OverRate)
	}
	writeWords(b, "words, of titles among the first ten", r.Words)
	writeWords(b, "words, of all", r.AllWords)
}

func (r *StabilityReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nThe chance that a title stays among the first ten: %d people\n", r.People)
	row := func(name string, x *Stable) {
		fmt.Fprintf(b, "  %-44s%6d titles; stated %.3f, stayed %s; calibration error %s\n", name, x.Statements,
			x.Stated, x.Stayed, x.ECE)
	}
	row("when a random half of the likes is forgotten", &r.Halves)
	for i := range r.ByLikes {
		row(fmt.Sprintf("  of %d likes", r.ByLikes[i].Likes), &r.ByLikes[i].Stable)
	}
	row("with as many other likes instead", &r.Fresh)
	writeWords(b, "words, of halves", r.Words)
}

func (r *SelectiveReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nOnly the most certain: %d recommendations to %d people; hit rate of the most certain 20%%, "+
		"50%% and of all, and the area under all shares\n", r.Recommendations, r.People)
	for _, c := range r.Curves {
		star := " "
		if c.Name == r.Chosen {
			star = "*"
		}
		fmt.Fprintf(b, "  %s %-18s %s  %s  %s  area %s\n", star, c.Name, c.Hits[1], c.Hits[4], c.Hits[9], c.Area)
	}
	fmt.Fprintf(b, "  the one chosen by others (*) above popularity by %s, above distance by %s\n", r.OverPopularity,
		r.OverDistance)
}

// diagram returns the line of a reliability diagram.
func diagram(name string, bins []Bin) plot.Line {
	l := plot.Line{Name: name, Marks: true}
	for _, b := range bins {
		l.X, l.Y = append(l.X, b.Stated), append(l.Y, b.Observed.Value)
		l.Low, l.High = append(l.Low, b.Observed.Low), append(l.High, b.Observed.High)
	}
	return l
}

func (r *ReliabilityReport) picture() plot.Picture {
	const x, y = "chance stated", "share that was liked"
	return plot.Picture{Name: "reliability", Panels: []plot.Panel{
		{Title: "Would they like it, if they rated it?", X: x, Y: y, Square: true, Lines: []plot.Line{
			diagram("every rating", r.All.Bins), diagram("titles among the first ten", r.First.Bins)}},
		{Title: "… by the number of likes told", X: x, Y: y, Square: true, Lines: []plot.Line{
			diagram("three likes or fewer", r.Few.Bins), diagram("twenty or more", r.Many.Bins)}},
	}}
}

func (r *StabilityReport) picture() plot.Picture {
	const x, y = "chance stated", "share that stayed"
	byLikes := plot.Panel{Title: "… by the number of likes told (halves)", X: x, Y: y, Square: true}
	for i := range r.ByLikes {
		byLikes.Lines = append(byLikes.Lines, diagram(fmt.Sprintf("%d likes", r.ByLikes[i].Likes), r.ByLikes[i].Bins))
	}
	return plot.Picture{Name: "stability", Panels: []plot.Panel{
		{Title: "Does it stay among the first ten?", X: x, Y: y, Square: true, Lines: []plot.Line{
			diagram("half of the likes forgotten", r.Halves.Bins), diagram("as many other likes", r.Fresh.Bins)}},
		byLikes,
	}}
}

func (r *SelectiveReport) picture() plot.Picture {
	p := plot.Panel{Title: "Only the most certain", X: "share of the recommendations kept", Y: "hit rate",
		Legend: plot.UpperRight}
	for _, c := range r.Curves {
		l := plot.Line{Name: c.Name, X: Shares[:], Faint: c.Name != r.Chosen && c.Name != scoreNames[byPopularity] &&
			c.Name != scoreNames[byDistance]}
		for _, e := range c.Hits {
			l.Y = append(l.Y, e.Value)
			if c.Name == r.Chosen {
				l.Low, l.High = append(l.Low, e.Low), append(l.High, e.High)
			}
		}
		if l.Faint {
			l.Name = ""
		}
		p.Lines = append(p.Lines, l)
	}
	return plot.Picture{Name: "selective", Panels: []plot.Panel{p}}
}
