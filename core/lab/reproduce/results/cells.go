package results

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/train/choose"
)

// Column types of the tables. at returns the address of the cell in a row.

// text is a single line of up to 500 bytes; empty only if allowed.
func text[T any](name string, empty bool, at func(*T) *string) column[T] {
	const most = 500
	return column[T]{name, func(x *T) string { return *at(x) }, func(x *T, cell string) error {
		switch {
		case cell == "" && !empty:
			return errors.New("it must not be empty")
		case len(cell) > most:
			return fmt.Errorf("it must have at most %d bytes", most)
		case !utf8.ValidString(cell) || strings.ContainsFunc(cell, unicode.IsControl):
			return errors.New("it must be one line of UTF-8")
		}
		*at(x) = cell
		return nil
	}}
}

// digest is a number of hexadecimal digits; empty only if allowed.
func digest[T any](name string, digits int, empty bool, at func(*T) *string) column[T] {
	return column[T]{name, func(x *T) string { return *at(x) }, func(x *T, cell string) error {
		if !(cell == "" && empty) && (len(cell) != digits || strings.Trim(cell, "0123456789abcdef") != "") {
			return fmt.Errorf("it must be %d hexadecimal digits", digits)
		}
		*at(x) = cell
		return nil
	}}
}

// whole is a whole number from low to high.
func whole[T any, N int | uint64](name string, low, high N, at func(*T) *N) column[T] {
	return column[T]{name, func(x *T) string { return fmt.Sprint(*at(x)) }, func(x *T, cell string) error {
		n, err := strconv.ParseInt(cell, 10, 64)
		if err != nil || n < int64(low) || n > int64(high) {
			return fmt.Errorf("it must be a whole number from %d to %d", low, high)
		}
		*at(x) = N(n)
		return nil
	}}
}

// optional is a whole number from 0 to high, or an empty cell for −1.
func optional[T any](name string, high int, at func(*T) *int) column[T] {
	number := whole(name, 0, high, at)
	return column[T]{name, func(x *T) string {
		if *at(x) < 0 {
			return ""
		}
		return number.write(x)
	}, func(x *T, cell string) error {
		if cell == "" {
			*at(x) = -1
			return nil
		}
		return number.read(x, cell)
	}}
}

// number is a number from low to high.
func number[T any](name string, low, high float64, at func(*T) *float64) column[T] {
	return column[T]{name, func(x *T) string { return digits(*at(x)) }, func(x *T, cell string) (err error) {
		*at(x), err = parse(cell, low, high)
		return err
	}}
}

// digits writes a number with the fewest digits that read back as the same, with an exponent only to avoid many zeros.
func digits(v float64) string {
	if size := math.Abs(v); size != 0 && (size < 1e-4 || size >= 1e15) {
		return strconv.FormatFloat(v, 'e', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

func parse(cell string, low, high float64) (float64, error) {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil || !(v >= low && v <= high) || strings.Trim(cell, "+-.eE0123456789") != "" {
		return 0, fmt.Errorf("it must be a number%s", between(low, high))
	}
	return v, nil
}

// between describes the bounds of a number, if it has any.
func between(low, high float64) string {
	switch {
	case high < math.MaxFloat64:
		return fmt.Sprintf(" from %g to %g", low, high)
	case low > -math.MaxFloat64:
		return fmt.Sprintf(" of at least %g", low)
	}
	return ""
}

// flag is yes or no.
func flag[T any](name string, at func(*T) *bool) column[T] {
	words := map[bool]string{true: "yes", false: "no"}
	return column[T]{name, func(x *T) string { return words[*at(x)] }, func(x *T, cell string) error {
		if cell != "yes" && cell != "no" {
			return errors.New(`it must be "yes" or "no"`)
		}
		*at(x) = cell == "yes"
		return nil
	}}
}

// list has up to most numbers from 0 to 1, separated by spaces; nil and an empty list are both an empty cell.
func list[T any](name string, most int, at func(*T) *[]float64) column[T] {
	return column[T]{name, func(x *T) string {
		var all []string
		for _, v := range *at(x) {
			all = append(all, digits(v))
		}
		return strings.Join(all, " ")
	}, func(x *T, cell string) error {
		if cell == "" {
			return nil
		}
		for text := range strings.SplitSeq(cell, " ") {
			v, err := parse(text, 0, 1)
			if err != nil || len(*at(x)) == most {
				return fmt.Errorf("it must be at most %d numbers from 0 to 1, separated by spaces", most)
			}
			*at(x) = append(*at(x), v)
		}
		return nil
	}}
}

// settings are names with values, "dim=64 lr=0.01", sorted by name.
func settings[T any](name string, at func(*T) *map[string]string) column[T] {
	return column[T]{name, func(x *T) string {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(*at(x))) {
			all = append(all, name+"="+(*at(x))[name])
		}
		return strings.Join(all, " ")
	}, func(x *T, cell string) error {
		if cell == "" {
			return nil
		}
		all := map[string]string{}
		for pair := range strings.SplitSeq(cell, " ") {
			name, value, ok := strings.Cut(pair, "=")
			if _, twice := all[name]; !ok || name == "" || value == "" || twice || len(all) == 100 {
				return errors.New(`it must be names with values, such as "dim=64 lr=0.01", each name once`)
			}
			all[name] = value
		}
		*at(x) = all
		return nil
	}}
}

// part is an item-item part: "ridge 20 0.5", its kind, λ and γ; empty without one.
func part[T any](name string, at func(*T) **choose.Part) column[T] {
	return column[T]{name, func(x *T) string {
		p := *at(x)
		if p == nil {
			return ""
		}
		return fmt.Sprintf("%s %s %s", p.Kind, digits(p.Lambda), digits(p.Gamma))
	}, func(x *T, cell string) error {
		if cell == "" {
			return nil
		}
		words := strings.Split(cell, " ")
		if len(words) != 3 || !slices.Contains(parts, choose.ItemPart(words[0])) {
			return fmt.Errorf("it must be one of %v, its λ and its γ, such as %q", parts, "ridge 20 0.5")
		}
		p := &choose.Part{Kind: choose.ItemPart(words[0])}
		var lambda, gamma error
		p.Lambda, lambda = parse(words[1], 0, math.MaxFloat64)
		p.Gamma, gamma = parse(words[2], 0, math.MaxFloat64)
		*at(x) = p
		return errors.Join(lambda, gamma)
	}}
}

// parts are the kinds of item-item parts.
var parts = []choose.ItemPart{choose.NoItemPart, choose.CosinePart, choose.RidgePart, choose.EASEPart}
