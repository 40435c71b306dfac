package dataset

import (
	"math"
	"slices"
	"strings"
)

// Names of the columns of a catalogue in plain form. The first one found counts.
var (
	idNames   = append([]string{"id"}, commonNames[roleItem]...)
	yearNames = []string{"year", "releaseyear", "publicationyear", "yearofpublication", "yearpublished",
		"originalpublicationyear", "yearofrelease", "startyear", "released", "jahr", "erscheinungsjahr", "annee", "ano",
		"anno", "год", "годвыпуска", "годиздания", "年", "年份", "出版年", "発売年", "rok", "yil", "jaar", "arstal"}
	genreNames = []string{"genres", "genre", "categories", "category", "tags", "class", "kategorie", "kategorien",
		"producttype", "categorie", "categoria", "generos", "genero", "genere", "generi", "categorias", "жанр", "жанры",
		"категория", "категории", "类别", "类型", "分类", "题材", "ジャンル", "カテゴリ", "カテゴリー", "gatunek",
		"gatunki", "kategoria", "kategori", "turler", "tur", "genrer", "gattung", "warengruppe", "rubrik", "rubrique"}
	// Words at the ends of names of further columns for genres and years, and ends of compounds.
	genreNouns = words(`genre genres category categories categoria categorias categorie kategorie kategorien genero
		generos genere generi warengruppe gattung rubrik shelf shelves kategori kategoria`)
	genreEnds = []string{"kategorie", "kategorien", "gruppe", "gattung", "genre", "genres", "类别", "分类"}
	yearNouns = words(`year jahr annee ano anno год 年 rok yil jaar vintage jahrgang`)
	yearDates = words(`date datum data fecha at on am дата 日期 day`)
	// A date with one of these words is a publication date.
	publishWords = words(`release released releases publication published publish publishing pub premiere premiered
		premiera first air aired erscheinungs erscheinung erschienen veroffentlichung veroffentlicht veroeffentlichung
		veroeffentlicht sortie parution publicacion lanzamiento estreno uscita pubblicazione lancamento publicacao
		выхода выпуска издания релиза premiery wydania`)
	publishCompounds = words(`releasedate publicationdate pubdate erscheinungsdatum erscheinungstermin
		erscheinungstag veroffentlichungsdatum veroeffentlichungsdatum releasedatum datedesortie datedeparution
		fechadeestreno fechadelanzamiento fechadepublicacion datadiuscita datadelancamento 上映日期 出版日期 发行日期 发布日期
		公開日 発売日 датавыхода датарелиза erscheinungsjahr releasejahr produktionsjahr`)
	otherYears = words(`birth born death died end ended sale sold created updated modified added last copyright author
		old warranty fiscal model`)
)

// firstOf returns the column with the first of these plain names, or −1.
func firstOf(have, names []string) int { return firstFit(have, names, func(int) bool { return true }) }

// firstFit is firstOf among the columns that fit.
func firstFit(have, names []string, fits func(column int) bool) int {
	plain := make([]string, len(have))
	for i, name := range have {
		plain[i] = plainName(name)
	}
	for _, n := range names {
		for i := range have {
			if plain[i] == n && fits(i) {
				return i
			}
		}
	}
	return -1
}

// yearColumn returns the column of the years or −1, and whether it holds dates, in which case it is a further column
// too. It prefers columns whose values are years.
func yearColumn(s *sample, taken func(int) bool) (column int, date bool) {
	years := func(i int) bool {
		filled, read := 0, 0
		for _, v := range s.column(i) {
			if isNull([]byte(v)) {
				continue
			}
			filled++
			if y, ok := parseYear([]byte(v)); ok && y > 0 {
				read++
			}
		}
		return !taken(i) && read*2 >= max(filled, 1)
	}
	if i := firstFit(s.names, yearNames, years); i >= 0 {
		return i, false
	}
	for i, name := range s.names {
		w := nameWords(name)
		if len(w) == 0 || slices.ContainsFunc(w, func(w string) bool { return otherYears[w] }) || !years(i) {
			continue
		}
		head := w[len(w)-1]
		publishes := slices.ContainsFunc(w, func(w string) bool { return publishWords[w] })
		switch {
		case publishCompounds[plainName(name)], publishes && (yearDates[w[0]] || yearDates[head] || len(w) == 1),
			yearNouns[head] || yearNouns[w[0]] && publishes, strings.HasSuffix(head, "erscheinungsjahr"):
			return i, true
		}
	}
	return firstFit(s.names, yearNames, func(i int) bool { return !taken(i) }), false
}

// genreColumn returns the column of the genres or −1, and whether it is a further column too. It avoids columns that
// are empty in the first rows or hold numbers.
func genreColumn(s *sample, taken func(int) bool) (column int, further bool) {
	fits := func(i int) bool {
		filled, numbers := 0, 0
		for _, v := range s.column(i) {
			if isNull([]byte(v)) || v == "[]" || v == "{}" {
				continue
			}
			filled++
			if _, ok := parseNumber([]byte(v)); ok {
				numbers++
			}
		}
		return !taken(i) && numbers*2 < max(filled, 1) && (filled > 0 || len(s.rows) == 0)
	}
	if i := firstFit(s.names, genreNames, fits); i >= 0 {
		return i, false
	}
	for i, name := range s.names {
		w := nameWords(name)
		if len(w) == 0 || !fits(i) {
			continue
		}
		if head := w[len(w)-1]; genreNouns[head] || titleNouns[head] && len(w) > 1 && genreNouns[w[len(w)-2]] ||
			slices.ContainsFunc(genreEnds, func(end string) bool { return strings.HasSuffix(head, end) }) {
			return i, true
		}
	}
	return firstFit(s.names, genreNames, func(i int) bool { return !taken(i) }), false
}

// idColumn returns the column of the ids: one with a known name, or else the one with the most ids of the interactions.
// A named column without any such id is passed over for a column where most values are ids.
func (d *describer) idColumn(s *sample) int {
	known := func(i int) (n int) {
		for _, v := range s.column(i) {
			if d.knows(v) {
				n++
			}
		}
		return n
	}
	named := d.askedID(s)
	if named < 0 {
		named = firstOf(s.names, idNames)
	}
	if named < 0 && d.known.Len() == 0 {
		named = addressColumn(s, s.names)
	}
	if named >= 0 && (d.known.Len() == 0 || slices.ContainsFunc(s.rows, func(row []string) bool {
		return d.knows(row[named])
	})) {
		return named
	}
	found, most := named, 0
	if named >= 0 {
		most = len(s.rows) / 2
	}
	for i, name := range s.names {
		n := known(i)
		if m, ok := meaningOf(name); ok && m.role == roleItem && named < 0 {
			n++ // where nothing is known, the name decides
		}
		if n > most {
			found, most = i, n
		}
	}
	return found
}

// askedID returns the column of the items that the options name, which may be one of the interactions alone; −1: none.
func (d *describer) askedID(s *sample) int {
	if d.item == "" || d.item == "-" {
		return -1
	}
	return named(s.names, d.item)
}

// titleColumn returns the column of the titles: the one asked for, or one found by its name, or −1. If a column without
// a known name looks like titles, the error asks.
func (d *describer) titleColumn(path string, s *sample, id int, known bool) (int, error) {
	switch d.title {
	case "-":
		return -1, nil
	case "":
	default:
		i := named(s.names, d.title)
		if n, ok := number(d.title); ok && i < 0 && n < len(s.names) {
			i = n
		}
		if i < 0 {
			return -1, &ColumnError{File: path, Role: "title", Wanted: d.title,
				Have: (&layout{header: true, have: s.names}).numbered(s)}
		}
		return i, nil
	}
	found, best := -1, math.MaxInt
	agrees := true // so far
	for i, name := range s.names {
		m, ok := meaningOf(name)
		if !ok || m.role != roleTitle || i == id {
			continue
		}
		// prefer a title that is the same in all lines of an item
		if same := s.agrees(i, id); found < 0 || same && !agrees || same == agrees && m.rank < best {
			found, best, agrees = i, m.rank, same
		}
	}
	for i := range s.names {
		if found >= 0 || known || !d.asked {
			break
		}
		if p := profileOf(s.column(i)); i != id && p.looksLikeText() && len(p.distinct)*10 >= p.filled*8 {
			return -1, &QuestionError{File: path, Role: "title", Column: s.names[i], Values: examples(s.column(i)),
				Why: "looks like the items' titles"}
		}
	}
	return found, nil
}
