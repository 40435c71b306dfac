package cold

import (
	"fmt"
	"strings"
)

// Table returns the means over several draws of hidden items, as tables in Markdown.
func Table(name string, draws []*Figures) string {
	var b strings.Builder
	mean := func(of func(f *Figures) float64) float64 {
		sum := 0.0
		for _, f := range draws {
			sum += of(f) / float64(len(draws))
		}
		return sum
	}
	first := draws[0]
	people := mean(func(f *Figures) float64 { return float64(f.People) })
	features := mean(func(f *Figures) float64 { return float64(f.Report.Features) })
	explained := mean(func(f *Figures) float64 { return f.Report.Explained })
	fmt.Fprintf(&b, "%s: %d draws of %d hidden items, %.0f people who like some; %.0f features of %d items explain "+
		"%.1f%% of the rows\n\n", name, len(draws), first.Hidden, people, features, first.Report.Warm, 100*explained)
	b.WriteString("| Recall@20 of hidden items | among the hidden | among all |\n| --- | --- | --- |\n")
	for k, r := range first.Recalls {
		hidden := mean(func(f *Figures) float64 { return f.Recalls[k].Hidden })
		all := mean(func(f *Figures) float64 { return f.Recalls[k].All })
		fmt.Fprintf(&b, "| %s | %.4f | %.4f |\n", r.Method, hidden, all)
	}
	for _, l := range []struct {
		name string
		of   func(f *Figures) Loss
	}{
		{"the hidden items entered by content", func(f *Figures) Loss { return f.Entered }},
		{"the hidden items learned from likes", func(f *Figures) Loss { return f.Learned }},
	} {
		alone := mean(func(f *Figures) float64 { return l.of(f).Alone })
		among := mean(func(f *Figures) float64 { return l.of(f).Among })
		fmt.Fprintf(&b, "\nRecall@20 of warm items, alone and among %s: %.4f → %.4f (−%.2f%%)\n", l.name, alone, among,
			100*mean(func(f *Figures) float64 { return l.of(f).Relative() }))
	}
	b.WriteString("\nChances of liking hidden items, expected calibration error of each draw:")
	for _, f := range draws {
		fmt.Fprintf(&b, " %.4f", f.Error)
	}
	b.WriteString("\n\nMeans within the stated region, by the map's error and by the file's spread:")
	for k, r := range first.Regions {
		byMap := mean(func(f *Figures) float64 { return f.Regions[k].Map })
		byFile := mean(func(f *Figures) float64 { return f.Regions[k].Spread })
		fmt.Fprintf(&b, " %.0f%%: %.1f%%, %.1f%%;", 100*r.Share, 100*byMap, 100*byFile)
	}
	b.WriteString("\n")
	return b.String()
}
