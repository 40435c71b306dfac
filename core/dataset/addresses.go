package dataset

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Logs of visits identify pages by address, and one page has many addresses. pageID maps them to one.

// isAddress reports whether text is the address of a page: a full one, or a path from the root.
func isAddress(text string) bool {
	if len(text) < 2 || strings.ContainsAny(text, " \t\"<>") {
		return text == "/"
	}
	for _, start := range []string{"https://", "http://", "//", "/", "www."} {
		if len(text) > len(start) && strings.EqualFold(text[:len(start)], start) {
			return true
		}
	}
	return false
}

// areAddresses reports whether nearly all of a column's values are addresses.
func areAddresses(values []string) bool {
	n, all := 0, 0
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		if all++; isAddress(v) {
			n++
		}
	}
	return all > 0 && n*10 >= all*9
}

// pageID returns the id of the page at an address: https, the host in lower case without www. and port, the path
// without index.html, a session and a final slash, and only the query parameters that identify a page. The fragment
// stays if it is a path of its own (#/, #!). A text that is not an address is returned unchanged.
//
//	http://WWW.Shop.example:80/a/index.html?utm_source=x#top → https://shop.example/a
//	/a/?p=3 → /a
func pageID(b []byte) []byte {
	if !isAddress(string(b)) || !utf8.Valid(b) {
		return b
	}
	host, rest := cutHost(string(b))
	path, fragment, _ := strings.Cut(rest, "#")
	path, query, _ := strings.Cut(path, "?")
	path = tidyPath(path)
	var out strings.Builder
	if host != "" {
		out.WriteString("https://" + host)
	}
	out.WriteString(path)
	if host == "" && path == "" {
		out.WriteByte('/')
	}
	if kept := pageQuery(query, path); kept != "" {
		out.WriteString("?" + kept)
	}
	if strings.HasPrefix(fragment, "/") || strings.HasPrefix(fragment, "!") {
		if fragment, _, _ = strings.Cut(fragment, "?"); strings.Trim(fragment, "/!") != "" {
			out.WriteString("#" + strings.TrimRight(fragment, "/"))
		}
	}
	return []byte(out.String())
}

// cutHost cuts the scheme and the host off an address; the host of a path is "".
func cutHost(s string) (host, rest string) {
	if _, behind, ok := strings.Cut(s, "//"); ok && (strings.HasPrefix(s, "//") || strings.Index(s, "://") > 0 &&
		strings.Index(s, "://") < strings.Index(s+"/", "/")) {
		s = behind
	} else if strings.HasPrefix(s, "/") {
		return "", s
	}
	end := strings.IndexAny(s, "/?#")
	if end < 0 {
		end = len(s)
	}
	host, rest = strings.ToLower(s[:end]), s[end:]
	for _, port := range []string{":80", ":443"} {
		host = strings.TrimSuffix(host, port)
	}
	return strings.TrimPrefix(strings.TrimSuffix(host, "."), "www."), rest
}

// tidyPath returns the canonical form of a path; "" for the home page.
func tidyPath(path string) string {
	if strings.Contains(path, "%") {
		if plain, err := url.PathUnescape(path); err == nil && utf8.ValidString(plain) &&
			!strings.ContainsAny(plain, "?#% \x00\r\n\t") && strings.Count(plain, "/") == strings.Count(path, "/") {
			path = plain
		}
	}
	if at := strings.IndexByte(path, ';'); at >= 0 {
		path = path[:at] // ;jsessionid=…
	}
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	for {
		path = strings.TrimRight(path, "/")
		at := strings.LastIndexByte(path, '/')
		if at < 0 || !indexFiles[strings.ToLower(path[at+1:])] {
			return path
		}
		path = path[:at]
	}
}

// indexFiles are file names that stand for their folder.
var indexFiles = map[string]bool{"index.html": true, "index.htm": true, "index.php": true, "index.asp": true,
	"index.aspx": true, "index.jsp": true, "index.shtml": true, "default.asp": true, "default.aspx": true,
	"default.htm": true, "default.html": true, "home.html": true, "amp": true}

// pageQuery returns the parameters of a query that identify the page, in the order of their names.
func pageQuery(query, path string) string {
	if query == "" {
		return ""
	}
	var kept []string
	for part := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
		name, value, _ := strings.Cut(part, "=")
		plain := strings.ToLower(name)
		if value == "" || !pageParameters[plain] && !(path == "" && plain == "p") { // WordPress has /?p=12
			continue
		}
		kept = append(kept, plain+"="+value)
	}
	slices.Sort(kept)
	return strings.Join(slices.Compact(kept), "&")
}

// pageParameters identify a page in addresses of one program for all pages: /article.php?id=12.
var pageParameters = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(`id pid v product product_id productid prod prodid item item_id itemid itemno
		article article_id articleid artikel artikelnr artnr art_id story story_id storyid news news_id newsid post
		post_id postid page_id pageid sku isbn asin ean gid nid node tid topic topic_id film movie movie_id recipe
		recipe_id book book_id game game_id slug title aid cid_id docid doc_id video video_id`) {
		out[name] = true
	}
	return out
}()

// pages collects the addresses among the ids of items.
type pages struct {
	seen map[uint64]struct{} // hashes of the addresses
	seed maphash.Seed
}

func newPages() *pages {
	return &pages{seen: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
}

// mostAddresses bounds the number of different addresses that are counted.
const mostAddresses = 20_000_000

// count counts an address.
func (p *pages) count(address []byte) {
	if len(p.seen) < mostAddresses {
		p.seen[maphash.Bytes(p.seed, address)] = struct{}{}
	}
}

// PageReport describes the pages behind the addresses of a log.
type PageReport struct {
	Addresses  int // different ones; 0 if the items are not addresses
	Pages      int // behind them, before any is left out
	OtherPages []LeftOut
	// the interactions with them: with a catalogue, pages that it does not have; else home, lists and services
	OtherLikes int
}

// shownPages is the number of pages that String lists.
const shownPages = 6

// String returns a line such as "13,755 addresses, 892 pages; left out: …".
func (r PageReport) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s addresses, %s pages", thousands(r.Addresses), thousands(r.Pages-len(r.OtherPages)))
	for i, x := range r.OtherPages {
		switch {
		case i == shownPages:
			fmt.Fprintf(&b, ", … and %d more", len(r.OtherPages)-i)
			return b.String()
		case i == 0:
			fmt.Fprintf(&b, "; left out: %s more that are %s, with %s views: ", thousands(len(r.OtherPages)), x.Column,
				thousands(r.OtherLikes))
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s)", visible(x.Value), thousands(x.Lines))
	}
	return b.String()
}

// pageKey finds the page at an address of a catalogue among the items, even if one side has only paths.
func pageKey(items *IDs, host string, address []byte) (int, bool) {
	id := string(pageID(address))
	if i, ok := items.Index(id); ok {
		return i, true
	}
	if strings.HasPrefix(id, "/") && host != "" {
		return items.Index("https://" + host + strings.TrimSuffix(id, "/"))
	}
	if of, rest := cutHost(id); of != "" {
		if rest == "" {
			rest = "/"
		}
		return items.Index(rest)
	}
	return 0, false
}

// mainHost is the host of most pages; "" if they are paths.
func mainHost(items *IDs) string {
	count := map[string]int{}
	best := ""
	for i := range items.Len() {
		host, _ := cutHost(items.ID(i))
		if count[host]++; host != "" && (best == "" || count[host] > count[best]) {
			best = host
		}
	}
	return best
}

// leaveOutPages removes interactions with pages that are not items: with a catalogue that describes most visited pages,
// the pages that it lacks; otherwise the home page, lists and services.
func (c *collector) leaveOutPages(described map[int]string, catalogue bool, name string) {
	p := &c.report.PageReport
	p.Addresses, p.Pages = len(c.pages.seen), c.items.len()
	views, all, known := make([]int, c.items.len()), 0, 0
	for part := range c.parts {
		for _, chunk := range c.parts[part].chunks {
			for i := range chunk {
				views[chunk[i].item]++
			}
		}
	}
	for i, n := range views {
		all += n
		if _, ok := described[i]; ok {
			known += n
		}
	}
	why := "not in " + name
	if !catalogue || known*2 < all {
		described, why = nil, "the home page, lists or services"
	}
	out := make([]bool, c.items.len())
	lists := c.listPages()
	for i := range out {
		if described != nil {
			_, ok := described[i]
			out[i] = !ok
		} else {
			out[i] = lists[i]
		}
		if out[i] && views[i] > 0 {
			p.OtherPages = append(p.OtherPages, LeftOut{Column: why, Value: string(c.items.at(int32(i))),
				Lines: views[i]})
		}
	}
	slices.SortStableFunc(p.OtherPages, func(a, b LeftOut) int { return b.Lines - a.Lines })
	p.OtherLikes = c.drop(out)
}

// listPages reports, for each page, whether its path suggests the home page, a list or a service.
func (c *collector) listPages() []bool {
	out := make([]bool, c.items.len())
	below := map[string]int{}
	for i := range out {
		path := []byte(c.path(i))
		if at := bytes.LastIndexByte(path, '/'); at > 0 {
			below[string(path[:at])]++
		}
	}
	for i := range out {
		path := c.path(i)
		out[i] = isList(path) || below[path] >= sectionPages
	}
	return out
}

// sectionPages is the number of pages below a page that makes it a section.
const sectionPages = 10

// path returns the path of item i.
func (c *collector) path(i int) string {
	_, path := cutHost(string(c.items.at(int32(i))))
	return path
}

// isList reports whether the path, without a host, belongs to the home page, a list or a service.
func isList(path string) bool {
	path, query, _ := strings.Cut(path, "?")
	path, _, _ = strings.Cut(path, "#")
	parts := strings.Split(strings.ToLower(strings.Trim(path, "/")), "/")
	if path == "" || path == "/" {
		return query == ""
	}
	if len(parts) == 1 && (len(parts[0]) == 2 || len(parts[0]) == 5 && (parts[0][2] == '-' || parts[0][2] == '_')) {
		return true // /de and /en-gb
	}
	for i, part := range parts {
		part = strings.TrimSuffix(strings.TrimSuffix(part, ".html"), ".php")
		last := i == len(parts)-1
		if servicePages[part] && last || listParts[part] && i == len(parts)-2 || i == 0 && serviceRoots[part] {
			return true
		}
	}
	return false
}

var (
	// a path ends with one of these
	servicePages = tokens(`home index search suche recherche buscar results about about-us ueber-uns uber-uns a-propos
		contact contact-us kontakt imprint impressum mentions-legales privacy privacy-policy datenschutz
		datenschutzerklaerung terms terms-of-service terms-and-conditions agb tos legal cookies cookie-policy login
		log-in signin sign-in logout register signup sign-up account my-account mein-konto konto profile cart basket
		warenkorb panier carrito checkout kasse order-received thank-you danke merci newsletter subscribe unsubscribe
		wishlist
		merkliste faq help hilfe support sitemap feed rss jobs careers karriere press presse team donate 404 error
		not-found archive archiv blog news shop tags categories authors all offline confirm confirmation success`)
	// and this is followed by a name or a number
	listParts = tokens(`page seite pagina tag tags schlagwort category categories kategorie rubrik author authors autor
		archive archives label topic-list search suche feed`)
	// and begins with one of these
	serviceRoots = tokens(`wp-admin wp-login wp-json wp-content cart checkout account my-account login admin api
		search suche cdn-cgi static assets user users customer customers orders kasse warenkorb newsletter`)
)

func tokens(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// addressNames are names of columns of addresses, in the order in which they are tried.
var addressNames = []string{"pagelocation", "pageurl", "pageaddress", "url", "fullurl", "documentlocation", "page",
	"pagepath", "path", "uri", "requesturi", "csuristem", "requestpath", "requesturl", "urlpath", "pageuri", "location",
	"link", "permalink", "href", "landingpage", "adresse", "seite", "contenturl", "articleurl", "producturl", "screen"}

// addressColumn returns the first column with such a name whose values are addresses, or −1.
func addressColumn(s *sample, names []string) int {
	for _, n := range addressNames {
		for i, name := range names {
			if plainName(name) == n && areAddresses(s.column(i)) {
				return i
			}
		}
	}
	return -1
}

// usePages makes the describer compare addresses if its items are pages.
func (d *describer) usePages(pages bool) {
	if pages && d.all == nil {
		d.pages, d.host, d.spelled = true, mainHost(d.known), map[int]string{}
	}
}

// find returns the number of the item with an id of the catalogue.
func (d *describer) find(id []byte) (int, bool) {
	if !d.pages {
		return d.items.Index(string(d.like.id(id)))
	}
	id, _ = itemID(id)
	i, ok := pageKey(d.items, d.host, id)
	if ok && d.spelled[i] == "" {
		d.spelled[i] = string(id)
	}
	return i, ok
}

// knows reports whether a text is the id of an item that the interactions name.
func (d *describer) knows(text string) bool {
	if !d.pages {
		_, ok := d.known.Index(string(d.like.id([]byte(text))))
		return ok
	}
	_, ok := pageKey(d.known, d.host, []byte(text))
	return ok && isAddress(text)
}

// spell gives pages the ids that they have in the catalogue.
func (d *Dataset) spell(as map[int]string) {
	if len(as) == 0 {
		return
	}
	in := publicInterner()
	for i := range d.Items.Len() {
		id := d.Items.ID(i)
		if s := as[i]; s != "" {
			id = s
		}
		if n, err := in.add([]byte(id)); err != nil || int(n) != i {
			return // two pages of one name: they stay as they are
		}
	}
	d.Items = in.ids(nil)
	for i := range d.Catalogue.Items {
		item := &d.Catalogue.Items[i]
		if item.Title == item.ID {
			item.Title = d.Items.ID(i)
		}
		item.ID = d.Items.ID(i)
	}
}
