package batch

import (
	"math"
	"path/filepath"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[countSpans]())
	beam.RegisterDoFn(reflect.TypeFor[chooseSpans]())
	beam.RegisterDoFn(reflect.TypeFor[countSeconds]())
	beam.RegisterDoFn(reflect.TypeFor[findCut]())
}

// The moment of a split is dataset.LoadAt's, found among the likes as they were read. Likes are counted by spans of 2¹⁶
// seconds first, and then second by second within the spans of the first like, of the last one and of the cut, so that
// no worker holds more than 2¹⁶ counts of a span.

const spanBits = 16

// Cut is where a split at a moment lies.
type Cut struct {
	Moment      int64 // the first that is tested on; math.MaxInt64: nothing is
	Likes       int64
	First, Last int64 // times of the first and of the last like; of no use without likes
}

// Spans are the spans that are counted second by second.
type Spans struct {
	First, Last int64
	Cut         int64 // First where the moment is given
	Before      int64 // likes in the spans before Cut
	Likes       int64 // in all
}

// cutName is the file with the Cut in the folder of work.
const cutName = "cut.gob"

// cut finds the cut among pieces of rows, one Cut.
func (p *Preparation) cut(s beam.Scope, pieces, summary beam.PCollection, work string) beam.PCollection {
	if p.At == nil {
		return beam.Create(s, Cut{Moment: math.MaxInt64})
	}
	s = s.Scope("cut")
	judge := beam.SideInput{Input: summary}
	spans := beam.ParDo(s, &chooseSpans{At: *p.At}, sumNumbers(s, beam.ParDo(s, &countSpans{}, pieces, judge)))
	counts := sumNumbers(s, beam.ParDo(s, &countSeconds{}, pieces, judge, beam.SideInput{Input: spans}))
	return beam.ParDo(s, &findCut{At: *p.At, Work: work}, counts, beam.SideInput{Input: spans})
}

// likedAt calls use with the time of each like of a piece.
func likedAt(r *Row, sum *Summary, use func(time int64)) {
	for i := range r.Entries {
		if e := &r.Entries[i]; sum.likes(e.Rating) {
			use(e.Time)
		}
	}
}

// countSpans counts the likes of each span.
type countSpans struct{}

func (*countSpans) ProcessElement(_ string, r Row, sum Summary, emit func(int64, int64)) {
	likedAt(&r, &sum, func(time int64) { emit(time>>spanBits, 1) })
}

// chooseSpans finds the spans that are counted second by second.
type chooseSpans struct{ At dataset.Cut }

func (f *chooseSpans) ProcessElement(counts Numbers) (out Spans) {
	for _, c := range counts.All {
		out.Likes += c.N
	}
	if out.Likes == 0 {
		return out
	}
	out.First, out.Last = counts.All[0].Key, counts.All[len(counts.All)-1].Key
	out.Cut = out.First
	if f.At.Share == 0 {
		return out
	}
	place := int64(f.At.First(int(out.Likes)))
	for _, c := range counts.All {
		if out.Cut = c.Key; place < out.Before+c.N {
			break
		}
		out.Before += c.N
	}
	return out
}

// countSeconds counts the likes of each second of the chosen spans.
type countSeconds struct{}

func (*countSeconds) ProcessElement(_ string, r Row, sum Summary, spans Spans, emit func(int64, int64)) {
	likedAt(&r, &sum, func(time int64) {
		if span := time >> spanBits; span == spans.First || span == spans.Cut || span == spans.Last {
			emit(time, 1)
		}
	})
}

// findCut finds the cut and writes it into the folder of work.
type findCut struct {
	At   dataset.Cut
	Work string
}

func (f *findCut) ProcessElement(counts Numbers, spans Spans) (Cut, error) {
	out := Cut{Moment: f.At.Moment, Likes: spans.Likes}
	if n := len(counts.All); n > 0 {
		out.First, out.Last = counts.All[0].Key, counts.All[n-1].Key
	}
	if f.At.Share > 0 && spans.Likes > 0 {
		place := int64(f.At.First(int(spans.Likes))) - spans.Before
		for _, c := range counts.All {
			if c.Key>>spanBits != spans.Cut {
				continue
			}
			if out.Moment = c.Key; place < c.N {
				break
			}
			place -= c.N
		}
	}
	return out, writeGob(filepath.Join(f.Work, cutName), out)
}
