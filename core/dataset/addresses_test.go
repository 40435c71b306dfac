package dataset

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPageID(t *testing.T) {
	for address, want := range map[string]string{
		"https://www.Slow.example/bread/rye/":                       "https://slow.example/bread/rye",
		"http://slow.example:80/bread/rye":                          "https://slow.example/bread/rye",
		"//slow.example/bread/rye#comments":                         "https://slow.example/bread/rye",
		"https://slow.example/bread/rye/?utm_source=a&fbclid=b":     "https://slow.example/bread/rye",
		"https://slow.example/bread/rye/index.html":                 "https://slow.example/bread/rye",
		"https://slow.example/bread/rye/index.php?utm_medium=x#top": "https://slow.example/bread/rye",
		"https://slow.example//bread///rye/amp/":                    "https://slow.example/bread/rye",
		"https://slow.example/bread/rye;jsessionid=12AB?x=1":        "https://slow.example/bread/rye",
		"https://slow.example/br%C3%B6tchen":                        "https://slow.example/brötchen",
		"https://slow.example/Bread/Rye":                            "https://slow.example/Bread/Rye", // a path minds case
		"https://slow.example/a%2Fb":                                "https://slow.example/a%2Fb",
		"https://shop.example/product.php?ref=home&id=12&page=3":    "https://shop.example/product.php?id=12",
		"https://shop.example/watch?v=abC&t=3s":                     "https://shop.example/watch?v=abC",
		"https://blog.example/?p=12":                                "https://blog.example?p=12",
		"https://blog.example/list?p=12":                            "https://blog.example/list",
		"https://app.example/#/recipes/12/":                         "https://app.example#/recipes/12",
		"https://slow.example":                                      "https://slow.example",
		"https://slow.example/?lang=de":                             "https://slow.example",
		"www.slow.example/x":                                        "https://slow.example/x",
		"/bread/rye/?ref=home":                                      "/bread/rye",
		"/":                                                         "/",
		"/index.html":                                               "/",
		"SKU-12":                                                    "SKU-12",
		"a b":                                                       "a b",
	} {
		if got := string(pageID([]byte(address))); got != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
		if again := string(pageID([]byte(want))); again != want {
			t.Errorf("%s becomes %s", want, again)
		}
	}
}

func TestIsList(t *testing.T) {
	for path, want := range map[string]bool{
		"": true, "/": true, "/page/2": true, "/blog/page/12": true, "/tags/guide": true, "/category/shoes": true,
		"/search": true, "/about": true, "/de": true, "/en-gb": true, "/wp-admin/post.php": true, "/cart": true,
		"/author/ada-k": true, "/newsletter/confirm": true, "/newsletter": true, "/agb.html": true,
		"/bread/rye": false, "/2024/05/on-tags": false, "/products/pan-1": false, "/category/shoes/runner-12": false,
		"/p/12": false, "?p=12": false, "/searching-for-bread": false,
	} {
		if isList(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
}

// readVisits reads a log with a column visitor and the columns of the header, and a catalogue if there is one.
func readVisits(t *testing.T, log, items string, o Options) *Dataset {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"log.csv": log, "articles.csv": items} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if items != "" {
		o.Items = filepath.Join(folder, "articles.csv")
	}
	o.MinUser, o.MinItem = -1, -1
	d, err := Load(filepath.Join(folder, "log.csv"), o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// One page is one item, with the id that the catalogue has for it, whichever of both has hosts; other pages are left
// out.
func TestPagesOfLogs(t *testing.T) {
	whole := "https://www.slow.example/bread/rye/|http://slow.example/bread/rye?utm_source=x|https://slow.example/bread/oat/|" +
		"https://slow.example/|https://slow.example/page/2/|https://slow.example/about"
	paths := "/bread/rye/|/bread/rye?utm_source=x|/bread/oat/|/|/page/2/|/about"
	for name, c := range map[string]struct{ column, visits, items, ids string }{
		"whole in both":  {"page_location", whole, "url,title\nhttps://www.slow.example/bread/rye/,Rye\nhttps://www.slow.example/bread/oat/,Oat\n", "https://www.slow.example/bread/rye/ https://www.slow.example/bread/oat/"},
		"paths in one":   {"page_location", whole, "page,title\n/bread/rye/,Rye\n/bread/oat/,Oat\n", "/bread/rye/ /bread/oat/"},
		"paths in other": {"path", paths, "link,title\nhttps://www.slow.example/bread/rye/,Rye\nhttps://www.slow.example/bread/oat/,Oat\n", "https://www.slow.example/bread/rye/ https://www.slow.example/bread/oat/"},
		"paths in both":  {"page", paths, "page,title\n/bread/rye/,Rye\n/bread/oat/,Oat\n", "/bread/rye/ /bread/oat/"},
		"no catalogue":   {"url", whole, "", "https://slow.example/bread/rye https://slow.example/bread/oat"},
		"nor hosts":      {"request_uri", paths, "", "/bread/rye /bread/oat"},
	} {
		log := "visitor," + c.column + "\n"
		for i, v := range strings.Split(c.visits, "|") {
			log += fmt.Sprintf("v%d,%s\n", i%2, v)
		}
		d := readVisits(t, log, c.items, Options{})
		if got := strings.Join(d.Items.Strings(), " "); got != c.ids || d.Read.Addresses != 6 || d.Read.Pages != 5 ||
			d.Read.OtherLikes != 3 || c.items != "" && d.Catalogue.Items[0].Title != "Rye" {
			t.Errorf("%s: %s, %+v, %q; want %s", name, got, d.Read.PageReport, d.Catalogue.Items[0].Title, c.ids)
		}
	}
}

// Of GA4's events only the views of pages count, and of a server's log what was got.
func TestVisitsOfLogs(t *testing.T) {
	ga4 := "event_timestamp,event_name,user_pseudo_id,page_location,page_title\n"
	for i, name := range []string{"page_view", "scroll", "click", "page_view", "user_engagement", "frobnicated"} {
		ga4 += fmt.Sprintf("177249757%d000000,%s,v%d,https://a.example/x/%d?s=%d,Page %[4]d – The A\n", i, name, i%2, i%3, i)
	}
	d := readVisits(t, ga4, "", Options{})
	if d.Read.Kept != 2 || d.Read.Excluded() != 4 || d.Catalogue.Items[0].Title != "Page 0" && d.Items.Len() > 2 {
		t.Errorf("%d views, %+v", d.Read.Kept, d.Read.LeftOut)
	}
	server := "user_id,method,path,status\n1,GET,/a/1,200\n1,GET,/a/2,404\n2,POST,/a/1,200\n2,GET,/a/1/,304\n2,GET,/a/2,302\n"
	if d = readVisits(t, server, "", Options{}); d.Read.Kept != 2 || d.Items.Len() != 1 {
		t.Errorf("%d views of %q, %+v", d.Read.Kept, d.Items.Strings(), d.Read.LeftOut)
	}
}
