package site

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/pmlam/pmlam/core/siteconfig"
)

// llmsName is the file for language models (llmstxt.org). An owner's own file of this name is published instead.
const llmsName = "llms.txt"

// llmsFile returns llms.txt: a description of the site and of the ways to ask its model. It contains nothing that the
// page and its addresses do not.
func llmsFile(p *siteconfig.Project, files []*built) string {
	title, things := plainText(p.Site.Title), plainText(p.Words["en"].Things)
	if title == "" {
		title = "Recommendations"
	}
	if things == "" {
		things = "titles"
	}
	has := func(name string) bool {
		return slices.ContainsFunc(files, func(f *built) bool { return f.name == name })
	}
	var b strings.Builder
	say := func(format string, args ...any) {
		fmt.Fprintf(&b, format, args...)
		b.WriteByte('\n')
	}
	say("# %s\n", title)
	say("> Recommendations of %s. One model file has the catalogue and answers everything, in the visitor's", things)
	say("> browser or in a program of your own. This site receives no questions and no likes.")
	for _, f := range files {
		if !slices.Contains(f.roles, "model") {
			continue
		}
		address := strings.NewReplacer("(", "%28", ")", "%29").Replace((&url.URL{Path: f.name}).EscapedPath())
		say("\n## Ask the model\n")
		say("- [Model](%s): %d bytes; its name changes with its content", address, len(f.content))
		say("- `pmlam mcp --model FILE` answers over the Model Context Protocol: recommend, similar, search, explain")
		if has("embed/pmlam.js") {
			say("- [JavaScript](embed/pmlam.js), with [types](embed/pmlam.d.ts): "+
				"`(await open(\"%s\")).recommend({ likes: [\"ID\"] })`", address)
			say("- Pages with that package offer the same as tools of the browser (WebMCP)")
		}
		if !p.Rules.IsZero() {
			say("- [Rules](rules.json): the option `rules` for the lists of this site")
		}
	}
	say("\n## Lists on the page\n\n- [For the visitor](index.html)\n- [All genres and decades](index.html#browse)")
	say("- Like one of them: `index.html#like=ID`")
	say("- A genre: `index.html#genre=NAME`; a decade: `index.html#decade=1990`")
	if len(p.Site.Links) > 0 {
		say("\n## Where to get one\n\nThe names in braces are columns of the catalogue.\n")
	}
	for _, l := range p.Site.Links {
		say("- %s: `%s`", plainText(l.Name), strings.ReplaceAll(oneLine(l.Address), "`", "%60"))
	}
	return b.String()
}

// plainText escapes a text for a line of Markdown, where it is only text.
func plainText(text string) string {
	var b strings.Builder
	for _, c := range oneLine(text) {
		if strings.ContainsRune("\\`*_[]<>#|~&!", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// oneLine replaces what could end a line or hide text by spaces.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool {
		return unicode.IsSpace(c) || unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp)
	}), " ")
}
