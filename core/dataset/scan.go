package dataset

import (
	"fmt"
	"math"
	"slices"
)

// Line is one valid interaction as read, before merging, filtering and numbering.
type Line struct {
	User, Item string
	Rating     float32 // NaN: not rated
	Time       int64   // seconds since 1970; 0 where it is not known
	Line       int64   // 1-based, in its file; of Parquet, the row
}

// Scanner receives the lines of a Scan.
type Scanner struct {
	Line func(Line) error  // valid lines, in the order of the file; an error ends the reading and is returned
	Bad  func(*ParseError) // bad lines, in the same way; nil: the first one ends the reading and is returned
}

// Files returns the files that Load would read interactions from at path, in its order.
func Files(path string, o Options) ([]string, error) {
	p, err := detect(path, o)
	if err != nil {
		return nil, err
	}
	return p.all(), nil
}

// Scan reads file number of Files(path, o) on its own and keeps only its distinct ids, for data larger than one
// machine. Format, columns and the rules for lines are Load's. The report counts what was read (Lines, Interactions,
// Skipped, the range of the ratings); JoinReports joins the reports of all files. Errors: Load's. It panics with
// ArgumentError if there is no such file.
func Scan(path string, number int, o Options, to Scanner) (Report, error) {
	p, err := detect(path, o)
	if err != nil {
		return Report{}, err
	}
	files := p.all()
	if number < 0 || number >= len(files) {
		panic(ArgumentError{"Scan", fmt.Sprintf("file %d of %d", number, len(files))})
	}
	o = p.options(o)
	o.SkipBadLines = to.Bad != nil
	c := newCollector(o)
	o.described = p.items != ""
	c.report.Format = p.format
	read, err := p.reader(path, o)
	if err != nil {
		return Report{}, err
	}
	o = p.reading(o)
	c.mayBeEmpty, c.partitions = len(files) > 1 && p.partitions != nil, p.partitions[files[0]]
	if number > 0 { // the others have the first file's layout
		c.line = func(Line) error { return errFirstLine }
		if err := c.read(files[0], read, o, nil); err != nil && err != errFirstLine {
			return Report{}, err
		}
		first := c
		c = newCollector(o)
		c.mayBeEmpty, c.partitions = first.mayBeEmpty, p.partitions[files[number]]
		c.lists, c.report.Format = first.lists, first.report.Format
		if read == nil && first.report.Format != "parquet" {
			read = readers[first.report.Format]
		}
	}
	c.line, c.badLine = to.Line, to.Bad
	c.report.Files = []string{files[number]}
	err = c.read(files[number], read, o, nil)
	if p.manifest != nil {
		c.report.Format = p.format // its files are Parquet's
	}
	return c.report, err
}

// errFirstLine ends the reading of a file when only its layout is needed.
var errFirstLine = fmt.Errorf("the first line was read")

// JoinReports returns the report of the reading of all files, in their order.
func JoinReports(of []Report) (all Report) {
	all.MaxRating, all.LeastRating = math.Inf(-1), math.Inf(1)
	for _, r := range of {
		if all.Format == "" {
			all.Format = r.Format
		}
		all.Files = append(all.Files, r.Files...)
		all.Readings = append(all.Readings, r.Readings...)
		all.Lines += r.Lines
		all.Interactions += r.Interactions
		all.Skipped += r.Skipped
		all.Examples = append(all.Examples, r.Examples...)
		all.UnreadTimes += r.UnreadTimes
		all.Cut += r.Cut
		all.Tidied += r.Tidied
		all.NotRows += r.NotRows
		for _, x := range r.LeftOut {
			all.leaveOut(x)
		}
		all.HasTimes = all.HasTimes || r.HasTimes
		all.HasRatings = all.HasRatings || r.HasRatings
		all.Counts = all.Counts || r.Counts
		all.Words = all.Words || r.Words
		all.MaxRating = max(all.MaxRating, r.MaxRating)
		all.LeastRating = min(all.LeastRating, r.LeastRating)
	}
	all.Examples = all.Examples[:min(len(all.Examples), keptExamples)]
	return all
}

// Threshold returns the smallest rating of a positive for the data at path: as asked for, or 80% of the scale, or 1 for
// counts; 0 without ratings. The scale is the smallest of 1, 5, 10 and 100 that the largest rating fits: from −1 to 1,
// only 1 is a positive. A *ScaleError if none fits.
func (r *Report) Threshold(path string, asked *float64) (float64, error) {
	switch {
	case !r.HasRatings:
		return 0, nil
	case asked != nil:
		return *asked, nil
	case r.Counts:
		return 1, nil
	case r.MaxRating > 100:
		return 0, &ScaleError{path, r.MaxRating}
	}
	for _, scale := range []float64{1, 5, 10} {
		if r.MaxRating <= scale {
			return scale * 4 / 5, nil
		}
	}
	return 80, nil
}

// Likes reports whether a rating counts as positive: it is at least Threshold's least. Without ratings, everything
// does.
func (r *Report) Likes(rating float32, least float64) bool {
	return !r.HasRatings || rating >= float32(least)
}

// Minimum returns the meaning of Options.MinUser and MinItem: 0 is the standard, negative is 1.
func Minimum(asked, standard int) int {
	switch {
	case asked == 0:
		return standard
	case asked < 1:
		return 1
	}
	return asked
}

// The minima of Options' zero value.
const (
	StandardMinUser = 10
	StandardMinItem = 5
)

// MergeLines merges the lines of one (user, item), given in the order of the source. It returns the line with the
// latest time; if times are equal or missing, the last line. If sum is true, its rating is the sum of all ratings. It
// also reports whether the pair comes again, a day or more after its first time. It panics without lines. O(n).
func MergeLines(lines []Line, sum bool) (merged Line, again bool) {
	best, total, first := 0, lines[0].Rating, lines[0].Time
	for i, l := range lines[1:] {
		total, first = addRating(total, l.Rating), earlier(first, l.Time)
		if l.Time >= lines[best].Time {
			best = i + 1
		}
	}
	out := lines[best]
	if sum {
		out.Rating = total
	}
	return out, first != 0 && out.Time-first >= aDay
}

// addRating adds a rating to a sum; NaN is none.
func addRating(total, rating float32) float32 {
	switch {
	case total != total:
		return rating
	case rating == rating:
		return total + rating
	}
	return total
}

// FoldsOf returns the fold of each of a user's n positives, in the order of the items' numbers, as Folds assigns them
// to that user. O(n).
func FoldsOf(user, n, folds int, seed uint64) []uint16 {
	fold := make([]uint16, n)
	newFolding(folds, seed).row(user, fold)
	return fold
}

// LatestOf reports which of a user's positives ByTime puts into the test part. times are theirs, in the order of the
// items' numbers. O(n log n).
func LatestOf(times []int64, testShare float64) []bool {
	checkShare("LatestOf", testShare)
	order := make([]int, len(times))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case times[a] < times[b]:
			return -1
		case times[a] > times[b]:
			return 1
		}
		return 0
	})
	test := make([]bool, len(times))
	for _, i := range order[len(order)-held(len(order), testShare):] {
		test[i] = true
	}
	return test
}

// SpreadOf summarises counts, given how often each occurs. O(distinct counts · log).
func SpreadOf(often map[int]int) Spread {
	var counts []int
	n, sum := 0, 0
	for c, times := range often {
		counts = append(counts, c)
		n += times
		sum += c * times
	}
	if n == 0 {
		return Spread{}
	}
	slices.Sort(counts)
	at := func(place int) int {
		for _, c := range counts {
			if place -= often[c]; place < 0 {
				return c
			}
		}
		return counts[len(counts)-1]
	}
	return Spread{counts[0], counts[len(counts)-1], float64(at((n-1)/2)+at(n/2)) / 2, float64(sum) / float64(n)}
}
