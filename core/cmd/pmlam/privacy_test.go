package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"golang.org/x/text/encoding/charmap"
)

// ownerData holds the files of one site, how they are read, and texts that must not be published.
type ownerData struct {
	files   map[string]string
	args    []string // arguments of init
	site    string   // pmlam.toml from [site] on
	newer   string   // a file with another version a day later, in files[newer+".day2"]
	secrets []string // texts about customers: neither published nor printed
	private []string // texts of the owner: not published
	public  []string // texts that must be published
	cold    bool     // the catalogue names its id column, so that it can be read alone
	latin1  bool
}

// Everything that the command and the builder write for the public is searched for customers' addresses, names, tokens
// and order numbers, and for a catalogue's costs, suppliers, stock and drafts, on three realistic sets of files.
func TestNothingPrivateIsPublished(t *testing.T) {
	for name, data := range map[string]ownerData{"shop": shopData(), "magazine": magazineData(), "games": gamesData()} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			for file, text := range data.files {
				b := []byte(text)
				if data.latin1 {
					var err error
					if b, err = charmap.Windows1252.NewEncoder().Bytes(b); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(folder, file), b, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			var said strings.Builder
			pmlamIn := func(where string, args ...string) {
				t.Helper()
				t.Chdir(filepath.Join(folder, where))
				r := ok(t, args...)
				said.WriteString(r.out + r.errors)
			}
			pmlam := func(args ...string) { t.Helper(); pmlamIn(".", args...) }
			publish := func() { t.Helper(); pmlam("site", "--quality", "0") }
			quick := []string{"--preset", "composed", "--epochs", "2", "--dim", "4", "--auto=false", "--calibrate=false"}
			pmlam(append([]string{"init"}, data.args...)...)
			replaceEnd(t, filepath.Join(folder, "pmlam.toml"), data.site)
			var cold []string
			if data.cold {
				cold = []string{"--cold-items"}
			}
			pmlam(slices.Concat([]string{"train"}, cold, quick)...)
			publish()
			// The next day, the site also contains the changes.
			if err := os.Rename(filepath.Join(folder, data.newer+".day2"), filepath.Join(folder, data.newer)); err != nil {
				t.Fatal(err)
			}
			written := []string{"public", "similar", "similar.json", "chunks", "vectors", "model.msgpack"}
			if data.cold {
				pmlam("add-items", "--model", "model.msgpack", "--items", data.newer, "--update", "--out", "model.msgpack",
					"--skip-bad-lines")
				publish()
				// Without pmlam.toml, which also names the interactions.
				if err := os.Mkdir(filepath.Join(folder, "elsewhere"), 0o755); err != nil {
					t.Fatal(err)
				}
				pmlamIn("elsewhere", "train", "--items", "../"+data.newer, "--cold-items", "--out", "../alone.msgpack",
					"--skip-bad-lines")
				written = append(written, "alone.msgpack")
			}
			pmlam(slices.Concat([]string{"train", "--refresh", "--json"}, cold)...)
			publish()
			pmlam("similar", "--all", "--html", "--out", "similar")
			pmlam("similar", "--all", "--out", "similar.json")
			pmlam("chunk", "--model", "model.msgpack", "--out", "chunks", "--cell-size", "10")
			pmlam("export", "--model", "model.msgpack", "--out", "vectors")

			var published []byte
			for _, out := range written {
				published = append(published, everyByte(t, filepath.Join(folder, out))...)
			}
			var given strings.Builder
			for _, text := range data.files {
				given.WriteString(text)
			}
			for _, secret := range slices.Concat(data.secrets, data.private) {
				if !strings.Contains(given.String(), secret) {
					t.Fatalf("%q is not in the input files, so the search is pointless", secret)
				}
				if at := bytes.Index(published, []byte(secret)); at >= 0 {
					t.Errorf("%q was published: %q", secret, published[max(0, at-60):min(len(published), at+60)])
				}
			}
			for _, secret := range data.secrets {
				if at := strings.Index(said.String(), secret); at >= 0 {
					t.Errorf("%q was printed: %q", secret, said.String()[max(0, at-60):min(said.Len(), at+60)])
				}
			}
			for _, text := range data.public {
				if !bytes.Contains(published, []byte(text)) {
					t.Errorf("%q was not published", text)
				}
			}
			t.Logf("%d bytes searched for %d texts", len(published), len(data.secrets)+len(data.private))
		})
	}
}

// everyByte returns the names and bytes of all files at path, and the decompressed content of compressed files.
func everyByte(t *testing.T, path string) (all []byte) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		files++
		relative, _ := filepath.Rel(path, file)
		all = append(append(append(all, relative...), '\n'), b...)
		var r io.Reader
		switch filepath.Ext(file) {
		case ".br":
			r = brotli.NewReader(bytes.NewReader(b))
		case ".gz":
			if r, err = gzip.NewReader(bytes.NewReader(b)); err != nil {
				return err
			}
		default:
			return nil
		}
		b, err = io.ReadAll(r)
		all = append(all, b...)
		return err
	})
	if err != nil || files == 0 {
		t.Fatalf("%s: %d files, %v", path, files, err)
	}
	return all
}

// shopData returns orders and products as exported by Shopify.
func shopData() (d ownerData) {
	var orders, products, newer strings.Builder
	orders.WriteString("Name,Email,Financial Status,Created at,Lineitem quantity,Lineitem name,Lineitem sku,Billing Name," +
		"Billing Street,Billing City,Notes,Id,Phone,Payment Reference\n")
	const header = "Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Variant SKU,Variant Inventory Qty," +
		"Variant Price,Variant Barcode,Image Src,Image Position,Cost per item,Supplier,Status\n"
	products.WriteString(header)
	newer.WriteString(header)
	secret := func(format string, args ...any) string {
		d.secrets = append(d.secrets, fmt.Sprintf(format, args...))
		return d.secrets[len(d.secrets)-1]
	}
	private := func(format string, args ...any) string {
		d.private = append(d.private, fmt.Sprintf(format, args...))
		return d.private[len(d.private)-1]
	}
	product := func(w *strings.Builder, i, day int, published, status string) {
		title := fmt.Sprintf("Teapot %d of Birk", i)
		if published == "false" || status != "active" {
			title = private("Hidden Kettle %d", i)
		}
		fmt.Fprintf(w, "pot-%d,%s,\"<p>Made of clay, %d.</p>\",Studio Fern,Kitchen,Teapots,\"gift, new\",%s,POT-%d,%s,%d.90,%s,"+
			"https://cdn.example/files/pot-%d.jpg?v=17491828022,1,%s,%s,%s\n", i, title, i, published, i,
			private("%d", 730_010+100*i+day), 20+i, private("40063813%05d", i*10+day), i, private("%d.%d7%d", 8+i%9, i, day),
			private("Großhandel %c GmbH", 'A'+i%4), status)
		fmt.Fprintf(w, "pot-%d,,,,,,,,,,,,https://cdn.example/files/pot-%d-2.jpg,2,,,\n", i, i)
	}
	for i := range 44 {
		published, status := "true", "active"
		switch {
		case i == 40 || i == 41:
			status = "draft"
		case i == 42:
			status = "archived"
		case i == 43:
			published = "false"
		}
		product(&products, i, 0, published, status)
		if i == 30 {
			status = "draft" // on later days
		}
		product(&newer, i, 1, published, status)
	}
	d.private = slices.DeleteFunc(d.private, func(s string) bool { return s == "Hidden Kettle 30" }) // it becomes a draft later
	for u := range 60 {
		order, mail := private("#77%05d", u), secret("%s.schmidt%d@mail.example", []string{"anna", "Anna"}[u%2], u)
		street, phone, reference := secret("Zwölfendergasse %d", u), secret("+49 170 55%05d", u), secret("pay_9f%05dx", u)
		person := secret("Quirina Zwölfender %d", u)
		for k := range 6 {
			fmt.Fprintf(&orders, "%s,%s,paid,2024-01-%02d 00:31:10 +0100,1,Teapot,POT-%d,%s,%s,Köln,Ring twice,5000%d,%s,%s\n", order,
				mail, 1+u%28, (u%4+4*k+u/8)%44, person, street, u, phone, reference)
		}
	}
	d.files = map[string]string{"orders_export.csv": orders.String(), "products_export.csv": products.String(),
		"products_export.csv.day2": newer.String()}
	d.newer = "products_export.csv"
	d.cold = true
	d.args = []string{"orders_export.csv", "products_export.csv", "--skip-bad-lines"} // some lines contain only a picture
	d.site = `[site]
out = "public"
previous = "public"
title = "Birk"
accent = "#205a7a"
accent-dark = "#8cc4e6"
pictures = "{Image Src}"
picture-origins = ["https://cdn.example"]
price = "{Variant Price} €"
links = [{ name = "Our shop", address = "https://shop.example/products/{Handle}" }]

[rules]
in-stock = "Variant Inventory Qty"
boost = [{ column = "Cost per item", weight = -0.5 }]
at-most = { n = 2, column = "Supplier" }
`
	// Short numbers occur in any file of numbers, so the search needs at least five characters.
	d.private = slices.DeleteFunc(d.private, func(s string) bool { return len(s) < 5 })
	slices.Sort(d.private)
	d.private = slices.Compact(d.private)
	d.public = []string{"Teapot 7 of Birk", "27.90", "pot-7.jpg", "Studio Fern", "POT-7"}
	return d
}

// magazineData returns page views as exported by Google Analytics 4, with page addresses as ids.
func magazineData() (d ownerData) {
	var views, articles, newer strings.Builder
	views.WriteString("event_date,event_timestamp,event_name,user_pseudo_id,page_location,page_title,country\n")
	const site = "https://www.weekly.example"
	secret := func(format string, args ...any) string {
		d.secrets = append(d.secrets, fmt.Sprintf(format, args...))
		return d.secrets[len(d.secrets)-1]
	}
	for u := range 60 {
		visitor := fmt.Sprintf("1429525%03d.17072537%02d", u, u)
		d.private = append(d.private, visitor)
		view := func(path, title string) {
			fmt.Fprintf(&views, "20260303,17724975%02d000000,page_view,%s,%s,%s,Germany\n", u, visitor, site+path, title)
		}
		for k := range 7 {
			query := ""
			switch k {
			case 1:
				query = "?utm_source=newsletter&email=" + secret("berta%d%%40mail.example", u)
			case 2:
				query = "?token=" + secret("tok%dabc", u)
			case 3:
				query = "#CLARA" + secret("%d@MAIL.EXAMPLE", u)
			}
			view(fmt.Sprintf("/bread/rye-%d/%s", (u%4+4*k+u/8)%30, query), fmt.Sprintf("Rye %d", k))
		}
		view("/confirm?email="+secret("dora%d@mail.example", u)+"&token="+secret("c0nf1rm%d", u), "Thanks")
		view("/unsubscribe/"+secret("emil%d%%40mail.example", u)+"/", "Bye")
		view("/call/"+secret("+49-170-55%05d", u), "Call")
		view("/bread/rye-1/", "Welcome "+secret("frieda%d@mail.example", u))
	}
	const header = "url,title,date,tags,author,image,internal note,editor email\n"
	articles.WriteString(header)
	newer.WriteString(header)
	for i := range 40 {
		note, mail := fmt.Sprintf("pay the photographer %d", i), fmt.Sprintf("editor%d@weekly.example", i)
		d.private = append(d.private, note, mail)
		line := fmt.Sprintf("%s/bread/rye-%d/,Bread no. %d,2024-08-25,bread|rye,Dirk S.,/images/rye-%d.jpg,%s,%s\n", site, i, i, i,
			note, mail)
		articles.WriteString(line)
		newer.WriteString(strings.ReplaceAll(line, "2024-08-25", "2024-08-26"))
	}
	d.files = map[string]string{"views.csv": views.String(), "articles.csv": articles.String(),
		"articles.csv.day2": newer.String()}
	d.newer = "articles.csv"
	d.args = []string{"views.csv", "articles.csv", "--item-column", "page_location", "--title-column", "title",
		"--skip-bad-lines"}
	d.site = "[site]\nout = \"public\"\nprevious = \"public\"\ntitle = \"Weekly\"\n" +
		"links = [{ name = \"Read\", address = \"{id}\" }]\n"
	d.public = []string{"Bread no. 7", site + "/bread/rye-7/", "Dirk S."}
	return d
}

// gamesData returns ratings and a catalogue in German and Windows-1252.
func gamesData() (d ownerData) {
	var ratings, games, newer strings.Builder
	ratings.WriteString("Mitglied;Spiel-Nr;Bewertung;Datum;Bemerkung\n")
	for u := range 60 {
		member := fmt.Sprintf("Mitglied-Zwölfender%05d", u)
		d.private = append(d.private, member)
		for k := range 7 {
			fmt.Fprintf(&ratings, "%s;%d;%d,5;16.01.2015;schön\n", member, 100_000+(u%4+4*k+u/8)%30, 9-k%2)
		}
	}
	const header = "Spiel-Nr;Titel;Genre;Verlag;Preis;Einkaufspreis;Lagerbestand;Lieferant;Strichcode;Bild;Status\n"
	games.WriteString(header)
	newer.WriteString(header)
	for i := range 40 {
		title, status := fmt.Sprintf("Mühle am Nil %d", i), "aktiv"
		if i%13 == 12 {
			title, status = fmt.Sprintf("Geheimprojekt %d", i), "Entwurf"
			d.private = append(d.private, title)
		}
		for day, w := range []*strings.Builder{&games, &newer} {
			cost, supplier := fmt.Sprintf("%d,77%02d%d", 7+i, i, day), fmt.Sprintf("Großhandel Öttinger %d", i%4)
			stock, code := fmt.Sprintf("88%04d", i*10+day), fmt.Sprintf("9783161%06d", i*10+day)
			d.private = append(d.private, cost, supplier, stock, code)
			fmt.Fprintf(w, "%d;%s;%s|Familie;Zoch & Söhne;%d,90;%s;%s;%s;%s;bilder/%d.jpg;%s\n", 100_000+i, title,
				[]string{"Würfelspiel", "Rätsel", "Krimi"}[i%3], 30+i+day, cost, stock, supplier, code, i, status)
		}
	}
	d.files = map[string]string{"bewertungen.csv": ratings.String(), "katalog.csv": games.String(),
		"katalog.csv.day2": newer.String()}
	d.newer, d.latin1, d.cold = "katalog.csv", true, true
	d.args = []string{"bewertungen.csv", "katalog.csv", "--user-column", "Mitglied"}
	d.site = "[site]\nout = \"public\"\nprevious = \"public\"\ntitle = \"Spiele\"\nprice = \"{Preis} €\"\n" +
		"[rules]\nin-stock = \"Lagerbestand\"\n"
	slices.Sort(d.private)
	d.private = slices.Compact(d.private)
	d.public = []string{"Mühle am Nil 7", "38,90", "Zoch & Söhne"}
	return d
}
