package batch

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[scanFn]())
	beam.RegisterDoFn(reflect.TypeFor[summaryFn]())
}

// Reading holds the dataset.Options that travel to workers.
type Reading struct {
	Format           string
	MinRating        *float64
	MinUser, MinItem int
	Columns          dataset.Columns
	Header           dataset.Header
	Delimiter        string
	Times            bool
	SkipBadLines     bool
}

func (r Reading) options() dataset.Options {
	return dataset.Options{Format: r.Format, MinRating: r.MinRating, MinUser: r.MinUser, MinItem: r.MinItem,
		Columns: r.Columns, Header: r.Header, Delimiter: r.Delimiter, Times: r.Times, SkipBadLines: r.SkipBadLines}
}

// File is a file to read: file Number of Path, and the Order-th of all.
type File struct {
	Path          string
	Number, Order int
}

// filePositions is the range of positions in a file: interaction n has position Order·2⁴⁰ + n.
const filePositions = 1 << 40

// Scanned is the result of reading one file.
type Scanned struct {
	Order   int
	Untimed int    // interactions without a time
	Report  []byte // a dataset.Report, by gob
	Failure string // why reading stopped, or ""
}

// Summary holds the facts about all files that are needed to judge an interaction.
type Summary struct {
	Failed     bool // a file was not read, so the run ends
	HasRatings bool
	HasTimes   bool
	Counts     bool
	MinRating  float64
}

// likes reports whether a rating is positive.
func (s *Summary) likes(rating float32) bool {
	judge := dataset.Report{RatingReport: dataset.RatingReport{HasRatings: s.HasRatings}}
	return judge.Likes(rating, s.MinRating)
}

// scanFn reads one file: the rows of its users by shard, a piece per run of a user's lines, which it writes to a file;
// the first position of each item; and the report on the file. Bad lines go into a separate file. Memory: O(distinct
// items of the file).
type scanFn struct {
	Reading Reading
	Shards  int
	Work    string
}

// quarantined is a line of a quarantine file.
type quarantined struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`
	Column int    `json:"column,omitempty"`
	Name   string `json:"name,omitempty"`
	Value  string `json:"value"`
	Rule   string `json:"rule"`
}

// quarantine is the file with the bad lines of one file; it is not created without bad lines.
type quarantine struct {
	path string
	file *os.File // under another name until complete
	out  *bufio.Writer
	err  error // the first error
}

func (q *quarantine) add(line quarantined) {
	if q.file == nil && q.err == nil {
		if q.file, q.err = os.CreateTemp(filepath.Dir(q.path), "."+filepath.Base(q.path)+".*.tmp"); q.err == nil {
			q.out = bufio.NewWriter(q.file)
		}
	}
	if q.err == nil {
		e := json.NewEncoder(q.out)
		e.SetEscapeHTML(false)
		q.err = e.Encode(line)
	}
}

// finish gives the file its final name.
func (q *quarantine) finish() error {
	if q.err != nil || q.file == nil {
		return q.err
	}
	if err := q.out.Flush(); err != nil {
		return err
	}
	if err := q.file.Chmod(0o644); err != nil {
		return err
	}
	if err := q.file.Close(); err != nil {
		return err
	}
	name := q.file.Name()
	q.file = nil
	return os.Rename(name, q.path)
}

// discard removes an unfinished file.
func (q *quarantine) discard() {
	if q.file != nil {
		q.file.Close()
		os.Remove(q.file.Name())
	}
}

func piecesName(order int) string { return fmt.Sprintf("pieces-%05d", order) }

func quarantineName(order int) string { return fmt.Sprintf("quarantine-%05d.jsonl", order) }

func (f *scanFn) ProcessElement(ctx context.Context, file File, pieces func(int, Pieces), first func(int, Counts),
	scanned func(Scanned)) error {
	bad := &quarantine{path: filepath.Join(f.Work, quarantineName(file.Order))}
	defer bad.discard()
	firsts := map[string]int64{}
	untimed := 0
	var report dataset.Report
	var failure, failed error // of reading, of writing
	all, err := writePieces(filepath.Join(f.Work, piecesName(file.Order)), f.Shards,
		func(add func(int, Row) error) error {
			var row Row
			flush := func() error {
				if len(row.Entries) > 0 {
					failed = add(shardOf(row.User, f.Shards), row)
				}
				return failed
			}
			at := int64(file.Order) * filePositions
			report, failure = dataset.Scan(file.Path, file.Number, f.Reading.options(), dataset.Scanner{
				Line: func(l dataset.Line) error {
					if l.User != row.User || len(row.Entries) >= longestPiece {
						if err := flush(); err != nil {
							return err
						}
						row = Row{User: l.User, First: at, Entries: row.Entries[:0]}
					}
					row.Entries = append(row.Entries, Entry{Item: l.Item, Rating: l.Rating, Time: l.Time, At: at})
					if _, known := firsts[l.Item]; !known {
						firsts[l.Item] = at
					}
					if l.Time == 0 {
						untimed++
					}
					at++
					return ctx.Err()
				},
				Bad: func(e *dataset.ParseError) {
					bad.add(quarantined{e.File, e.Line, e.Column, e.Name, e.Value, e.Rule})
				},
			})
			if failed != nil || ctx.Err() != nil {
				return errors.Join(failed, ctx.Err())
			}
			return flush()
		})
	if err != nil {
		return err
	}
	for shard, p := range all {
		if len(p.Blocks) > 0 {
			pieces(shard, p)
		}
	}
	emitParts(firsts, first)
	out := Scanned{Order: file.Order, Untimed: untimed}
	if failure != nil {
		out.Failure = failure.Error()
	}
	if err := bad.finish(); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(report); err != nil {
		return err
	}
	out.Report = b.Bytes()
	scanned(out)
	return nil
}

// longestPiece is the maximum number of entries in a piece of a row.
const longestPiece = 1 << 16

// readingName is the file with the reports on all files.
const readingName = "reading.gob"

// reading is the content of readingName.
type reading struct {
	Report   dataset.Report
	Failures []string // in the order of the files
}

// summaryFn joins the reports on the files.
type summaryFn struct {
	Path      string // as given by the user, for errors
	MinRating *float64
	Cut       bool // split at a moment, so all interactions must have times
	Work      string
}

func (f *summaryFn) ProcessElement(_ int, files func(*Scanned) bool) (Summary, error) {
	var all []Scanned
	for s := (Scanned{}); files(&s); {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b Scanned) int { return a.Order - b.Order })
	var sum reading
	var reports []dataset.Report
	untimed := 0
	for _, s := range all {
		untimed += s.Untimed
		var r dataset.Report
		if err := gob.NewDecoder(bytes.NewReader(s.Report)).Decode(&r); err != nil {
			return Summary{}, err
		}
		reports = append(reports, r)
		if s.Failure != "" {
			sum.Failures = append(sum.Failures, s.Failure)
		}
	}
	sum.Report = dataset.JoinReports(reports)
	if sum.Report.Words && sum.Report.MaxRating > 1 {
		sum.Failures = append(sum.Failures, f.Path+": some files have ratings in words, which count as 1 and 0, and "+
			"some have numbers above 1; use one of the two")
	}
	if f.Cut && sum.Report.Interactions > 0 && !sum.Report.HasTimes {
		sum.Failures = append(sum.Failures, (&dataset.NoTimesError{Name: f.Path}).Error())
	}
	min, err := sum.Report.Threshold(f.Path, f.MinRating)
	if err != nil {
		sum.Failures = append(sum.Failures, err.Error())
	}
	if f.Cut && untimed > 0 {
		sum.Failures = append(sum.Failures, (&dataset.UntimedError{Path: f.Path, Untimed: untimed,
			Of: sum.Report.Interactions}).Error())
	}
	sum.Report.MinRating = min
	return Summary{Failed: len(sum.Failures) > 0, HasRatings: sum.Report.HasRatings,
		HasTimes: sum.Report.HasTimes, Counts: sum.Report.Counts,
		MinRating: min}, writeGob(filepath.Join(f.Work, readingName), sum)
}
