package words

import (
	"math"
	"strconv"
	"strings"
)

// Numerals are a language's way to write numbers, dates and lists.
//
// The browser's Intl is not used. It groups German digits with a point instead of DIN 5008's narrow space, puts a comma
// before the "and" of lists, and formats dates differently in each browser. A call from Go takes 15 µs or more (under
// node), against less than 1 µs here. Tests also render the page natively and compare texts. golang.org/x/text/number
// would add 118 KB of brotli to the page's program.
type Numerals struct {
	_           incomparable
	Group       string // between groups of three digits
	Ungrouped   int    // the longest ungrouped number, in digits: 3, or 4 to group only longer numbers
	Point       string // before the decimals
	Percent     string // the sign, with any space before it
	And         string // before the last of a list, with its spaces
	Byte, Bytes string
	Day         string // after the day of the month, with its space
	Months      [12]string
	Marks       [4][2]string // after the number of likes, not for me, seen, for later: singular and plural
	Others      [2]string    // after the number of items that are not named: singular and plural
	Thing       string       // the noun for a title
	Things      string       // in the plural
}

// Number writes n in groups of three digits.
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

// decimal writes v with this many decimals, and a dash for NaN and infinities.
func (l *Numerals) decimal(v float64, digits int) string {
	if !written(v) {
		return "–"
	}
	return strings.Replace(strconv.FormatFloat(v, 'f', digits, 64), ".", l.Point, 1)
}

// Stars writes a rating with as many decimals as it needs.
func (l *Numerals) Stars(v float64) string { return l.decimal(v, -1) }

// count writes a number and a noun: "1 film" or "3 films".
func (l *Numerals) count(n int, one, many string) string {
	return l.Number(n) + " " + plural(n, one, many)
}

// things counts titles: "1 film" or "3 films".
func (l *Numerals) things(n int) string { return l.count(n, l.Thing, l.Things) }

// percent writes a share in [0,1] as a whole percentage, and a dash for NaN and infinities.
func (l *Numerals) percent(v float64) string {
	if !written(v) {
		return "–"
	}
	return strconv.Itoa(int(v*100+0.5)) + l.Percent
}

// size writes a number of bytes in KB, MB or GB.
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

// Join writes a list: "A", "A and B", "A, B and C".
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

// marks counts titles by mark, without zeros: "3 likes", "1 not for you".
func (l *Numerals) marks(of ...int) []string {
	var parts []string
	for i, n := range of {
		if n > 0 {
			parts = append(parts, l.count(n, l.Marks[i][0], l.Marks[i][1]))
		}
	}
	return parts
}

// Some lists the first of n titles, and the number of the others.
func (l *Numerals) Some(n int, titles []string) string {
	if more := n - len(titles); more > 0 {
		titles = append(titles, l.count(more, l.Others[0], l.Others[1]))
	}
	return l.Join(titles)
}

// plural picks the form for n, in languages with a singular and a plural like English and German.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// metricName capitalises a metric's name in every language: "recall@10" becomes "Recall@10", "ndcg@10" "NDCG@10".
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

// written reports whether v is finite, and within the range of float32.
func written(v float64) bool { return math.Abs(v) <= math.MaxFloat32 }
