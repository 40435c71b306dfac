package batch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

// Preparation holds the options of Prepare.
type Preparation struct {
	Data    []string // files and folders in the formats of dataset.Load; together they are one source
	Reading Reading
	// Split all at one moment, as dataset.LoadAt does; minima then only apply if set in Reading. Nil means no split.
	At     *dataset.Cut
	Out    string // the folder to write; must not exist
	Shards int    // maximum number of user shards; 0 means 16
	Rounds int    // filter rounds per pipeline; 0 means 4. More pipelines follow until the fixed point
	Run    Runner
}

// Prepared is the result of Prepare.
type Prepared struct {
	Report dataset.Report // as from dataset.Load or LoadAt, without titles
	Stats  dataset.Stats
	Shards int
	Moment int64 // of the split
	Tested int   // positives of the test part; 0 without a split
	// Files with skipped bad lines in the folder written, one per data file that has any.
	Quarantine []string
}

// BadLinesError reports unreadable lines in data without permission to skip them.
type BadLinesError struct {
	Lines int
	First *dataset.ParseError
	Where string // the folder with files that list them all
}

func (e *BadLinesError) Error() string {
	return fmt.Sprintf("%d lines cannot be read, the first: %v. %s lists them all", e.Lines, e.First,
		filepath.Join(e.Where, "quarantine-*.jsonl"))
}

// Prepare reads interactions, filters them to the fixed point, numbers users and items and writes a folder of shards,
// from which dataset.Load gets the same result as from the data: the same numbers, positives, times and dislikes. If
// split at a moment, LoadFixed gets the result of dataset.LoadAt on the data. The folder appears atomically.
func Prepare(ctx context.Context, p Preparation) (*Prepared, error) {
	if p.At != nil {
		p.Reading.Times = true
	}
	files, err := p.files()
	if err != nil {
		return nil, err
	}
	if p.Reading.MinRating, err = p.leastRating(); err != nil {
		return nil, err
	}
	t, err := newTarget(p.Out)
	if err != nil {
		return nil, err
	}
	defer t.close()
	shards, perJob := p.Shards, p.Rounds
	if shards <= 0 {
		shards = 16
	}
	if perJob <= 0 {
		perJob = 4
	}
	least := p.minima()
	var all Counts // from all jobs
	for job := 0; ; job++ {
		err := p.Run.job(ctx, fmt.Sprintf("filtering, pipeline %d", job+1), func(s beam.Scope) {
			var rows, dropped beam.PCollection // paths of rows; dropped items
			var tallies []beam.PCollection
			if job == 0 {
				var tally beam.PCollection
				rows, tally = p.read(s, files, t.work, shards)
				tallies, dropped = append(tallies, tally), beam.ParDo(s, noCounts, beam.Impulse(s))
			} else {
				rows = beam.Reshuffle(s, beam.CreateList(s, must(rowFiles(t.work))))
				dropped = beam.ParDo(s, &loadCounts{filepath.Join(t.work, droppedName(job-1))}, beam.Impulse(s))
			}
			dropped, lost := rounds(s, rows, dropped, job*perJob, perJob, least)
			beam.ParDo0(s, &saveCounts{Path: filepath.Join(t.work, droppedName(job))}, dropped)
			beam.ParDo0(s, &saveCounts{Path: filepath.Join(t.work, "counts.gob")},
				sumNames(s, append(tallies, lost...)...))
		})
		if err != nil {
			return nil, err
		}
		if job == 0 {
			if err := p.checkReading(t); err != nil {
				return nil, err
			}
		}
		var counts Counts
		if err := readGob(filepath.Join(t.work, "counts.gob"), &counts); err != nil {
			return nil, err
		}
		all.All = append(all.All, counts.All...)
		last := fmt.Sprint((job+1)*perJob - 1)
		rows := must(rowFiles(t.work))
		if len(rows) == 0 || counts.of(tallyUsers+last)+counts.of(tallyItems+last) == 0 {
			return p.finish(ctx, t, all, rows, droppedName(job), least, shards)
		}
	}
}

// minima returns the minima of the data set, or of its training part, where the default is none.
func (p *Preparation) minima() minima {
	user, item := dataset.StandardMinUser, dataset.StandardMinItem
	if p.At != nil {
		user, item = 1, 1
	}
	m := minima{user: dataset.Minimum(p.Reading.MinUser, user), item: dataset.Minimum(p.Reading.MinItem, item)}
	m.train = p.At != nil && (m.user > 1 || m.item > 1)
	return m
}

// source names the data in errors.
func (p *Preparation) source() string { return strings.Join(p.Data, ", ") }

// must is for patterns known to be valid.
func must(files []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return files
}

// files lists the files of the data.
func (p *Preparation) files() (files []File, err error) {
	if len(p.Data) == 0 {
		return nil, errors.New("no data: name files or folders")
	}
	for _, path := range p.Data {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		in, err := dataset.Files(path, p.Reading.options())
		if err != nil {
			return nil, err
		}
		for number := range in {
			files = append(files, File{Path: path, Number: number, Order: len(files)})
		}
	}
	return files, nil
}

// leastRating returns the smallest rating of a like: the given one, or the one in the manifests of shard folders among
// the data, which then applies to all data. Nil means that the scale of the ratings decides.
func (p *Preparation) leastRating() (least *float64, err error) {
	from := ""
	for _, path := range p.Data {
		says, err := dataset.AskedRating(path, p.Reading.options())
		switch {
		case err != nil:
			return nil, err
		case says == nil:
		case least != nil && *says != *least:
			return nil, fmt.Errorf("likes have a rating of at least %g in %s but of at least %g in %s: set one for "+
				"both with --min-rating", *least, from, *says, path)
		default:
			least, from = says, path
		}
	}
	return least, nil
}

// read adds reading and merging to a pipeline. It returns the paths of the files of rows.
func (p *Preparation) read(s beam.Scope, files []File, work string, shards int) (rows, tallies beam.PCollection) {
	s = s.Scope("read")
	pieces, firsts, scanned := beam.ParDo3(s, &scanFn{Reading: p.Reading, Shards: shards, Work: work},
		beam.Reshuffle(s, beam.CreateList(s, files)))
	beam.ParDo0(s, &saveFirsts{Work: work}, joinNames(s, beam.ParDo(s, leastPart, beam.GroupByKey(s, firsts))))
	summarize := &summaryFn{Path: p.source(), MinRating: p.Reading.MinRating, Cut: p.At != nil, Work: work}
	summary := beam.ParDo(s, summarize, beam.GroupByKey(s, beam.AddFixedKey(s, scanned)))
	return beam.ParDo2(s, &mergeFn{Work: work}, beam.GroupByKey(s, pieces), beam.SideInput{Input: summary},
		beam.SideInput{Input: p.cut(s, pieces, summary, work)})
}

// checkReading returns the error that ends a run after the first pipeline, if any.
func (p *Preparation) checkReading(t *target) error {
	var r reading
	if err := readGob(filepath.Join(t.work, readingName), &r); err != nil {
		return err
	}
	if len(r.Failures) > 0 {
		return errors.New(r.Failures[0])
	}
	if r.Report.Skipped > 0 && !p.Reading.SkipBadLines {
		return &BadLinesError{Lines: r.Report.Skipped, First: r.Report.Examples[0], Where: t.work}
	}
	if p.At == nil {
		return nil
	}
	cut, err := readCut(t)
	if err != nil || cut.Likes == 0 {
		return err // without likes, finish reports the problem
	}
	return dataset.CheckMoment(p.source(), cut.Moment, cut.First, cut.Last)
}

func readCut(t *target) (cut Cut, err error) {
	err = readGob(filepath.Join(t.work, cutName), &cut)
	return cut, err
}

// finish numbers and writes the rows without the dropped items.
func (p *Preparation) finish(ctx context.Context, t *target, counts Counts, rows []string, dropped string,
	least minima, shards int) (*Prepared, error) {
	var in reading
	if err := readGob(filepath.Join(t.work, readingName), &in); err != nil {
		return nil, err
	}
	out := &Prepared{Report: in.Report}
	r := &out.Report
	out.count(counts)
	r.MinUser, r.MinItem = least.user, least.item
	if !r.HasRatings {
		r.MaxRating, r.LeastRating = 0, 0
	}
	if r.Kept == 0 {
		return nil, &dataset.EmptyError{Path: p.source(), Read: *r}
	}
	sum := Summary{HasRatings: r.HasRatings, HasTimes: r.HasTimes, Counts: r.Counts, MinRating: r.MinRating}
	countsFile := filepath.Join(t.work, "written.gob")
	if err := p.Run.job(ctx, "numbering", func(s beam.Scope) {
		gone := beam.ParDo(s, &loadCounts{filepath.Join(t.work, dropped)}, beam.Impulse(s))
		paths := beam.Reshuffle(s, beam.CreateList(s, rows))
		beam.ParDo0(s, &saveCounts{Path: countsFile}, sumNames(s, number(s, paths, gone, beam.Create(s, sum), t, shards,
			least, p.At != nil)))
	}); err != nil {
		return nil, err
	}
	var written Counts
	if err := readGob(countsFile, &written); err != nil {
		return nil, err
	}
	kinds := []string{"users", "interactions"}
	if p.At != nil {
		if err := p.testPart(t, out, written); err != nil {
			return nil, err
		}
		kinds = []string{"users", "train", "test"}
	}
	for _, kind := range kinds {
		var err error
		if out.Shards, err = nameParts(t.out, kind); err != nil {
			return nil, err
		}
	}
	items := filepath.Join(t.out, dataset.ShardName("items", 0, 1))
	if err := os.Rename(filepath.Join(t.out, "items"), items); err != nil {
		return nil, err
	}
	if err := out.statistics(t, written); err != nil {
		return nil, err
	}
	bad := must(filepath.Glob(filepath.Join(t.work, "quarantine-*.jsonl")))
	for _, path := range bad {
		if err := os.Rename(path, filepath.Join(t.out, filepath.Base(path))); err != nil {
			return nil, err
		}
		out.Quarantine = append(out.Quarantine, filepath.Join(t.path, filepath.Base(path)))
	}
	if err := writeManifest(t.out, &dataset.Manifest{Users: out.Stats.Users, Items: out.Stats.Items,
		Interactions: int(written.of(tallyRows)), Ratings: r.HasRatings && !r.Counts, Times: r.HasTimes,
		MinRating: r.MinRating}); err != nil {
		return nil, err
	}
	return out, t.finish()
}

// testPart reports the outcome of the test part, or an error if something is missing.
func (p *Preparation) testPart(t *target, out *Prepared, written Counts) error {
	cut, err := readCut(t)
	if err != nil {
		return err
	}
	r := &out.Report
	out.Moment, out.Tested = cut.Moment, int(written.of(tallyTested))
	lost := int(written.of(tallyLateItems))
	r.BelowItem += lost
	r.Again = int(written.of(tallyAgain))
	r.Kept -= lost + r.Again
	if out.Tested == 0 || out.Tested == r.Kept {
		read := *r
		read.InTrain, read.Again = r.Again, 0 // as in LoadAt's report
		return &dataset.EmptyError{Path: p.source(), Test: out.Tested == 0, Read: read}
	}
	return nil
}

// count adds the filter's counts to the report.
func (p *Prepared) count(counts Counts) {
	r := &p.Report
	rounds := map[string]bool{}
	for _, c := range counts.All {
		n := int(c.N)
		switch {
		case c.Name == tallyDuplicates:
			r.Duplicates += n
		case c.Name == tallyPairs:
			r.Pairs += n
		case c.Name == tallyRepeats:
			r.Repeats += n
		case c.Name == tallyUnrated:
			r.Unrated += n
		case c.Name == tallyBelow:
			r.BelowRating += n
		case c.Name == tallyLiked:
			r.Liked += n
		case c.Name == tallyLateUsers:
			r.BelowUser += n
		case strings.HasPrefix(c.Name, tallyUsers):
			r.BelowUser += n
			rounds[strings.TrimPrefix(c.Name, tallyUsers)] = true
		case strings.HasPrefix(c.Name, tallyItems):
			r.BelowItem += n
			rounds[strings.TrimPrefix(c.Name, tallyItems)] = true
		}
	}
	r.Rounds = len(rounds)
	r.Kept = r.Liked - r.BelowUser - r.BelowItem
}

// statistics computes the statistics of the written data.
func (p *Prepared) statistics(t *target, written Counts) error {
	byUser, byItem := map[int]int{}, map[int]int{}
	for _, c := range written.All {
		if degree, err := strconv.Atoi(strings.TrimPrefix(c.Name, tallyDegree)); err == nil {
			byUser[degree] = int(c.N)
			p.Stats.Users += int(c.N)
			p.Stats.Interactions += degree * int(c.N)
		}
	}
	var left Counts
	if err := readGob(filepath.Join(t.work, itemCountsName), &left); err != nil {
		return err
	}
	for _, c := range left.All {
		byItem[int(c.N)]++
	}
	s := &p.Stats
	s.Items = len(left.All)
	s.Density = float64(s.Interactions) / float64(s.Users) / float64(s.Items)
	s.PerUser, s.PerItem = dataset.SpreadOf(byUser), dataset.SpreadOf(byItem)
	return nil
}

// nameParts gives the shards their names, once their number is known.
func nameParts(folder, kind string) (int, error) {
	// Shards without users were not written.
	names := must(filepath.Glob(filepath.Join(folder, strings.Replace(shardPart(kind, 0), "00000", "*", 1))))
	slices.Sort(names)
	for i, path := range names {
		if err := os.Rename(path, filepath.Join(folder, dataset.ShardName(kind, i, len(names)))); err != nil {
			return 0, err
		}
	}
	return len(names), nil
}
