package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/server"
)

// A site with the studio links to it, allows its frame, and does not keep its files for use without a network.
func TestStudioIsPublished(t *testing.T) {
	c := tree(t)
	file := filepath.Join(c.Tree, "studio.html")
	put(t, c.Tree, "studio.html", "<!doctype html><title>Studio</title>")
	c.Copy["studio/index.html"] = file
	report, err := Build(c)
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(c.Out, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	policy := server.PolicyWith(nil, true)
	for _, must := range []string{`<meta name="studio" content="studio/">`, policy} {
		if !strings.Contains(text("index.html"), must) {
			t.Errorf("the page lacks %s", must)
		}
	}
	if worker := report.Of("worker"); len(worker) == 1 && strings.Contains(text(worker[0].Name), "studio/") {
		t.Error("the page's worker keeps the studio")
	}
	h, err := server.New(os.DirFS(c.Out), server.Options{Prefix: "/demo/"})
	if err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{"/demo/studio/": "<title>Studio", "/demo/studio": "", "/demo/other/": "no page"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
		if !strings.Contains(w.Body.String(), want) || !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), policy) {
			t.Errorf("%s: %d, %v\n%s", address, w.Code, w.Header(), w.Body)
		}
		if to := w.Header().Get("Location"); want == "" && (w.Code != http.StatusPermanentRedirect || to != "/demo/studio/") {
			t.Errorf("%s: %d, to %q", address, w.Code, to)
		}
	}
}

// The studio's own page states the policy of its site.
func TestStudioStatesThePolicy(t *testing.T) {
	b, err := os.ReadFile("../../ui/studio/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if want := `<meta http-equiv="Content-Security-Policy" content="` + server.PolicyWith(nil, true) + `">`; !strings.Contains(string(b), want) {
		t.Errorf("ui/studio/index.html lacks %s", want)
	}
}
