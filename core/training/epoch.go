package training

import (
	"encoding/binary"
	"math"
)

// Epoch is the record of an epoch.
type Epoch struct {
	Number    int       // from 1
	Figures   []float64 // of the method, in the order of its Figures; 0 if nothing was added
	LearnRate float64   // of the last step
	NDCG      float64   // NDCG@10 on the validation part; NaN if not measured
	Recall    float64   // Recall@10 on the validation part; NaN if not measured
	Seconds   float64   // duration, including validation
	Best      bool      // this is the best epoch so far
	Pending   int       // maximum number of epochs still to come
}

// recordSize returns the length of a packed epoch.
func recordSize(figures int) int { return 8 * (figures + 5) }

// record packs an epoch; Number and Pending follow from its position in the history.
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

func unpack(b []byte) Epoch {
	values := make([]float64, len(b)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	figures, rest := values[:len(values)-5:len(values)-5], values[len(values)-5:]
	return Epoch{Figures: figures, LearnRate: rest[0], NDCG: rest[1], Recall: rest[2], Seconds: rest[3],
		Best: rest[4] == 1}
}
