package importer

import "strings"

// rated is a rating as it is written: "8/10" is 8 of 10; of is 0 where the text has no scale.
type rated struct{ value, of float64 }

// parseRating reads "4", "4.5", "4,5", "8/10", "85%", "★★★½" and "−1". ok is false where it is no rating.
func parseRating(s string) (r rated, ok bool) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "★⭐½☆") {
		for _, c := range s {
			switch c {
			case '★', '⭐':
				r.value++
			case '½':
				r.value += 0.5
			case '☆', ' ', '\uFE0F':
			default:
				return rated{}, false
			}
		}
		r.of = 5
		return r, r.value <= 5
	}
	s, of, fraction := strings.Cut(s, "/")
	s, percent := strings.CutSuffix(strings.TrimSpace(s), "%")
	if r.value, ok = decimal(s); !ok {
		return rated{}, false
	}
	switch {
	case percent:
		r.of = 100
	case fraction:
		if r.of, ok = decimal(of); !ok || r.of <= 0 {
			return rated{}, false
		}
	}
	return r, r.value >= -1 && r.value <= 100 && r.of <= 100 && (r.of == 0 || r.value <= r.of)
}

// decimal reads a number of at most six digits on either side of its point or comma.
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

// Scales are the highest ratings of the known scales. The scale of a table is guessed by its highest rating.
var Scales = [...]float64{1, 5, 10, 20, 100}

// scaleOf returns the scale whose highest rating is the first that is not below top.
func scaleOf(top float64) float64 {
	for _, s := range Scales {
		if top <= s {
			return s
		}
	}
	return Scales[len(Scales)-1]
}
