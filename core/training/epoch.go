package training

import (
	"encoding/binary"
	"math"
)

// Epoch is what is known after an epoch.
type Epoch struct {
	Number    int       // from 1
	Figures   []float64 // the method's, in the order of its Figures; 0 for what it did not add to
	LearnRate float64   // of the last step
	NDCG      float64   // NDCG@10 on the validation part; NaN where it was not measured
	Recall    float64   // Recall@10, likewise
	Seconds   float64   // that it took, its validation included
	Best      bool      // this was the best epoch so far
	Pending   int       // epochs that are still to come at most
}

// recordSize returns the length of an epoch's record with so many figures.
func recordSize(figures int) int { return 8 * (figures + 5) }

// record packs an epoch; its Number and Pending follow from its place in the history.
func (e *Epoch) record() []byte {
	best := 0.0
	if e.Best {
		best = 1
	}
	b := make([]byte, 0, recordSize(len(e.Figures)))
	for _, values := range [][]float64{e.Figures, {e.LearnRate, e.NDCG, e.Recall, e.Seconds, best}} {
		for _, v := range values {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// unpack is the inverse of record.
func unpack(b []byte) Epoch {
	values := make([]float64, len(b)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	figures, rest := values[:len(values)-5:len(values)-5], values[len(values)-5:]
	return Epoch{Figures: figures, LearnRate: rest[0], NDCG: rest[1], Recall: rest[2], Seconds: rest[3],
		Best: rest[4] == 1}
}
