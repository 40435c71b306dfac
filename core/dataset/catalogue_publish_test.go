package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestColumnsByName(t *testing.T) {
	for why, names := range map[string]string{
		"a cost": "Cost per item,cost,unit_cost,Einkaufspreis,EK-Preis,Preis EK netto,purchase price,Wholesale Price," +
			"Prix d'achat,Coût,Precio de compra,Coste,Selbstkosten,Kosten",
		"a margin":     "margin,Marge,Margen,Deckungsbeitrag,Gross profit,Rohertrag,Handelsspanne,Bénéfice",
		"a supplier":   "Supplier,supplier_id,Lieferant,Lieferantennummer,Fournisseur,Proveedor,Großhändler",
		"stock":        "stock,Variant Inventory Qty,Lagerbestand,Bestand,Menge,inventory_quantity,Quantité,En stock,Existencias",
		"a barcode":    "Variant Barcode,barcode,EAN,gtin13,UPC,Strichcode,Code-barres,Código de barras",
		"a status":     "Status,Published,Statut,Estado,isActive,Sichtbarkeit,draft",
		"sales":        "units sold,Umsatz,revenue",
		"internal":     "Internal notes,Notiz,Bemerkung,private_comment,Remarques",
		"about people": "contact email,Ansprechpartner,customer,created_by,Kunden-Nr,phone",
	} {
		for _, name := range strings.Split(names, ",") {
			if got := PrivateColumn(name); got != why || PublicColumn(name) {
				t.Errorf("%q: %q, want %q; published unasked: %v", name, got, why, PublicColumn(name))
			}
		}
	}
	for _, name := range strings.Split("image,Image Src,image_url,Bild,bild-url,photo,cover,Titelbild,url,URL,link,Produktlink,"+
		"Permalink,page,Handle,price,Preis,Variant Price,Variant Compare At Price,Verkaufspreis,prix,Precio,UVP,currency,brand,"+
		"Vendor,Marke,Hersteller,Verlag,author,Autorin,artist,director,publisher,Type,Product Category,tags,Genre,Reihe,series,"+
		"language,country,colour,size,Spieldauer,pages,players,date,release date,Erscheinungsjahr,imdbId,tmdbId,ISBN", ",") {
		if !PublicColumn(name) {
			t.Errorf("%q is not published", name)
		}
	}
	for _, name := range strings.Split("Body (HTML),description,Option1 Name,Variant SKU,Variant Grams,Gift Card,SEO Title,"+
		"Image Position,Image Alt Text,Variant Taxable,ga_id,hash,x,weight,Variant Requires Shipping,excerpt", ",") {
		if PublicColumn(name) || PrivateColumn(name) != "" {
			t.Errorf("%q: published %v, private %q", name, PublicColumn(name), PrivateColumn(name))
		}
	}
}

const exported = "id,title,genres,price,image,cost,stock,supplier,description,Status,Published\n" +
	"a,A,Drama,1.50,a.jpg,0.93,7,Acme,Long text,active,true\n" +
	"a,,,,a-2.jpg,,,,,,\n" +
	"b,B,Drama,2.50,b.jpg,0.94,0,Bolt,Other text,active,true\n" +
	"c,C,Drama,3.50,c.jpg,0.95,9,Acme,Third text,draft,true\n" +
	"d,D,Drama,4.50,d.jpg,0.96,9,Acme,Fourth text,active,false\n" +
	"e,E,Drama,5.50,e.jpg,0.97,9,Acme,Fifth text,archived,true\n"

// Columns are published if they are safe, named, used or reduced; drafts are not, even if somebody has bought them.
func TestPublish(t *testing.T) {
	log := write(t, t.TempDir(), "log.csv", "user,item\nu,a\nu,b\nu,c\nu,d\nv,a\nv,c\nv,e\n")
	items := write(t, t.TempDir(), "items.csv", exported)
	half := func(all []string) func(string) string {
		return func(text string) string { return fmt.Sprint(len(all), " ", text > "5") }
	}
	for _, c := range []struct {
		publish         Publish
		columns, values string // of a
		private         bool   // is there, to be shown
	}{
		{Publish{}, "price image", "1.50|a.jpg", false},
		{Publish{Columns: []string{}}, "", "", false},
		{Publish{Columns: []string{"Cost"}}, "cost", "0.93", true},
		{Publish{Columns: []string{"title", "image"}, Shown: []string{"description", "none"}}, "image description",
			"a.jpg|Long text", false},
		{Publish{Reduced: map[string]Reduce{"stock": half, "price": half}}, "price image stock", "1.50|a.jpg|2 true", false},
		{Publish{Scope: Learned}, "price image description", "1.50|a.jpg|Long text", false},
		{Publish{Scope: Everything}, "price image cost stock supplier description Status Published",
			"1.50|a.jpg|0.93|7|Acme|Long text|active|true", true},
	} {
		o := none
		o.Items, o.Publish = items, c.publish
		d, err := Load(log, o)
		if err != nil {
			t.Fatal(err)
		}
		all, report, err := LoadCatalogue(items, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []struct {
			columns, values []string
			items           int
		}{
			{d.Catalogue.Columns, d.Catalogue.Items[0].Values, d.Items.Len()},
			{all.Columns, all.Items[0].Values, all.Len()},
		} {
			if strings.Join(got.columns, " ") != c.columns || strings.Join(got.values, "|") != c.values || got.items != 2 {
				t.Errorf("%+v: %d items, %q, %q", c.publish, got.items, got.columns, got.values)
			}
		}
		if shown := fmt.Sprint(d.Catalogue.Items, all.Items); strings.Contains(shown, "0.9") != c.private {
			t.Errorf("%+v: %s", c.publish, shown)
		}
		if strings.Join(d.Read.Withheld, "") != "cde" || d.Read.WithheldLikes != 4 || len(report.Withheld) != 3 || d.Read.Others != 0 {
			t.Errorf("%q and %q are withheld, %d likes, %d others", d.Read.Withheld, report.Withheld,
				d.Read.WithheldLikes, d.Read.Others)
		}
		check(t, d)
		public := d.Read.PublishedColumns()
		if c.publish.Scope == Learned && slices.Contains(public, "description") {
			t.Errorf("a column for training only is reported as published: %q", public)
		}
	}
}

func TestPublishMistakes(t *testing.T) {
	o := none
	o.Items, o.Publish.Columns = write(t, t.TempDir(), "items.csv", exported), []string{"price", "prise"}
	log := write(t, t.TempDir(), "log.csv", "user,item\nu,a\n")
	_, loaded := Load(log, o)
	_, _, all := LoadCatalogue(o.Items, o)
	for _, err := range []error{loaded, all} {
		var missing *ColumnError
		if !errors.As(err, &missing) || missing.Wanted != "prise" || !strings.Contains(err.Error(), `"price"`) {
			t.Errorf("%v", err)
		}
	}
	o.Items = ""
	if _, err := Load(log, o); err == nil || !strings.Contains(err.Error(), "without a catalogue") {
		t.Errorf("%v", err)
	}
	drafts := write(t, t.TempDir(), "items.csv", "id,title,status\na,A,Draft\nb,B,ARCHIVED\n")
	if _, _, err := LoadCatalogue(drafts, Options{}); err == nil || !strings.Contains(err.Error(), "all 2 are drafts") {
		t.Errorf("%v", err)
	}
	o.Items, o.Publish.Columns = drafts, nil
	var empty *EmptyError
	if _, err := Load(log, o); !errors.As(err, &empty) || empty.Read.WithheldLikes != 1 ||
		!strings.Contains(err.Error(), "drafts") {
		t.Errorf("%v", err)
	}
}

// What says that an item is not for the public, by columns of several programs; a date of publication does not.
func TestWithheld(t *testing.T) {
	for table, want := range map[string]string{
		"id,title,Status\na,A,active\nb,B,Draft\nc,C,archived\nd,D,unlisted\n":              "b c d",
		"id,title,Published\na,A,true\nb,B,FALSE\nc,C,\n":                                   "b",
		"ID,Name,Published\na,A,1\nb,B,-1\nc,C,0\n":                                         "b c",
		"id;titel;Status\na;A;aktiv\nb;B;Entwurf\nc;C;gelöscht\nd;D;nicht veröffentlicht\n": "b c d",
		"id;titre;Statut\na;A;publié\nb;B;brouillon\nc;C;archivé\n":                         "b c",
		"id;titulo;Estado\na;A;publicado\nb;B;borrador\n":                                   "b",
		"id,title,is_active\na,A,yes\nb,B,no\n":                                             "b",
		"id,title,draft\na,A,false\nb,B,true\n":                                             "b",
		"id,title,published\na,A,1995\nb,B,0\nc,C,2001-01-01\n":                             "",
		"id,title,status\na,A,Released\nb,B,Rumored\nc,C,Finished Airing\n":                 "",
		"https://x.example/a?token=1,title,status\n":                                        "",
	} {
		got := withheld(write(t, t.TempDir(), "items.csv", table), new(IDs), Options{})
		var ids []string
		for id := range got {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		if strings.Join(ids, " ") != want {
			t.Errorf("%q: %q are withheld, want %q", table, ids, want)
		}
	}
}

// The column of the ids is found by the ids of all interactions, even those that the minima drop.
func TestIDColumnOfFewItems(t *testing.T) {
	log, items := "user,page\n", "where,title,image\n"
	for i := range 1000 {
		items += fmt.Sprintf("/p%d/,Page %d,p%d.jpg\n", i, i, i)
		log += fmt.Sprintf("u%d,/p%d/\n", i, i)
	}
	for u := range 3 {
		log += fmt.Sprintf("u%d,/p999/\n", u)
	}
	o := Options{MinUser: -1, MinItem: 3, Columns: Columns{Item: "page"}, Items: write(t, t.TempDir(), "items.csv", items)}
	d, err := Load(write(t, t.TempDir(), "log.csv", log), o)
	if err != nil || d.Items.Len() != 1 || d.Catalogue.Items[0].Title != "Page 999" {
		t.Errorf("%v", err)
	}
}
