package site

import (
	"html"
	"regexp"
	"strconv"
	"strings"
)

// The owner's settings for titles, as <meta name="…" content="…"> in the page: addresses with columns of the catalogue
// in braces. The page's program reads them (ui/titles/where.go). The builder checks them and allows the pictures'
// origins.
const (
	linksName    = "title-links"    // "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop shop/{id}"
	picturesName = "title-pictures" // "pictures/{id}.jpg"
)

// label is a part of a host name.
const label = `[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`

var (
	origin = regexp.MustCompile(`^(https://` + label + `(?:\.` + label + `)*(?::([1-9][0-9]{0,4}))?)(?:/|$)`)
	column = regexp.MustCompile(`\{[^{}]+\}`)
)

// pictureOrigins checks the owner's settings and returns the origins of pictures, except the site's own. An address
// that is a single column adds none, since its origins are in the catalogue.
func pictureOrigins(all []element) (origins []string, err error) {
	for i := range all {
		e := &all[i]
		if e.name != "meta" {
			continue
		}
		content := strings.TrimSpace(html.UnescapeString(e.value("content")))
		switch e.value("name") {
		case linksName:
			for part := range strings.SplitSeq(content, ";") {
				if part = strings.TrimSpace(part); part == "" {
					continue
				}
				at := strings.LastIndexByte(part, ' ')
				if at < 0 {
					return nil, mistakef(e.start, "%q in %s has no name: write it like IMDb "+
						"https://www.imdb.com/title/tt{imdbId}/", part, linksName)
				}
				if _, err := checkAddress(e, part[at+1:]); err != nil {
					return nil, err
				}
			}
		case picturesName:
			if content == "" {
				continue
			}
			from, err := checkAddress(e, content)
			if err != nil {
				return nil, err
			}
			if from != "" {
				origins = append(origins, from)
			}
		}
	}
	return origins, nil
}

// originOf returns the https: origin of an address, such as https://pictures.example:8443, or "".
func originOf(address string) string {
	m := origin.FindStringSubmatch(address)
	if m == nil {
		return ""
	}
	if port, err := strconv.ParseUint(m[2], 10, 16); m[2] != "" && (err != nil || port == 0) {
		return ""
	}
	return m[1]
}

// checkAddress returns the origin of an owner's address, or "" for the site's own.
func checkAddress(e *element, address string) (from string, err error) {
	if !column.MatchString(address) {
		return "", mistakef(e.start, "the address %q is the same for every title: add a column of the catalogue in "+
			"braces, such as {id}", address)
	}
	if o := originOf(address); o != "" {
		return o, nil
	}
	head, _, _ := strings.Cut(address, "/")
	if strings.HasPrefix(address, "//") || strings.ContainsAny(head, ":\\") {
		return "", mistakef(e.start, "the address %q must begin with https:// or be relative", address)
	}
	return "", nil
}
