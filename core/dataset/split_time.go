package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/pmlam/pmlam/core/brief"
)

// Cut is one moment for all users: earlier interactions form the training part, later ones and those at the moment the
// test part. Exactly one of the two fields is used.
type Cut struct {
	Moment int64 // seconds since 1970; used where Share is 0
	// share of the likes for the test part, in (0,1): the moment is the time of the first of the latest round(Share·n)
	// of n likes; at least one like stays before it. All likes at that very time are in the test part, which may
	// therefore be larger
	Share float64
}

// First returns the index of the first tested like among n > 0 likes in the order of time.
func (c Cut) First(n int) int { return n - max(1, min(n-1, int(math.Round(c.Share*float64(n))))) }

// ParseCut reads a cut as --split-time takes it: a share if it is a number between 0 and 1, otherwise a moment.
func ParseCut(text string) (Cut, error) {
	if x, err := strconv.ParseFloat(text, 64); err == nil && x > 0 && x < 1 {
		return Cut{Share: x}, nil
	}
	moment, err := ParseMoment(text)
	if err != nil {
		return Cut{}, fmt.Errorf("neither a share between 0 and 1 nor a moment: %w", err)
	}
	return Cut{Moment: moment}, nil
}

// ParseMoment reads a moment like the times of data (docs/formats.md), in seconds since 1970.
func ParseMoment(text string) (int64, error) {
	if t, ok := parseTime([]byte(text), dayUnknown); ok {
		return t, nil
	}
	return 0, fmt.Errorf("%q is not a time; write it as 2018-05-01, 2018-05-01T12:00:00Z or in seconds since 1970",
		brief.Text(text))
}

// LoadAt reads as Load does and splits at one moment for all users, so nothing in the training part is later than
// anything in the test part. The cut comes first: of several ratings of a user and an item, the latest before the
// moment counts for training; counts are summed separately on either side; and items that a user liked before are left
// out of their test part (Report.Again). Minima are LoadFixed's: none unless the options set them; then they are
// counted in the training part, and the test part loses the users and items that they drop. Users and items that occur
// only in the test part keep their indices, empty in train: they are cold.
//
// moment is the moment of the cut. Errors: Load's, *NoTimesError, *UntimedError if some lines have no time, and
// *MomentError if one side is empty. It panics unless 0 ≤ Share < 1. O(n log n).
func LoadAt(path string, cut Cut, o Options) (d *Dataset, s Split, moment int64, err error) {
	if cut.Share != 0 {
		checkShare("LoadAt", cut.Share)
	}
	o.Times = true
	p, err := detect(path, o)
	if err != nil {
		return nil, s, 0, err
	}
	o = p.options(o)
	c, progress, err := p.collect(path, o, func(int) int { return partTrain })
	if err != nil {
		return nil, s, 0, err
	}
	if moment, err = c.cut(path, p.name, cut, o); err != nil {
		return nil, s, 0, err
	}
	if d, s, err = c.buildFixed(path, o); err != nil {
		return nil, s, 0, err
	}
	c.report.Again, c.report.InTrain, c.report.InTrainUsers = c.report.InTrain, 0, 0
	return d, s, moment, p.finish(d, c, s.Train, o, progress)
}

// cut moves interactions at the moment or later from the training part to the test part.
func (c *collector) cut(path, name string, cut Cut, o Options) (moment int64, err error) {
	if c.report.Interactions > 0 && !c.report.HasTimes {
		return 0, &NoTimesError{name}
	}
	least, err := c.threshold(path, o.MinRating)
	if err != nil {
		return 0, err
	}
	s := &c.parts[partTrain]
	var times []int64 // of likes
	untimed := 0
	for _, chunk := range s.chunks {
		for i := range chunk {
			switch r := &chunk[i]; {
			case r.time() == 0:
				untimed++
			case c.positive(r, float32(least)):
				times = append(times, r.time())
			}
		}
	}
	switch {
	case untimed > 0:
		return 0, &UntimedError{path, untimed, s.n}
	case len(times) == 0:
		return 0, nil // buildFixed says what is missing
	}
	slices.Sort(times)
	moment = cut.Moment
	if cut.Share > 0 {
		moment = times[cut.First(len(times))]
	}
	if err := CheckMoment(path, moment, times[0], times[len(times)-1]); err != nil {
		return 0, err
	}
	kept := 0
	for i := range s.n {
		if r := *s.at(i); r.time() >= moment {
			c.parts[partTest].add(r)
		} else {
			*s.at(kept) = r
			kept++
		}
	}
	s.truncate(kept)
	return moment, nil
}

// UntimedError says that some interactions have no time, so their side of a moment is unknown.
type UntimedError struct {
	Path    string
	Untimed int // interactions without a time
	Of      int
}

func (e *UntimedError) Error() string {
	return fmt.Sprintf("%s: %d of %d interactions have no time, so one moment cannot divide them; give them times, or "+
		"leave them out", e.Path, e.Untimed, e.Of)
}

// CheckMoment returns a *MomentError if a moment leaves one of the two parts of the data at path without a like. first
// and last are the times of the first and last like.
func CheckMoment(path string, moment, first, last int64) error {
	if moment <= first || moment > last {
		return &MomentError{path, moment, first, last}
	}
	return nil
}

// MomentError says that a moment leaves one of the two parts without a like. All times are in seconds since 1970.
type MomentError struct {
	Path                string
	Moment, First, Last int64
}

func (e *MomentError) Error() string {
	side := "before"
	if e.Moment > e.Last {
		side = "from then on"
	}
	return fmt.Sprintf("%s: the moment %s leaves no likes %s, for they lie from %s to %s; name one in between", e.Path,
		FormatMoment(e.Moment), side, FormatMoment(e.First), FormatMoment(e.Last))
}

// FormatMoment writes seconds since 1970 as ISO 8601 in UTC.
func FormatMoment(seconds int64) string { return time.Unix(seconds, 0).UTC().Format(time.RFC3339) }
