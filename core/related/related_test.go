package related

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// write makes a site of these files.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func read(t testing.TB, folder string) *Site {
	t.Helper()
	s, err := Read(context.Background(), folder, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *Site) page(t testing.TB, file string) *Page {
	t.Helper()
	for _, p := range s.Pages {
		if p.File == file {
			return p
		}
	}
	t.Fatalf("no page %s", file)
	return nil
}

// page returns a page with a title, a text and an element.
func page(title, text string) string {
	return "<!doctype html><html lang=en><head><title>" + title + "</title></head><body><main><h1>" + title + "</h1><p>" +
		text + "</p></main><pmlam-related></pmlam-related></body></html>"
}

func garden() map[string]string {
	return map[string]string{
		"index.html":                 page("Home", "welcome to the garden of all pages"),
		"posts/roses/index.html":     page("Pruning roses", "cut roses in spring with sharp shears; thorns scratch"),
		"posts/shears/index.html":    page("Sharp shears", "shears cut roses and hedges; sharpen shears in spring"),
		"posts/thorns/index.html":    page("Thorns of roses", "roses have thorns; thorns scratch; cut roses with care"),
		"posts/bread/index.html":     page("Baking bread", "flour, water, yeast and salt make bread in an oven"),
		"posts/sourdough/index.html": page("Sourdough & bread", "flour, water and salt make bread; yeast is wild"),
		"posts/oven/index.html":      page("A hot oven", "an oven bakes bread of flour and yeast"),
	}
}

func TestPageIsReadAsWritten(t *testing.T) {
	s := read(t, write(t, map[string]string{
		"a/b/index.html": `<!DOCTYPE html><html lang="en-GB"><head><title>A | Site</title>
<meta name="description" content="This &amp; that"><meta name="keywords" content="one, two,,One">
<meta property="article:tag" content="three"></head>
<body><nav>navigated <a href="/other.html">x</a></nav><div>outside</div>
<main><h1>The <em>title</em></h1><p>inside caf&eacute; words of the text here</p>
<div data-pmlam-ignore>secret<div>hidden</div></div>
<a href="../../other.html#part">the other page</a> <a rel="tag" href="/t/four">four</a>
<script>var scripted = "<p>scripted</p>"</script></main><footer>footed</footer></body></html>`,
		"other.html": page("Other", "some words that other pages also have"),
	}))
	p := s.page(t, "a/b/index.html")
	if p.Title != "The title" || p.Description != "This & that" || p.Section != "a" || p.Lang != "en" ||
		p.Address != "a/b/" || !reflect.DeepEqual(p.Tags, []string{"one", "two", "three", "four"}) {
		t.Errorf("read %+v", p)
	}
	has := map[uint64]bool{}
	for _, term := range p.Terms {
		has[term.Word] = true
	}
	for word, want := range map[string]bool{"inside": true, "café": true, "title": true, "navigated": false, "secret": false,
		"hidden": false, "scripted": false, "footed": false, "outside": false} {
		if has[hash([]byte(word))] != want {
			t.Errorf("%q is a word of the page: %t, want %t", word, !want, want)
		}
	}
	if len(p.Links) != 1 || s.Pages[p.Links[0].To].File != "other.html" {
		t.Errorf("links %+v", p.Links)
	}
}

func TestAttributes(t *testing.T) {
	s := read(t, write(t, map[string]string{
		"a.html": `<html><body><h1>Heading</h1><div data-pmlam-body data-pmlam-tags="red, green">
<p data-pmlam-title="Own title">the main text is within here</p></div>more</body></html>`,
		"b.html": page("B", "five words or more here"),
	}))
	if p := s.page(t, "a.html"); p.Title != "Own title" || !reflect.DeepEqual(p.Tags, []string{"red", "green"}) {
		t.Errorf("title %q, tags %q", p.Title, p.Tags)
	}
	if p := s.page(t, "b.html"); p.Unlisted == "" {
		t.Error("a page without data-pmlam-body is offered")
	}
}

func TestUnlisted(t *testing.T) {
	text := "<p>five words or more here</p></body></html>"
	s := read(t, write(t, map[string]string{
		"404.html":               page("Gone", "five words or more here"),
		"index.html":             page("Home", "five words or more here"),
		"robots.html":            `<html><head><meta name=robots content="noindex"><title>x</title></head><body>` + text,
		"moved.html":             `<html><head><meta http-equiv=refresh content="0; url=/a"><title>x</title></head><body>` + text,
		"tags/red/index.html":    page("Red", "five words or more here"),
		"copy.html":              `<html><head><link rel=canonical href="/fine.html"><title>x</title></head><body>` + text,
		"all.html":               "<html><body><h1>All</h1>" + strings.Repeat(`<a href="fine.html">one two three</a> `, 20) + "</body></html>",
		"empty.html":             "<html><head><title>x</title></head><body></body></html>",
		"off.html":               "<html data-pmlam-ignore><head><title>x</title></head><body>" + text,
		"fine.html":              page("Fine", "five words or more here"),
		"fragment.html":          "<ul><li>not a page</li></ul>",
		"node_modules/x/a.html":  page("Package", "five words or more here"),
		".hidden/a.html":         page("Hidden", "five words or more here"),
		"docs/search/index.html": page("Search", "five words or more here"),
	}))
	for _, p := range s.Pages {
		if (p.Unlisted == "") != (p.File == "fine.html") {
			t.Errorf("%s: unlisted %q", p.File, p.Unlisted)
		}
	}
	if len(s.Pages) != 11 || len(s.Skipped) != 1 {
		t.Errorf("%d pages, skipped %v", len(s.Pages), s.Skipped)
	}
}

func TestListsAndElements(t *testing.T) {
	files := garden()
	files["plain.html"] = strings.Replace(page("Plain", "bread without an element"), "<pmlam-related></pmlam-related>", "", 1)
	folder := write(t, files)
	run := func() *Report {
		s := read(t, folder)
		lists, err := s.Lists(t.Context(), 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		one, err := s.Lists(t.Context(), 2, 1)
		if err != nil || !reflect.DeepEqual(one, lists) {
			t.Error("the lists depend on the number of workers")
		}
		r, err := s.WriteElements(t.Context(), lists, 2, 0)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	text := func(name string) string {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if r := run(); r.With != 7 || r.Changed != 7 || len(r.Left) > 0 {
		t.Errorf("the first run: %+v", r)
	}
	roses := text("posts/roses/index.html")
	for _, want := range []string{`<a href="../thorns/">Thorns of roses</a>`, `<a href="../shears/">Sharp shears</a>`} {
		if !strings.Contains(roses, want) {
			t.Errorf("%s is not in\n%s", want, roses)
		}
	}
	if bread := text("posts/bread/index.html"); !strings.Contains(bread, ">Sourdough &amp; bread</a>") {
		t.Errorf("the title is not escaped in\n%s", bread)
	}
	if text("plain.html") != files["plain.html"] {
		t.Error("a page without the element has changed")
	}
	if r := run(); r.Changed != 0 {
		t.Errorf("the second run changed %d pages", r.Changed)
	}

	// A title changes: lists follow. A list edited by hand stays.
	edited := strings.Replace(roses, "Thorns of roses</a>", "Edited</a>", 1)
	os.WriteFile(filepath.Join(folder, "posts/roses/index.html"), []byte(edited), 0o644)
	os.WriteFile(filepath.Join(folder, "posts/thorns/index.html"),
		[]byte(strings.ReplaceAll(text("posts/thorns/index.html"), "Thorns of roses", "Prickly roses")), 0o644)
	if r := run(); len(r.Left) != 1 || r.Left[0].File != "posts/roses/index.html" || r.Changed == 0 {
		t.Errorf("after the edit: %+v", r)
	}
	if text("posts/roses/index.html") != edited {
		t.Error("a list edited by hand was replaced")
	}
	if !strings.Contains(text("posts/shears/index.html"), "Prickly roses") {
		t.Error("a list did not follow the page's new title")
	}
}

func TestFillKeepsOtherContent(t *testing.T) {
	list := func(int) string { return "<ul>é</ul>" }
	for in, want := range map[string]string{
		"<p>a</p><PMLAM-Related number=3>\n<h2>See also</h2></pmlam-related>": "<p>a</p><PMLAM-Related number=3>\n<h2>See also</h2>@</pmlam-related>",
		"<!-- <pmlam-related></pmlam-related> -->":                            "<!-- <pmlam-related></pmlam-related> -->",
		"<script>'<pmlam-related></pmlam-related>'</script>":                  "<script>'<pmlam-related></pmlam-related>'</script>",
		"<pmlam-related></pmlam-related>\xff":                                 "<pmlam-related>&#233;</pmlam-related>\xff",
	} {
		out, _, err := fill([]byte(in), list)
		if err != nil {
			t.Fatal(err)
		}
		got := string(out)
		if strings.HasSuffix(want, "\xff") {
			if !strings.Contains(got, "<ul>&#233;</ul>") || strings.Contains(got, "é") {
				t.Errorf("in another encoding: %q", got)
			}
			continue
		}
		sum := markBegin + checksum([]byte("<ul>é</ul>")) + markClose + "<ul>é</ul>" + markEnd
		if want = strings.ReplaceAll(want, "@", sum); got != want {
			t.Errorf("%q became %q", in, got)
		}
		if again, _, err := fill(out, list); err != nil || string(again) != got {
			t.Errorf("a second run made %q of %q: %v", again, got, err)
		}
	}
	for _, in := range []string{"<pmlam-related>", "<pmlam-related/>", "<pmlam-related><pmlam-related></pmlam-related>",
		"<pmlam-related><!-- pmlam-related 0123456789abcdef -->x<!-- /pmlam-related --></pmlam-related>",
		"<pmlam-related><!-- pmlam-related </pmlam-related>"} {
		if out, _, err := fill([]byte(in), list); err == nil || string(out) != in {
			t.Errorf("%q became %q without an error", in, out)
		}
	}
}

func TestSymbolicLinksAreNotFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs symbolic links")
	}
	outside := write(t, map[string]string{"secret.html": page("Secret", "roses and thorns in spring"), "d/x.html": page("X", "x")})
	folder := write(t, garden())
	os.Symlink(filepath.Join(outside, "secret.html"), filepath.Join(folder, "secret.html"))
	os.Symlink(filepath.Join(outside, "d"), filepath.Join(folder, "d"))
	os.Symlink(folder, filepath.Join(folder, "loop"))
	through := filepath.Join(t.TempDir(), "public")
	os.Symlink(folder, through)
	if s := read(t, through); len(s.Pages) != 7 {
		t.Errorf("read %d pages", len(s.Pages))
	}
}

func TestStyleOfLinks(t *testing.T) {
	for _, c := range []struct{ head, href, want string }{
		{"", "../bread/", "../oven/"},
		{"", "../bread/index.html", "../oven/index.html"},
		{`<base href="/">`, "posts/bread/", "posts/oven/"},
	} {
		files := garden()
		for name, text := range files {
			if strings.HasPrefix(name, "posts/") {
				text = strings.Replace(text, "<head>", "<head>"+c.head, 1)
				files[name] = strings.Replace(text, "</p>", `<a href="`+c.href+`">b</a></p>`, 1)
			}
		}
		s := read(t, write(t, files))
		from, to := s.byAddress["posts/roses/"], s.byAddress["posts/oven/"]
		if got := s.Link(from, to); got != c.want {
			t.Errorf("%s: link %q, want %q", c.href, got, c.want)
		}
	}
}

func TestLanguagesStayApart(t *testing.T) {
	files := garden()
	for name, text := range garden() {
		files["de/"+name] = strings.Replace(text, "lang=en", "lang=de-AT", 1)
	}
	s := read(t, write(t, files))
	lists, err := s.Lists(t.Context(), 5, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, list := range lists {
		for _, l := range list {
			if s.Pages[l.Page].Lang != s.Pages[i].Lang {
				t.Errorf("%s lists %s", s.Pages[i].File, s.Pages[l.Page].File)
			}
		}
	}
}

func TestFilesAndFragments(t *testing.T) {
	s := read(t, write(t, garden()))
	lists, err := s.Lists(t.Context(), 2, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	name := filepath.Join(out, "related.json")
	for range 2 {
		if err := s.WriteFile(name, lists); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(name); !strings.Contains(string(b), `"posts/roses/":[{"address":"posts/`) {
		t.Errorf("wrote %s", b)
	}
	os.WriteFile(name, []byte(`{"name": "package"}`), 0o644)
	if err := s.WriteFile(name, lists); err == nil {
		t.Error("a file of somebody else was replaced")
	}
	folder := filepath.Join(out, "fragments")
	for range 2 {
		if _, err := s.WriteFragments(t.Context(), folder, lists, 0); err != nil {
			t.Fatal(err)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(folder, "posts/roses/index.html")); !strings.Contains(string(b), `href="../thorns/"`) {
		t.Errorf("wrote %s", b)
	}
	if _, err := s.WriteFragments(t.Context(), s.Folder, lists, 0); err == nil {
		t.Error("fragments replaced the site")
	}
}

func TestErrors(t *testing.T) {
	for folder, want := range map[string]string{
		filepath.Join(t.TempDir(), "gone"):                        "no such folder",
		t.TempDir():                                               "holds no .html file",
		write(t, map[string]string{"a.html": "<p>x"}):             "none is a page",
		filepath.Join(write(t, map[string]string{"a": "x"}), "a"): "is a file",
	} {
		if _, err := Read(t.Context(), folder, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

var hostile = []string{
	page("Title", "text"),
	"<html><div data-pmlam-ignore><p data-pmlam-body><main><nav><a href=x><h1><title>",
	"<html lang='" + strings.Repeat("x", 10_000) + "'><a href='" + strings.Repeat("../", 5_000) + "'>x</a>",
	"<html>" + strings.Repeat("<nav>", 2_000) + "</nav>" + strings.Repeat("<main data-pmlam-body>", 2_000),
	"<html><a" + strings.Repeat(" a=b", 5_000) + " href=x>y</a><base href='%zz'><link rel=canonical href=':'>",
	"\xff\xfe<\x00h\x00t\x00m\x00l\x00>\x00",
	"<html><meta charset=iso-8859-1><title>caf\xe9</title><pmlam-related></pmlam-related>",
	"<html><meta charset=shift_jis><title>\x93\xfa\x96\x7b</title>",
	"<title>日本語の文章です</title><plaintext><pmlam-related></pmlam-related>",
	"<html><p>" + strings.Repeat("é", 5_000) + "</p><!-- <pmlam-related> --!> <pmlam-related>",
	"<html><svg><title>x</title><style><!--</style><pmlam-related>a<!-- pmlam-related 0000000000000000 --></pmlam-related>",
}

func FuzzPage(f *testing.F) {
	for _, text := range hostile {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		if p := readPage("a/b.html", content); p != nil {
			if len(p.Title) > maxTitle+4 || len(p.Description) > maxDescribe+4 || len(p.Tags) > maxTags ||
				len(p.Links) > maxLinks || len(p.Terms) > maxTerms {
				t.Fatalf("a bound is exceeded: %+v", p)
			}
			other := readPage("c/index.html", []byte(page("<b>\"Other\"", "text")))
			s := &Site{Pages: []*Page{p, other}}
			s.connect()
			s.Lists(t.Context(), 5, 1)
			list := s.HTML(0, []Listed{{Page: 1}}) + s.HTML(1, []Listed{{Page: 0}})
			if strings.Count(list, "<li>") != 2 || strings.Count(list, "<a href=") != 2 {
				t.Fatalf("a text is not escaped in %q", list)
			}
		}
		list := func(int) string { return "<ul><li>é &amp;</li></ul>" }
		once, _, err := fill(content, list)
		if err != nil {
			return
		}
		twice, _, err := fill(once, list)
		if err != nil || string(twice) != string(once) {
			t.Fatalf("a second run makes %q of %q (%v)", twice, once, err)
		}
		none, _, err := fill(once, func(int) string { return "" })
		if err != nil || len(none) > len(content) {
			t.Fatalf("the list of %q is not removed: %q (%v)", once, none, err)
		}
	})
}
