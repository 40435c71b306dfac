package reproduce

import (
	"fmt"
	"math"
)

// Table1 returns the statistics of the data in the columns of the paper's Table 1. The paper's own figures follow below
// where the data are one of its sets or related to one.
func Table1(all []*Data) Table {
	t := Table{Title: "Table 1: the data sets", Head: []string{"Dataset", "#Users", "#Items", "#Interactions",
		"Density", "split"}}
	for _, d := range all {
		s := d.stats()
		split := fmt.Sprintf("%d folds per user", Folds)
		if d.Published != nil {
			split = "published"
		}
		t.Rows = append(t.Rows, cells(append(s.Row(), split)...))
		r := d.relative()
		p, ok := paperStats[r.Paper]
		if !ok {
			continue
		}
		t.Rows = append(t.Rows, cells("the paper's "+r.Paper, withCommas(p.Users), withCommas(p.Items),
			withCommas(p.Interactions),
			fmt.Sprintf("%.3f%%", p.Density), fmt.Sprintf("%d folds per user", Folds)))
		if r.Same {
			t.Rows = append(t.Rows, cells("difference", percent(relativeTo(float64(s.Users), float64(p.Users))),
				percent(relativeTo(float64(s.Items), float64(p.Items))),
				percent(relativeTo(float64(s.Interactions), float64(p.Interactions))),
				percent(relativeTo(100*s.Density, p.Density)), ""))
		}
		t.Notes = append(t.Notes, fmt.Sprintf("%s and the paper's %s: %s.", d.Name, r.Paper, r.Note))
	}
	t.Notes = append(t.Notes, "Ratings of at least 4 of 5 count. Users with fewer than 10 and items with fewer than 5 "+
		"are dropped until both minima hold; published splits stay whole. Density is interactions / (users · items).")
	return t
}

// withCommas writes a number with a comma every three digits.
func withCommas(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return withCommas(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// percent writes a share with its sign; a dash for NaN and infinity.
func percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "–"
	}
	s := fmt.Sprintf("%+.1f%%", 100*share)
	if s[0] == '-' {
		s = "−" + s[1:]
	}
	return s
}

// figureText formats a figure as the paper does, with its deviation unless that is NaN; a dash for NaN.
func figureText(mean, deviation float64) string {
	switch {
	case math.IsNaN(mean):
		return "–"
	case math.IsNaN(deviation):
		return fmt.Sprintf("%.4f", mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", mean, deviation)
}
