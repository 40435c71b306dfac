package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/ui/history"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// The history lists marks latest first. Each step can be undone, and the undo too.
func TestHistory(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Misses("History")
	for _, i := range []int{0, 2, 4} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	v.Does(func() { v.P.Marking.Toggle(7, keep.NotForMe) })
	v.Does(func() { v.P.Marking.Toggle(9, keep.Later) })
	v.Sees("History")
	v.Misses("Undo: Liked: Film 0")
	v.Does(v.P.History.Toggle)
	said := v.P.History.Steps()
	want := []string{"Kept for later: Film 9", "Not for you: Film 7", "Liked: Film 4", "Liked: Film 2", "Liked: Film 0"}
	if !slices.Equal(said, want) {
		t.Errorf("the history is %q, want %q", said, want)
	}
	// This visitor's variances are 1, 1/4, 1/9 after each like.
	v.Sees(`aria-label="Undo: Liked: Film 0"`, `d="M0.0 1.0L50.0 17.5L100.0 20.6"`,
		"89% less unsure than after your first like.")

	v.Does(func() { v.P.History.TakeBack(2) })
	if v.P.Mark(4) != keep.Unmarked || len(v.P.History.Steps()) != 4 || v.P.Mark(2) != keep.Liked {
		t.Error("undoing the third step did not work")
	}
	v.Sees("75% less unsure")
	v.Does(func() { v.P.Offer.TakeBack() })
	if v.P.Mark(4) != keep.Liked || len(v.P.History.Steps()) != 5 {
		t.Error("undo did not restore the step")
	}
	v.Does(v.P.History.Toggle)
	v.Misses("Undo: Liked: Film 0", "less unsure than")

	many := uitest.Come(t, uitest.NewLine(200), uitest.NewMemory())
	many.Does(func() {
		for i := range 100 {
			many.P.Marking.Toggle(i, keep.Liked)
		}
	})
	many.Does(many.P.History.Toggle)
	if n := strings.Count(many.P.History.Line(), "L"); n != history.DrawnLikes-1 || len(many.P.History.Steps()) != history.ManySteps {
		t.Errorf("100 likes: %d drawn, %d listed", n+1, len(many.P.History.Steps()))
	}
}

// The history is a diary: months, latest first, with the numbers of marks in each, imports included.
func TestDiary(t *testing.T) {
	at := func(month time.Month, day int) uint64 {
		return uint64(time.Date(2026, month, day, 12, 0, 0, 0, time.UTC).UnixMilli())
	}
	var entries []keep.Entry
	for i := range 70 {
		entries = append(entries, keep.Entry{ID: fmt.Sprint("id", i), Mark: keep.Liked, At: at(9, 1) + uint64(i)})
	}
	entries = append(entries, keep.Entry{ID: "id80", Mark: keep.Seen, At: at(11, 2)}, keep.Entry{ID: "id81", Mark: keep.Liked, At: at(11, 3)})
	ledger := keep.New()
	ledger.Merge(entries)
	stored, err := ledger.Encode()
	if err != nil {
		t.Fatal(err)
	}
	disk := uitest.NewMemory()
	disk.M[visit.StateKey] = stored
	v := uitest.Come(t, uitest.NewLine(90), disk)
	v.Does(v.P.History.Toggle)
	v.Sees("<span>November 2026</span> <span class=\"year\">1 like, 1 known</span>",
		"<span>September 2026</span> <span class=\"year\">70 likes</span>", "3 November 2026")
	if html := v.HTML(); strings.Index(html, "November 2026</span>") > strings.Index(html, "September 2026</span>") {
		t.Error("the earlier month comes first")
	}
}

// Imported titles are in the months in which they were watched, with their stars.
func TestDiaryOfImports(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(90), uitest.NewMemory())
	v.Does(func() { v.P.Marking.Toggle(9, keep.Liked) })
	v.Does(func() {
		v.P.Import.Bring([]importer.File{{Name: "diary.csv", Data: []byte("Name,Year,Letterboxd URI,Rating,Watched Date\n" +
			"Film 1,1951,u,4.5,2019-05-01\nFilm 2,1952,u,2,2019-05-20\nFilm 3,1953,u,,2018-12-31\n")}})
	})
	v.Does(v.P.Import.AgreeImport)
	v.Does(v.P.History.Toggle)
	v.Sees("<span>May 2019</span> <span class=\"year\">1 like, 1 dislike</span>",
		"<span>December 2018</span> <span class=\"year\">1 known</span>", "1 May 2019 · ★ 4.5", "20 May 2019 · ★ 2")
	var days []string
	for _, e := range v.P.Diary() {
		days = append(days, e.ID)
	}
	if !slices.Equal(days, []string{"id3", "id1", "id2", "id9"}) {
		t.Errorf("in the order of watching: %q", days)
	}
}
