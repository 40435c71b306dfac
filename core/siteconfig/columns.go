package siteconfig

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
)

// Shown returns the catalogue's columns that the page needs unchanged: those in the templates of links, pictures and
// the price, and those used by rules of different kinds.
func (p *Project) Shown() (columns []string) {
	templates := []string{p.Site.Pictures, p.Site.Price}
	for _, l := range p.Site.Links {
		templates = append(templates, l.Address)
	}
	for _, t := range templates {
		columns = append(columns, catalogue.Placeholders(t)...)
	}
	for column, by := range p.byRules() {
		if by.reduce() == nil {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// Reduced returns the columns that only rules need. For each, it returns a function that takes the column's non-empty
// texts in order, and returns the function that reduces a text to the part that the rules need:
//
//	in-stock              "1" or "0"
//	boost by numbers      which of twenty equally filled steps the number falls in, from "0" to "19"
//	boost of a value      that value, or ""
//	at-most               the number of the group, from "1"
//	in-stock and numbers  the step of an available item, counted from "1", or "0"
func (p *Project) Reduced() map[string]func(all []string) func(text string) string {
	out := map[string]func([]string) func(string) string{}
	for column, by := range p.byRules() {
		if reduce := by.reduce(); reduce != nil {
			out[column] = func(all []string) func(string) string {
				if p.doubts == nil {
					p.doubts = map[string]*doubt{}
				}
				p.doubts[column] = p.doubtsOf(by, all)
				return reduce(all)
			}
		}
	}
	return out
}

// Unreadable returns for each column of Reduced a function that reports whether browsers would misread one of its
// texts, such as a price with a thousands separator.
func (p *Project) Unreadable() map[string]func(all []string) bool {
	out := map[string]func([]string) bool{}
	for column, by := range p.byRules() {
		if by.reduce() != nil {
			out[column] = by.unreadable
		}
	}
	return out
}

func (by *rulesOf) unreadable(all []string) bool {
	of := decimalsOf(all)
	return slices.ContainsFunc(all, func(text string) bool {
		x, can := recommend.Number(strings.TrimSpace(text))
		y, is := of.number(text)
		return by.stock && recommend.Available(text) != (by.availability(text) == "1") ||
			by.numbers && (can != is || is && x != y)
	})
}

// rulesOf says which rules use a column.
type rulesOf struct {
	stock, numbers, groups bool
	soldOut                []string // further texts of stock
	values                 []string
}

func (p *Project) byRules() map[string]*rulesOf {
	out := map[string]*rulesOf{}
	of := func(column string) *rulesOf {
		if out[column] == nil {
			out[column] = &rulesOf{}
		}
		return out[column]
	}
	if c := p.Rules.InStock; c != "" {
		of(c).stock, of(c).soldOut = true, p.Rules.SoldOut
	}
	for _, b := range p.Rules.Boosts {
		if b.Value != "" {
			of(b.Column).values = append(of(b.Column).values, b.Value)
		} else {
			of(b.Column).numbers = true
		}
	}
	if c := p.Rules.AtMost.Column; c != "" {
		of(c).groups = true
	}
	return out
}

// reduce returns the column's reducing function, or nil if rules of different kinds need the column unchanged.
func (by *rulesOf) reduce() func(all []string) func(string) string {
	switch {
	case by.groups && (by.stock || by.numbers || by.values != nil), by.values != nil && (by.stock || by.numbers):
		return nil
	case by.groups:
		return numbered
	case by.values != nil:
		return func([]string) func(string) string {
			return func(text string) string {
				if slices.Contains(by.values, strings.TrimSpace(text)) {
					return strings.TrimSpace(text)
				}
				return ""
			}
		}
	case by.numbers && by.stock:
		return func(all []string) func(string) string {
			step := steps(all, 1)
			return func(text string) string {
				switch s := step(text); {
				case by.availability(text) == "0":
					return "0"
				case s != "":
					return s
				}
				return "1"
			}
		}
	case by.numbers:
		return func(all []string) func(string) string { return steps(all, 0) }
	}
	return func([]string) func(string) string { return by.availability }
}

// availability is Availability, including the owner's own texts.
func (by *rulesOf) availability(text string) string {
	if slices.Contains(by.soldOut, strings.TrimSpace(text)) {
		return "0"
	}
	return Availability(text)
}

// Availability reduces a text about stock to the form that is published: "1" if the item is available, else "0".
func Availability(text string) string {
	if have, _ := Stock(text); have {
		return "1"
	}
	return "0"
}

// numbered numbers texts by their first appearance.
func numbered(all []string) func(string) string {
	number := map[string]string{}
	for _, text := range all {
		if text = strings.TrimSpace(text); number[text] == "" {
			number[text] = strconv.Itoa(len(number) + 1)
		}
	}
	return func(text string) string { return number[strings.TrimSpace(text)] }
}

// Steps is the number of steps that a number is reduced to if only a boost uses it.
const Steps = 20

// steps returns the equally filled step that a number falls in, counted from first, or "" if text is not a number.
func steps(all []string, first int) func(string) string {
	var numbers []float64
	of := decimalsOf(all)
	for _, text := range all {
		if x, ok := of.number(text); ok {
			numbers = append(numbers, x)
		}
	}
	sort.Float64s(numbers)
	return func(text string) string {
		x, ok := of.number(text)
		if !ok || len(numbers) == 0 {
			return ""
		}
		less := sort.SearchFloat64s(numbers, x)
		return strconv.Itoa(first + min(less*Steps/len(numbers), Steps-1))
	}
}
