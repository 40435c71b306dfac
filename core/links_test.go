package core_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	fences  = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	spans   = regexp.MustCompile("`[^`]*`")
	links   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	remote  = regexp.MustCompile(`^[a-z]+:`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	named   = regexp.MustCompile(`<a id="([^"]+)">`)
	linked  = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// Every relative link of the documents leads to a file, and every fragment to a heading or a named anchor.
func TestLinksOfDocuments(t *testing.T) {
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "core/lab/*.md", "core/lab/docs/*.md"} {
		pages, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil || len(pages) == 0 {
			t.Fatalf("%s matches %d files: %v", pattern, len(pages), err)
		}
		for _, page := range pages {
			text := spans.ReplaceAllString(fences.ReplaceAllString(readText(t, page), ""), "")
			for _, link := range links.FindAllStringSubmatch(text, -1) {
				path, fragment, _ := strings.Cut(link[1], "#")
				if remote.MatchString(link[1]) {
					continue
				}
				target := page
				if path != "" {
					target = filepath.Join(filepath.Dir(page), path)
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s: %s is missing", page, link[1])
				} else if fragment != "" && strings.HasSuffix(target, ".md") && !anchors(readText(t, target))[fragment] {
					t.Errorf("%s: %s: the page has neither this heading nor this anchor", page, link[1])
				}
			}
		}
	}
}

// anchors returns the fragments of a page as GitHub makes them: of headings, the second of the same name ending in -1,
// and of <a id>.
func anchors(text string) map[string]bool {
	text = fences.ReplaceAllString(text, "")
	found, seen := map[string]bool{}, map[string]int{}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(strings.TrimSpace(linked.ReplaceAllString(h[1], "$1")))
		name = strings.ReplaceAll(dropped.ReplaceAllString(name, ""), " ", "-")
		n := seen[name]
		seen[name]++
		if n > 0 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		found[name] = true
	}
	for _, a := range named.FindAllStringSubmatch(text, -1) {
		found[a[1]] = true
	}
	return found
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
