package dataset

import (
	"math"
	"strings"
	"unicode"

	"github.com/pmlam/pmlam/core/internal/people"
)

// profile describes the values of one column in the first rows of a file.
type profile struct {
	filled   int // values that are not empty
	numbers  int
	least    float64 // of the numbers
	most     float64
	coarse   bool // all numbers are multiples of a quarter
	opinions int  // words such as like, down, yes
	times    int  // dates, and numbers that are plausible times
	dates    int  // dates other than numbers
	emails   int
	spaced   int // texts with letters and a blank
	distinct map[string]bool
}

// profileOf looks at values, trimmed.
func profileOf(values []string) *profile {
	p := &profile{least: math.Inf(1), most: math.Inf(-1), coarse: true, distinct: map[string]bool{}}
	order := dayOrderOf(values)
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		p.filled++
		p.distinct[v] = true
		if x, ok := parseNumber([]byte(v)); ok {
			f := float64(x)
			p.numbers++
			p.least, p.most = min(p.least, f), max(p.most, f)
			p.coarse = p.coarse && f*4 == math.Trunc(f*4)
		} else if _, ok := opinion([]byte(v)); ok {
			p.opinions++
		}
		if t, ok := parseTime([]byte(v), order); ok {
			if _, isNumber := parseNumber([]byte(v)); !isNumber {
				p.times++
				p.dates++
			} else if 1e8 <= t && t < 5e9 {
				p.times++
			}
		} else if order == dayUnknown && looksLikeDate([]byte(v)) {
			p.times++
			p.dates++
		}
		if people.Find([]byte(v)) == people.Email {
			p.emails++
		}
		if strings.ContainsRune(v, ' ') && strings.ContainsFunc(v, unicode.IsLetter) {
			p.spaced++
		}
	}
	return p
}

// Limits by which an unnamed column looks like a rating, so a question is asked.
const (
	fewRatings  = 21 // most different values: half stars from 0 to 10
	leastRating = -10
	mostRating  = 10
)

// looksLikeRating reports whether the values alone suggest a rating:
//
//   - words of opinion and nothing else: up and down, like and dislike, yes and no, true and false; or
//   - numbers from −10 to 10 in steps of a quarter, at least 2 different ones and at most 21.
//
// This excludes ids, counts above 10, prices, years and dates. Columns whose names have another meaning are not
// examined: see namesOther.
func (p *profile) looksLikeRating() bool {
	if p.filled == 0 || p.dates > 0 {
		return false
	}
	if p.opinions > 0 && p.opinions+p.zeroOrOne() == p.filled {
		return true
	}
	return p.numbers == p.filled && p.coarse && p.least >= leastRating && p.most <= mostRating &&
		len(p.distinct) >= 2 && len(p.distinct) <= fewRatings
}

// zeroOrOne returns the count of numbers if they all lie between −1 and 1, else 0.
func (p *profile) zeroOrOne() int {
	if p.numbers > 0 && p.least >= -1 && p.most <= 1 {
		return p.numbers
	}
	return 0
}

// fitsRating reports whether the values can be ratings of a known scale, as a weak name requires.
func (p *profile) fitsRating() bool {
	if p.filled == 0 || p.dates > 0 {
		return false
	}
	return p.opinions+p.numbers == p.filled && (p.numbers == 0 || p.least >= -100 && p.most <= 100 &&
		len(p.distinct) <= 101)
}

// isCount reports whether most values are numbers; the others become errors later.
func (p *profile) isCount() bool { return p.numbers*2 > p.filled }

// looksLikeTime reports whether nearly all values are dates, or numbers that are times since 1973.
func (p *profile) looksLikeTime() bool { return p.filled > 0 && p.times*10 >= p.filled*9 }

// looksLikeText reports whether most values are more than a word.
func (p *profile) looksLikeText() bool { return p.filled > 0 && p.spaced*2 > p.filled && p.emails == 0 }

// namesOther reports whether a column's name has a meaning other than a rating, regardless of its values.
func namesOther(name string) bool {
	w := nameWords(name)
	if len(w) == 0 {
		return strings.TrimSpace(name) == "" // a row number without a name; a header may lack one
	}
	for _, x := range w {
		if otherNames[x] {
			return true
		}
	}
	head := w[len(w)-1]
	return idNouns[head] || mailNouns[head] || timeNouns[head] || titleNouns[head] || countNouns[head]
}

var otherNames = words(`age gender sex year month day hour minute week weekday weekend season price cost amount
	discount tax fee vat shipping size length width height
	weight colour color version device browser platform os channel source category categories genre genres type group
	cluster segment
	rank position page session cart store shop branch region zip postcode country city lat lng latitude longitude
	helpful helpfulness
	verified vine premium newsletter consent spoiler image images photos average avg mean num number total imdb critic
	critics content
	alter geschlecht jahr monat preis rabatt steuer groesse grosse farbe kategorie filiale age sexe annee mois prix
	genero edad precio anno prezzo
	author authors artist artists album brand vendor publisher director writer autor autorin verlag marke
	unnamed row line`)
