package dataset

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// addressed are ids of items as page views have them: two personal ones, one that is a page once its query is cut off.
const addressed = "user,item\n" +
	"u1,https://x.example/confirm?email=anna.schmidt@example.com&token=abc\n" +
	"u1,https://x.example/unsubscribe/anna%40example.com\n" +
	"u1,https://x.example/a\n" +
	"u2,https://x.example/a?E=ANNA%40EXAMPLE.COM#top\n" +
	"u2,https://x.example/call/+49-170-1234567/\n" +
	"u2,https://x.example/a?page=2\n"

// An id that holds an address or a telephone number is a bad line in every format, and no error shows it; personal
// queries are cut off and counted.
func TestPersonalItems(t *testing.T) {
	for name, text := range map[string]string{
		"a.csv":   "user,item\nu,p1\nu,/u/anna%40example.com\n",
		"b.jsonl": "{\"user\":\"u\",\"item\":\"p1\"}\n{\"user\":\"u\",\"item\":\"of anna@example.com\"}\n",
		"c.txt":   "u p1 p2\nv p1 anna@example.com\n",
		"d.csv":   "user,Alpha,of anna@example.com,Beta\nu,1,5,2\nv,4,3,\n",
		"e.dat":   "u::p1::5::978300760\nu::anna@example.com::5::978300760\n",
	} {
		path := write(t, t.TempDir(), name, text)
		o := none
		if name == "c.txt" {
			o.Format = "adjacency"
		}
		_, err := Load(path, o)
		var bad *ParseError
		if !errors.As(err, &bad) || !strings.Contains(bad.Rule, "an e-mail address") {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Contains(err.Error(), "anna@") || strings.Contains(err.Error(), "anna%40") {
			t.Errorf("%s: the error shows the address: %v", name, err)
		}
		o.SkipBadLines = true
		d, err := Load(path, o)
		if err != nil || d.Read.Skipped == 0 {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i := range d.Items.Len() {
			if strings.Contains(d.Items.ID(i), "anna") {
				t.Errorf("%s: the item %q is there", name, d.Items.ID(i))
			}
		}
	}
}

func TestPersonalQueries(t *testing.T) {
	folder := t.TempDir()
	o := none
	o.SkipBadLines = true
	o.Items = write(t, folder, "items.csv", "id,title,link\n"+
		"https://x.example/a?token=9,Page A,https://x.example/a?email=anna@example.com\n"+
		"https://x.example/confirm,Confirmation,\n")
	d, err := Load(write(t, folder, "views.csv", addressed), o)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(d.Items.Strings(), " "), "https://x.example/confirm https://x.example/a "+
		"https://x.example/a?page=2"; got != want {
		t.Errorf("the items are %s, want %s", got, want)
	}
	if d.Read.Cut != 2 || d.Read.Skipped != 2 || d.Read.CutItems != 2 {
		t.Errorf("%d and %d queries cut off, %d lines skipped", d.Read.Cut, d.Read.CutItems, d.Read.Skipped)
	}
	if !strings.Contains(d.Read.String(), "2 of an address whose query held something personal") {
		t.Errorf("the report says %s", d.Read)
	}
	i, _ := d.Items.Index("https://x.example/a")
	if it := d.Catalogue.Items[i]; it.Title != "Page A" || it.Values[0] != "https://x.example/a" {
		t.Errorf("the page is %+v", it)
	}
}

// Texts of a catalogue that a model would hold are checked too, in each way of reading it.
func TestPersonalCatalogue(t *testing.T) {
	log := write(t, t.TempDir(), "log.csv", "user,item\nu,a\nu,b\n")
	for _, line := range []string{
		"a,Letter of anna@example.com,Drama,", "a,Letter,by%20anna@example.com,", "a,Letter,Drama,call +49 170 1234567",
		"anna%40example.com,Letter,Drama,",
	} {
		items := write(t, t.TempDir(), "items.csv", "id,title,genres,link\nb,Other,Drama,\n"+line+"\n")
		o := none
		o.Items = items
		_, loaded := Load(log, o)
		_, _, all := LoadCatalogue(items, Options{})
		if strings.HasPrefix(line, "anna") {
			if loaded != nil { // nobody likes that item, so it is not read
				t.Errorf("%q: %v", line, loaded)
			}
			loaded = all
		}
		for _, err := range []error{loaded, all} {
			if !errors.As(err, new(*ParseError)) || !strings.Contains(err.Error(), "must not hold") ||
				strings.Contains(err.Error(), "anna@") || strings.Contains(err.Error(), "170 12") {
				t.Errorf("%q: %v", line, err)
			}
		}
		c, report, err := LoadCatalogue(items, Options{SkipBadLines: true})
		if err != nil || c.Len() != 1 && c.Items[1].Title != "a" || report.Skipped != 1 {
			t.Errorf("%q: %+v, %+v, %v", line, c, report, err)
		}
	}
	folder := t.TempDir()
	write(t, folder, "ratings.csv", "userId,movieId,rating,timestamp\n1,1,5,978300760\n")
	write(t, folder, "movies.csv", "movieId,title,genres\n1,Heat (1995),Drama\n")
	write(t, folder, "tags.csv", "userId,movieId,tag,timestamp\n1,1,ask anna@example.com,9\n1,1,heist,9\n")
	o := none
	o.Tags = 5
	if d, err := Load(folder, o); err != nil || d.Catalogue.Items[0].Values[0] != "heist" {
		t.Errorf("a tag with an address: %v", err)
	}
}

// A title in the table of interactions is published like one of the catalogue.
func TestPersonalTitles(t *testing.T) {
	path := write(t, t.TempDir(), "views.csv", "user,item,title\nu,a,Welcome anna@example.com\nu,a,Welcome\nu,b,Home\n")
	if _, err := Load(path, none); err == nil || !strings.Contains(err.Error(), "(title): \"Welcome a…om\": a title must") {
		t.Errorf("%v", err)
	}
	o := none
	o.SkipBadLines = true
	if d, err := Load(path, o); err != nil || d.Catalogue.Items[0].Title != "Welcome" || d.Read.Skipped != 1 {
		t.Errorf("%v", err)
	}
}

// Excerpts of files go into logs, so they show neither addresses nor unused columns about people.
func TestReadingShowsNobody(t *testing.T) {
	path := write(t, t.TempDir(), "orders.csv", "Email,Lineitem sku,Lineitem name,Lineitem quantity,Created at,Billing Name,"+
		"Billing Street,Phone,Vendor\nanna@example.com,p1,Kettle,1,2024-01-03,Anna Schmidt,Hauptstr. 1,+49 170 1234567,Haus\n"+
		"ben@example.com,p1,Kettle,1,2024-01-03,Ben Kim,Hauptstr. 2,,Haus\n")
	d, err := Load(path, none)
	if err != nil {
		t.Fatal(err)
	}
	shown := fmt.Sprint(d.Read.Readings[0], d.Read.Readings[0].Rows)
	for _, secret := range []string{"anna@", "ben@", "Schmidt", "Hauptstr", "1234567"} {
		if strings.Contains(shown, secret) {
			t.Errorf("the report shows %q:\n%s", secret, shown)
		}
	}
	for _, text := range []string{"a…om", "Haus", "Kettle"} {
		if !strings.Contains(shown, text) {
			t.Errorf("the report does not show %q:\n%s", text, shown)
		}
	}
	if err := d.CheckUsers(); err == nil || !strings.Contains(err.Error(), `"a…om" holds an e-mail address`) {
		t.Errorf("users with addresses as ids: %v", err)
	}
	bad := write(t, t.TempDir(), "bad.csv", "user,item\nanna@example.com,a,b\n")
	if _, err := Load(bad, none); err == nil || strings.Contains(err.Error(), "anna@") {
		t.Errorf("the error shows the address: %v", err)
	}
}

// Ids that are listed in a file of their own are held to the same.
func TestPersonalLists(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"users.txt": "u\n", "items.txt": "p1\nanna@example.com\n", "interactions.tsv": "0\t0\n0\t1\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load(folder, none); err == nil || !strings.Contains(err.Error(), "must not hold an e-mail address") {
		t.Errorf("%v", err)
	}
}
