package reproduce

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/pmlam/pmlam/core/eval"
)

// Table columns with the paper's figures and our differences from them.

// paperHead returns the heads of the columns that follow a metric when the paper's figures are comparable.
func paperHead(metric string) []string {
	if metric == eval.NDCG {
		return []string{"ideal of 10", "paper", "difference"}
	}
	return []string{"paper", "difference"}
}

// paperCells returns the cells of those columns: the paper's figure and our difference from it. theirs is nil where the
// paper lacks the row. NDCG is compared as wholeNDCG, which has its own column.
func paperCells(o *Outcome, metric string, theirs *pair) []Cell {
	if metric == eval.NDCG {
		v, deviation := o.wholeNDCG()
		row := cells(figureText(v, deviation))
		if theirs == nil {
			return append(row, cells("", "")...)
		}
		return append(row, cells(fmt.Sprintf("%.4f", theirs.NDCG), percent(relativeTo(v, theirs.NDCG)))...)
	}
	if theirs == nil {
		return cells("", "")
	}
	v, _ := o.Figure(metric, tableAt)
	return cells(fmt.Sprintf("%.4f", theirs.Recall), percent(relativeTo(v, theirs.Recall)))
}

// paperNote explains the comparison below a table.
const paperNote = "The paper does not state the length of NDCG's ideal list. Ours is cut at the number of test " +
	"items; \"ideal of 10\" has ten for every user. On CDs the ratio of the paper's NDCG to its Recall fits ten, so " +
	"the paper's NDCG is compared with that column."

// wholeNDCG returns NDCG@TableK as the paper seems to compute it: with an ideal list of TableK hits for every user,
// where Figure cuts the ideal list at the user's number of test items. The paper does not state its choice; on CDs its
// figures for CML and BPRMF fit the whole list. The results are the mean over the measured folds and the standard
// deviation between them, NaN as in Figure; in [0,1]. O(users).
//
//	Σ_{r<TableK} [hit at r]/log₂(r+2) / Σ_{r<TableK} 1/log₂(r+2) = NDCG · IDCG(min(TableK, |T|)) / IDCG(TableK)
func (o *Outcome) wholeNDCG() (mean, deviation float64) {
	var values []float64
	for k, m := range o.Folds {
		if !o.has(k) {
			continue
		}
		sum := 0.0
		for i, n := range m.Items {
			sum += float64(m.NDCGs[i]) * ideal[min(TableK, n)] / ideal[TableK]
		}
		values = append(values, sum/float64(len(m.Users)))
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN()
	}
	return stat.MeanStdDev(values, nil)
}

// ideal[n] is the discounted gain of n hits in the first n places.
var ideal = func() (sums [TableK + 1]float64) {
	for r := range TableK {
		sums[r+1] = sums[r] + 1/math.Log2(float64(r+2))
	}
	return sums
}()
