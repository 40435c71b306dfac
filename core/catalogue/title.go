package catalogue

import "strings"

// Forms returns the folded names of a title, its main name first:
//
//	"Matrix, The"                                     the matrix
//	"Seven (a.k.a. Se7en)"                            seven · se7en
//	"Amelie (Fabuleux destin d'Amélie Poulain, Le)"   amelie · le fabuleux destin damelie poulain
//
// A year in parentheses at the end is dropped, and an article after a comma moves to the front. A title without letters
// and digits has no forms.
func Forms(title string) []string {
	main, inner := parentheses(title)
	var out []string
	add := func(s string) {
		if s = name(s); s != "" {
			out = append(out, s)
		}
	}
	add(main)
	for _, s := range inner {
		if s = named(s); !year(s) {
			add(s)
		}
	}
	return out
}

// Main returns a title without its names in parentheses.
func Main(title string) string {
	main, _ := parentheses(title)
	return strings.Join(strings.Fields(main), " ")
}

// OtherTitles reports whether a further column holds further titles, to judge by its name: "other_titles",
// "original_title", "title_de". Several in one value are cut by "|".
func OtherTitles(column string) bool {
	words := strings.Fields(Fold(column))
	switch strings.Join(words, "") {
	case "othertitles", "alternativetitles", "originaltitle", "alternativetitle", "aka":
		return true
	}
	return len(words) == 2 && words[0] == "title" && len(words[1]) == 2
}

// Names returns an item's titles in the columns of OtherTitles.
func (c *Catalogue) Names(i int) (names []string) {
	for k, v := range c.Items[i].Values {
		if v != "" && OtherTitles(c.Columns[k]) {
			names = append(names, strings.Split(v, "|")...)
		}
	}
	return names
}

// named returns a further name without the "a.k.a." in front.
func named(s string) string {
	s = strings.TrimSpace(s)
	for _, aka := range []string{"a.k.a.", "a.k.a", "aka ", "AKA "} {
		s = strings.TrimSpace(strings.TrimPrefix(s, aka))
	}
	return s
}

// parentheses splits a title into the text outside of all parentheses and the text in each outermost pair.
func parentheses(title string) (outside string, inside []string) {
	var b strings.Builder
	depth, from := 0, 0
	for i := range len(title) {
		switch title[i] {
		case '(':
			if depth == 0 {
				b.WriteString(title[from:i])
				b.WriteByte(' ') // an unclosed one separates words as well
				from = i + 1
			}
			depth++
		case ')':
			if depth == 1 {
				inside = append(inside, title[from:i])
				b.WriteByte(' ')
				from = i + 1
			}
			depth = max(depth-1, 0)
		}
	}
	b.WriteString(title[from:])
	return b.String(), inside
}

func year(s string) bool {
	if len(s) != 4 {
		return false
	}
	for i := range 4 {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// name folds a name and moves a final article, after a comma, to the front.
func name(s string) string {
	if i := strings.LastIndexByte(s, ','); i >= 0 {
		if article := Fold(s[i+1:]); articles[article] {
			return strings.TrimSpace(article + " " + Fold(s[:i]))
		}
	}
	return Fold(s)
}

// Bare returns a folded name without the article in front, or the name itself if it is only an article.
func Bare(s string) string {
	if i := strings.IndexByte(s, ' '); i > 0 && articles[s[:i]] {
		return s[i+1:]
	}
	return s
}
