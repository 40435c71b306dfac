package uncertainty

import (
	"fmt"
	"strings"
)

// String returns the report as tables of text.
func (r *Report) String() string {
	var b strings.Builder
	if r.Coverage != nil {
		fmt.Fprintf(&b, "\nThe visitor's region: %s", r.Coverage)
	}
	if r.Places != nil {
		r.Places.write(&b)
	}
	if r.Candidates != nil {
		fmt.Fprintf(&b, "\n%s", CandidatesText(r.Candidates))
	}
	if r.Reliability != nil {
		r.Reliability.write(&b)
	}
	if r.Calibrators != nil {
		r.Calibrators.write(&b)
	}
	if r.Stability != nil {
		r.Stability.write(&b)
	}
	if r.Selective != nil {
		r.Selective.write(&b)
	}
	if r.Sigma != nil {
		r.Sigma.write(&b)
	}
	if r.Exploration != nil {
		fmt.Fprintf(&b, "\nExploration that pays: %d people; recall@%d of hidden likes, after %d, %d "+
			"and %d answers; * is the best of its kind on others\n",
			r.Exploration.People, recallAt, ReportedAfter[0], ReportedAfter[1], ReportedAfter[2])
		writePolicies(&b, "any title can be asked about", r.Exploration.Asked)
		writePolicies(&b, "only titles that they rated", r.Exploration.Known)
	}
	if r.Questions != nil {
		r.Questions.write(&b)
	}
	return b.String()
}

func (r *SigmaReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nWhat the trained σ says: rank correlations of the mean, the log determinant and the norm of s\n")
	row := func(name string, c Correlations) {
		if c == nil {
			return
		}
		fmt.Fprintf(b, "  %-38s", name)
		for _, m := range Measures {
			fmt.Fprintf(b, "  %-24s", c[m])
		}
		b.WriteByte('\n')
	}
	for _, of := range []struct {
		name string
		rows *SigmaOfRows
	}{{"items", &r.Items}, {"users", &r.Users}} {
		x := of.rows
		fmt.Fprintf(b, "%s (%d, %d with something held out)\n", of.name, x.N, x.Measured)
		row("with the interactions", x.Count)
		row("with the error held out", x.Error)
		row("  at the same number of interactions", x.Given)
		row("with 1 − recall of the lists", x.Recall)
		row("with the ensemble's deviation", x.Spread)
		row("with the lists' disagreement", x.Lists)
		row("with σ of another seed", x.Seeds)
		fmt.Fprintf(b, "  interactions with error: %s", x.CountError)
		if x.Spread != nil {
			fmt.Fprintf(b, "; the ensemble's deviation with error: %s, with the interactions: %s", x.SpreadError,
				x.SpreadCount)
		}
		b.WriteByte('\n')
	}
}

func (r *QuestionReport) write(b *strings.Builder) {
	fmt.Fprintf(b, "\nWhich of these two? %d people; recall@%d of hidden likes, after %d, %d and %d "+
		"questions\n", r.People, recallAt, ReportedAfter[0], ReportedAfter[1], ReportedAfter[2])
	writePolicies(b, "any title can be asked about", r.Asked)
	writePolicies(b, "only titles that they rated", r.Known)
	fmt.Fprintf(b, "recall after ten: best pairs minus popular pairs %s, minus random pairs %s\n", r.Chosen, r.Random)
	if m := r.Model; m.People > 0 {
		fmt.Fprintf(b, "the likelier answer: stated %s, given %s; log loss %s bits (a coin: 1), with %.3g "+
			"times the temperature %s\n",
			m.Stated, m.Right, m.LogLoss, m.Scale, m.Best)
	}
}

func writePolicies(b *strings.Builder, title string, all []PolicyReport) {
	fmt.Fprintf(b, "%s\n  %-36s  %-44s  %-34s  %-21s  %s\n", title, "", "recall", "minus greedy's, after the last",
		"likes named", "variance left")
	for _, p := range all {
		mark := " "
		if p.Chosen {
			mark = "*"
		}
		fmt.Fprintf(b, "  %-34s %s  %.3f  %.3f  %-28s  %-34s", p.Name, mark, p.Recall[0].Value, p.Recall[1].Value,
			p.Recall[2], p.OfGreedy[2])
		for _, e := range p.Likes {
			fmt.Fprintf(b, "  %5.1f", e.Value)
		}
		for _, e := range p.Variance {
			fmt.Fprintf(b, "  %5.3f", e.Value)
		}
		b.WriteByte('\n')
	}
}
