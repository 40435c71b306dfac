package dataset

import (
	"maps"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// A catalogue may hold items that are not for the public: drafts, archived or unpublished ones. They are kept out of
// models, even if somebody has bought them.

// The names of columns that say so, in plain form.
var (
	statusNames = words(`status productstatus itemstatus articlestatus poststatus publicationstatus produktstatus
		artikelstatus statut estado`)
	shownNames = words(`published ispublished active isactive enabled isenabled visible isvisible publishedonlinestore
		veroffentlicht aktiv sichtbar publie actif publicado activo visible pubblicato attivo`)
	hiddenNames = words(`draft isdraft archived isarchived hidden ishidden entwurf archiviert brouillon borrador`)
)

// withheldWords are statuses of items that are not for the public, in plain form.
var withheldWords = words(`draft drafts archived unpublished notpublished hidden inactive disabled deleted trash private
	unlisted pending scheduled
	entwurf archiviert inaktiv deaktiviert versteckt geloscht gesperrt unveroffentlicht nichtveroffentlicht
	brouillon archive inactif desactive masque supprime prive nonpublie
	borrador archivado inactivo desactivado oculto eliminado privado nopublicado bozza archiviato`)

var (
	noWords  = words(`false no n nein non falsch faux falso 0`)
	yesWords = words(`true yes y ja j oui si wahr vrai verdadero vero 1`)
)

// withholder tells from one column which items are not for the public.
type withholder struct {
	column int
	says   func(value string) bool
}

// withholders returns the columns of a catalogue that mark items as not public. A yes-or-no column counts only if the
// first rows hold nothing else: "Published" may also be a date.
func withholders(s *sample) (all []withholder) {
	for i, name := range s.names {
		plain := plainName(name)
		switch {
		case statusNames[plain]:
			all = append(all, withholder{i, func(v string) bool { return withheldWords[plainName(v)] }})
		case (shownNames[plain] || hiddenNames[plain]) && !slices.ContainsFunc(s.column(i), func(v string) bool {
			return !isNull([]byte(v)) && !isNo(v) && !yesWords[plainName(v)]
		}):
			says := isNo
			if hiddenNames[plain] {
				says = func(v string) bool { return yesWords[plainName(v)] }
			}
			all = append(all, withholder{i, says})
		}
	}
	return all
}

// isNo reports whether a value means no. WooCommerce writes −1 for drafts and 0 for private products.
func isNo(v string) bool { return v == "-1" || noWords[plainName(v)] }

// withheld returns the ids of the catalogue at path that are not for the public. It ignores errors, which the reading
// that follows returns.
func withheld(path string, items *IDs, o Options) map[string]bool {
	ids, _, _ := scanned(path, items, false, o)
	return ids
}

// scanned also returns how the catalogue spells the addresses of items that are pages, and how its ids match the ids of
// items if they are not equal.
func scanned(path string, items *IDs, pages bool, o Options) (withheld map[string]bool, spelled map[int]string,
	like *likeness) {
	d := newDescriber(items, &catalogue.Catalogue{}, &Report{}, o)
	d.withheld, d.scans, d.skip = map[string]bool{}, true, true
	d.usePages(pages)
	_ = d.read(path, o, nil)
	return d.withheld, d.spelled, d.like
}

// scan records the items of a table that are not for the public.
func (d *describer) scan(t table, body *sample) error {
	id, by := d.idColumn(body), withholders(body)
	if id >= 0 && d.like == nil && d.known.Len() > 0 && !d.pages {
		d.like = findLikeness(body.rows, id, d.known)
	}
	if id < 0 || len(by) == 0 && !d.pages {
		return nil
	}
	c := carryOf(body.names)
	for {
		f, err := t.next()
		if _, bad := err.(*ParseError); bad || err == nil && len(f) != len(body.names) {
			continue
		}
		if err != nil {
			return err // io.EOF at the end
		}
		if c.fill(f) && isNull(trim(f[id])) {
			continue
		}
		if d.pages {
			d.find(f[id])
		}
		for _, w := range by {
			if w.says(string(trim(f[w.column]))) {
				item, _ := itemID(f[id])
				d.withheld[string(d.like.id(item))] = true
			}
		}
	}
}

// withhold removes and counts the interactions with items that are not for the public.
func (c *collector) withhold(spelled map[int]string) {
	c.report.Withheld = slices.Sorted(maps.Keys(c.withheld))
	out := make([]bool, c.items.len())
	some := false
	for i := range out {
		out[i] = c.withheld[string(c.items.at(int32(i)))] || c.withheld[spelled[i]]
		some = some || out[i]
	}
	if some {
		c.report.WithheldLikes = c.drop(out)
	}
}

// drop leaves the interactions with these items out, and returns how many there were.
func (c *collector) drop(out []bool) (lost int) {
	for p := range c.parts {
		s := &c.parts[p]
		kept := 0
		for i := range s.n {
			if r := *s.at(i); !out[r.item] {
				*s.at(kept) = r
				kept++
			}
		}
		lost += s.n - kept
		s.truncate(kept)
	}
	return lost
}
