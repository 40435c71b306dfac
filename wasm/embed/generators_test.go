//go:build !js && generators

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pmlam/pmlam/wasm/internal/jstest"
)

// Each generator builds this project's documents with the templates of docs/examples/related, and "pmlam related" runs
// after the build. Every page gets its list with links to pages of the site, and a second run changes no byte.
// Chromium shows that Docusaurus, which renders its pages again in the browser, keeps the lists, and shows them on
// pages reached by a click.
func TestGenerators(t *testing.T) {
	bin := t.TempDir()
	run(t, jstest.Root(t), "go", "build", "-o", filepath.Join(bin, "pmlam"), "./core/cmd/pmlam")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, g := range []struct{ name, notes, out, pages, build string }{
		{"hugo", "content/notes", "public", "notes/*/index.html", "hugo && pmlam related public"},
		{"eleventy", "notes", "_site", "notes/*/index.html", "npm run --silent build"},
		{"astro", "notes", "dist", "notes/*/index.html", "npm run --silent build"},
		{"docusaurus", "notes", "build", "*/index.html", "npm run --silent build"},
	} {
		t.Run(g.name, func(t *testing.T) {
			site := t.TempDir()
			if err := os.CopyFS(site, os.DirFS(filepath.Join(jstest.Root(t), "docs/examples/related", g.name))); err != nil {
				t.Fatal(err)
			}
			notes := writeNotes(t, filepath.Join(site, g.notes))
			if g.name != "hugo" {
				run(t, site, "npm", "install", "--silent", "--no-audit", "--no-fund")
			}
			run(t, site, "sh", "-c", g.build)
			out := filepath.Join(site, g.out)
			lists := linksOf(t, out, g.pages)
			if len(lists) != notes {
				t.Errorf("%d pages have a list; want %d", len(lists), notes)
			}
			if said := run(t, site, "pmlam", "related", g.out); !strings.Contains(said, "the lists of 0 are new") {
				t.Errorf("a second run says %q", said)
			}
			if g.name == "docusaurus" {
				visitDocusaurus(t, out, lists)
			}
		})
	}
}

// writeNotes writes this project's documents with their first heading as the title, and returns their number.
func writeNotes(t *testing.T, folder string) int {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(jstest.Root(t), "docs/*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("documents: %d, %v", len(files), err)
	}
	for _, file := range files {
		title, text, _ := strings.Cut(strings.TrimPrefix(string(jstest.ReadFile(t, file)), "# "), "\n")
		text = strings.ReplaceAll(text, "![", "[") // the pictures are not copied
		note := fmt.Sprintf("---\ntitle: %q\n---\n%s", title, text)
		to := filepath.Join(folder, strings.ToLower(filepath.Base(file)))
		if err := os.WriteFile(to, []byte(note), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return len(files)
}

var (
	listOf = regexp.MustCompile(`(?s)<pmlam-related>.*?</pmlam-related>`)
	linkOf = regexp.MustCompile(`href="?([^" >]+)`)
)

// linksOf returns the addresses in each page's list by the page's path, and checks that each is a page of the site.
func linksOf(t *testing.T, out, pages string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(out, pages))
	if err != nil {
		t.Fatal(err)
	}
	lists := map[string]string{}
	for _, file := range files {
		at, _ := filepath.Rel(out, filepath.Dir(file))
		page := "/" + filepath.ToSlash(at) + "/"
		var paths []string
		for _, link := range linkOf.FindAllStringSubmatch(listOf.FindString(string(jstest.ReadFile(t, file))), -1) {
			to := filepath.Join(filepath.Dir(file), link[1])
			if _, err := os.Stat(filepath.Join(to, "index.html")); err != nil {
				t.Errorf("%s links to %s, which is not a page", page, link[1])
			}
			to, _ = filepath.Rel(out, to)
			paths = append(paths, "/"+filepath.ToSlash(to)+"/")
		}
		if len(paths) == 5 {
			lists[page] = strings.Join(paths, " ")
		} else if len(paths) > 0 {
			t.Errorf("%s has %d links; want 5", page, len(paths))
		}
	}
	return lists
}

func visitDocusaurus(t *testing.T, out string, lists map[string]string) {
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	t.Cleanup(server.Close)
	b := &buyer{t, jstest.Chromium(t, 2*time.Minute), nil}
	b.do(chromedp.Navigate(server.URL + "/backup/"))
	const (
		links    = `[...document.querySelectorAll("pmlam-related a")]`
		hydrated = `String(document.documentElement.dataset.hasHydrated)`
	)
	shown := func(page string) {
		t.Helper()
		b.until(links+`.map((a) => a.pathname.replace(/\/?$/, "/")).join(" ")`, lists[page])
	}
	b.until(hydrated, "true")
	shown("/backup/")
	b.says(`(globalThis.stays = true, document.querySelector(".pagination-nav__link--next").click())`)
	b.until(`location.pathname`, "/batch")
	shown("/batch/")
	b.until(`String(globalThis.stays)`, "true") // the page was not loaded again
	next := b.says(links + `[0].pathname`)
	b.says(links + `[0].click()`)
	b.until(`location.pathname + String(globalThis.stays)`, next+"undefined")
	b.until(hydrated, "true")
	shown(next)
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}
