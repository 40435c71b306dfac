package dataset

import "slices"

// looksLikeHeader reports whether the first row holds names: a column is asked for by name; or the row names a user or
// an item, or two other roles, with names that do not occur below it; or it has text above numbers or dates.
func looksLikeHeader(s *sample, c Columns) bool {
	for r := range roles {
		if asked := c.asked(r); asked != "" && asked != "-" && !slices.Contains(s.partitions, asked) {
			if _, isNumber := number(asked); !isNumber {
				return true // a name needs a header; if it is not there, resolve returns the error
			}
		}
	}
	names := 0
	for i, name := range s.rows[0] {
		values := s.column(i)[1:]
		if m, ok := meaningOf(name); ok && !m.weak && !slices.Contains(values, name) {
			names++
			if m.role <= roleItem {
				names++
			}
		}
		if isNull([]byte(name)) || isValue(name) {
			continue
		}
		filled := 0
		for _, v := range values {
			if isNull([]byte(v)) {
				continue
			}
			if filled++; !isValue(v) {
				filled = -len(values)
			}
		}
		if filled > 0 {
			return true
		}
	}
	return names >= 2
}

// isValue reports whether a text is a number or a date, unlike a name.
func isValue(text string) bool {
	if _, ok := parseNumber([]byte(text)); ok {
		return true
	}
	_, ok := parseTime([]byte(text), dayUnknown)
	return ok && text != "" || looksLikeDate([]byte(text))
}
