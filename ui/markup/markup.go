// Package markup writes attributes, numbers and links for components.
package markup

import "strconv"

// Yes returns "true" or "false" for an ARIA attribute, which is never absent.
func Yes(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// Class returns base, followed by other if on.
func Class(base, other string, on bool) string {
	if on {
		return base + " " + other
	}
	return base
}

// Year formats a year, "" for an unknown one.
func Year(y int) string {
	if y == 0 {
		return ""
	}
	return strconv.Itoa(y)
}

// Decimal formats v for drawings and keys: with a point in every language.
func Decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// Fraction returns part/whole in [0,1], or 0 if whole is 0.
func Fraction(part, whole float64) float64 {
	if !(whole > 0) {
		return 0
	}
	return Clamp(part / whole)
}

// Clamp returns v bounded to [0,1], or 0 for NaN.
func Clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}
