//go:build !js

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
)

// After a backup and an erase, restoring brings everything back, including settings. Merging adds missing marks after a
// preview, and can be undone. Titles of another catalogue are matched by their other names, and kept if they are not
// found.
func TestBackup(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	folder := v.downloads()
	v.open(ours.address)
	v.settled()
	if v.has("button", words.BackupSave) {
		t.Error("without marks a backup can be saved")
	}
	v.like(three...)
	v.search("cars")
	v.press("Not for me: Cars", "search", "")
	v.openFilters()
	v.press(words.Modes[recommend.HiddenGems])
	v.press(words.Theme(words.ThemeAuto))
	want := answer(recommend.Visit{Likes: visit(t, three...).Likes, Dislikes: visit(t, "Cars").Likes},
		recommend.Request{Mode: recommend.HiddenGems})
	v.lists(want)
	v.press(words.BackupSave)
	path, file := v.file(folder, ".json")
	for _, title := range append(slices.Clone(three), "Cars") {
		if !strings.Contains(string(file), `"title": "`+title+`"`) {
			t.Errorf("the backup lacks %s:\n%s", title, file)
		}
	}

	v.press(words.Erase)
	v.press(words.EraseYes)
	v.sees("list", words.Starters)
	v.nothingStored()
	v.chooseBackup(path)
	v.sees("group", words.BackupOpened)
	v.reads(words.Adds(4, append(slices.Clone(three), "Cars")))
	if stored := v.state(); stored.Marked() {
		t.Errorf("before consent, the store has %+v", stored)
	}
	v.press(words.BackupRestore, "group", words.BackupOpened)
	v.lists(want)
	v.sees("button", words.Theme(words.ThemeLight))
	v.likesStored(three...)
	v.reload()
	v.lists(want)

	// Another list with differently named titles is merged in.
	v.press("Remove Cars")
	v.chooseBackup(
		written(
			t,
			"from elsewhere.json",
			[]byte(`{"format": "pmlam-backup", "version": 1, "catalogue": "Elsewhere", "titles": [
		{"mark": "like", "id": "1", "title": "amélie  (le fabuleux destin d'amélie poulain)", "year": 2001},
		{"mark": "seen", "id": "nowhere-7", "title": "Another Country’s Film", "year": 1931},
		{"mark": "like", "id": "2", "title": "Also Unknown"},
		{"mark": "seen", "title": "Heat", "year": 1995}
	]}`),
		),
	)
	v.reads("2 of them are not in this catalogue")
	v.press(words.BackupMerge, "group", words.BackupOpened)
	amelie := "Amelie (Le Fabuleux destin d'Amélie Poulain)"
	v.sees("button", words.RemoveTitle(amelie))
	v.reads(words.Unknown(2))
	v.wait("the merged titles to be stored", func() string {
		v.Helper()
		s := v.state()
		likes := append(ids(v, three...), ids(v, amelie)...)
		for _, id := range append(likes, "Elsewhere 2") {
			if !slices.Contains(s.Likes, id) {
				return fmt.Sprintf("%q is not liked in %+v", id, s)
			}
		}
		if !slices.Contains(s.Seen, "nowhere-7") || len(s.Dislikes) > 0 {
			return fmt.Sprintf("it is %+v", s)
		}
		return ""
	})
	v.press(words.Undo)
	v.misses("button", words.RemoveTitle(amelie))
	v.likesStored(three...)

	// A file that is not a backup changes nothing, and the error names the line.
	v.chooseBackup(written(t, "bad.json", file[:len(file)/2]))
	v.reads("not a backup of this page, or it is damaged in line")
	v.press(words.BackupClose)
	v.misses("group", words.BackupOpened)
	v.likesStored(three...)
	v.noErrors()
}

// A backup contains both people. Everything is erased in all tabs. Then both are restored, undone completely, and
// merged in. A file that is damaged in the second person's part changes neither.
func TestBackupOfTwo(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{})
	folder := v.downloads()
	v.open(ours.address)
	v.like(three...)
	v.addPerson("Anna", "Casablanca", "Vertigo")
	mine, anna := visit(t, three...), visit(t, "Casablanca", "Vertigo")
	list, _ := together(mine, anna)
	v.lists(list)
	v.press("Anna", "group", words.WhoseTaste) // whichever person is active
	v.press(words.BackupSave)
	path, file := v.file(folder, ".json")
	for _, title := range append(slices.Clone(three), "Casablanca", "Vertigo") {
		if strings.Count(string(file), `"title": "`+title+`"`) != 1 {
			t.Errorf("%s is not in the backup exactly once:\n%s", title, file)
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

	v.chooseBackup(path)
	v.reads(words.You + ": " + words.Adds(3, three))
	v.reads("Anna: " + words.Adds(2, []string{"Casablanca", "Vertigo"}))
	v.nothingStored()
	v.press(words.BackupRestore, "group", words.BackupOpened)
	v.lists(answer(mine, recommend.Request{}))
	stored := func(when string) {
		t.Helper()
		v.likesStored(three...)
		v.wait(when+", what Anna said to be stored", func() string {
			if s := v.second(); s == nil || s.Settings.Person != "Anna" ||
				!slices.Equal(s.Likes, ids(t, "Casablanca", "Vertigo")) {
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
	v.press(words.EraseYes) // else removing them would be the later change
	v.nothingStored()
	v.chooseBackup(path)
	v.press(words.BackupMerge, "group", words.BackupOpened)
	stored("merged")
	other.sees("button", words.RemoveTitle(three[0]))
	v.open(ours.address + "#together")
	v.lists(list)
	v.reload()
	v.lists(list)

	bad := written(t, "bad.json", []byte(strings.Replace(string(file), `"person": "Anna"`, `"person": 7`, 1)))
	v.chooseBackup(bad)
	v.reads("not a backup of this page, or it is damaged in line")
	v.press(words.BackupClose)
	stored("after a damaged file")

	// A different person is not merged with the second.
	v.chooseBackup(written(t, "cleo.json",
		[]byte(strings.Replace(string(file), `"person": "Anna"`, `"person": "Cleo"`, 1))))
	v.reads(called(called(words.LeftOut, "Cleo"), "Anna"))
	v.press(words.BackupClose)

	// Marks can be erased alone, of both people.
	v.press(words.Erase)
	v.press(words.EraseMarks)
	v.nothingSaid()
	v.noErrors()
	other.noErrors()
}

// The whole view Your data works by keyboard, on a narrow screen and in dark mode.
func TestDataByKeyboard(t *testing.T) {
	t.Parallel()
	v := newVisitor(t, persona{Width: 360, Height: 740, Dark: true})
	folder := v.downloads()
	v.open(ours.address)
	v.like(three...)
	v.likesStored(three...)
	v.tab(words.TabData)
	v.tabTo("the button that saves a backup", is("button", words.BackupSave))
	v.keys(enter)
	path, _ := v.file(folder, ".json")
	v.chooseBackup(path)
	v.focusOn("what was opened", is("group", words.BackupOpened))
	v.reads(words.ChangesNothing)
	if wide := see[int](v, `document.documentElement.scrollWidth`); wide > 360 {
		t.Errorf("the page is %d px wide on a screen of 360 px", wide)
	}
	v.tabTo("the button that closes it", is("button", words.BackupClose))
	v.keys(enter)
	v.misses("group", words.BackupOpened)
	v.focusOn("the button that opens one", is("button", words.BackupOpen))
	v.tabTo("the button that erases", is("button", words.Erase))
	v.keys(enter)
	v.tabTo("the answer", is("button", words.EraseMarks))
	v.keys(enter)
	v.sees("list", words.Starters)
	v.nothingSaid() // except settings: having asked for persistent storage is one
	v.noErrors()
}
