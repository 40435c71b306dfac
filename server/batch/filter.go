package batch

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[mergeFn]())
	beam.RegisterDoFn(reflect.TypeFor[roundFn]())
	beam.RegisterDoFn(reflect.TypeFor[weakItems]())
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

// mergeFn merges the pieces of the rows of a shard, and writes the rows to a file in the order of their positions. It
// emits the file's path. Memory: O(the shard's interactions).
type mergeFn struct{ Work string }

func (f *mergeFn) ProcessElement(shard int, pieces func(*Pieces) bool, sum Summary, cut Cut, emit func(string),
	tally func(string, int64)) error {
	if sum.Failed {
		return nil
	}
	users := map[string][]Entry{}
	for p := (Pieces{}); pieces(&p); {
		if err := p.each(func(r Row) error {
			users[r.User] = append(users[r.User], r.Entries...)
			return nil
		}); err != nil {
			return err
		}
	}
	counts := map[string]int64{}
	var rows []Row
	for user, all := range users {
		if row := merge(user, all, &sum, &cut, counts); len(row.Entries) > 0 {
			rows = append(rows, row)
		}
	}
	for name, n := range counts {
		tally(name, n)
	}
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.First, b.First) })
	path := filepath.Join(f.Work, rowsName(shard))
	if _, err := writePieces(path, 1, func(add func(int, Row) error) error {
		for _, r := range rows {
			if err := add(0, r); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	emit(path)
	return nil
}

// merge makes a row of a user's entries: one per item and part, as in dataset.MergeLines, in the order of the items'
// ids, the training part first. It drops entries that are neither positive nor rated and, in the test part, all that
// are not positive, and adds to counts.
func merge(user string, all []Entry, sum *Summary, cut *Cut, counts map[string]int64) Row {
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
	return row
}

// minima are the minimum positives of users and items.
type minima struct {
	user, item int
	train      bool // in the training part only
}

// The filter repeats rounds: users with too few positives are dropped, then items. Rows do not travel between rounds:
// each round reads their files and leaves out the items dropped so far, and thereby the users.

// rounds adds n rounds of the filter to a pipeline. first is the number of the first round, and dropped has the items
// that earlier ones dropped, each with the number of its round plus 1. It returns dropped after the last round, and the
// counts of the dropped positives.
func rounds(s beam.Scope, files, dropped beam.PCollection, first, n int, least minima) (beam.PCollection,
	[]beam.PCollection) {
	var tallies []beam.PCollection
	for r := first; r < first+n; r++ {
		s := s.Scope(fmt.Sprintf("round %d", r))
		counts, lostUser := beam.ParDo2(s, &roundFn{Filter: Filter{least.user, least.train}, Round: r}, files,
			beam.SideInput{Input: dropped})
		weak, lostItem := beam.ParDo2(s, &weakItems{Least: least.item, Round: r},
			beam.ParDo(s, sumPart, beam.GroupByKey(s, counts)))
		dropped = joinNames(s, dropped, weak)
		tallies = append(tallies, lostUser, lostItem)
	}
	return dropped, tallies
}

// Filter drops users.
type Filter struct {
	Least int  // positives that a user needs
	Train bool // in the training part only
}

// strip removes the dropped items from the training part of a row. The test part is filtered once the remaining items
// are known (numberUsers): items without training positives are in no round. It returns the positives that are left,
// and those that were before a round.
func (f *Filter) strip(r *Row, dropped *Counts, round int) (left, before int) {
	kept := r.Entries[:0]
	for _, e := range r.Entries {
		gone := int64(0)
		if !e.Late {
			gone = dropped.of(e.Item)
		}
		if gone == 0 {
			kept = append(kept, e)
		}
		if (gone == 0 || gone == int64(round)) && e.counts(f.Train) {
			before++
			if gone == 0 {
				left++
			}
		}
	}
	r.Entries = kept
	return left, before
}

// roundFn counts the positives by item of the users that have enough in a file, in parts of the items. It does nothing
// if the round before dropped no item.
type roundFn struct {
	Filter Filter
	Round  int
}

func (f *roundFn) ProcessElement(path string, dropped Counts, emit func(int, Counts), tally func(string, int64)) error {
	if f.Round > 0 && !slices.ContainsFunc(dropped.All, func(c Count) bool { return c.N == int64(f.Round) }) {
		return nil
	}
	counts, lost, late := map[string]int64{}, 0, 0
	if err := eachRow(path, func(r Row) error {
		left, before := f.Filter.strip(&r, &dropped, f.Round)
		switch {
		case left >= f.Filter.Least:
			r.countInto(counts, f.Filter.Train)
		case f.Round == 0 || before >= f.Filter.Least: // dropped now
			lost += left
			late += r.late()
		}
		return nil
	}); err != nil {
		return err
	}
	emitParts(counts, emit)
	if lost > 0 {
		tally(tallyUsers+fmt.Sprint(f.Round), int64(lost))
	}
	if late > 0 {
		tally(tallyLateUsers, int64(late))
	}
	return nil
}

// countInto adds 1 for the item of each positive.
func (r *Row) countInto(counts map[string]int64, train bool) {
	for i := range r.Entries {
		if r.Entries[i].counts(train) {
			counts[r.Entries[i].Item]++
		}
	}
}

// weakItems passes on items with too few positives.
type weakItems struct{ Least, Round int }

func (f *weakItems) ProcessElement(part Counts, emit func(Counts), tally func(string, int64)) {
	var weak Counts
	dropped := int64(0)
	for _, c := range part.All {
		if c.N < int64(f.Least) {
			weak.All = append(weak.All, Count{c.Name, int64(f.Round + 1)})
			dropped += c.N
		}
	}
	if len(weak.All) > 0 {
		emit(weak)
		tally(tallyItems+fmt.Sprint(f.Round), dropped)
	}
}

func rowsName(shard int) string { return fmt.Sprintf("rows-%05d", shard) }

// droppedName is the file with the items that the jobs up to one have dropped, a Counts.
func droppedName(job int) string { return fmt.Sprintf("dropped-%03d.gob", job) }

// rowFiles returns the files of rows.
func rowFiles(work string) ([]string, error) { return filepath.Glob(filepath.Join(work, "rows-*")) }

// shardOf chooses a row's file by the user's id.
func shardOf(user string, shards int) int {
	h := fnv.New32a()
	h.Write([]byte(user))
	return int(h.Sum32() % uint32(shards))
}
