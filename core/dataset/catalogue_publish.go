package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Publish selects the columns of a catalogue that go into a model, where everybody can read them. Ids, titles, years
// and genres always do. The zero value publishes columns whose names are known to be safe (PublicColumn).
type Publish struct {
	Columns []string // exactly these; nil: those with names known to be safe
	Shown   []string // these as well, if there are any: columns that a page shows
	// these as well, but only as converted by the function, unless they are published in full
	Reduced map[string]Reduce
	// of columns of Reduced that are published as they are: whether rules cannot go by these texts, so that the reduced
	// ones are published next to them (catalogue.RuleColumn); nil: they can
	Unreadable map[string]func(all []string) bool
	Scope      Scope
}

// Reduce receives all non-empty texts of a column, in the file's order, and returns a function from a text to its
// published form: "1" for a quantity, say.
type Reduce func(all []string) (one func(text string) string)

// Scope is how much of a catalogue is kept.
type Scope uint8

// The scopes.
const (
	// published columns only
	Published Scope = iota
	// also columns that are not private (PrivateColumn): for training only, not for a model.
	// TitleReport.PublishedColumns tells them apart
	Learned
	// all columns, none of them reduced: to show to their owner
	Everything
)

// ColumnUse is the use of a column of a catalogue.
type ColumnUse struct {
	Name string
	// "id", "title", "year", "genres", "published", "reduced" or "" where it is not published
	Use string
	Why string // the reason not to publish it unless it is named: PrivateColumn; "" if none is known
}

// use returns the use of a further column, and whether it is kept.
func (p *Publish) use(name string) (use string, keep bool) {
	switch {
	case named(p.Columns, name) >= 0, p.Columns == nil && PublicColumn(name), slices.Contains(p.Shown, name):
		use = "published"
	case p.Reduced[name] != nil:
		use = "reduced"
	}
	return use, use != "" || p.Scope == Everything || p.Scope == Learned && PrivateColumn(name) == ""
}

// addRuleColumns adds a column in the form that rules need, next to each column that rules use and that is published in
// full. one holds the functions of the reduced columns.
func (d *describer) addRuleColumns(one []func(string) string) {
	if d.publish.Scope == Everything {
		return
	}
	c := d.catalogue
	for k, name := range slices.Clone(c.Columns) {
		reduce, other := d.publish.Reduced[name], catalogue.RuleColumn(name)
		unreadable := d.publish.Unreadable[name]
		if one[k] != nil || reduce == nil || unreadable == nil || c.Column(other) >= 0 ||
			len(c.Columns) == maxColumns || !unreadable(d.texts[k]) {
			continue
		}
		of := reduce(d.texts[k])
		for i := range c.Items {
			item := &c.Items[i]
			for len(item.Values) <= len(c.Columns) {
				item.Values = append(item.Values, "")
			}
			if v := item.Values[k]; v != "" {
				item.Values[len(c.Columns)] = of(v)
			}
		}
		c.Columns, d.uses, d.texts = append(c.Columns, other), append(d.uses, "reduced"), append(d.texts, nil)
		d.report.Columns = append(d.report.Columns, ColumnUse{Name: other, Use: "reduced"})
	}
}

// PublishedColumns returns the names of the further columns that a model may hold.
func (r *TitleReport) PublishedColumns() (names []string) {
	for _, c := range r.Columns {
		if c.Use == "published" || c.Use == "reduced" {
			names = append(names, c.Name)
		}
	}
	return names
}

// checkNamed returns an error if none of the files has a column that should be published.
func (d *describer) checkNamed(path string) error {
	var names, have []string
	for _, c := range d.report.Columns {
		names = append(names, c.Name)
		have = append(have, strconv.Quote(c.Name))
	}
	for _, name := range d.publish.Columns {
		if named(names, name) < 0 {
			return &ColumnError{File: path, Role: "page", Wanted: name, Have: have}
		}
	}
	return nil
}

// PrivateColumn returns the reason not to publish a column unless it is named, judging by its name: "a cost", "stock";
// "" without a reason. It knows names in English, German, French and Spanish.
func PrivateColumn(name string) string {
	words := nameWords(name)
	for _, k := range privateKinds {
		for _, w := range words {
			if k.words[w] || slices.ContainsFunc(k.stems, func(stem string) bool { return strings.Contains(w, stem) }) {
				return k.why
			}
		}
		plain := plainName(name)
		if slices.ContainsFunc(k.whole, func(part string) bool { return strings.Contains(plain, part) }) {
			return k.why
		}
	}
	return ""
}

// PublicColumn reports whether a column is published by default: its name suggests something that pages show, such as a
// picture, an address, a price or a maker, and PrivateColumn has no objection.
func PublicColumn(name string) bool {
	if PrivateColumn(name) != "" {
		return false
	}
	words := nameWords(name)
	if publicNames[plainName(name)] || catalogue.OtherTitles(name) {
		return true
	}
	return len(words) > 0 && slices.ContainsFunc(words, func(w string) bool {
		ends := func(end string) bool { return strings.HasSuffix(w, end) }
		return publicWords[w] || slices.ContainsFunc(publicEnds, ends)
	}) && !slices.ContainsFunc(words, func(w string) bool { return otherWords[w] })
}

// privateKinds are kinds of columns that are not published by default: by words, by stems within words (German writes
// compounds), and by texts within the name without its separators.
var privateKinds = []struct {
	why   string
	words map[string]bool
	stems []string
	whole []string
}{
	{"a cost", words(`
		cost costs costprice unitcost itemcost cogs wholesale ek hek ekp kosten wareneinsatz achat revient
		cout couts coste costes costo compra`),
		[]string{"einkauf", "selbstkosten", "wareneinsatz", "wholesale"},
		[]string{"purchaseprice", "buyingprice", "buyprice", "netprice", "dealerprice", "tradeprice"}},
	{"a margin", words(`
		margin margins markup profit profits marge marges spanne aufschlag gewinn gewinne rendite benefice
		benefices margen margenes ganancia ganancias beneficio beneficios`),
		[]string{"deckungsbeitrag", "rohertrag", "handelsspanne", "gewinnspanne"}, nil},
	{"a supplier", words(`
		supplier suppliers supply distributor distributors wholesaler wholesalers sourcing lieferant
		lieferanten grossist fournisseur fournisseurs grossiste proveedor proveedora proveedores
		distribuidor mayorista`),
		[]string{"lieferant", "zulieferer", "grosshandler", "grosshaendler", "fournisseur", "proveedor",
			"supplier"}, nil},
	{"stock", words(`
		stock stocks inventory quantity quantities qty onhand warehouse reorder lager bestand bestande
		menge quantite quantites entrepot existencias inventario cantidad almacen`),
		[]string{"lagerbest", "bestand", "inventory", "inventar", "lagermenge", "lagerort"},
		[]string{"enstock", "instock"}},
	{"a barcode", words(`
		barcode barcodes ean ean13 gtin gtin13 gtin14 upc strichcode`),
		[]string{"barcode", "strichcode"}, []string{"codebarre", "codigodebarra", "codebarres"}},
	{"a status", words(`
		status published visibility visible active enabled draft archived hidden state aktiv inaktiv
		sichtbar sichtbarkeit freigabe freigegeben statut etat publie actif visible estado publicado
		activo`),
		[]string{"status"}, nil},
	{"sales", words(`
		sales sold revenue turnover orders conversion conversions umsatz absatz verkauft verkaufe
		bestellungen ventes vendus ventas vendidos ingresos`), []string{"umsatz", "absatz"}, nil},
	{"internal", words(`
		internal note notes comment comments remark remarks memo private confidential secret todo intern
		interne internes notiz notizen bemerkung bemerkungen kommentar vertraulich geheim remarque
		remarques commentaire prive interno interna nota notas comentario privado`), []string{"vertraulich"}, nil},
	{"about people", words(`
		email mail phone telephone mobile fax contact customer customers buyer user users owner employee
		staff password token ip telefon kontakt kunde kunden mitarbeiter ansprechpartner passwort
		telephone courriel client clients telefono correo contacto cliente clientes`),
		[]string{"ansprechpartner", "kunden", "email"}, []string{"createdby", "updatedby", "modifiedby"}},
}

// publicWords are words for columns that pages show; otherWords rule a column out whatever else its name says.
var (
	publicWords = words(`
		image images picture pictures photo photos cover covers poster thumbnail thumb img bild bilder
		foto fotos titelbild affiche couverture imagen imagenes portada url link links permalink lien
		liens enlace price prices rrp msrp uvp preis preise verkaufspreis listenpreis ladenpreis
		bruttopreis prix precio precios pvp currency wahrung waehrung devise moneda brand brands vendor
		author authors artist artists director directors publisher manufacturer maker studio label
		designer composer cast actors marke marken hersteller autor autorin autoren kunstler kuenstler
		regie regisseur verlag marque fabricant auteur auteurs artiste realisateur editeur marca
		fabricante autores artista editorial category categories genre genres tag tags type theme themes
		topic topics subject subjects style collection kategorie kategorien gattung thema themen stil art
		reihe categorie theme sujet collection categoria tema estilo coleccion series serie serien
		language languages sprache sprachen langue idioma country land pays pais year years jahr annee ano
		erscheinungsjahr colour color farbe couleur size grosse groesse taille talla material material
		matiere duration runtime spieldauer laufzeit duree duracion pages seiten players spieler
		spielerzahl joueurs jugadores platform platforms plattform plateforme plataforma`)
	otherWords = words(`
		position id ids alt count number num average avg min max date`)
	// ends of German words
	publicEnds = []string{"preis", "bild", "link", "foto", "jahr", "sprache", "kategorie", "marke"}
	// whole names, without the separators of their words
	publicNames = words(`
		page path slug handle href imagesrc imageurl imdbid tmdbid isbn isbn13 date releasedate
		publicationdate datum erscheinungsdatum`)
)
