package dataset

import (
	"fmt"
	"strings"
	"testing"
)

// TestMissingIDs: words for a missing value are not ids, in any column and format; similar names are.
func TestMissingIDs(t *testing.T) {
	for _, word := range []string{"None", "nan", "NaN", "NA", "N/A", "n/a", "#N/A", "<NA>", "undefined", "NULL", "null",
		`\N`, "(null)", "[NULL]", "NaT", "nil", "(not set)", "-", " nan ", "\u200b", "\u00a0", "\ufeffnan",
		"None\u00a0", "-nan", "#REF!"} {
		for _, text := range []string{"user,item,rating\n%s,a,5\nu,b,5\n", "user,item,rating\nu,%s,5\nu,b,5\n",
			`{"user":"u","item":"b"}` + "\n" + `{"user":"u","item":"%s"}` + "\n"} {
			name := "a.csv"
			if text[0] == '{' {
				if name = "a.jsonl"; strings.Contains(word, `\`) {
					continue
				}
			}
			o := none
			o.SkipBadLines = true
			d, err := Load(write(t, t.TempDir(), name, fmt.Sprintf(text, word)), o)
			if err != nil {
				t.Errorf("%q: %v", word, err)
				continue
			}
			if d.Users.Len() != 1 || d.Items.Len() != 1 || d.Users.ID(0) != "u" || d.Items.ID(0) != "b" ||
				d.Read.Skipped != 1 {
				t.Errorf("%q in %q: users %q, items %q, %d bad", word, text, d.Users.Strings(), d.Items.Strings(),
					d.Read.Skipped)
			}
		}
	}
	for _, name := range []string{"Nan", "Na", "na", "none", "Nil", "0", "00", "null2", "N", "Nancy", "unknown"} {
		d, err := Load(write(t, t.TempDir(), "a.csv", "user,item\n"+name+",x\n"), none)
		if err != nil || d.Users.ID(0) != name {
			t.Errorf("%q is a name: %v", name, err)
		}
	}
	// As ratings and times these words are none.
	d, err := Load(write(t, t.TempDir(), "a.csv", "user,item,rating,time\nu,a,5,1500000000\nu,b,nan,None\nu,c,N/A,NaT\n"+
		"u,d,None,\nu,e,NaN,-\nu,f,<NA>,undefined\n"), none)
	if err != nil || d.Read.Unrated != 5 || d.Read.UnreadTimes != 0 || d.Items.Len() != 1 {
		t.Errorf("%v, %+v", err, d)
	}
}

// TestTidyIDs: what nobody sees does not make another user or item, and is counted.
func TestTidyIDs(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"A1", "A1\u00a0"},
		{"A1", "\u200bA1"},
		{"A1", "\ufeffA1"},
		{"A1", "A\u200d1"},
		{"A1", "A1\u200c"},
		{"A1", "\u2060A1\u2060"},
		{"A1", "A\u00ad1"},
		{"A1", "\u202aA1\u202c"},
		{"A1", "\u200eA1\u200f"},
		{"A1", "\u3000A1\u2003"},
		{"New York", "New\u00a0York"},
		{"New York", "New\u202fYork"},
		{"Café", "Cafe\u0301"},
		{"Å", "\u212b"},
		{"한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"},
	} {
		for _, text := range []string{"user,item\n%s,x\n%s,y\n", "user,item\nx,%s\ny,%s\n"} {
			d, err := Load(write(t, t.TempDir(), "a.csv", fmt.Sprintf(text, c.a, c.b)), none)
			if err != nil {
				t.Fatalf("%q: %v", c.b, err)
			}
			ids := d.Users
			if text[10] == 'x' {
				ids = d.Items
			}
			if ids.Len() != 1 || ids.ID(0) != c.a || d.Read.Tidied != 1 ||
				!strings.Contains(d.Read.String(), "1 ids had invisible characters") {
				t.Errorf("%q and %q are %q, %d tidied", c.a, c.b, ids.Strings(), d.Read.Tidied)
			}
		}
	}
	d, err := Load(write(t, t.TempDir(), "a.csv", "user,item\nAnna@Example.COM,x\nanna@example.com,y\n"+
		"ANNA@EXAMPLE.COM\u00a0,z\nanna@example.com,A1\nanna@example.com,a1\nAnna,x\nanna,x\n@Anna,x\n@anna,x\n"), none)
	if err != nil || d.Users.Len() != 5 || d.Users.ID(0) != "anna@example.com" || d.Items.Len() != 5 ||
		d.Read.Tidied != 2 {
		t.Errorf("%v: %+v", err, d)
	}
	for _, id := range []string{"می\u200cخواهم", "👩\u200d👧", "क\u094d\u200dष"} { // here the joiner is seen
		if d, err := Load(write(t, t.TempDir(), "a.csv", "user,item\nu,"+id+"\n"), none); err != nil ||
			d.Items.ID(0) != id {
			t.Errorf("%q: %v", id, err)
		}
	}
	// Scan hands the same ids out.
	path := write(t, t.TempDir(), "a.csv", "user,item\nAnna@Example.com,A\u200b1\n")
	r, err := Scan(path, 0, none, Scanner{Line: func(l Line) error {
		if l.User != "anna@example.com" || l.Item != "A1" {
			t.Errorf("%+v", l)
		}
		return nil
	}})
	if err != nil || JoinReports([]Report{r, r}).Tidied != 4 {
		t.Errorf("%v, %d", err, r.Tidied)
	}
}

func FuzzTidyID(f *testing.F) {
	f.Add("A\u200b1")
	f.Add("Anna@Example.com")
	f.Add("ꀋ\u200d\u2007") // a joiner before a blank
	f.Fuzz(func(t *testing.T, s string) {
		id, _ := tidyID([]byte(s))
		if again, changed := tidyID(id); changed && string(again) != string(id) {
			t.Errorf("%q becomes %q, and then %q", s, id, again)
		}
	})
}

// TestTidyCatalogue: a catalogue's ids are tidied like the interactions', also where an item is withheld, and lines
// without data are left out.
func TestTidyCatalogue(t *testing.T) {
	folder := t.TempDir()
	data := write(t, folder, "ratings.csv", "user,item\nu,A1\u200b\nu,B2\nu,C3\n")
	d, err := Load(data, Options{MinUser: -1, MinItem: -1, Items: write(t, folder, "products.csv",
		"Products of the shop\nmade 2025\nid,title,status\nA1\u00a0,First,active\nid,title,status\n\ufeffB2,Second,active\n"+
			"C\u200b3,Third,draft\n")})
	if err != nil {
		t.Fatal(err)
	}
	var titles []string
	for _, item := range d.Catalogue.Items {
		titles = append(titles, item.ID+" "+item.Title)
	}
	if got := strings.Join(titles, ","); got != "A1 First,B2 Second" || d.Read.NotRows != 3 ||
		d.Read.WithheldLikes != 1 {
		t.Errorf("%s; %d lines left out, %d withheld", got, d.Read.NotRows, d.Read.WithheldLikes)
	}
}
