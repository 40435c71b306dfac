package importer

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
)

type zipEntry struct {
	name, data string
	mode       uint32
}

// packed is a zip of members with the given names, valid or not.
func packed(t testing.TB, members ...zipEntry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: time.Unix(0, 0), ExternalAttrs: m.mode << 16,
			CreatorVersion: 3 << 8}
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write([]byte(m.data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const two = "title,year,rating\nHeat,1995,5\nAlien,1979,3\n"

// hostiles are malicious imports and the output of broken programs, with the error of Read, or the number of entries
// and of bad rows.
func hostiles(t testing.TB) map[string]hostile {
	one := func(title string) string { return "title,rating\n" + title + ",5\n" }
	many := make([]zipEntry, 10_001)
	for i := range many {
		many[i] = zipEntry{name: fmt.Sprintf("%d.txt", i)}
	}
	good := packed(t, zipEntry{"ratings.csv", two, 0})
	end := bytes.LastIndex(good, []byte("PK\x05\x06"))
	patch := func(at int, size int, v uint64) string {
		b := bytes.Clone(good)
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], v)
		copy(b[end+at:], w[:size])
		return string(b)
	}
	return map[string]hostile{
		// Code that would run if anybody executed it.
		"script as a title":         {one("<script>alert(1)</script>"), "", 1, 0},
		"image with a handler":      {one("<img src=x onerror=alert(1)>"), "", 1, 0},
		"address of a script":       {one("javascript:alert(1)"), "", 1, 0},
		"formula":                   {one("=cmd|' /C calc'!A1"), "", 1, 0},
		"template":                  {one("{{constructor.constructor('alert(1)')()}}"), "", 1, 0},
		"prototype as a column":     {"title,rating,__proto__,constructor\nHeat,5,a,b\n", "", 1, 0},
		"SQL":                       {one("'; DROP TABLE films;--"), "", 1, 0},
		"escape sequences":          {one("\x1b]52;c;cm0gLXJmIH4=\x07Heat"), "", 1, 0},
		"turned direction":          {one("invoice\u202egpj.exe"), "", 1, 0},
		"carriage returns":          {"title,rating\n\"a\rb\",5\n", "", 1, 0},
		"line end in a title":       {"title,rating\n\"a\nb\",5\n", "", 1, 0},
		"a path as a title":         {one("../../../../etc/passwd"), "", 1, 0},
		"a title of half a million": {one(strings.Repeat("é", 250_000)), "", 1, 0},
		"combining marks":           {one("Z" + strings.Repeat("\u0301", 5000)), "", 1, 0},

		// Bytes that are not text.
		"NUL in a title":         {one("He\x00at"), NotText.String(), 0, 0},
		"NULs alone":             {strings.Repeat("\x00", 1000), NotText.String(), 0, 0},
		"half a character":       {one("Heat\xe5\x8d"), "", 1, 0},
		"overlong encoding":      {one("\xc0\xaf\xc0\xae"), "", 1, 0},
		"surrogates":             {one("\xed\xa0\x80"), "", 1, 0},
		"UTF-32":                 {"\xff\xfe\x00\x00t\x00\x00\x00", NotText.String(), 0, 0},
		"UTF-16 the other way":   {"\xfe\xff\x00t\x00i", NoTitle.String(), 0, 0},
		"two byte order marks":   {"\xef\xbb\xbf\xef\xbb\xbf" + two, "", 2, 0},
		"a picture":              {"\xff\xd8\xff\xe0\x00\x10JFIF", NotText.String(), 0, 0},
		"a program":              {"\x7fELF\x02\x01\x01\x00", NotText.String(), 0, 0},
		"gzip":                   {"\x1f\x8b\x08\x00\x00\x00\x00\x00", ZipDamaged.String(), 0, 0},
		"a page":                 {"<!doctype html><html><body>title,rating</body></html>\n", NotText.String(), 0, 0},
		"JSON":                   {`{"title":"Heat","rating":5}` + "\n", "", 1, 0},
		"one line of a million":  {strings.Repeat("a", 1_000_000), NoTitle.String(), 0, 0},
		"a million quotes":       {strings.Repeat(`"`, 1_000_001), OpenQuote.String(), 0, 0},
		"a million commas":       {strings.Repeat(",", 1_000_000), TooManyParts.String(), 0, 0},
		"a million line ends":    {strings.Repeat("\n", 1_000_000), Empty.String(), 0, 0},
		"a separator of its own": {"sep=\x1b\ntitle\x1brating\nHeat\x1b5\n", "", 1, 0},
		"a line end to separate": {"sep=\n\ntitle,rating\nHeat,5\n", "", 1, 0},
		"a hundred equal columns": {strings.Repeat("title,", 100) + "rating\n" + strings.Repeat("Heat,", 100) + "5\n",
			"", 1, 0},
		"invalid ratings":          {"title,rating\na,1e999\nb,NaN\nc,-5\nd,0x10\ne,Inf\nf,5\n", "", 6, 0},
		"invalid years":            {"title,year,rating\na,99999999999999999999,5\nb,-1,5\nc,1995.5,5\n", "", 3, 0},
		"the same title 50,000 ×":  {"title,rating\n" + strings.Repeat("Heat,5\n", 50_000), "", 1, 0},
		"rows of ever more fields": {"title,rating\nHeat,5\n" + strings.Repeat("a,b,c,d\n", 1000), "", 1, 1000},

		"JSON of a column a row": {"[" + strings.Repeat(`{"title":"a"},`, 300) + manyKeys(300) +
			strings.Repeat(`,{"k254":1}`, 100_000-500) + "]", "", 1, 1},
		"JSON that is deep":       {strings.Repeat(`[{"a":`, 100_000), NotText.String(), 0, 0},
		"XML that is deep":        {strings.Repeat("<a>", 100_000), NotText.String(), 0, 0},
		"a tag of a million":      {"<a " + strings.Repeat("b=c ", 250_000), NotText.String(), 0, 0},
		"a million entities":      {"<a><b c='" + strings.Repeat("&#39;", 1_000_000) + "'/></a>", NoTitle.String(), 0, 0},
		"HTML of a million cells": {"<table><tr>" + strings.Repeat("<td>", 1_000_000), TooManyParts.String(), 0, 0},
		"a cell far to the right": {"<table><tr><td r='ZZZZZZZZZZ9'>title</table>", TooManyParts.String(), 0, 0},
		"a gzip of 4 GB":          {"\x1f\x8b\x08\x00" + strings.Repeat("\x00", 14) + "\xff\xff\xff\xff", TooLarge.String(), 0, 0},

		// Zips.
		"members that climb out": {string(packed(t, zipEntry{"../../ratings.csv", two, 0},
			zipEntry{"..\\..\\x.csv", two, 0})), ZipWithout.String(), 0, 0},
		"members of a root": {string(packed(t, zipEntry{"/etc/ratings.csv", two, 0},
			zipEntry{"C:\\ratings.csv", two, 0})), "", 2, 0},
		"a name of escape sequences": {string(packed(t, zipEntry{"\x1b[31mratings.csv", two, 0})), "", 2, 0},
		"the same name twice": {string(packed(t, zipEntry{"ratings.csv", two, 0},
			zipEntry{"ratings.csv", one("Up"), 0})), "", 3, 0},
		"a link": {string(packed(t, zipEntry{"ratings.csv", "/etc/passwd", 0o120777})),
			ZipWithout.String(), 0, 0},
		"a zip in a zip": {string(packed(t, zipEntry{"a.zip", string(good), 0})), ZipWithout.String(), 0,
			0},
		"a zip in a zip, called a CSV": {string(packed(t, zipEntry{"a.csv", string(good), 0})), ZipWithout.String(), 0,
			0},
		"10,001 members":           {string(packed(t, many...)), TooManyParts.String(), 0, 0},
		"101 tables":               {string(packed(t, tables(101)...)), TooManyParts.String(), 0, 0},
		"no members":               {string(packed(t)), ZipWithout.String(), 0, 0},
		"the end alone":            {string(good[end:]), ZipDamaged.String(), 0, 0},
		"65,535 members announced": {patch(10, 2, math.MaxUint16), TooManyParts.String(), 0, 0},
		"a directory of 4 GB":      {patch(12, 4, math.MaxUint32), "", 2, 0},
		"a directory past the end": {patch(16, 4, math.MaxUint32-1), ZipDamaged.String(), 0, 0},
		"a directory at 0":         {patch(16, 4, 0), ZipDamaged.String(), 0, 0},
		"bytes before it":          {"MZ a program" + string(good), NotText.String(), 0, 0},
		"bytes after it":           {string(good) + strings.Repeat("x", 100_000), ZipDamaged.String(), 0, 0},
	}
}

type hostile struct {
	data    string
	error   string // expected error; "": none
	entries int
	bad     int
}

// manyKeys is an object of n members.
func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":1`, i)
	}
	return "{" + b.String()[1:] + "}"
}

func tables(n int) (out []zipEntry) {
	for i := range n {
		out = append(out, zipEntry{fmt.Sprintf("%d.csv", i), two, 0})
	}
	return out
}

// TestHostileImports: Read either returns an *Error, or entries with titles of one line and bounded length, shares
// within the scale, and matches with existing items only.
func TestHostileImports(t *testing.T) {
	all := hostiles(t)
	if len(all) < 45 {
		t.Errorf("only %d imports", len(all))
	}
	m, c := matcher(t)
	for name, h := range all {
		l, err := Read([]File{{"f", []byte(h.data)}}, inflate, nil)
		if err != nil {
			if e := AsError(err); e == nil || h.error == "" || !strings.Contains(err.Error(), h.error) ||
				len(err.Error()) > 4*maxText {
				t.Errorf("%s: %v, want %q", name, err, h.error)
			}
			continue
		}
		if h.error != "" || len(l.Entries) != h.entries || l.Bad != h.bad {
			t.Errorf("%s: %d entries, %d bad, want %d, %d %s", name, len(l.Entries), l.Bad, h.entries, h.bad, h.error)
		}
		for i := range l.Entries {
			e := &l.Entries[i]
			if share, ok := l.Share(e); share < 0 || share > 1 || math.IsNaN(float64(share)) || ok && !e.Rated ||
				len(e.Title) > maxText || strings.IndexFunc(e.Title, unicode.IsControl) >= 0 {
				t.Errorf("%s: %+v, %v", name, e, share)
			}
		}
		found, err := m.Match(l, nil)
		if err != nil || len(found) != len(l.Entries) {
			t.Errorf("%s: %d matches, %v", name, len(found), err)
		}
		for _, f := range found {
			if f.Item >= c.Len() {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	t.Logf("%d imports", len(all))
}
