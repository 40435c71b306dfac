//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// called inserts a name into a text.
func called(text, name string) string { return strings.Replace(text, "#", name, 1) }

// addPerson adds a second person with this name and these likes.
func (v *visitor) addPerson(name string, loves ...string) {
	v.Helper()
	v.open(ours.address + "#together")
	v.click("textbox", v.Language.PersonName)
	v.keys(name + enter)
	v.reads(v.Language.PickFor(name))
	v.like(loves...)
	v.press(v.Language.You, "group", v.Language.WhoseTaste)
}

// Both people can be named, by keyboard and touch, in both languages: the change is announced, appears wherever they
// are mentioned, and survives a reload.
func TestNames(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for _, p := range []persona{{}, {Width: 360, Height: 740, Phone: true, Language: inGerman()}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			w := v.Language
			v.open(ours.address)
			v.like(three...)
			v.addPerson("Anna", "Casablanca")
			v.press("Anna", "group", w.WhoseTaste)
			presses := func(button string) {
				if v.Phone {
					v.press(button)
					return
				}
				v.tabTo("the button "+button, is("button", button))
				v.keys(enter)
			}
			renames := func(button, question, before, after string) {
				presses(button)
				v.focusOn("the name", is("textbox", question))
				if got := see[string](v, `document.activeElement.value`); got != before {
					t.Errorf("the field starts with %q, want %q", got, before)
				}
				v.accessible(script, "asked for a name")
				v.checkFits("asked for a name")
				v.must(v.driver.selectAll())
				v.keys(after + enter)
				v.announced(called(w.NowCalled, after))
				v.misses("textbox", question)
				v.sees("button", after, "group", w.WhoseTaste)
			}
			renames(called(w.Rename, "Anna"), w.PersonName, "Anna", "Anne Müller")
			v.focusOn("the button", is("button", called(w.Rename, "Anne Müller")))
			v.sees("heading", w.NextForBoth("Anne Müller"))
			v.press(w.You, "group", w.WhoseTaste)
			renames(w.YourName, w.YourName, "", "Ben")
			v.focusOn("the button", is("button", w.YourName))
			v.reads("Ben: ")
			until[bool](v, "the map to show their names",
				`(({ second, o }) => second?.labels.some((l) => l.includes("Anne Müller")))(document.querySelector(".map-host").map)`)
			v.wait("both names to be stored", func() string {
				v.Helper()
				if s := v.second(); s == nil || s.Settings.Person != "Anne Müller" ||
					v.state().Settings.Person != "Ben" {
					return fmt.Sprintf("of the second person is stored %+v", s)
				}
				return ""
			})
			v.reload()
			v.sees("button", "Ben", "group", w.WhoseTaste)
			v.sees("button", "Anne Müller", "group", w.WhoseTaste)
			v.noErrors()
		})
	}
}
