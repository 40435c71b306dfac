package people

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for kind, texts := range map[Kind][]string{
		Email: {
			"anna@example.com", "mailto:anna.schmidt+shop@mail.example.co.uk", "Order of anna_b@example.com, thanks",
			"https://x.example/confirm?email=anna@example.com&token=abc", "/unsubscribe/anna%40example.com/",
			"/u/ANNA%40EXAMPLE.COM", "a=anna%2540example.com", "?m=anna%2Eb%40example%2Ecom", "https://anna:pw@host.example/",
			"anna&#64;example.com", "anna&#x40;example&period;com", "jürgen@müller.example", "x@163.com", "a@b.xn--p1ai",
			"<b>o'neil@example.org</b>", "photo@2x.png of anna@example.com", "#anna%40example.com",
		},
		Phone: {
			"+49 170 1234567", "+491701234567", "+1 (555) 555-0100", "+1-202-555-0100", "Call +33 1 23 45 67 89 now",
			"0049 170 1234567", "(0221) 123456", "(555) 555-0100", "555-555-0100", "Tel.: 0221/123456", "?tel=01701234567",
			"?phone=%2B491701234567", "Telefon: 030 1234567", "tel:+49-170-1234567", "call 202.555.0100", "+353 1 234 5678",
			"+49 (0)170 1234567", "?a=%2b49%20170%201234567",
		},
		None: {
			"", "Adaptation.", "S.W.A.T. 99", "1984", "24 (2001)", "Blink-182", "867-5309/Jenny", "1-800-273-8255",
			"2001: A Space Odyssey (1968)", "(500) Days of Summer", "10,000 BC", "3:10 to Yuma", "C++20 and C++23, 2023",
			"978-3-16-148410-0", "9783161484100", "0-306-40615-2", "ISBN 978 3 16 148410 0", "4006381333931",
			"00012345678905", "0049123456789", "EAN 4006381333931", "KET-1114", "0044-1234-5678", "123456789012345",
			"1429525994.1707253798", "1772497570000000", "550e8400-e29b-41d4-a716-446655440000", "192.168.100.200",
			"2024-01-03 02:58:16 +0100", "2026-03-02T12:00:00+02:00", "1.299,00 €", "24.95", "46.90", "1,234,567.89",
			"+5 Strength", "+100 000 000 gold", "Windows 95+98 2000 2003", "U+1F600", "99 Luftballons", "5000000001003",
			"https://cdn.example/files/mug-2076@2x.jpg?v=17491828022", "https://unpkg.example/react@18.2.0/umd/react.js",
			"https://cdn.example/npm/bootstrap@5.3.0-alpha1.min.js", "https://medium.example/@anna.schmidt/a-story",
			"https://maps.example/@48.8566,2.3522,15z", "https://photos.example/12345678@N00/123", "@midnight", "M@rk",
			"live @ the Apollo", "q=a+b+1234567890", "100% cotton & 4006381333931", "?id=4006381333931&page=2",
			"50%40", "Nokia Mobile 3310 2017", "iPhone: 128 256 512", "/p/?id=foo+4917012345678", "90210", "tel aviv 1909 2009",
			"Vol. 1-2-3 1995-2005", "2019-2020-2021", "1:43 (1962) 250 GTO 3223", "(1995) 2005 2006", "800-555-01",
		},
	} {
		for _, text := range texts {
			if got := Find([]byte(text)); got != kind {
				t.Errorf("%q holds %v, found %v", text, kind, got)
			}
			masked := Mask(text)
			if kind == None && masked != text || kind != None && Find([]byte(masked)) != None {
				t.Errorf("%q is masked as %q", text, masked)
			}
		}
	}
}

// No title, genre, id or tag of MovieLens is mistaken for personal data.
func TestFindsNobodyInMovieLens(t *testing.T) {
	const folder = "../../../assets/data/ml-latest-small/"
	cells := 0
	for _, name := range []string{"movies.csv", "links.csv", "tags.csv"} {
		f, err := os.Open(folder + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cells++; Find([]byte(cell)) != None {
					t.Errorf("%s: %q is taken for %v", name, cell, Find([]byte(cell)))
				}
			}
		}
	}
	if cells < 60_000 {
		t.Errorf("only %d cells were read", cells)
	}
}

func TestMask(t *testing.T) {
	for in, want := range map[string]string{
		"#1003,vera.weber566@example.com,paid": "#1003,v…om,paid", "call +49 170 1234567": "call +…67",
		"/u/anna%40example.com": "/…om", "https://x.example/a?token=abc#b": "https://x.example/a?…", "é": "é",
	} {
		if got := Mask(in); got != want {
			t.Errorf("Mask(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestCutURL(t *testing.T) {
	const page = "https://x.example/a/b"
	for tail, cut := range map[string]bool{
		"?email=anna@example.com&token=abc": true, "?e=anna%40example.com": true, "?E=ANNA%40example.com#x": true,
		"#anna@example.com": true, "?token=abc": true, "?access_token=abc": true, "?utm_source=a&reset-token=b": true,
		"?User%5Bemail%5D=x": true, "?order_id=12": true, "?key=wc_order_abc": true, "#sid=12": true, "?tel=0170": true,
		"?p=%2B49+170+1234567":                    true,
		"?utm_source=newsletter&utm_medium=email": false, "?id=12": false, "?key=12": false, "#comments": false, "": false,
		"?order=price": false, "?token=": false, "?fbclid=IwAR1234567890": true, "?v=17491828022": false, "?q=token": false,
	} {
		got, is := CutURL([]byte(page + tail))
		want := page + tail
		if cut {
			want = page
		}
		if string(got) != want || is != cut {
			t.Errorf("CutURL(%q) = %q, %v", page+tail, got, is)
		}
	}
	for text, want := range map[string]string{
		"/a?id=3&fbclid=x1&page=2#top": "/a?id=3&page=2#top", "/a?gclid=1&GCLID=2": "/a", "/a?fbclid=1#top": "/a#top",
		"/a?id=3&fbclidx=1": "/a?id=3&fbclidx=1", "/a?_ga=1.2&x=a&&": "/a?x=a&&",
	} {
		b := []byte(text)
		if got, cut := CutURL(b); string(got) != want || cut != (text != want) || string(b) != text {
			t.Errorf("CutURL(%q) = %q, %v, want %q", text, got, cut, want)
		}
	}
	for _, text := range []string{"Who? anna@example.com", "?email=anna@example.com", "What#token=1"} {
		if got, cut := CutURL([]byte(text)); cut {
			t.Errorf("%q is not a web address, but was cut to %q", text, got)
		}
	}
}

// Masked text is valid UTF-8 if the input was, and holds no personal data.
func FuzzFind(f *testing.F) {
	for _, s := range []string{"anna@example.com", "%", "%4", "&#64;", "+49 170 1234567", "x?email=a", strings.Repeat("@", 99)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if masked := Mask(s); Find([]byte(masked)) != None {
			t.Errorf("%q is masked as %q", s, masked)
		}
		if cut, is := CutURL([]byte(s)); is != (len(cut) < len(s)) {
			t.Errorf("CutURL(%q) = %q, %v", s, cut, is)
		}
	})
}
