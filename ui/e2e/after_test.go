//go:build !js

package e2e

import (
	"strings"
	"testing"
)

// Below the list are titles that people choose after the latest like, none of them in the list. A tap likes one, which
// begins the next row.
func TestAfterTheLatestLike(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	v.open(ours.address)
	v.like(three...)
	const titles = `[...document.querySelectorAll(".after button")].map((b) => b.getAttribute("aria-label")).join("|")`
	v.reads(words.AfterNote)
	heading := until[string](v, "a heading", `document.querySelector("#after-heading")?.textContent ?? ""`)
	row := strings.Split(see[string](v, titles), "|")
	if len(row) != 4 {
		t.Fatalf("%s are %q, want four titles", heading, row)
	}
	if twice := see[string](v, `[...document.querySelectorAll("#recommendations [aria-label]")].filter((a) => 
		`+titles+`.split("|").includes(a.getAttribute("aria-label"))).length + ""`); twice != "0" {
		t.Errorf("%s of the row's titles are in the list too", twice)
	}
	v.accessible(axe(t), "with a row after the latest like")
	v.press(row[0], "region", heading)
	title, _, _ := strings.Cut(strings.TrimPrefix(row[0], words.LikeTitle("")), ",")
	v.reads(words.AfterTitle(title))
	v.noErrors()
}
