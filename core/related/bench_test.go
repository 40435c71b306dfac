package related

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generate writes a site of pages with the words of topics, 20 KB each, and links within the topic.
func generate(b testing.TB, folder string, pages int) {
	b.Helper()
	draw := rand.New(rand.NewPCG(1, 2))
	const topics, words = 200, 30_000
	zipf := rand.NewZipf(draw, 1.2, 8, words-1)
	nav := strings.Repeat(`<li><a href="/about/">About the site and its people</a></li>`, 40)
	for i := range pages {
		topic := i % topics
		word := func() string {
			if draw.IntN(5) == 0 {
				return fmt.Sprintf("topic%dword%d", topic, draw.IntN(60))
			}
			return fmt.Sprintf("word%d", zipf.Uint64())
		}
		var t strings.Builder
		fmt.Fprintf(&t, `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s %s %d</title>
<meta name="description" content="%s %s"><meta property="article:tag" content="topic %d"></head><body><nav>%s</nav><main>
<h1>%[1]s %[2]s %[3]d</h1>`, word(), word(), i, word(), word(), topic, nav)
		for range 40 {
			fmt.Fprintf(&t, "<h2>%s</h2>\n<p class=\"text\">", word())
			for range 45 {
				t.WriteString(word() + " ")
			}
			fmt.Fprintf(&t, "<a href=\"../page-%d/\">%s</a> &amp; more.</p>\n", (topic+topics*draw.IntN(pages/topics+1))%pages, word())
		}
		t.WriteString("</main><pmlam-related></pmlam-related></body></html>")
		name := filepath.Join(folder, fmt.Sprintf("section-%d/page-%d/index.html", topic%20, i))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(t.String()), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSite reads a site of 10,000 pages of 20 KB, ranks it, and writes its elements.
func BenchmarkSite(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		folder := b.TempDir()
		generate(b, folder, 10_000)
		b.StartTimer()
		s, err := Read(b.Context(), folder, Options{})
		if err != nil {
			b.Fatal(err)
		}
		read := b.Elapsed().Seconds()
		lists, err := s.Lists(b.Context(), 5, 0)
		if err != nil {
			b.Fatal(err)
		}
		ranked := b.Elapsed().Seconds()
		r, err := s.WriteElements(b.Context(), lists, 5, 0)
		if err != nil {
			b.Fatal(err)
		}
		if r.Changed != 10_000 {
			b.Fatalf("%d pages changed", r.Changed)
		}
		b.ReportMetric(read, "s-read")
		b.ReportMetric(ranked-read, "s-rank")
		b.ReportMetric(b.Elapsed().Seconds()-ranked, "s-write")
	}
}
