package site

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/icons"
	"github.com/pmlam/pmlam/ui/titles"
)

// startersID is the id of the page's list for the invitation of a first visit, which ends with the next </ul>.
const startersID = "loading-starters"

// starters is the number of titles in the invitation (ui/starters shows the same ones).
const starters = 12

// withStarters fills the page's invitation with titles of its model, so that visitors pick before the program runs
// (assets/js/page/picks.js). Pages without the list or without a model are unchanged.
func (b *builder) withStarters(f *built) error {
	all, err := elements(f.content)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(e element) bool { return e.value("id") == startersID })
	of := slices.IndexFunc(f.children, func(c *built) bool { return slices.Contains(c.roles, "model") })
	if at < 0 || of < 0 {
		return nil
	}
	end := bytes.Index(f.content[all[at].end:], []byte("</ul>"))
	if end < 0 {
		return mistakef(all[at].start, "the list %s has no end: add </ul>", startersID)
	}
	file := b.disk(f.children[of].source)
	m, err := model.Decode(f.children[of].content)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	engine, err := recommend.Open(m, recommend.Options{})
	if err == nil && b.Project != nil {
		engine, _, err = engine.WithRules(b.Project.Rules.Rules)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	f.content = apply(f.content, []edit{{all[at].end, all[at].end + end, invitation(engine, all)}})
	return nil
}

// invitation returns the list's items: buttons that look as in ui/starters.
func invitation(engine *recommend.Recommender, page []element) string {
	var owner titles.Owner
	for i := range page {
		if page[i].value("name") == picturesName {
			owner.Pictures = html.UnescapeString(page[i].value("content"))
		}
	}
	var out strings.Builder
	c := titles.New(engine, owner)
	for _, i := range engine.Starters(starters, 0) {
		out.WriteString(`<li data-key="start` + strconv.Itoa(i) + `"><button type="button" class="` +
			c.Tile("tile starter", i) + `" aria-pressed="false" data-id="` + html.EscapeString(c.Entry(i).ID) +
			`"><span>` + string(c.Face(i, "")) + `</span><svg class="icon" viewBox="0 0 16 16" aria-hidden="true">` +
			`<path d="` + icons.Like + `"></path></svg></button></li>`)
	}
	return out.String()
}
