package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// relatedSite makes a small built site.
func relatedSite(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"roses":  "roses have thorns and need sharp shears",
		"thorns": "thorns of roses scratch; shears help",
		"shears": "sharp shears cut roses and thorns",
		"404":    "this page does not exist at all",
	} {
		page := "<!doctype html><html><head><title>" + name + "</title></head><body><main>" + text +
			"</main><pmlam-related></pmlam-related></body></html>"
		if err := os.WriteFile(filepath.Join(folder, name+".html"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestRelated(t *testing.T) {
	folder := relatedSite(t)
	r := command("related", folder, "--unlisted")
	if r.code != 0 || !strings.Contains(r.out, "404.html: an error page") || !strings.Contains(r.out, "the lists of 3 are new") {
		t.Errorf("code %d: %s%s", r.code, r.out, r.errors)
	}
	r = command("related", folder, "--json")
	var result struct {
		Pages, Offered, Changed int
		With                    int `json:"with_element"`
	}
	if err := json.Unmarshal([]byte(r.out), &result); r.code != 0 || err != nil {
		t.Fatalf("code %d, %v: %s%s", r.code, err, r.out, r.errors)
	}
	if result.Pages != 4 || result.Offered != 3 || result.With != 4 || result.Changed != 0 {
		t.Errorf("the second run: %+v", result)
	}
	views := filepath.Join(t.TempDir(), "views.csv")
	log := "visitor,page\n"
	for i := range 30 {
		log += fmt.Sprintf("v%d,/roses.html\nv%d,https://site.example/shears.html\n", i, i)
	}
	if err := os.WriteFile(views, []byte(log), 0o644); err != nil {
		t.Fatal(err)
	}
	flags := []string{"related", folder, "--views", views, "--user-column", "visitor", "--item-column", "page"}
	if r = command(flags...); r.code != 0 || !strings.Contains(r.errors, "2 of its 2 addresses are pages") {
		t.Errorf("code %d: %s%s", r.code, r.out, r.errors)
	}
	if page, _ := os.ReadFile(filepath.Join(folder, "roses.html")); !strings.Contains(string(page), ">\n  <li><a href=\"shears.html\"") {
		t.Errorf("views do not count in %s", page)
	}
	lists := filepath.Join(t.TempDir(), "related.json")
	if r = command("related", folder, "--json-file", lists); r.code != 0 {
		t.Errorf("code %d: %s%s", r.code, r.out, r.errors)
	}
	if _, err := os.Stat(lists); err != nil {
		t.Error(err)
	}
}

func TestRelatedErrors(t *testing.T) {
	folder := relatedSite(t)
	for _, c := range []struct {
		want string
		args []string
	}{
		{"takes the folder of a built site", nil},
		{"--number is 0; it must be between 1 and 50", []string{folder, "--number", "0"}},
		{"--json-file and --fragments exclude each other", []string{folder, "--json-file", "a", "--fragments", "b"}},
		{"no such folder; pass the folder that the site generator writes", []string{folder + "gone"}},
		{"holds no .html file; build the site first", []string{t.TempDir()}},
	} {
		if r := command(append([]string{"related"}, c.args...)...); r.code == 0 ||
			!strings.Contains(r.errors, c.want) {
			t.Errorf("%q: code %d, %s, want %s", c.args, r.code, r.errors, c.want)
		}
	}
}
