package dataset

import (
	"regexp"
	"strconv"
	"strings"
)

// articles are those that MovieLens puts behind a comma: "Matrix, The", "Enfer, L'". The comparison is case-sensitive,
// so "Bye Bye, Love" and "Patrik 1,5" stay unchanged.
var articles = []string{
	"The", "A", "An", "Le", "La", "Les", "L'", "L’", "Un", "Une", "Il", "Lo", "I", "Gli", "Una", "El", "Los", "Las",
	"Der", "Die", "Das", "De", "Den", "Det", "En", "Ett", "Het", "O", "Os", "As", "Da",
}

// yearAtEnd finds "(1995)", "(2006–2007)" and "(1995) (V)" at the end of a title.
var yearAtEnd = regexp.MustCompile(`^(.*?)\s*\((\d{4})(?:\s*[-–]\s*(?:\d{4})?)?\)\s*(?:\((?:V|TV|VG|mini)\)\s*)?$`)

// SplitTitle cuts the year off a title that ends with it: "Heat (1995)" → "Heat", 1995. A range "(2006–2007)" counts
// as its first year. Years before 1870 and after 2100 are none. The title keeps all the rest.
func SplitTitle(s string) (title string, year int) {
	s = strings.TrimSpace(s)
	m := yearAtEnd.FindStringSubmatch(s)
	if m == nil || m[1] == "" {
		return s, 0
	}
	y, err := strconv.Atoi(m[2])
	if err != nil || y < 1870 || y > 2100 {
		return s, 0
	}
	return m[1], y
}

// RestoreArticles moves articles that MovieLens puts behind a comma to the front, in the title and in each part in
// brackets:
//
//	Matrix, The                                      → The Matrix
//	City of Lost Children, The (Cité des enfants perdus, La) → The City of Lost Children (La Cité des enfants perdus)
//	City of the Living Dead (a.k.a. Gates of Hell, The) → City of the Living Dead (a.k.a. The Gates of Hell)
//	Enfer, L'                                        → L'Enfer
func RestoreArticles(title string) string {
	var out strings.Builder
	for len(title) > 0 {
		i := strings.IndexAny(title, "()")
		if i < 0 {
			i = len(title)
		}
		out.WriteString(restorePart(title[:i]))
		if i < len(title) {
			out.WriteByte(title[i])
			i++
		}
		title = title[i:]
	}
	return out.String()
}

// restorePart is RestoreArticles for a part without brackets. It keeps blanks at both ends and a leading "a.k.a.".
func restorePart(s string) string {
	core := strings.TrimSpace(s)
	comma := strings.LastIndexByte(core, ',')
	if comma <= 0 {
		return s
	}
	article := strings.TrimSpace(core[comma+1:])
	known := false
	for _, a := range articles {
		known = known || a == article
	}
	if !known {
		return s
	}
	name, alias := core[:comma], ""
	for _, p := range []string{"a.k.a. ", "aka "} {
		if strings.HasPrefix(name, p) {
			alias, name = p, name[len(p):]
		}
	}
	if !strings.HasSuffix(article, "'") && !strings.HasSuffix(article, "’") {
		article += " "
	}
	at := strings.Index(s, core)
	return s[:at] + alias + article + name + s[at+len(core):]
}
