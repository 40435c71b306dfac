package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/abtest"
	"github.com/pmlam/pmlam/core/internal/cli"
)

// leastEven is the chance below which unequal numbers of visitors get a warning.
const leastEven = 0.001

// compareRun is one run of the compare command.
type compareRun struct {
	*cli.App
	options abtest.Options
	event   string
	rate    string
}

// dominates is the share of a rate, of sessions or of lists above which a single visitor is named.
const dominates = 0.2

func compareCommand(a *cli.App) *cobra.Command {
	p := compareRun{App: a}
	c := &cobra.Command{
		Use:   "compare EXPORTS… [flags]",
		Short: "Compare the variants of a site's lists by visitors' choices",
		Long: "Compare two ways to recommend by visitors' exported logs: which variant of an experiment has the\n" +
			"higher rate of clicks, and which of two interleaved lists is preferred, each with a 95%\n" +
			"interval. Exports are the results of log() in the package: files of JSON, one export a line or\n" +
			"not, or folders of them. docs/experiments.md explains the method.",
		Example: "  pmlam compare logs/\n" +
			"  pmlam compare logs.jsonl --experiment ranking --variants plain,genres --lift 10 --json",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%s takes files or folders of exports, but nothing was given", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return p.run(c.Context(), args) },
	}
	g := cli.NewGroup("Comparison")
	g.StringVar(&p.options.Experiment, "experiment", "", "only this experiment; by default all experiments and "+
		"interleaved lists")
	g.StringSliceVar(&p.options.Variants, "variants", nil, "the variants of --experiment, the control first; other "+
		"variants are left out")
	g.StringVar(&p.options.Control, "control", "", "the control among the variants (default: the first by name)")
	g.StringVar(&p.options.List, "list", "", "count only lists with this name")
	g.StringVar(&p.event, "event", "clicked", "the event to count: clicked or liked")
	g.StringVar(&p.rate, "rate", "sessions", "unit of the rate: sessions (share with an event) or lists (events per "+
		"list)")
	g.Float64Var(&p.options.Lift, "lift", 5, "relative change, in percent, to state sample sizes for")
	g.Placeholder("NAME", "experiment", "variants", "control", "list")
	cli.AddGroups(c, g)
	cli.Complete(c, "event", "clicked", "liked")
	cli.Complete(c, "rate", "sessions", "lists")
	return c
}

func (p *compareRun) run(ctx context.Context, paths []string) error {
	switch {
	case p.event != "clicked" && p.event != "liked":
		return cli.Usagef("--event is %q; it must be clicked or liked", p.event)
	case p.rate != "sessions" && p.rate != "lists":
		return cli.Usagef("--rate is %q; it must be sessions or lists", p.rate)
	case !(p.options.Lift >= 0.01 && p.options.Lift <= 1000):
		return cli.Usagef("--lift is %g; it must be between 0.01 and 1000 percent", p.options.Lift)
	case p.options.Control != "" && p.options.Experiment == "":
		return cli.Usagef("--control is a variant of an experiment: name it with --experiment")
	case p.options.Variants != nil && p.options.Experiment == "":
		return cli.Usagef("--variants belong to an experiment; name it with --experiment")
	}
	if named := p.options.Variants; named != nil {
		if sorted := slices.Sorted(slices.Values(named)); len(named) < 2 || len(slices.Compact(sorted)) < len(named) {
			return cli.Usagef("--variants is %q; it must be two or more different names", strings.Join(named, ","))
		}
		if c := p.options.Control; c != "" && !slices.Contains(named, c) {
			return cli.Usagef("--control is %q, which is not among --variants", c)
		}
	}
	p.options.Likes, p.options.PerList = p.event == "liked", p.rate == "lists"
	p.options.Lift /= 100
	visits, err := abtest.Read(ctx, paths)
	if err != nil {
		return err
	}
	r, err := abtest.Compare(visits, p.options)
	if err != nil {
		return err
	}
	p.Printf("%s", p.text(r))
	if p.JSON {
		return p.PrintJSON(r)
	}
	return nil
}

// text returns the report as text.
func (p *compareRun) text(r *abtest.Report) string {
	var b strings.Builder
	days := r.From
	if r.To != r.From {
		days += " to " + r.To
	}
	fmt.Fprintf(&b, "%d exports of %d visitors, %s: %d sessions, %d lists shown, %d of their items %s\n", r.Exports,
		r.Visitors, days, r.Sessions, r.Lists, r.Answers, p.event)
	if r.Wrong > 0 {
		fmt.Fprintf(&b, "%s left out; the first:\n", plural(r.Wrong, "line is not an export and was",
			"lines are not exports and were"))
		for _, where := range r.FirstWrong {
			fmt.Fprintf(&b, "  %s\n", cli.Line(where))
		}
	}
	if r.Orphans > 0 {
		fmt.Fprintf(&b, "%d clicks and likes do not count: their list is no longer in the log\n", r.Orphans)
	}
	if r.Keyless {
		b.WriteString("some exports have no keys: each counts as a visitor of its own\n")
	}
	if len(r.Experiments) == 0 && len(r.Interleaved) == 0 {
		b.WriteString("nothing to compare: no session has a variant, and no list was interleaved\n")
	}
	for i := range r.Experiments {
		p.experiment(&b, r, &r.Experiments[i])
	}
	for i := range r.Interleaved {
		interleaved(&b, p.event, &r.Interleaved[i])
	}
	if r.Others > 0 {
		fmt.Fprintf(&b, "\n%s with fewer visitors: name one with --experiment or --list\n", plural(r.Others,
			"more experiment or interleaved list", "more experiments and interleaved lists"))
	}
	return b.String()
}

func (p *compareRun) experiment(b *strings.Builder, r *abtest.Report, e *abtest.Experiment) {
	scale, unit := 100.0, "%"
	if p.options.PerList {
		scale, unit = 1, " "
	}
	fmt.Fprintf(b, "\nExperiment %s: %s, each visitor with one vote\n  %-16s %9s %9s %9s  %s\n", cli.Line(e.Name),
		r.Rate, "variant", "visitors", p.rate, "rate", "difference, 95% interval                p")
	for i, v := range e.Variants {
		fmt.Fprintf(b, "  %-16s %9d %9.0f %8.3g%s", cli.Line(v.Name), v.Visitors, v.Of, scale*v.Value, unit)
		switch d := v.Difference; {
		case i == 0:
			b.WriteString("  (control)\n")
		case d == nil:
			b.WriteString("  cannot be compared: too few visitors, or all alike\n")
		default:
			fmt.Fprintf(b, "  %+.3g (%+.3g to %+.3g)   %.3g\n", scale*d.Value, scale*d.Low, scale*d.High, d.P)
		}
	}
	for i, v := range e.Variants {
		d := v.Difference
		if i == 0 || d == nil {
			continue
		}
		fmt.Fprintf(b, "  %s: %s%s\n", cli.Line(v.Name), verdict(d), lift(d, cli.Line(e.Variants[0].Name)))
		if d.Detectable > 0 {
			fmt.Fprintf(b, "    this many visitors show a change of %.2g%% in four of five cases; %.3g%% takes %d "+
				"per variant\n", 100*d.Detectable, 100*r.Lift, d.Needed)
		}
	}
	if n := len(e.Variants) - 1; n > 1 {
		fmt.Fprintf(b, "  %d variants are compared with one control, so intervals and p are wider (Bonferroni)\n", n)
	}
	for _, v := range e.Variants {
		name := cli.Line(v.Name)
		if v.Busiest > dominates {
			fmt.Fprintf(b, "  %s: one visitor has %.0f%% of the %s, but counts as one of %d\n", name, 100*v.Busiest,
				p.rate, v.Visitors)
		}
		if v.Weight > dominates {
			fmt.Fprintf(b, "  CAUTION: one visitor makes up %.0f%% of the rate of %s\n", 100*v.Weight, name)
		}
	}
	if e.Mixed > 0 {
		fmt.Fprintf(b, "  %s\n", plural(e.Mixed, "visitor with several variants is not counted",
			"visitors with several variants are not counted"))
	}
	if e.LeftOut > 0 {
		why := "too few visitors compared with the others"
		if e.Declared {
			why = "not among --variants"
		}
		fmt.Fprintf(b, "  left out, %s: %s, of %s: %s\n", why, plural(e.LeftOut, "variant", "variants"),
			plural(e.LeftOutVisitors, "visitor", "visitors"), named(e.LeftOutNames, e.LeftOut))
	}
	if !e.Declared {
		b.WriteString("  the variants are named by the exports, which anybody can send; declare them with " +
			"--experiment and\n    --variants\n")
	}
	if e.Even < leastEven {
		fmt.Fprintf(b, "  CAUTION: visitors are distributed less evenly than by chance (p %.2g): something loses "+
			"visitors of one variant, and the comparison may be wrong\n", e.Even)
	}
}

// verdict interprets a difference's interval.
func verdict(d *abtest.Difference) string {
	switch {
	case d.Low > 0:
		return "better than the control"
	case d.High < 0:
		return "worse than the control"
	}
	return "no difference from the control is shown"
}

// lift returns the difference relative to the control; "" if the control's rate may be 0.
func lift(d *abtest.Difference, control string) string {
	if d.Lift == nil {
		return ""
	}
	return fmt.Sprintf("; relative to %s %+.1f%% (%+.1f to %+.1f)", control, 100*d.Lift.Value, 100*d.Lift.Low,
		100*d.Lift.High)
}

// plural returns "1 line is" or "2 lines are".
func plural(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// named returns the first of several names, for one line.
func named(names []string, of int) string {
	var quoted []string
	for _, n := range names {
		quoted = append(quoted, fmt.Sprintf("%.40q", n))
	}
	text := strings.Join(quoted, ", ")
	if of > len(names) {
		text += " …"
	}
	return text
}

func interleaved(b *strings.Builder, event string, x *abtest.Interleaved) {
	list, teams := cli.Line(x.List), [2]string{cli.Line(x.Teams[0]), cli.Line(x.Teams[1])}
	fmt.Fprintf(b, "\nList %s (%s and %s): shown %d times; by items %s, %s won %d, %s won %d, ties "+
		"%d\n", list, teams[0], teams[1], x.Shown, event, teams[0], x.Won[0], teams[1], x.Won[1], x.Even)
	if x.Visitors < 2 {
		b.WriteString("  too few visitors to tell\n")
		return
	}
	better := "neither is preferred"
	switch {
	case x.Low > 0.5:
		better = teams[1] + " is preferred"
	case x.High < 0.5:
		better = teams[0] + " is preferred"
	}
	fmt.Fprintf(b, "  %s: %s won %.1f%% of a visitor's decided lists on average (95%% interval %.1f to %.1f), p "+
		"%.3g\n", better, teams[1], 100*x.Value, 100*x.Low, 100*x.High, x.P)
	fmt.Fprintf(b, "  of %d visitors, %d prefer %s and %d %s: sign test p %.3g\n", x.Visitors, x.Prefer[0], teams[0],
		x.Prefer[1], teams[1], x.Sign)
	fmt.Fprintf(b, "  this many visitors show a share of %.1f%% in four of five cases\n", min(100, 50+100*x.Detectable))
	if x.Busiest > dominates {
		fmt.Fprintf(b, "  one visitor has %.0f%% of the decided lists, but counts as one of %d\n", 100*x.Busiest,
			x.Visitors)
	}
}
