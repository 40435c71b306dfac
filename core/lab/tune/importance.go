package tune

import (
	"cmp"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Importance is the part of the trials' quality that one setting explains.
type Importance struct {
	Name string

	// Share of the variance of the trials' ranks that the setting explains: η² over its values, or over four parts of
	// equal size for numbers, corrected for the number of parts (like R²) and never below 0.
	Explained float64

	// Spearman's rank correlation of the setting with the quality: +1 where more is always better. NaN for words.
	Trend float64

	Trials int // trials with the setting
}

// parts is the number of parts of a range.
const parts = 4

// Importances returns the importance of every setting of the space, the largest first. It describes the trials made,
// which are dense where the quality is good, one setting at a time: settings that matter only together are not seen. It
// uses ranks instead of figures, because those of stopped trials are not final; a diverged trial ranks last.
// O(settings·trials·log trials).
func Importances(space Space, trials []choose.Trial) []Importance {
	order := make([]*choose.Trial, len(trials))
	for i := range trials {
		order[i] = &trials[i]
	}
	slices.SortFunc(order, func(a, b *choose.Trial) int { return better(b, a) }) // the worst first
	var all []Importance
	for i := range space {
		p := &space[i]
		var x, rank []float64
		for r, t := range order {
			if text, ok := t.Values[p.Name]; ok {
				x, rank = append(x, p.Number(text)), append(rank, float64(r))
			}
		}
		m := Importance{Name: p.Name, Explained: explained(groupsOf(p, x), rank), Trend: math.NaN(), Trials: len(x)}
		if (p.Values == nil || p.Ordered) && len(x) > 1 && slices.Min(x) < slices.Max(x) {
			m.Trend = eval.Pearson(eval.Ranks(x), eval.Ranks(rank))
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(a, b Importance) int { return cmp.Compare(b.Explained, a.Explained) })
	return all
}

// groupsOf returns the part that each value falls into.
func groupsOf(p *Param, x []float64) []int {
	group := make([]int, len(x))
	if p.Values != nil {
		for i, v := range x {
			group[i] = int(v)
		}
		return group
	}
	for i, r := range eval.Ranks(x) {
		group[i] = min(int((r-0.5)*parts/float64(len(x))), parts-1)
	}
	return group
}

// explained returns the share of y's variance that lies between the groups, corrected; 0 if undefined.
func explained(group []int, y []float64) float64 {
	n := len(y)
	sum, count := map[int]float64{}, map[int]int{}
	var mean, total float64
	for i, v := range y {
		sum[group[i]] += v
		count[group[i]]++
		mean += v / float64(n)
	}
	for _, v := range y {
		total += (v - mean) * (v - mean)
	}
	if len(sum) < 2 || n <= len(sum) || total == 0 {
		return 0
	}
	within := 0.0
	for i, v := range y {
		d := v - sum[group[i]]/float64(count[group[i]])
		within += d * d
	}
	return max(0, 1-within/total*float64(n-1)/float64(n-len(sum)))
}
