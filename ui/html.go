package ui

import "strconv"

// yes is how an ARIA attribute is true or false: never absent.
func yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// class returns the base class, and the other where on is true.
func class(base, other string, on bool) string {
	if on {
		return base + " " + other
	}
	return base
}

// year writes a year, "" where it is unknown.
func year(y int) string {
	if y == 0 {
		return ""
	}
	return strconv.Itoa(y)
}

// decimal writes v for drawings and keys: with a point in every language.
func decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// fraction returns part/whole in [0,1], 0 where there is no whole.
func fraction(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return clamp(part / whole)
}

func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}
