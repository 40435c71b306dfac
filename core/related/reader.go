package related

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// Field is a part of a page that words come from.
type Field int

const (
	Body Field = iota
	Heading
	Title
	Tag
	Description
	Path
	Anchor // texts of links from other pages to this one
	Fields
)

// Term counts one word of a page, by field.
type Term struct {
	Word   uint64 // its hash
	Counts [Fields]uint16
}

// Link is a link from the main text of a page.
type Link struct {
	To    int      // index of the page
	Words []uint64 // hashes of its text, which Body counts too
	href  string
}

// Page is one page of a site.
type Page struct {
	File        string // slash-separated path within the folder
	Address     string // the same without index.html, so "" for the home page
	Title       string
	Description string
	Section     string // the first folder of the path
	Lang        string // primary language in lower case, "" if the page does not say
	Tags        []string
	Unlisted    string // why lists do not offer it, "" if they do
	Terms       []Term // by Word
	Links       []Link

	canonical, base string // addresses as written; "": none
	marked          bool   // has data-pmlam-body
	element         bool   // may have a <pmlam-related> element
	words, linked   int    // number of words of the main text, and of those in links
}

// kind says how text within an element is read.
type kind uint8

const (
	ignored  kind = iota // not at all
	main                 // as main text: <main>, role=main
	body                 // as main text: data-pmlam-body
	heading              // as main text of more weight
	title                // as the page's title
	ownTitle             // data-pmlam-title
	h1                   // the first one is a title too
	anchor               // of a link
	tag                  // of a tag, rel=tag
)

// region is an open element that changes how text is read.
type region struct {
	kind kind
	name string
	open int // elements of this name that are open within it, itself included
	from int // where its text begins in reader.text
}

// reader reads one page.
type reader struct {
	page    *Page
	regions []region
	has     [tag + 1]int     // regions of each kind
	text    []byte           // text of the open title, anchor or tag
	terms   map[uint64]int32 // by word: index in page.Terms
	words   int
	inMain  bool // main text begins at <main>: text before it does not count
	inBody  bool

	title, ogTitle, h1, own     string
	href                        string // of the open link
	anchors                     []uint64
	structure, noindex, refresh bool
}

// readPage reads a page. It returns nil if the bytes are not a page: a fragment without <html>, <body> or <title>.
func readPage(file string, content []byte) *Page {
	r := reader{page: &Page{File: file, Address: addressOf(file)}, terms: make(map[uint64]int32, 256)}
	r.page.element = hasElement(content)
	z := html.NewTokenizer(bytes.NewReader(decode(content)))
	for {
		switch z.Next() {
		case html.ErrorToken: // the end: a reader of bytes has no other errors
			return r.finish()
		case html.TextToken:
			r.read(z.Raw(), z)
		case html.StartTagToken:
			r.start(z, false)
		case html.SelfClosingTagToken:
			r.start(z, true)
		case html.EndTagToken:
			name, _ := z.TagName()
			r.end(string(name))
		}
	}
}

// decode returns the content in UTF-8. A page in another encoding says so, or is taken for Windows-1252 as in browsers.
func decode(content []byte) []byte {
	utf16 := bytes.HasPrefix(content, []byte("\xff\xfe")) || bytes.HasPrefix(content, []byte("\xfe\xff"))
	if !utf16 && utf8.Valid(content) {
		return content
	}
	e, _, _ := charset.DetermineEncoding(content[:min(len(content), 1024)], "text/html")
	if text, err := e.NewDecoder().Bytes(content); err == nil {
		return text
	}
	return bytes.ToValidUTF8(content, []byte("\uFFFD"))
}

func addressOf(file string) string {
	if file == "index.html" || strings.HasSuffix(file, "/index.html") {
		return strings.TrimSuffix(file, "index.html")
	}
	return file
}

// apart are elements whose text is not a page's own.
var apart = map[atom.Atom]bool{atom.Nav: true, atom.Header: true, atom.Footer: true, atom.Aside: true, atom.Form: true,
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Iframe: true,
	atom.Button: true, atom.Select: true, atom.Label: true, atom.Math: true, atom.Textarea: true, atom.Noframes: true,
	atom.Noembed: true, atom.Xmp: true, atom.Object: true}

var apartRoles = map[string]bool{"navigation": true, "banner": true, "contentinfo": true, "search": true,
	"complementary": true}

var void = map[atom.Atom]bool{atom.Area: true, atom.Base: true, atom.Br: true, atom.Col: true, atom.Embed: true,
	atom.Hr: true, atom.Img: true, atom.Input: true, atom.Link: true, atom.Meta: true, atom.Source: true,
	atom.Track: true, atom.Wbr: true}

// start handles a start tag.
func (r *reader) start(z *html.Tokenizer, closed bool) {
	raw, more := z.TagName()
	at := atom.Lookup(raw)
	name := at.String()
	if at == 0 {
		name = string(raw)
	}
	var attrs struct{ href, rel, content, name, property, equiv, lang, role, typ string }
	var skip, isBody, isTitle, hasTags bool
	var tags string
	for n := 0; more && n < maxAttr; n++ {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch string(key) {
		case "href":
			attrs.href = string(value)
		case "rel":
			attrs.rel = string(value)
		case "content":
			attrs.content = string(value)
		case "name":
			attrs.name = strings.ToLower(string(value))
		case "property":
			attrs.property = strings.ToLower(string(value))
		case "http-equiv":
			attrs.equiv = strings.ToLower(string(value))
		case "lang":
			attrs.lang = string(value)
		case "role":
			attrs.role = strings.ToLower(string(value))
		case "data-pmlam-ignore", "data-pagefind-ignore":
			skip = true
		case "data-pmlam-body", "data-pagefind-body":
			isBody = true
		case "data-pmlam-title":
			isTitle = true
			if len(value) > 0 && r.own == "" {
				r.own = clean(value, maxTitle)
			}
		case "data-pmlam-tags":
			tags, hasTags = string(value), true
		}
	}
	if hasTags {
		r.addTags(tags)
	}
	switch at {
	case atom.Html:
		r.structure = true
		if r.page.Lang == "" {
			r.page.Lang = language(attrs.lang)
		}
	case atom.Body:
		r.structure = true
	case atom.Head:
		r.structure = true
		return
	case atom.Base:
		if r.page.base == "" {
			r.page.base = attrs.href
		}
	case atom.Meta:
		r.meta(attrs.name, attrs.property, attrs.equiv, attrs.content)
	case atom.Link:
		if r.page.canonical == "" && hasToken(attrs.rel, "canonical") {
			r.page.canonical = attrs.href
		}
	}
	if void[at] || closed && (at == 0 || r.has[ignored] > 0) {
		return
	}
	if at == atom.P || at == atom.Li || at == atom.Td || at == atom.Tr || at == atom.Dd || at == atom.Dt {
		r.closeOptional(name)
	}
	pushed := false
	push := func(k kind) {
		if len(r.regions) < maxRegions {
			r.regions, pushed = append(r.regions, region{k, name, 1, len(r.text)}), true
			r.has[k]++
		}
	}
	switch {
	case skip && (at == atom.Html || at == atom.Body):
		r.page.Unlisted = "data-pmlam-ignore"
	case skip || apart[at] && !(at == atom.Header && r.has[main]+r.has[body] > 0) || apartRoles[attrs.role] ||
		name == "pmlam-related":
		push(ignored)
	case r.has[ignored] > 0:
	case isBody:
		r.restart(&r.inBody)
		r.page.marked = true
		push(body)
	case at == atom.Main || attrs.role == "main":
		if !r.inBody {
			r.restart(&r.inMain)
		}
		push(main)
	case isTitle:
		push(ownTitle)
	case at == atom.Title && r.title == "":
		r.structure = true
		push(title)
	case at == atom.H1:
		push(h1)
	case at == atom.H2 || at == atom.H3 || at == atom.H4:
		push(heading)
	case at == atom.A:
		r.close(anchor) // links do not nest
		if hasToken(attrs.rel, "tag") {
			push(tag)
		} else if attrs.href != "" {
			r.href, r.anchors = attrs.href, nil
			push(anchor)
		}
	}
	for i := len(r.regions) - 1; !pushed && i >= 0; i-- {
		if r.regions[i].name == name {
			r.regions[i].open++
			break
		}
	}
}

// restart drops the main text that was read before the first element that holds the main text.
func (r *reader) restart(begun *bool) {
	if *begun {
		return
	}
	*begun = true
	clear(r.terms)
	r.page.Terms = r.page.Terms[:0]
	r.words, r.page.words, r.page.linked, r.page.Links, r.h1 = 0, 0, 0, nil, ""
}

// end handles an end tag: it closes the innermost open region of this name, and regions within it that lack an end tag.
func (r *reader) end(name string) {
	for i := len(r.regions) - 1; i >= 0; i-- {
		if r.regions[i].name != name {
			continue
		}
		if r.regions[i].open--; r.regions[i].open == 0 {
			r.cut(i)
		}
		return
	}
}

// closeOptional closes a region whose end tag may be left out.
func (r *reader) closeOptional(name string) {
	if n := len(r.regions); n > 0 && r.regions[n-1].name == name && r.regions[n-1].open == 1 {
		r.cut(n - 1)
	}
}

// close closes the innermost region of a kind.
func (r *reader) close(k kind) {
	for i := len(r.regions) - 1; r.has[k] > 0 && i >= 0; i-- {
		if r.regions[i].kind == k {
			r.cut(i)
			return
		}
	}
}

// cut closes the regions from number i on.
func (r *reader) cut(i int) {
	for n := len(r.regions) - 1; n >= i; n-- {
		g := r.regions[n]
		text := r.text[min(g.from, len(r.text)):]
		r.regions = r.regions[:n]
		r.has[g.kind]--
		switch g.kind {
		case title:
			r.title = clean(text, maxTitle)
		case ownTitle:
			if r.own == "" {
				r.own = clean(text, maxTitle)
			}
		case h1:
			if r.h1 == "" {
				r.h1 = clean(text, maxTitle)
			}
		case tag:
			r.addTags(clean(text, maxTitle))
		case anchor:
			if len(r.page.Links) < maxLinks {
				r.page.Links = append(r.page.Links, Link{To: -1, Words: r.anchors, href: r.href})
			}
			r.anchors = nil
		}
		if r.has[title]+r.has[ownTitle]+r.has[h1]+r.has[tag] == 0 {
			r.text = r.text[:0]
		}
	}
}

// read handles text. raw is its source, which is decoded only where it counts.
func (r *reader) read(raw []byte, z *html.Tokenizer) {
	if r.has[ignored] > 0 || len(raw) == 0 {
		return
	}
	text := raw
	if bytes.IndexByte(raw, '&') >= 0 {
		text = z.Text()
	}
	if r.has[title]+r.has[ownTitle]+r.has[h1]+r.has[tag] > 0 && len(r.text) < 4*maxTitle {
		r.text = append(append(r.text, text[:min(len(text), 4*maxTitle)]...), ' ')
	}
	if r.has[title] > 0 || r.inBody && r.has[body] == 0 || r.inMain && !r.inBody && r.has[main] == 0 {
		return
	}
	field := Body
	if r.has[heading]+r.has[h1] > 0 {
		field = Heading
	}
	linked := r.has[anchor] > 0
	eachWord(text, func(word uint64) bool {
		if r.words++; r.words > maxWords {
			return false
		}
		r.count(word, field)
		r.page.words++
		if linked {
			r.page.linked++
			if len(r.anchors) < 32 {
				r.anchors = append(r.anchors, word)
			}
		}
		return true
	})
}

// count adds a word to a field.
func (r *reader) count(word uint64, f Field) {
	at, ok := r.terms[word]
	if !ok {
		if len(r.terms) >= maxTerms {
			return
		}
		at = int32(len(r.page.Terms))
		r.terms[word] = at
		r.page.Terms = append(r.page.Terms, Term{Word: word})
	}
	c := &r.page.Terms[at].Counts
	if c[f] < 1<<16-1 {
		c[f]++
	}
}

// meta handles a <meta> element.
func (r *reader) meta(name, property, equiv, content string) {
	p := r.page
	switch {
	case name == "description" || property == "og:description" && p.Description == "":
		p.Description = clean([]byte(content), maxDescribe)
	case name == "keywords" || property == "article:tag":
		r.addTags(content)
	case property == "og:title":
		r.ogTitle = clean([]byte(content), maxTitle)
	case name == "robots":
		content = strings.ToLower(content)
		r.noindex = r.noindex || strings.Contains(content, "noindex") || strings.Contains(content, "none")
	case equiv == "refresh":
		r.refresh = r.refresh || strings.Contains(strings.ToLower(content), "url")
	case equiv == "content-language" && p.Lang == "":
		p.Lang = language(content)
	}
}

func (r *reader) addTags(list string) {
	for t := range strings.SplitSeq(list, ",") {
		t = clean([]byte(t), maxTitle)
		if t == "" || len(r.page.Tags) >= maxTags {
			continue
		}
		if !slices.ContainsFunc(r.page.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			r.page.Tags = append(r.page.Tags, t)
		}
	}
}

// finish returns the page, nil if the file was not one.
func (r *reader) finish() *Page {
	r.cut(0)
	if !r.structure {
		return nil
	}
	p := r.page
	p.Title = cmp.Or(r.own, r.h1, r.ogTitle, r.title)
	switch {
	case p.Unlisted != "":
	case r.noindex:
		p.Unlisted = "noindex"
	case r.refresh:
		p.Unlisted = "redirect"
	case p.Title == "":
		p.Unlisted = "without a title"
	default:
		p.Unlisted = unlistedPath(p.File)
	}
	if p.Unlisted == "" && (p.words < 5 || len(p.Links) >= 10 && 10*p.linked > 7*p.words) {
		p.Unlisted = "a listing" // or an empty page
		if p.words < 5 {
			p.Unlisted = "without text"
		}
	}
	fields := []struct {
		field Field
		text  string
	}{{Title, p.Title}, {Description, p.Description}, {Tag, strings.Join(p.Tags, " ")},
		{Path, strings.TrimSuffix(strings.TrimSuffix(p.File, "index.html"), ".html")}}
	for _, f := range fields {
		eachWord([]byte(f.text), func(word uint64) bool {
			r.count(word, f.field)
			return true
		})
	}
	if folder, _, ok := strings.Cut(p.Address, "/"); ok {
		p.Section = folder
	}
	slices.SortFunc(p.Terms, func(a, b Term) int { return cmp.Compare(a.Word, b.Word) })
	return p
}

// listings are names of folders and files that hold lists of pages, in the defaults of common generators.
var listings = map[string]bool{"tags": true, "tag": true, "categories": true, "category": true, "page": true,
	"author": true, "authors": true, "archive": true, "archives": true, "genindex": true, "search": true,
	"sitemap": true, "py-modindex": true, "toc": true}

// unlistedPath returns why lists should not offer a page with this path, "" if they may.
func unlistedPath(file string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(file), "index.html"), ".html")
	name = strings.TrimSuffix(name, "/")
	if name == "" {
		return "the home page"
	}
	parts := strings.Split(name, "/")
	switch last := parts[len(parts)-1]; {
	case last == "404" || last == "500" || last == "not_found":
		return "an error page"
	case listings[last] || strings.HasPrefix(last, "genindex-"):
		return "a listing"
	}
	if n := len(parts); n > 1 && listings[parts[n-2]] && strings.HasSuffix(file, "/index.html") {
		return "a listing"
	}
	return ""
}

// hasToken reports whether a list of words holds one, in any case.
func hasToken(list, word string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(w string) bool { return strings.EqualFold(w, word) })
}

// language returns the primary language of a tag such as en-GB, "" if it is not one.
func language(tag string) string {
	tag, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(tag), "_", "-"), "-")
	if len(tag) < 2 || len(tag) > 8 {
		return ""
	}
	return strings.ToLower(tag)
}

// clean returns text of at most most bytes with single blanks.
func clean(text []byte, most int) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(string(text), "\uFFFD")), " ")
	s = strings.TrimSpace(strings.TrimSuffix(s, "¶"))
	if len(s) > most {
		at := most
		for !utf8.RuneStart(s[at]) {
			at--
		}
		s = s[:at] + "…"
	}
	return s
}
