package importer

import (
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// role is what a column holds.
type role uint8

const (
	roleTitle role = iota
	roleOriginal
	roleYear
	roleRating
	roleAuthor
	roleIMDb
	roleTMDB
	roleISBN
	roleISBN13
	roleID
	roleUser
	roleShelf
	roles
)

// names are the names of the columns of each role, folded (catalogue.Fold), the better ones first. The sites' own
// averages ("IMDb Rating", "Average Rating") are not the visitor's ratings and are not among them.
var names = [roles]string{
	roleTitle: "title|name|movie|film|book|movie title|film title|book title|primary " +
		"title|titel|titre|titulo|titolo|movie name|series title",
	roleOriginal: "original title|originaltitle|titre original|titulo original",
	roleYear: "original publication year|year|year published|release year|movie " +
		"year|jahr|annee|ano|anno|released|release date|publication year",
	roleRating: "your rating|my rating|star rating|user rating|rating|my " +
		"score|score|stars|bewertung|wertung|note|nota|puntuacion|calificacion|valutazione|voto",
	roleAuthor: "author|authors|author name|autor|auteur|autore",
	roleIMDb:   "const|imdb id|imdbid|tconst|imdb",
	roleTMDB:   "tmdb id|tmdbid|tmdb",
	roleISBN:   "isbn|isbn uid|isbn 10|isbn10",
	roleISBN13: "isbn13|isbn 13",
	roleID:     "movieid|movie id|itemid|item id",
	roleUser:   "userid|user id",
	roleShelf:  "exclusive shelf|read status|status",
}

// header says which column has which role, and which site wrote the table.
type header struct {
	at     [roles]int // the column, −1: none
	name   [roles]string
	fields int
	format Format
}

// newHeader resolves a table's first row. ok is false where no column identifies items.
func newHeader(row []string) (h header, ok bool) {
	folded := make([]string, len(row))
	for i, f := range row {
		folded[i] = catalogue.Fold(text(f))
	}
	has := func(name string) bool {
		for _, f := range folded {
			if f == name {
				return true
			}
		}
		return false
	}
	h.fields = len(row)
	for r := range h.at {
		h.at[r] = -1
		for rest := names[r]; rest != "" && h.at[r] < 0; {
			var name string
			name, rest, _ = strings.Cut(rest, "|")
			for i, f := range folded {
				if f == name {
					h.at[r], h.name[r] = i, text(row[i])
					break
				}
			}
		}
	}
	switch {
	case has("letterboxd uri") || has("letterboxduri"):
		h.format = Letterboxd
	case has("const") && has("your rating"):
		h.format = IMDb
	case has("exclusive shelf") && has("my rating"):
		h.format = Goodreads
	case has("read status") && has("star rating"):
		h.format = StoryGraph
	case h.at[roleID] >= 0 && h.at[roleRating] >= 0:
		h.format = MovieLens
	}
	return h, h.at[roleTitle] >= 0 || h.at[roleID] >= 0 || h.at[roleIMDb] >= 0 || h.at[roleTMDB] >= 0
}

// get returns a row's text for a role, "" where there is none.
func (h *header) get(row []string, r role) string {
	if i := h.at[r]; i >= 0 && i < len(row) {
		return text(row[i])
	}
	return ""
}
