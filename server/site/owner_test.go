package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// owners returns a tree whose page has this element.
func owners(t *testing.T, element string) Config {
	t.Helper()
	c := tree(t)
	b, err := os.ReadFile(c.Tree + "/index.html")
	if err != nil {
		t.Fatal(err)
	}
	put(t, c.Tree, "index.html", strings.Replace(string(b), `<meta charset="utf-8">`, `<meta charset="utf-8">`+element, 1))
	return c
}

// Pictures are allowed from the owner's site only, and the server sends the page's policy.
func TestOwnersPictures(t *testing.T) {
	for element, images := range map[string]string{
		`<meta name="title-pictures" content="https://pictures.example/p/{id}.jpg">`:                           " https://pictures.example",
		`<meta name="title-pictures" content="pictures/{id}.jpg">`:                                             "",
		`<meta name="title-pictures" content="{poster}">`:                                                      "",
		`<meta name="title-links" content="IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id};">`: "",
	} {
		c := owners(t, element)
		mustBuild(t, c)
		policy := strings.Replace(server.MetaPolicy, "blob:", "blob:"+images, 1)
		if page := contents(t, c.Out)["index.html"]; !strings.Contains(page, `content="`+policy+`">`) {
			t.Errorf("with %s the policy lacks %s", element, policy)
		}
		h, err := server.New(os.DirFS(c.Out), server.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if got := w.Header().Get("Content-Security-Policy"); got != policy+"; frame-ancestors 'none'" {
			t.Errorf("with %s the server sends %s", element, got)
		}
	}
}

func TestOwnersMistakes(t *testing.T) {
	for element, want := range map[string]string{
		`<meta name="title-pictures" content="http://pictures.example/{id}.jpg">`:                 "must begin with https:// or be relative",
		`<meta name="title-pictures" content="//pictures.example/{id}.jpg">`:                      "must begin with https:// or be relative",
		`<meta name="title-pictures" content="https://pictures.example; script-src *;/{id}.jpg">`: "must begin with https:// or be relative",
		`<meta name="title-pictures" content="pictures/all.jpg">`:                                 "the same for every title",
		`<meta name="title-links" content="https://shop.example/{id}">`:                           "has no name",
		`<meta name="title-links" content="Shop javascript:buy({id})">`:                           "must begin with https:// or be relative",
		`<meta name="title-links" content="IMDb https://www.imdb.com/{imdbId}; Shop shop.html">`:  "the same for every title",
	} {
		if _, err := Build(owners(t, element)); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "index.html") {
			t.Errorf("%s: got %v, want an error with %q", element, err, want)
		}
	}
}
