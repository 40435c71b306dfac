package site

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/internal/fingerprint"
)

// extraFiles returns a project's files that the page does not refer to, and that visitors' offline copies therefore
// lack: header settings for hosts, files for search engines and language models, and the owner's own files.
func (b *builder) extraFiles(files []*built) ([]*built, error) {
	text := string(b.done[page].content)
	more := []*built{
		{name: "robots.txt", content: []byte("User-agent: *\nAllow: /\n")},
		{name: "_headers", content: []byte(headersFile(text, files))},
		{name: "nginx.conf", content: []byte(nginxFile(text))},
		{name: "Caddyfile", content: []byte(caddyFile(text))},
		{name: ".htaccess", content: []byte(apacheFile(text))},
	}
	if !b.Project.Rules.IsZero() {
		more = append(more, &built{name: "rules.json", content: append(rulesJSON(b.Project), '\n')})
	}
	taken := map[string]bool{mark: true}
	for _, f := range more {
		taken[f.name] = true
	}
	for _, f := range files {
		taken[f.name] = true
	}
	copied, notes, err := b.copied(taken)
	b.notes = append(b.notes, notes...)
	if more = append(more, copied...); !taken[llmsName] {
		more = append(more, &built{name: llmsName, content: []byte(llmsFile(b.Project, slices.Concat(files, copied)))})
	}
	return more, err
}

// headersFile returns _headers, which sets the headers on Netlify and Cloudflare Pages: the policy, and permanent
// caching of files with a hash in their names. A folder with only such files needs one rule.
func headersFile(page string, files []*built) string {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, h := range server.Headers([]byte(page)) {
		fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
	}
	hashed, all := map[string][]string{}, map[string]int{}
	for _, f := range files {
		folder := path.Dir(f.name)
		all[folder]++
		if fingerprint.Matches(f.name, fingerprint.Sum(f.content)) {
			hashed[folder] = append(hashed[folder], "/"+f.name)
		}
	}
	for _, folder := range sortedKeys(hashed) {
		rules := hashed[folder]
		if len(rules) == all[folder] && len(rules) > 1 && !above(folder, all) {
			rules = []string{"/" + folder + "/*"}
		}
		for _, rule := range rules {
			fmt.Fprintf(&b, "%s\n  Cache-Control: %s\n", rule, keptForever)
		}
	}
	return b.String()
}

// above reports whether folders within this one have files.
func above(folder string, all map[string]int) bool {
	for other := range all {
		if strings.HasPrefix(other, folder+"/") {
			return true
		}
	}
	return false
}
