package siteconfig

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
)

// Stock parses a text about stock. sure is false if the text is neither a number, with or without a unit, nor a known
// word for yes or no; such a text counts as available.
func Stock(text string) (available, sure bool) {
	text = strings.TrimSpace(text)
	if at := strings.Index(text, "schema.org/"); at >= 0 {
		text = text[at+len("schema.org/"):]
	}
	if x, ok := numberOf(text); ok {
		return x > 0, true
	}
	whole := catalogue.Fold(spaced(text))
	switch {
	case whole == "" || noStock[whole]:
		return false, true
	case inStock[whole]:
		return true, true
	}
	number, numbers, units, no, about := 0.0, 0, 0, false, false
	words := strings.Fields(spaced(text))
	for _, w := range words {
		x, ok := numberOf(strings.Trim(w, "()[]<>≥≤~+.,:;!*"))
		w = catalogue.Fold(w)
		switch {
		case ok:
			number, numbers = x, numbers+1
		case w == "" || stockUnits[w]:
			units++
		}
		no, about = no || negations[w], about || stockWords[w]
	}
	switch {
	case numbers == 1 && units == len(words)-1:
		return number > 0, true
	case no && about && numbers == 0:
		return false, true
	}
	return true, false
}

// spaced inserts blanks between a number and its unit, and between the words of OutOfStock.
func spaced(text string) string {
	var b strings.Builder
	last := ' '
	for _, r := range text {
		if unicode.IsLetter(r) && unicode.IsDigit(last) || unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// Phrases, one a line or separated by commas, as catalogue.Fold compares texts.
var (
	inStock = phrases(`yes, y, true, t, ja, j, wahr, oui, vrai, si, verdadero, vero, sim, verdadeiro, tak,
		prawda, ano, da, да, есть,
		是, 有货, 有, 现货, 在庫あり, はい, evet, var, on, ok, available, in stock, instock, available for order, available now,
		ready to ship, made to order, pre order, preorder, back order, backorder, on backorder, presale, pre sale,
		limited availability, limited, low stock, few left, online only, in store only, plenty, unlimited, always,
		active, continue, allow, publish, published, new,
		auf lager, lieferbar, verfugbar, verfuegbar, vorratig, vorraetig, vorhanden, sofort lieferbar, sofort verfugbar,
		sofort verfuegbar, kurzfristig lieferbar, wenige verfugbar, begrenzt verfugbar, vorbestellbar,
		en stock, disponible, disponible immediatement, precommande, stock limite, en existencia, en existencias,
		hay stock, preventa, disponibile, disponibile subito, in magazzino, disponivel, em estoque, em stock,
		op voorraad, leverbaar, beschikbaar, i lager, finns i lager, pa lager, dostepny, dostepne, w magazynie,
		skladem, na sklade, stokta, stokta var, mevcut, в наличии, доступен, доступно`)
	noStock = phrases(`no, n, false, f, nein, falsch, non, faux, falso, nao, nie, falsz, ne, нет, 否, いいえ, hayir,
		off, none,
		null, nil, nan, na, n a, undefined, zero, out, oos, eol, out of stock, outofstock, sold out, soldout, sold,
		unavailable, discontinued, end of life, retired, archived, archive, draft, inactive, deleted, hidden, disabled,
		empty, gone, expired, temporarily out of stock, deny, private, trash, withdrawn, back in stock soon,
		ausverkauft, vergriffen, ausgelaufen, leer, keine, kein, keiner, eingestellt, archiviert, inaktiv, gesperrt,
		derzeit ausverkauft,
		epuise, epuisee, epuises, rupture, en rupture, rupture de stock, en rupture de stock, hors stock, indisponible,
		arrete, vendu, archivee, inactif,
		agotado, agotada, descatalogado, vendido, inactivo, archivado, esaurito, esaurita, fuori stock, venduto,
		terminato, esgotado, esgotada, indisponivel, uitverkocht, utverkocht, slutsald, slut, slut i lager, utsolgt,
		udsolgt, loppu, loppuunmyyty, wyprzedane, wyprzedany, brak, niedostepny, niedostepne, vyprodano, vypredane,
		tukendi, yok, распродано, распродан, отсутствует, закончился, закончилось, недоступен,
		缺货, 售罄, 无货, 无, 在庫なし, 品切れ, 売り切れ, 품절`)
	negations = phrases(`not, no, non, nicht, kein, keine, keinen, nie, niet, geen, pas, sans, sin, sem, senza,
		ikke, ej, inte, ne, neni, brak, нет, не, out, un, without, unavailable, yok`)
	stockWords = phrases(`stock, stocked, available, availability, lager, verfugbar, verfuegbar, lieferbar, vorratig,
		vorraetig, vorhanden, bestand, erhaltlich, disponible, disponibile, disponivel, estoque, existencias, voorraad,
		leverbaar, beschikbaar, skladem, dostepny, magazynie, наличии, stokta, inventory`)
	stockUnits = phrases(`stuck, stueck, stk, st, pcs, pc, pieces, piece, units, unit, item, items, left,
		remaining, available, in, stock,
		only, just, nur, noch, ubrig, auf, lager, vorratig, verfugbar, verfuegbar, lieferbar, x, ea, each, unite,
		unites,
		piece, pieces, unidad, unidades, pieza, piezas, pezzi, pezzo, unidade, stuks, szt, sztuk, ks, шт, штук,
		adet, plus, que,
		reste, restants, quedan, solo, mehr, als, uber, more, than, over, about, ca, circa, en, disponibles,
		disponible, 个, 件, 個, 点`)
)

func phrases(list string) map[string]bool {
	out := map[string]bool{}
	for p := range strings.SplitSeq(list, ",") {
		out[catalogue.Fold(strings.Join(strings.Fields(p), " "))] = true
	}
	return out
}

// numberOf parses a number as written in catalogues, with a unit or currency of up to four letters: 3.5, 3,5,
// $1,504.00, 1.504,00 €, CHF 1'504.–. A lone comma before three digits separates thousands, a lone point decimals.
func numberOf(text string) (x float64, ok bool) {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x, x-x == 0
	}
	var digits []byte
	var signs []rune // between digits
	var starts []int // starts of the digits after them
	minus, letters, sign := "", 0, rune(0)
	for _, r := range text {
		between := strings.ContainsRune(",. '’\u00a0\u202f", r)
		switch {
		case r >= '0' && r <= '9':
			if sign < 0 {
				return 0, false
			}
			if sign > 0 {
				signs, starts, sign = append(signs, sign), append(starts, len(digits)), 0
			}
			digits = append(digits, byte(r))
			continue
		case len(digits) > 0 && between && sign == 0:
			sign = r
			continue
		case len(digits) > 0:
			sign = -1 // no digits may follow
		case r == '-' || r == '−':
			minus = "-"
		}
		if !between {
			letters++
		}
	}
	n, point := len(signs), len(digits)
	if point == 0 || letters > 4 {
		return 0, false
	}
	for k, s := range signs {
		end := len(digits)
		if k < n-1 {
			end = starts[k+1]
		}
		thousands := end-starts[k] == 3
		free := n == 1 && (!thousands || s == '.' || digits[0] == '0')
		if k == n-1 && (s == ',' || s == '.') && (s != signs[0] || free) {
			point = starts[k]
		} else if !thousands || s != signs[0] {
			return 0, false
		}
	}
	x, err := strconv.ParseFloat(minus+string(digits[:point])+"."+string(digits[point:]), 64)
	return x, err == nil && x-x == 0
}

// decimals is the decimal sign of a column of numbers, as far as it is known.
type decimals struct {
	comma, point int    // unambiguous numbers
	unclear      string // an ambiguous number; "": none
}

// decimalsOf counts the unambiguous numbers: "1,50", "1.504,00", "0.125".
func decimalsOf(all []string) (d decimals) {
	for _, text := range all {
		if _, ok := numberOf(strings.TrimSpace(text)); !ok {
			continue
		}
		comma, point := strings.Count(text, ","), strings.Count(text, ".")
		lastComma, lastPoint := strings.LastIndexByte(text, ','), strings.LastIndexByte(text, '.')
		switch {
		case comma == 0 && point == 0:
		case comma > 0 && point > 0 && lastComma > lastPoint, point > 1 && comma == 0:
			d.comma++
		case comma > 0 && point > 0, comma > 1:
			d.point++
		case comma == 1 && decimal(text, lastComma):
			d.comma++
		case point == 1 && decimal(text, lastPoint):
			d.point++
		default:
			d.unclear = cmp.Or(d.unclear, text)
		}
	}
	return d
}

// decimal reports whether the only sign of a number, at that place, must be a decimal sign. It is followed by one, two
// or more than three digits, or has a lone 0 before it; three digits after it may be thousands.
func decimal(text string, at int) bool {
	digits := 0
	for _, c := range text[at+1:] {
		if c < '0' || c > '9' {
			break
		}
		digits++
	}
	before := strings.TrimLeft(text[:at], "$€£¥ -+")
	return digits != 3 && digits > 0 || before == "0" || before == ""
}

// number parses a number in a column with these decimals.
func (d decimals) number(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	x, ok := numberOf(text)
	switch {
	case !ok:
		return x, ok
	case d.comma > 0 && d.point == 0:
		text = strings.Replace(strings.ReplaceAll(text, ".", ""), ",", ".", 1)
	case d.point > 0 && d.comma == 0:
		text = strings.ReplaceAll(text, ",", "")
	}
	return numberOf(text)
}

// doubt holds the texts of a column that a rule could not read.
type doubt struct {
	stock   map[string]int // texts about stock that are neither surely yes nor no, with their numbers of items
	numbers map[string]int // texts that are not numbers
	filled  int
	unclear string // an ambiguous number
	browser string // a text that browsers, which parse the published text, read differently
}

// doubtsOf checks all texts of a column that rules use.
func (p *Project) doubtsOf(by *rulesOf, all []string) *doubt {
	d := &doubt{stock: map[string]int{}, numbers: map[string]int{}}
	of := decimalsOf(all)
	if by.numbers && of.unclear != "" && (of.comma == 0) == (of.point == 0) {
		d.unclear = of.unclear
	}
	for _, text := range all {
		if strings.TrimSpace(text) == "" {
			continue
		}
		d.filled++
		if by.stock {
			have, sure := Stock(text)
			if !sure && !slices.Contains(p.Rules.SoldOut, strings.TrimSpace(text)) && p.Rules.SoldOut == nil {
				d.stock[strings.TrimSpace(text)]++
			}
			if have != recommend.Available(text) {
				d.browser = text
			}
		}
		if by.numbers {
			x, ok := of.number(text)
			if y, can := recommend.Number(strings.TrimSpace(text)); ok && (!can || x != y) && !by.stock {
				d.browser = text
			}
			if _, sure := Stock(text); !ok && !(by.stock && sure) && !noStock[catalogue.Fold(text)] && text != "-" {
				d.numbers[strings.TrimSpace(text)]++
			}
		}
	}
	return d
}

// Doubts reports the texts of the catalogue c that the rules could not read: as notes, or as an error if the owner must
// decide. It checks reduced columns of a model by the original texts, which Reduced was given.
func (p *Project) Doubts(c *catalogue.Catalogue) (notes []string, err error) {
	for column, by := range p.byRules() {
		d, raw := p.doubts[column], false
		if at := c.Column(column); d == nil && at >= 0 {
			var all []string
			for i := range c.Items {
				if v := c.Items[i].Values; at < len(v) && v[at] != "" {
					all = append(all, v[at])
				}
			}
			d, raw = p.doubtsOf(by, all), true
		}
		if d == nil {
			continue
		}
		if len(d.stock) > 0 {
			return nil, fmt.Errorf("[rules] in-stock: the column %q has texts that mean neither yes nor no: %s; list "+
				"those that mean sold out, such as sold-out = [%q], or none: sold-out = []", column, counted(d.stock),
				brief.Text(most(d.stock)[0]))
		}
		unread := 0
		for _, n := range d.numbers {
			unread += n
		}
		switch {
		case unread*2 > d.filled:
			return nil, fmt.Errorf("[rules] boost: the column %q holds no numbers: %s; to boost a text, give its value",
				column, counted(d.numbers))
		case unread > 0:
			notes = append(notes, fmt.Sprintf("[rules] boost: %d texts of the column %q are not numbers and rank "+
				"lowest: %s", unread, column, counted(d.numbers)))
		}
		if d.unclear != "" {
			notes = append(notes, fmt.Sprintf("[rules] boost: %q in the column %q is ambiguous; it "+
				"is read as %s: write numbers without thousands separators", brief.Text(d.unclear), column,
				read(d.unclear)))
		}
		if raw && d.browser != "" && by.stock {
			return nil, fmt.Errorf("[rules] in-stock: the column %q is published unchanged, and browsers read %q as "+
				"the opposite: write 1 and 0 into another column", column, brief.Text(d.browser))
		}
		if raw && d.browser != "" && d.unclear == "" {
			notes = append(notes, fmt.Sprintf("[rules] boost: the column %q is published unchanged, and browsers read "+
				"%q as %s: write numbers without thousands separators", column, brief.Text(d.browser),
				read(d.browser)))
		}
	}
	slices.Sort(notes)
	return notes, nil
}

// read formats the number that recommend.Number parses from a text.
func read(text string) string {
	if x, ok := recommend.Number(text); ok {
		return fmt.Sprint(x)
	}
	return "no number"
}

// most returns texts, the most frequent first.
func most(of map[string]int) []string {
	var all []string
	for text := range of {
		all = append(all, text)
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(of[b]-of[a], strings.Compare(a, b)) })
	return all
}

// counted lists texts with their numbers of items.
func counted(of map[string]int) string {
	const shown = 5
	var b strings.Builder
	for i, text := range most(of) {
		if i == shown {
			fmt.Fprintf(&b, " and %d more", len(of)-shown)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (%d)", brief.Text(text), of[text])
	}
	return b.String()
}
