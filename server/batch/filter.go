package batch

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[mergeFn]())
	beam.RegisterDoFn(reflect.TypeFor[dropUsers]())
	beam.RegisterDoFn(reflect.TypeFor[countItems]())
	beam.RegisterDoFn(reflect.TypeFor[weakItems]())
	beam.RegisterDoFn(reflect.TypeFor[dropItems]())
	beam.RegisterDoFn(reflect.TypeFor[rowShard]())
	beam.RegisterDoFn(reflect.TypeFor[writeRows]())
	beam.RegisterDoFn(reflect.TypeFor[readRowsFn]())
}

// Names of the counts of a run. Counts of a round have its number appended.
const (
	tallyDuplicates = "duplicates"
	tallyPairs      = "pairs"
	tallyRepeats    = "repeats"
	tallyUnrated    = "unrated"
	tallyBelow      = "below rating"
	tallyLiked      = "liked"
	tallyUsers      = "below user, round "
	tallyItems      = "below item, round "
	// test positives whose user, or else whose item, the training filter dropped
	tallyLateUsers = "late, below user"
	tallyLateItems = "late, below item"
)

// mergeFn merges the pieces of a user's row: one entry per item and part, as in dataset.MergeLines, in the order of the
// items' ids, the training part first. It drops entries that are neither positive nor rated and, in the test part, all
// that are not positive.
type mergeFn struct{}

func (f *mergeFn) ProcessElement(user string, pieces func(*Row) bool, sum Summary, cut Cut, emit func(Row),
	tally func(string, int64)) {
	if sum.Failed {
		return
	}
	var all []Entry
	for p := (Row{}); pieces(&p); {
		all = append(all, p.Entries...)
	}
	slices.SortFunc(all, func(a, b Entry) int {
		if a.Item != b.Item {
			if a.Item < b.Item {
				return -1
			}
			return 1
		}
		return int(max(min(a.At-b.At, 1), -1))
	})
	row := Row{User: user, First: all[0].At}
	for _, e := range all {
		row.First = min(row.First, e.At)
	}
	counts := map[string]int64{}
	var parts [2][]dataset.Line // an item's lines for training and for testing
	for i := 0; i < len(all); {
		parts[0], parts[1] = parts[0][:0], parts[1][:0]
		item := all[i].Item
		for ; i < len(all) && all[i].Item == item; i++ {
			part := 0
			if all[i].Time >= cut.Moment {
				part = 1
			}
			parts[part] = append(parts[part], dataset.Line{Rating: all[i].Rating, Time: all[i].Time, Line: all[i].At})
		}
		liked := false // in the training part
		for part, lines := range parts {
			if len(lines) == 0 {
				continue
			}
			l, repeats := dataset.MergeLines(lines, sum.Counts)
			counts[tallyDuplicates] += int64(len(lines) - 1)
			counts[tallyPairs]++
			if repeats {
				counts[tallyRepeats]++
			}
			e := Entry{Item: item, Rating: l.Rating, Time: l.Time, At: l.Line, Liked: sum.likes(l.Rating),
				Late: part == 1, Again: liked}
			switch {
			case e.Liked:
				counts[tallyLiked]++
				liked = true
			case l.Rating != l.Rating:
				counts[tallyUnrated]++
				continue
			default:
				counts[tallyBelow]++
				if e.Late {
					continue
				}
			}
			row.Entries = append(row.Entries, e)
		}
	}
	for name, n := range counts {
		tally(name, n)
	}
	if len(row.Entries) > 0 {
		emit(row)
	}
}

// minima are the minimum positives of users and items.
type minima struct {
	user, item int
	train      bool // in the training part only
}

// rounds adds n rounds of the filter to a pipeline: users with too few positives are dropped, then items. first is the
// number of the first round. It returns the remaining rows, and the counts of the dropped ones.
func rounds(s beam.Scope, rows beam.PCollection, first, n int, least minima) (beam.PCollection, []beam.PCollection) {
	var tallies []beam.PCollection
	for r := first; r < first+n; r++ {
		s := s.Scope(fmt.Sprintf("round %d", r))
		stay, lostUser := beam.ParDo2(s, &dropUsers{Least: least.user, Train: least.train,
			Tally: tallyUsers + fmt.Sprint(r)}, rows)
		byItem := beam.ParDo(s, sumPart, beam.GroupByKey(s, beam.ParDo(s, &countItems{Train: least.train}, stay)))
		weak, lostItem := beam.ParDo2(s, &weakItems{Least: least.item, Tally: tallyItems + fmt.Sprint(r)}, byItem)
		rows = beam.ParDo(s, &dropItems{}, stay, beam.SideInput{Input: joinNames(s, weak)})
		tallies = append(tallies, lostUser, lostItem)
	}
	return rows, tallies
}

// dropUsers keeps rows with enough positives.
type dropUsers struct {
	Least int
	Train bool
	Tally string
}

func (f *dropUsers) ProcessElement(r Row, emit func(Row), tally func(string, int64)) {
	n := r.likes(f.Train)
	if n >= f.Least {
		emit(r)
		return
	}
	if n > 0 {
		tally(f.Tally, int64(n))
	}
	if late := r.late(); late > 0 {
		tally(tallyLateUsers, int64(late))
	}
}

// countItems counts the positives by item within each bundle, in parts of the items.
type countItems struct {
	Train bool // only of the training part

	counts map[string]int64
}

func (f *countItems) StartBundle(func(int, Counts)) { f.counts = map[string]int64{} }

func (f *countItems) ProcessElement(r Row, _ func(int, Counts)) {
	for i := range r.Entries {
		if r.Entries[i].counts(f.Train) {
			f.counts[r.Entries[i].Item]++
		}
	}
}

func (f *countItems) FinishBundle(emit func(int, Counts)) {
	emitParts(f.counts, emit)
	f.counts = nil
}

// weakItems passes on items with too few positives.
type weakItems struct {
	Least int
	Tally string
}

func (f *weakItems) ProcessElement(part Counts, emit func(Counts), tally func(string, int64)) {
	var weak Counts
	dropped := int64(0)
	for _, c := range part.All {
		if c.N < int64(f.Least) {
			weak.All = append(weak.All, c)
			dropped += c.N
		}
	}
	if len(weak.All) > 0 {
		emit(weak)
		tally(f.Tally, dropped)
	}
}

// dropItems removes the items from the training part of the rows. The test part is filtered once the remaining items
// are known (numberUsers): items without training positives are in no round.
type dropItems struct{}

func (f *dropItems) ProcessElement(r Row, weak Counts, emit func(Row)) {
	kept := make([]Entry, 0, len(r.Entries))
	for _, e := range r.Entries {
		if e.Late || weak.of(e.Item) == 0 {
			kept = append(kept, e)
		}
	}
	if r.Entries = kept; len(kept) > 0 {
		emit(r)
	}
}

// saveRows writes rows to files for the next job.
func saveRows(s beam.Scope, rows beam.PCollection, work string, job, shards int) {
	beam.ParDo0(s, &writeRows{Work: work, Job: job},
		beam.GroupByKey(s, beam.ParDo(s, &rowShard{Shards: shards}, rows)))
}

func rowsName(job, shard int) string { return fmt.Sprintf("rows-%03d-%05d.gob", job, shard) }

// rowFiles returns the files written by saveRows.
func rowFiles(work string, job int) ([]string, error) {
	return filepath.Glob(filepath.Join(work, fmt.Sprintf("rows-%03d-*.gob", job)))
}

// rowShard chooses a row's file by the user's id.
type rowShard struct{ Shards int }

func (f *rowShard) ProcessElement(r Row) (int, Row) {
	h := fnv.New32a()
	h.Write([]byte(r.User))
	return int(h.Sum32() % uint32(f.Shards)), r
}

// writeRows writes one file of rows.
type writeRows struct {
	Work string
	Job  int
}

func (f *writeRows) ProcessElement(shard int, rows func(*Row) bool) error {
	return writeFile(filepath.Join(f.Work, rowsName(f.Job, shard)), func(w io.Writer) error {
		buf := bufio.NewWriterSize(w, 1<<20)
		out := gob.NewEncoder(buf)
		for r := (Row{}); rows(&r); {
			if err := out.Encode(encodeRow(r)); err != nil {
				return err
			}
		}
		return buf.Flush()
	})
}

// loadRows returns the rows of files.
func loadRows(s beam.Scope, files []string) beam.PCollection {
	return beam.ParDo(s, &readRowsFn{}, beam.Reshuffle(s, beam.CreateList(s, files)))
}

// readRowsFn reads one file of rows.
type readRowsFn struct{}

func (*readRowsFn) ProcessElement(path string, emit func(Row)) error { return readRows(path, emit) }
