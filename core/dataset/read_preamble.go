package dataset

import (
	"bytes"
	"regexp"
)

// maxPreamble is the number of lines in which the header is looked for.
const maxPreamble = 30

// headLine is a line of the head of a file.
type headLine struct {
	text   []byte
	begin  int // in the head
	number int // from 0, blank lines counted
}

// skipPreamble moves s past the lines above the rows and their header: comments, which begin with % or #, and lines
// that programs write above a table. It returns the number of these lines. Further down, comments are left out from
// then on.
func (s *source) skipPreamble(o Options) (skipped int) {
	var lines []headLine
	head := s.head()
	for at, number := 0, 0; at < len(head) && len(lines) < 2*maxPreamble; number++ {
		end, next := len(head), len(head)
		if i := bytes.IndexByte(head[at:], '\n'); i >= 0 {
			end, next = at+i, at+i+1
		}
		if text := bytes.TrimRight(head[at:end], "\r"); len(trim(text)) > 0 {
			lines = append(lines, headLine{text, at, number})
		}
		at = next
	}
	if len(lines) < 2 || lines[0].text[0] == '{' || lines[0].text[0] == '[' {
		return 0
	}
	var try []string
	if try = delimiters[:5]; o.Delimiter != "" {
		try = []string{o.Delimiter}
	}
	k := comments(lines, try)
	if k > 0 {
		s.comment = lines[0].text[0]
		if bytes.HasPrefix(lines[0].text, []byte("%%MatrixMarket")) && k < len(lines)-1 {
			k++ // the line with the sizes
		} else if name := lines[k-1].text[1:]; isCommentedHeader(name, lines[k].text, try) {
			s.moveTo(lines[k-1].begin+1, lines[k-1].number)
			return k - 1
		}
	}
	if o.Format != "adjacency" && o.Format != "adjacency-counts" {
		k += before(lines[k:], try)
	}
	if k > 0 {
		s.moveTo(lines[k].begin, lines[k].number)
	}
	return k
}

// skipComments is skipPreamble for lists, which have no header: it leaves out comments at the beginning.
func (s *source) skipComments() {
	if head := s.peek(2); len(head) == 2 && (head[0] == '%' || head[0] == '#') && isComment(head, head[0]) {
		s.comment = head[0]
	}
}

// moveTo continues the reading at a byte of the head, in the given line.
func (s *source) moveTo(at, line int) {
	s.pos += at
	s.after += int64(line)
}

// next returns the next line. It leaves out comments if the file begins with some.
func (s *source) next() ([]byte, error) {
	line, err := s.lines.next()
	for s.comment != 0 && err == nil && isComment(line, s.comment) {
		s.notRows++
		line, err = s.lines.next()
	}
	return line, err
}

// isComment reports whether a line begins with the sign on its own, unlike an id such as #music.
func isComment(line []byte, sign byte) bool {
	return len(line) > 0 && line[0] == sign && (len(line) == 1 || bytes.IndexByte([]byte(" \t!"), line[1]) >= 0 ||
		line[1] == sign)
}

// comments returns the number of comments at the beginning, 0 if all lines look like comments.
func comments(lines []headLine, try []string) (n int) {
	sign := lines[0].text[0]
	if sign != '%' && sign != '#' {
		return 0
	}
	for n < len(lines) && lines[n].text[0] == sign {
		n++
	}
	if n == len(lines) {
		return 0
	}
	for _, l := range lines[:n] {
		if isComment(l.text, sign) {
			continue
		}
		for _, d := range try { // a row like the others may have an id with this sign
			if w := fieldsOf(lines[n].text, d); w > 1 && fieldsOf(l.text, d) == w &&
				!isCommentedHeader(l.text[1:], lines[n].text, try) {
				return 0
			}
		}
	}
	return n
}

// isCommentedHeader reports whether a comment, without its sign, is the header of the row below it.
func isCommentedHeader(comment, row []byte, try []string) bool {
	comment = trim(comment)
	for _, d := range append(try, " ") {
		if w := width(row, d); w > 1 && width(comment, d) == w {
			return namesBoth(comment, d) && !namesBoth(row, d)
		}
	}
	return false
}

// before returns the number of lines above the header or the first row: above a header that names a user and an item,
// or above lines with many more fields.
func before(lines []headLine, try []string) int {
	for _, d := range try { // nearly always there is nothing before them
		if w := fieldsOf(lines[0].text, d); w > 1 && fieldsOf(lines[len(lines)-1].text, d) == w &&
			allShort(lines[:1], d, func(_, filled int) bool { return filled*2 > w }) {
			return 0
		}
	}
	for _, d := range try {
		for k := range lines[:min(len(lines)-1, maxPreamble+1)] {
			if namesBoth(lines[k].text, d) {
				if w := fieldsOf(lines[k].text, d); allShort(lines[:k], d, func(fields, filled int) bool {
					return fields < w || filled*2 <= w
				}) {
					return k
				}
				break
			}
		}
	}
	best, most := 0, 2
	for _, d := range try {
		w := fieldsOf(lines[len(lines)-1].text, d)
		k := len(lines) - 1
		for k > 0 && fieldsOf(lines[k-1].text, d) == w {
			k--
		}
		// A header may lack one name, for the row number.
		if k > 0 && k <= maxPreamble && len(lines)-k >= 3 && w >= most && allShort(lines[:k], d,
			func(fields, filled int) bool { return fields < w-1 || fields == 1 || filled == 1 && fields < w }) {
			best, most = k, w+1
		}
	}
	return best
}

// allShort reports whether is holds for the number of fields, and of filled fields, of all lines.
func allShort(lines []headLine, delimiter string, is func(fields, filled int) bool) bool {
	for _, l := range lines {
		filled := 0
		for _, f := range bytes.Split(l.text, []byte(delimiter)) {
			if len(trim(f)) > 0 {
				filled++
			}
		}
		if !is(fieldsOf(l.text, delimiter), filled) {
			return false
		}
	}
	return true
}

// width counts fields; a run of blanks counts as one separator.
func width(line []byte, delimiter string) int {
	if delimiter == " " {
		return countWords(line)
	}
	return fieldsOf(line, delimiter)
}

// namesBoth reports whether a line has a name for users and one for items.
func namesBoth(line []byte, delimiter string) bool {
	fields := bytes.Split(line, []byte(delimiter))
	if delimiter == " " {
		fields = bytes.Fields(line)
	}
	var names [roles]bool
	for _, f := range fields[:min(len(fields), 100)] {
		if m, ok := meaningOf(string(bytes.Trim(f, " \t\"\ufeff"))); ok && !m.weak && len(f) < 100 {
			names[m.role] = true
		}
	}
	return len(fields) > 1 && names[roleUser] && (names[roleItem] || names[roleTitle])
}

var (
	ruleLine = regexp.MustCompile(`^[-+=|:_ \t,;]*(?:-{3}|={3}|_{3})[-+=|:_ \t,;]*$`)
	rowCount = regexp.MustCompile(`^ *\(? ?[0-9]+ (?:rows?|Zeilen?|lignes?|filas?|records?)` +
		`(?: (?:selected|affected|in set).*)?\)?\.? *$`)
)

// notRow reports whether a line with other fields than a row is meant for people: a rule under the header, a comment,
// "(600 rows)", or only delimiters.
func notRow(line []byte, delimiter string) bool {
	line = trim(line)
	return len(line) < 1<<10 && (len(bytes.Trim(line, delimiter+" \t\"")) == 0 || ruleLine.Match(line) ||
		rowCount.Match(line) || isComment(line, '#') || isComment(line, '%'))
}

// isAgain reports whether a row repeats the header, as in concatenated files.
func isAgain(f [][]byte, header []string) bool {
	if len(f) != len(header) {
		return false
	}
	for i, cell := range f {
		if string(bytes.TrimPrefix(trim(cell), []byte("\ufeff"))) != header[i] {
			return false
		}
	}
	return true
}

// endsByCR reports whether lines end in carriage returns alone, as written by old Mac programs and some exports: most
// line ends outside quotes are of this kind.
func endsByCR(head []byte) bool {
	if bytes.IndexByte(head, '\r') < 0 {
		return false
	}
	alone, feeds, quoted := 0, 0, false
	for i, c := range head {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n':
			feeds++
		case c == '\r' && i+1 < len(head) && head[i+1] != '\n' && head[i+1] != '\r':
			alone++
		}
	}
	return alone > feeds
}

// loneCR returns the position of a carriage return outside quotes, or −1.
func loneCR(line []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(line[from:], '\r')
		if i < 0 {
			return -1
		}
		if from += i; bytes.Count(line[:from], []byte{'"'})%2 == 0 {
			return from
		}
		from++
	}
}

// feeds writes carriage returns as line feeds.
type feeds struct {
	r interface{ Read([]byte) (int, error) }
}

func (f feeds) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	toFeeds(b[:n])
	return n, err
}

func toFeeds(b []byte) {
	for i, c := range b {
		if c == '\r' {
			b[i] = '\n'
		}
	}
}
