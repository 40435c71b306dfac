package importer

import "strings"

// rated is a rating as written: "8/10" is 8 of 10; of is 0 if the text states no scale.
type rated struct{ value, of float64 }

// Words between a rating and its scale, and words for thumbs.
const (
	outOf = "/|of|out of|von|sur|de|su|из|av|van"
	ups   = "like|liked|love|loved|up|thumbs up|thumbs_up|👍|❤|❤️|♥"
	downs = "dislike|disliked|hate|hated|down|thumbs down|thumbs_down|👎"
)

var stars = strings.NewReplacer("½", ".5", "★", "", "⭐", "")

// parseRating parses "4", "4.5", "4,5", "8/10", "3.5 / 5", "8 out of 10", "85%", "4 stars", "★★★½", "−1" and "liked".
// ok is false if s is not a rating.
func parseRating(s string) (r rated, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" || strings.Contains(s, "|") {
		return r, false
	}
	switch {
	case among(ups, s):
		return rated{1, 1}, true
	case among(downs, s):
		return rated{0, 1}, true
	}
	if s[0] <= '9' && s[0] >= '0' { // "3½", "4★"
		s = stars.Replace(s)
	} else if strings.ContainsAny(s, "★⭐½☆*") {
		for _, c := range s {
			switch c {
			case '★', '⭐', '*':
				r.value++
				r.of++
			case '½':
				r.value += 0.5
			case '☆':
				r.of++
			case ' ', '\uFE0F':
			default:
				return rated{}, false
			}
		}
		if r.of = max(r.of, 5); r.of > 5 && !strings.Contains(s, "☆") {
			return rated{}, false
		}
		return r, r.of <= 10
	}
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || strings.IndexByte("-., ", s[end]) >= 0 ||
		strings.HasPrefix(s[end:], "−")) {
		end++
		if s[end-1] == 0xE2 {
			end += 2
		}
	}
	if r.value, ok = decimal(s[:end]); !ok {
		return rated{}, false
	}
	if s = strings.TrimSpace(s[end:]); s != "" {
		unit := strings.TrimRight(s, "0123456789., ")
		scale := strings.TrimSpace(s[len(unit):])
		switch {
		case s == "%":
			r.of = 100
		case scale != "" && among(outOf, strings.TrimSpace(unit)):
			if r.of, ok = decimal(scale); !ok || r.of <= 0 {
				return rated{}, false
			}
		case scale != "" || !isWord(unit):
			return rated{}, false
		}
	}
	return r, r.value >= -1 && r.value <= 100 && r.of <= 100 && (r.of == 0 || r.value <= r.of)
}

// isWord reports whether s consists of letters, like the unit of "4 stars".
func isWord(s string) bool {
	return len(s) > 1 && !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' && r < 0x80 })
}

// isAverage reports whether a rating is a number with three decimals, which is how sites write averages.
func isAverage(s string) bool {
	_, ok := decimal(s)
	at := max(strings.LastIndexByte(s, '.'), strings.LastIndexByte(s, ','))
	return ok && at >= 0 && len(s)-at > 3
}

// hasScale reports whether a text is a rating with its scale. Percentages can mean anything, and "Up" is a film.
func hasScale(s string) bool {
	r, ok := parseRating(s)
	return ok && r.of > 1 && r.of != 100
}

// isRating reports whether a text is a rating.
func isRating(s string) bool {
	_, ok := parseRating(s)
	return ok
}

// decimal parses a number with at most six digits on either side of its point or comma.
func decimal(s string) (v float64, ok bool) {
	s = strings.TrimSpace(s)
	s, minus := strings.CutPrefix(strings.Replace(s, "−", "-", 1), "-")
	whole, part, _ := strings.Cut(strings.Replace(s, ",", ".", 1), ".")
	digits := whole + part
	if digits == "" || len(whole) > 6 || len(part) > 6 {
		return 0, false
	}
	n, power := 0, 1
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, false
		}
		n = n*10 + int(digits[i]-'0')
		if i >= len(whole) {
			power *= 10
		}
	}
	v = float64(n) / float64(power)
	if minus {
		v = -v
	}
	return v, true
}

// Scales are the highest ratings of the known scales. A table's scale is guessed from its highest rating.
var Scales = [...]float64{1, 5, 10, 20, 100}

// scaleOf returns the smallest scale that reaches top.
func scaleOf(top float64) float64 {
	for _, s := range Scales {
		if top <= s {
			return s
		}
	}
	return Scales[len(Scales)-1]
}
