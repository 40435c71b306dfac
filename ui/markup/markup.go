// Package markup writes attributes, numbers and links for components.
package markup

import "strconv"

// Yes returns how an ARIA attribute is true or false: never absent.
func Yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Class returns the base class, and the other where on is true.
func Class(base, other string, on bool) string {
	if on {
		return base + " " + other
	}
	return base
}

// Year writes a year, "" where it is unknown.
func Year(y int) string {
	if y == 0 {
		return ""
	}
	return strconv.Itoa(y)
}

// Decimal writes v for drawings and keys: with a point in every language.
func Decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// Fraction returns part/whole in [0,1], 0 where there is no whole.
func Fraction(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return Clamp(part / whole)
}

// Clamp returns v bounded to [0,1], 0 for NaN.
func Clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}
