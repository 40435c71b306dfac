package site

import (
	"encoding/json"
	"fmt"
	"html"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/siteconfig"
)

// The owner's parts of the tree: the page, its manifest, its colours and its icon.
const (
	manifestName = "assets/app.webmanifest"
	coloursName  = "assets/css/tokens.css"
	iconName     = "assets/icons/icon.svg"
)

// leastContrast is the minimum of WCAG 1.4.3 for text.
const leastContrast = 4.5

var (
	brandColour = regexp.MustCompile(`--brand: light-dark\([^)]*\);`)
	paperColour = regexp.MustCompile(`--paper: light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`)
	colourForm  = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)
	categories  = regexp.MustCompile(`\n *"categories": \[[^\]]*\],`)
	iconList    = regexp.MustCompile(`"icons": \[[^\]]*\]`)
	pickThree   = regexp.MustCompile(`(id="loading-pick"[^>]*>)[^<]*`)
)

// branded applies the project to the file at this address of the tree: its meta elements and name to the page, its name
// to the manifest, its colours to the style sheet, its logo to the icon. Other files are unchanged.
func branded(p *siteconfig.Project, address string, content []byte) ([]byte, error) {
	switch address {
	case page:
		return brandPage(p, content)
	case manifestName:
		return brandManifest(p, content)
	case coloursName:
		return brandColours(p, content)
	case iconName:
		if p.Site.Logo != "" {
			if err := checkDrawing(content); err != nil {
				return nil, fmt.Errorf("the logo %s cannot be published: %w", p.Site.Logo, err)
			}
		}
	}
	return content, nil
}

// ownersElements returns the meta elements that the project sets in the page, by name; "" removes one.
func ownersElements(p *siteconfig.Project) [][2]string {
	byLanguage := func(say func(w siteconfig.Words) string) string {
		var all []string
		for _, tag := range sortedKeys(p.Words) {
			if s := say(p.Words[tag]); s != "" {
				all = append(all, tag+" "+s)
			}
		}
		return strings.Join(all, "; ")
	}
	var rules string
	if !p.Rules.IsZero() {
		rules = string(rulesJSON(p))
	}
	var links []string
	for _, l := range p.Site.Links {
		links = append(links, l.Name+" "+l.Address)
	}
	return [][2]string{
		{"title-nouns", byLanguage(func(w siteconfig.Words) string {
			if w.Thing == "" {
				return w.Things
			}
			return w.Thing + "/" + w.Things
		})},
		{"title-known", byLanguage(func(w siteconfig.Words) string { return w.Known })},
		{"title-groups", byLanguage(func(w siteconfig.Words) string { return strings.Join(w.Groups, "/") })},
		{"title-genres", byLanguage(func(w siteconfig.Words) string {
			var all []string
			for _, g := range sortedKeys(w.Genres) {
				all = append(all, g+"="+strings.Join(w.Genres[g], "/"))
			}
			return strings.Join(all, ", ")
		})},
		{"title-moods", byLanguage(func(w siteconfig.Words) string {
			var all []string
			for _, m := range sortedKeys(w.Moods) {
				all = append(all, m+"="+strings.Join(w.Moods[m], "|"))
			}
			return strings.Join(all, ", ")
		})},
		{"import-services", strings.Join(p.Site.Services, ", ")},
		{"import-ratings", off(p.Site.Import)},
		{linksName, strings.Join(links, "; ")},
		{picturesName, p.Site.Pictures},
		{"title-price", p.Site.Price},
		{"pmlam-rules", rules},
	}
}

// off is "off" for a switch that is off.
func off(on *bool) string {
	if on != nil && !*on {
		return "off"
	}
	return ""
}

// checkWords rejects texts that contain a separator of these elements: ; , / = or #.
func checkWords(p *siteconfig.Project) error {
	for _, tag := range sortedKeys(p.Words) {
		w := p.Words[tag]
		for key, values := range map[string][]string{"things": {w.Thing, w.Things}, "known": {w.Known},
			"groups": w.Groups, "genres": append(slices.Concat(valuesOf(w.Genres)...), sortedKeys(w.Genres)...),
			"moods": append(slices.Concat(valuesOf(w.Moods)...), sortedKeys(w.Moods)...)} {
			for _, v := range values {
				if strings.ContainsAny(v, ";#%[]/") || key == "moods" && strings.Contains(v, "|") ||
					key != "things" && strings.ContainsAny(v, ",=") {
					return fmt.Errorf("%s of words.%s: %q must not contain ; , / = # %% [ ]", key, tag, v)
				}
			}
		}
	}
	for _, l := range p.Site.Links {
		if strings.ContainsAny(l.Name+l.Address, ";") || strings.Contains(l.Address, " ") {
			return fmt.Errorf("the link %q to %q must not contain a semicolon, nor its address a space", l.Name,
				l.Address)
		}
	}
	return nil
}

// rulesJSON returns the project's rules as a request has them (query.Reader.Rules).
func rulesJSON(p *siteconfig.Project) []byte {
	b, err := json.Marshal(p.Rules.Rules)
	if err != nil {
		panic(err) // not reached: texts and finite numbers
	}
	return b
}

func valuesOf(m map[string][]string) (all [][]string) {
	for _, k := range sortedKeys(m) {
		all = append(all, m[k])
	}
	return all
}

func brandPage(p *siteconfig.Project, content []byte) ([]byte, error) {
	if err := checkWords(p); err != nil {
		return nil, err
	}
	all, err := elements(content)
	if err != nil {
		return nil, err
	}
	name, at := "", -1
	owners := ownersElements(p)
	var edits []edit
	for i := range all {
		e := &all[i]
		switch of := e.value("name"); {
		case e.name == "link" && e.value("rel") == "apple-touch-icon" && p.Site.Logo != "":
			edits = append(edits, edit{e.start, e.end, ""}) // a picture of the default icon
		case e.name != "meta":
		case e.value("charset") != "" && at < 0:
			at = e.end
			var b strings.Builder
			for _, o := range owners {
				if o[1] != "" {
					fmt.Fprintf(&b, "\n  <meta name=%q content=\"%s\">", o[0], html.EscapeString(o[1]))
				}
			}
			edits = append(edits, edit{at, at, b.String()})
		case of == "application-name":
			name = e.value("content")
		case slices.ContainsFunc(owners, func(o [2]string) bool { return o[0] == of }):
			edits = append(edits, edit{e.start, e.end, ""})
		}
	}
	if at < 0 {
		return nil, mistakef(0, "the page has no <meta charset=\"utf-8\">: put it first in the head")
	}
	text := string(apply(content, edits))
	if p.Site.Title != "" && name != "" {
		text = strings.ReplaceAll(text, name, html.EscapeString(p.Site.Title))
	}
	things := p.Words["en"].Things
	if things != "" {
		things = " " + things
	}
	return []byte(pickThree.ReplaceAllString(text,
		"${1}Pick three"+strings.ReplaceAll(html.EscapeString(things), "$", "$$")+" you love")), nil
}

func brandManifest(p *siteconfig.Project, content []byte) ([]byte, error) {
	var m struct {
		Name string `json:"short_name"`
	}
	if err := json.Unmarshal(content, &m); err != nil {
		return nil, mistakef(0, "the manifest is not JSON: %v", err)
	}
	text := categories.ReplaceAllString(string(content), "")
	if p.Site.Logo != "" {
		text = iconList.ReplaceAllLiteralString(text,
			`"icons": [{ "src": "icons/icon.svg", "type": "image/svg+xml", "sizes": "any" }]`)
	}
	if p.Site.Title != "" && m.Name != "" {
		quoted, err := json.Marshal(p.Site.Title)
		if err != nil {
			return nil, err
		}
		text = strings.ReplaceAll(text, m.Name, string(quoted[1:len(quoted)-1]))
	}
	return []byte(text), nil
}

func brandColours(p *siteconfig.Project, content []byte) ([]byte, error) {
	text := string(content)
	if light, dark := p.Site.Accent, p.Site.AccentDark; light != "" || dark != "" {
		papers := paperColour.FindStringSubmatch(text)
		if papers == nil || !brandColour.MatchString(text) {
			return nil, mistakef(0, "the style sheet must set --brand and --paper to light-dark(#rrggbb, #rrggbb), so "+
				"that the project's colours can replace them")
		}
		for i, c := range []struct{ key, colour string }{{"accent", light}, {"accent-dark", dark}} {
			if !colourForm.MatchString(c.colour) {
				return nil, fmt.Errorf("%s of site is %q; accent and accent-dark must both be colours like #b23a12",
					c.key, c.colour)
			}
			if k := contrast(c.colour, papers[i+1]); k < leastContrast {
				return nil, fmt.Errorf("%s of site, %s, is hard to read on the background %s: its contrast is "+
					"%.1f, but must be at least %.1f; choose a %s one", c.key, c.colour, papers[i+1], k, leastContrast,
					[]string{"darker", "lighter"}[i])
			}
		}
		text = brandColour.ReplaceAllLiteralString(text, "--brand: light-dark("+light+", "+dark+");")
	}
	if p.Site.Logo != "" {
		text += "\n.brand-mark { display: none; }\n" +
			".brand::before { content: \"\"; inline-size: 2rem; block-size: 1.5rem; " +
			"background: url(\"../icons/" + path.Base(iconName) + "\") center / contain no-repeat; }\n"
	}
	return []byte(text), nil
}

// contrast returns the contrast of two colours #rrggbb, as defined by WCAG 2: 1 to 21.
func contrast(a, b string) float64 {
	luminance := func(c string) (l float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, _ := strconv.ParseUint(c[1+2*i:3+2*i], 16, 8)
			v := float64(n) / 255
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			l += weight * v
		}
		return l
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
