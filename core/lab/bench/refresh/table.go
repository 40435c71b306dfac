package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// mean returns the mean scores of people.
func mean(of []score) (s score) {
	for _, x := range of {
		s.ndcg += x.ndcg / float64(len(of))
		s.recall += x.recall / float64(len(of))
	}
	return s
}

// line describes a day while the study runs.
func (d *day) line() string {
	s := fmt.Sprintf("%d ratings; refreshed in %.2f s; %d bytes of %d", d.ratings, d.refreshed.seconds, d.delta,
		d.whole)
	if d.newer != nil {
		full, fresh := mean(d.full), mean(d.fresh)
		s += fmt.Sprintf("; anew in %.2f s, %d bytes; %d people, NDCG@10 %.4f anew, %.4f refreshed", d.newer.seconds,
			d.anew, d.people, full.ndcg, fresh.ndcg)
	}
	return s + "\n"
}

// table summarises the days, in Markdown, with one run per seed.
func table(name string, runs [][]day) string {
	var b strings.Builder
	days := runs[0]
	fmt.Fprintf(&b, "\n%s: %d to %d ratings in %d days, %d seeds\n\n", name, days[0].ratings,
		days[len(days)-1].ratings, len(days)-1, len(runs))
	b.WriteString("| days | time | bytes, mean | most | trained anew | people | NDCG@10 | of anew | Recall@20 | of " +
		"anew | " +
		"day 0's, NDCG@10 |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
	// between returns the days in [from, to) of all seeds.
	between := func(from, to int) (all []day) {
		for _, days := range runs {
			all = append(all, days[from:to]...)
		}
		return all
	}
	const part = 10 // days
	for from := 1; from < len(days); from += part {
		to := min(from+part, len(days))
		b.WriteString(row(fmt.Sprintf("%d to %d", from, to-1), between(from, to)))
	}
	rest := between(1, len(days))
	b.WriteString(row("all", rest))
	low, high := interval(rest, func(s score) float64 { return s.ndcg })
	fmt.Fprintf(&b, "\nrefreshed / anew, 95%% intervals over people: NDCG@10 %.1f%% to %.1f%%", 100*low, 100*high)
	low, high = interval(rest, func(s score) float64 { return s.recall })
	fmt.Fprintf(&b, ", Recall@20 %.1f%% to %.1f%%\n", 100*low, 100*high)
	for k, days := range runs {
		var full, fresh, unchanged []score
		for _, d := range days[1:] {
			full, fresh = append(full, d.full...), append(fresh, d.fresh...)
			unchanged = append(unchanged, d.unchanged...)
		}
		a, r, u := mean(full), mean(fresh), mean(unchanged)
		fmt.Fprintf(&b, "seed %d: NDCG@10 %.4f anew, %.4f refreshed, %.4f day 0's; Recall@20 %.4f, %.4f, %.4f; "+
			"day 0 trained in %.1f s\n", k+1, a.ndcg, r.ndcg, u.ndcg, a.recall, r.recall, u.recall,
			days[0].refreshed.seconds)
	}
	if len(days) > 7 {
		sum := 0
		for _, d := range days[len(days)-7:] {
			sum += d.delta
		}
		fmt.Fprintf(&b, "a week's deltas: %.1f%% of the model\n", 100*float64(sum)/float64(days[len(days)-1].whole))
	}
	return b.String()
}

func row(name string, days []day) string {
	var anew, refreshed, share, most, retrained, times float64
	var full, fresh, unchanged []score
	for _, d := range days {
		refreshed += d.refreshed.seconds / float64(len(days))
		if d.newer != nil {
			times++
			anew += d.newer.seconds
			retrained += float64(d.anew) / float64(d.whole)
		}
		now := float64(d.delta) / float64(d.whole)
		share += now / float64(len(days))
		most = max(most, now)
		full, fresh = append(full, d.full...), append(fresh, d.fresh...)
		unchanged = append(unchanged, d.unchanged...)
	}
	a, b, c := mean(full), mean(fresh), mean(unchanged)
	return fmt.Sprintf("| %s | %.1f%% | %.1f%% | %.1f%% | %.0f%% | %d | %.4f | %.1f%% | %.4f | %.1f%% | %.1f%% |\n",
		name,
		100*refreshed*times/anew, 100*share, 100*most, 100*retrained/times, len(full), b.ndcg, 100*b.ndcg/a.ndcg,
		b.recall,
		100*b.recall/a.recall, 100*c.ndcg/a.ndcg)
}

// interval returns the 95% interval of the ratio of a figure, refreshed to trained from scratch, over draws of people
// with replacement: a person counts with all of their days.
func interval(days []day, figure func(s score) float64) (low, high float64) {
	type sums struct{ full, fresh float64 }
	at := map[string]int{}
	var people []sums
	for _, d := range days {
		for k, id := range d.ids {
			i, ok := at[id]
			if !ok {
				i = len(people)
				at[id] = i
				people = append(people, sums{})
			}
			people[i].full += figure(d.full[k])
			people[i].fresh += figure(d.fresh[k])
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	ratios := make([]float64, 2000)
	for n := range ratios {
		var s sums
		for range people {
			p := people[r.IntN(len(people))]
			s.full, s.fresh = s.full+p.full, s.fresh+p.fresh
		}
		ratios[n] = s.fresh / s.full
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/40], ratios[len(ratios)-1-len(ratios)/40]
}
