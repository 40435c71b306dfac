//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommender"
	"github.com/pmlam/pmlam/ui"
	visitlog "github.com/pmlam/pmlam/ui/visit"
	speech "github.com/pmlam/pmlam/ui/words"
)

// second is what the browser has stored of the second person; nil: nobody.
func (v *visitor) second() *ui.State {
	v.Helper()
	l, there := v.storedAs(visitlog.OtherKey)
	if !there {
		return nil
	}
	s := l.State()
	return &s
}

// nothingSaid waits until nothing is stored that either has said.
func (v *visitor) nothingSaid() {
	v.Helper()
	v.wait("nothing to be stored of either", func() string {
		v.Helper()
		if first, second := v.state(), v.second(); first.Marked() || second != nil {
			return fmt.Sprintf("stored are %+v and %+v", first, second)
		}
		return ""
	})
}

// called puts a name where a text has a place for it.
func called(text, name string) string { return strings.Replace(text, "#", name, 1) }

// joined takes a second person in, of that name, who loves that.
func (v *visitor) joined(name string, loves ...string) {
	v.Helper()
	v.open(ours.address + "#together")
	v.click("textbox", v.Speaks.PersonName)
	v.keys(name + enter)
	v.reads(v.Speaks.PickFor(name))
	v.like(loves...)
	v.press(v.Speaks.You, "group", v.Speaks.WhoseTaste)
}

// Both are called as they wish, by the keyboard and with a thumb, in both languages: it is heard, stands wherever they are named,
// and is still so after a reload.
func TestNames(t *testing.T) {
	t.Parallel()
	needBrowser(t)
	script := axe(t)
	for _, p := range []persona{{}, {Width: 360, Height: 740, Phone: true, Speaks: speech.German()}} {
		t.Run(fmt.Sprintf("%d wide", p.Width), func(t *testing.T) {
			t.Parallel()
			v := newVisitor(t, p)
			w := v.Speaks
			v.open(ours.address)
			v.like(three...)
			v.joined("Anna", "Casablanca")
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
				v.holds("the name", is("textbox", question))
				if got := see[string](v, `document.activeElement.value`); got != before {
					t.Errorf("the field begins with %q, want %q", got, before)
				}
				v.accessible(script, "asked for a name")
				v.fits("asked for a name")
				v.must(v.driver.selectAll())
				v.keys(after + enter)
				v.heard(called(w.NowCalled, after))
				v.misses("textbox", question)
				v.sees("button", after, "group", w.WhoseTaste)
			}
			renames(called(w.Rename, "Anna"), w.PersonName, "Anna", "Anne Müller")
			v.holds("the button", is("button", called(w.Rename, "Anne Müller")))
			v.sees("heading", w.NextForBoth("Anne Müller"))
			v.press(w.You, "group", w.WhoseTaste)
			renames(w.YourName, w.YourName, "", "Ben")
			v.holds("the button", is("button", w.YourName))
			v.reads("Ben: ")
			until[bool](v, "the map to call them so", `(({ second, o }) => second?.name === "Anne Müller")(document.querySelector(".map-host").map)`)
			v.wait("both names to be stored", func() string {
				v.Helper()
				if s := v.second(); s == nil || s.Settings.Person != "Anne Müller" || v.state().Settings.Person != "Ben" {
					return fmt.Sprintf("of the second person is stored %+v", s)
				}
				return ""
			})
			v.reload()
			v.sees("button", "Ben", "group", w.WhoseTaste)
			v.sees("button", "Anne Müller", "group", w.WhoseTaste)
			v.quiet()
		})
	}
}

// A backup holds both. Everything is erased, in all tabs, and really gone; then both come back as they were, are taken back
// whole, and are merged in; a file that is damaged in the part of the second person changes nothing of either.
func TestBackupOfTwo(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	folder := v.downloads()
	v.open(ours.address)
	v.like(three...)
	v.joined("Anna", "Casablanca", "Vertigo")
	mine, anna := visit(t, three...), visit(t, "Casablanca", "Vertigo")
	list, _ := together(mine, anna)
	v.lists(list)
	v.press("Anna", "group", words.WhoseTaste) // whoever's page it is
	v.press(words.BackupSave)
	path, file := v.file(folder, ".json")
	for _, title := range append(slices.Clone(three), "Casablanca", "Vertigo") {
		if strings.Count(string(file), `"title": "`+title+`"`) != 1 {
			t.Errorf("%s is not in the backup once:\n%s", title, file)
		}
	}

	other := v.anotherTab()
	other.open(ours.address)
	v.press(words.Erase)
	v.press(words.EraseYes)
	for _, tab := range []*visitor{v, other} {
		tab.sees("list", words.Starters)
		tab.nothingStored()
	}
	other.reload()
	other.sees("list", words.Starters)
	other.nothingStored()

	v.choose(path)
	v.reads(words.You + ": " + words.Adds(3, three))
	v.reads("Anna: " + words.Adds(2, []string{"Casablanca", "Vertigo"}))
	v.nothingStored()
	v.press(words.BackupRestore, "group", words.BackupOpened)
	v.lists(answer(mine, recommender.Request{}))
	stored := func(when string) {
		t.Helper()
		v.kept(three...)
		v.wait(when+", what Anna said to be stored", func() string {
			if s := v.second(); s == nil || s.Settings.Person != "Anna" || !slices.Equal(s.Likes, ids(t, "Casablanca", "Vertigo")) {
				return fmt.Sprintf("of her is stored %+v", s)
			}
			return ""
		})
	}
	stored("restored")
	v.press(words.Undo)
	v.sees("list", words.Starters)
	v.nothingSaid()

	v.press(words.Erase)
	v.press(words.EraseYes) // or that it was taken back would be the later word
	v.nothingStored()
	v.choose(path)
	v.press(words.BackupMerge, "group", words.BackupOpened)
	stored("merged")
	other.sees("button", words.RemoveTitle(three[0]))
	v.open(ours.address + "#together")
	v.lists(list)
	v.reload()
	v.lists(list)

	bad := writes(t, "bad.json", strings.Replace(string(file), `"person": "Anna"`, `"person": 7`, 1))
	v.choose(bad)
	v.reads("not a backup of this page, or it is damaged in line")
	v.press(words.BackupClose)
	stored("after a damaged file")

	// Somebody else stays somebody else.
	v.choose(writes(t, "cleo.json", strings.Replace(string(file), `"person": "Anna"`, `"person": "Cleo"`, 1)))
	v.reads(called(called(words.LeftOut, "Cleo"), "Anna"))
	v.press(words.BackupClose)

	// What was said can be erased alone, and is both people's.
	v.press(words.Erase)
	v.press(words.EraseMarks)
	v.nothingSaid()
	v.quiet()
	other.quiet()
}
