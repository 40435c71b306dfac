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

// The moment of a split is defined as in dataset.LoadAt, by the likes as read. Likes are counted by spans of 2¹⁶
// seconds first, and then by second in the spans of the first like, the last like and the cut, so that no worker holds
// more than 2¹⁶ counts of a span.

const spanBits = 16

// Cut is the position of a split at a moment.
type Cut struct {
	Moment      int64 // the first tested time; math.MaxInt64 if none is
	Likes       int64
	First, Last int64 // times of the first and the last like; undefined without likes
}

// Spans are the spans to count by second.
type Spans struct {
	First, Last int64
	Cut         int64 // First if the moment is given
	Before      int64 // likes in the spans before Cut
	Likes       int64 // total likes
}

// cutName is the file in the work folder that holds the Cut.
const cutName = "cut.gob"

// cut computes the Cut of pieces of rows.
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

// countLikes emits the number of likes in pieces by a key of their times; ok is false for a like not to be counted.
func countLikes(p *Pieces, sum *Summary, key func(time int64) (key int64, ok bool), emit func(int64, int64)) error {
	counts := map[int64]int64{}
	err := p.each(func(r Row) error {
		for i := range r.Entries {
			if e := &r.Entries[i]; sum.likes(e.Rating) {
				if k, ok := key(e.Time); ok {
					counts[k]++
				}
			}
		}
		return nil
	})
	for k, n := range counts {
		emit(k, n)
	}
	return err
}

// countSpans counts the likes by span.
type countSpans struct{}

func (*countSpans) ProcessElement(_ int, p Pieces, sum Summary, emit func(int64, int64)) error {
	return countLikes(&p, &sum, func(time int64) (int64, bool) { return time >> spanBits, true }, emit)
}

// chooseSpans chooses the spans to count by second.
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

// countSeconds counts the likes by second in the chosen spans.
type countSeconds struct{}

func (*countSeconds) ProcessElement(_ int, p Pieces, sum Summary, spans Spans, emit func(int64, int64)) error {
	return countLikes(&p, &sum, func(time int64) (int64, bool) {
		span := time >> spanBits
		return time, span == spans.First || span == spans.Cut || span == spans.Last
	}, emit)
}

// findCut computes the cut and writes it to the work folder.
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
