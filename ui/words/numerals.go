package words

import (
	"math"
	"strconv"
	"strings"
)

// Numerals are how a language writes numbers, dates and lists.
//
// The browser's Intl is not used. It writes German groups with a point and not with the narrow space of DIN 5008, lists
// with a comma before "and", and dates as its own tables have them, which differ among browsers; and a call from Go
// takes 15 µs and more where the code here takes less than 1 (under node). The page is rendered natively too, by tests
// that compare texts. golang.org/x/text/number would add 118 KB of brotli to the page's program.
type Numerals struct {
	_           incomparable
	Group       string // stands between every three digits
	Ungrouped   int    // the most digits that are not grouped: 3, or 4 where only longer numbers are grouped
	Point       string // before the decimals
	Percent     string // the sign, with the space before it
	And         string // before the last of a list, with its spaces
	Byte, Bytes string
	Day         string // after the day of a month, with its space
	Months      [12]string
	Marks       [4][2]string // what follows the number of one and of several: likes, not for me, seen, for later
	Others      [2]string    // what follows the number of one that is not named, and of several
}

// number writes n in groups of three digits.
func (l *Numerals) Number(n int) string {
	s := strconv.Itoa(n)
	if len(strings.TrimPrefix(s, "-")) <= l.Ungrouped {
		return s
	}
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + l.Group + s[i:]
	}
	return s
}

// decimal writes v with that many digits after the point; a dash for NaN and infinities.
func (l *Numerals) decimal(v float64, digits int) string {
	if !written(v) {
		return "–"
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", l.Point, 1)
}

// stars writes a rating with as many digits as it needs.
func (l *Numerals) Stars(v float64) string { return l.decimal(v, -1) }

// count writes "1 film" or "3 films".
func (l *Numerals) count(n int, one, many string) string {
	return l.Number(n) + " " + plural(n, one, many)
}

// percent writes a share in [0,1] as a whole percentage; a dash for NaN and infinities.
func (l *Numerals) percent(v float64) string {
	if !written(v) {
		return "–"
	}
	return strconv.Itoa(int(v*100+0.5)) + l.Percent
}

// size writes a number of bytes for people.
func (l *Numerals) size(n int) string {
	switch {
	case n < 1000:
		return l.count(n, l.Byte, l.Bytes)
	case n < 1_000_000:
		return l.decimal(float64(n)/1000, 1) + " KB"
	case n < 1_000_000_000:
		return l.decimal(float64(n)/1_000_000, 1) + " MB"
	}
	return l.decimal(float64(n)/1_000_000_000, 1) + " GB"
}

// and joins "A", "A and B", "A, B and C".
func (l *Numerals) Join(s []string) string {
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + l.And + s[len(s)-1]
}

// date writes "21 November 2026".
func (l *Numerals) date(year, month, day int) string {
	return strconv.Itoa(day) + l.Day + l.Months[month-1] + " " + strconv.Itoa(year)
}

// marks writes how many titles have which mark: "3 likes", "1 not for you".
func (l *Numerals) marks(of ...int) []string {
	var parts []string
	for i, n := range of {
		if n > 0 {
			parts = append(parts, l.count(n, l.Marks[i][0], l.Marks[i][1]))
		}
	}
	return parts
}

// Some lists the titles, which are the first of n, and how many more there are.
func (l *Numerals) Some(n int, titles []string) string {
	if more := n - len(titles); more > 0 {
		titles = append(titles, l.count(more, l.Others[0], l.Others[1]))
	}
	return l.Join(titles)
}

// plural returns the form that goes with n, in languages that have two as English and German have.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// metricName turns "recall@10" into "Recall@10" and "ndcg@10" into "NDCG@10", in every language.
func metricName(name string) string {
	head, tail, _ := strings.Cut(name, "@")
	switch head {
	case "ndcg", "mrr", "map":
		head = strings.ToUpper(head)
	default:
		if head != "" {
			head = strings.ToUpper(head[:1]) + head[1:]
		}
	}
	if tail == "" {
		return head
	}
	return head + "@" + tail
}

// written reports whether a number is written: whether it is one, and not beyond what float32 holds.
func written(v float64) bool { return math.Abs(v) <= math.MaxFloat32 }
