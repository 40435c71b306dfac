package dataset

import "bytes"

// delimiters lists the candidates in the order in which they are tried.
var delimiters = []string{"::", "\t", ",", ";", "|", " "}

// guessDelimiter returns the delimiter that cuts every complete line of head into the same number of fields, at least
// two. The first such delimiter wins, but among comma, semicolon and bar the one with the most fields, since numbers
// may have decimal commas. If the number of fields varies, as with quoted line ends, it returns the first delimiter in
// every line, or else in the first line; "" if that has none either.
func guessDelimiter(head []byte) string {
	lines := completeLines(head, 20)
	if len(lines) == 0 {
		return ""
	}
	best, most := "", 0
	for _, d := range delimiters[:5] {
		n := fieldsOf(lines[0], d)
		for _, l := range lines {
			if fieldsOf(l, d) != n {
				n = 0
			}
		}
		if n > 1 && (d == "::" || d == "\t") {
			return d
		}
		if n > most && n > 1 {
			best, most = d, n
		}
	}
	if best != "" {
		return best
	}
	for _, d := range delimiters {
		ok := true
		for _, l := range lines {
			ok = ok && bytes.Contains(l, []byte(d))
		}
		if ok {
			return d
		}
	}
	// Quoted fields may hold line ends, so some lines may lack the delimiter: the first line decides.
	for _, d := range delimiters[:5] {
		if bytes.Contains(lines[0], []byte(d)) {
			return d
		}
	}
	return ""
}

// fieldsOf counts the fields of a line; a delimiter within quotes does not count.
func fieldsOf(line []byte, delimiter string) int {
	n, quoted := 1, false
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '"' && delimiter != "::":
			quoted = !quoted
		case !quoted && bytes.HasPrefix(line[i:], []byte(delimiter)):
			n++
			i += len(delimiter) - 1
		}
	}
	return n
}

// excelDelimiter returns the delimiter that Excel writes in a line of its own, "sep=;", or "".
func excelDelimiter(head []byte) string {
	if rest, ok := bytes.CutPrefix(head, []byte("sep=")); ok && len(rest) >= 2 && (rest[1] == '\n' || rest[1] == '\r') {
		return string(rest[:1])
	}
	if rest, ok := bytes.CutPrefix(head, []byte(`"sep=`)); ok && len(rest) >= 3 && rest[1] == '"' &&
		(rest[2] == '\n' || rest[2] == '\r') {
		return string(rest[:1])
	}
	return ""
}

// completeLines returns the first n lines of head that are not blank. An incomplete last line counts only if it is the
// only one.
func completeLines(head []byte, n int) [][]byte {
	var out [][]byte
	for len(head) > 0 && len(out) < n {
		line, rest, complete := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(trim(line)) > 0 && (complete || len(head) < sniffed || len(out) == 0) {
			out = append(out, line)
		}
		head = rest
	}
	return out
}
