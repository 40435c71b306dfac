package dataset

import (
	"strings"
	"unicode"
)

// listsOf describes how most values of a column are lists of items, "in brackets" or "cut by bars", say; "" if they are
// not. Lists differ in length and have more than two elements on average. Between commas, semicolons and bars, elements
// hold no blanks and repeat from cell to cell; between blanks, they are numbers or codes with digits.
func listsOf(values []string) string {
	filled, brackets := 0, 0
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		filled++
		if len(v) > 1 && strings.IndexByte("[{(", v[0]) >= 0 && strings.ContainsAny(v, ", |;") &&
			(strings.IndexByte("]})", v[len(v)-1]) >= 0 || strings.HasSuffix(v, "…")) && !strings.ContainsAny(v, "=:") {
			brackets++
		}
	}
	switch {
	case filled == 0:
		return ""
	case brackets*2 > filled:
		return "in brackets"
	}
	for _, sep := range []string{"|", ";", ",", " "} {
		if cutsLists(values, sep) {
			return "cut by " + delimiterNames[sep]
		}
	}
	return ""
}

// cutsLists reports whether a separator cuts most values into lists.
func cutsLists(values []string, sep string) bool {
	filled, lists, all := 0, 0, 0
	shortest, longest := len(values)+maxFields, 0
	distinct := map[string]bool{}
	numbers := true
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		filled++
		v, cut := strings.CutSuffix(v, "…")
		parts := strings.Split(v, sep)
		if cut && len(parts) > 1 {
			parts = parts[:len(parts)-1] // the last one is not whole
		}
		if len(parts) > 1 {
			lists++
		}
		shortest, longest = min(shortest, len(parts)), max(longest, len(parts))
		for _, p := range parts {
			if p = strings.TrimSpace(p); p == "" && len(parts) > 1 || len(p) > 40 || strings.ContainsRune(p, ' ') {
				return false
			}
			digit := strings.ContainsFunc(p, unicode.IsDigit)
			if sep == " " && !digit {
				return false
			}
			_, number := parseNumber([]byte(p))
			numbers = numbers && number
			distinct[p] = true
			all++
		}
	}
	return filled >= 2 && lists*10 >= filled*6 && all*2 >= filled*5 && shortest != longest &&
		(numbers || len(distinct)*10 <= all*8)
}
