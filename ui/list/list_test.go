package list_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
)

// Different titles are not offered if the list holds every title that passes the filters. When none are left, the list
// starts over instead of being empty.
func TestDifferentNeverEndsInNothing(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees("Show me something different")
	v.Does(func() { v.P.Tuning.ToggleDecade(1970) })
	first := v.Titles()
	if len(first) != 10 {
		t.Fatalf("the list of the 1970s is %v", first)
	}
	v.Misses("Show me something different")
	v.Does(func() { v.P.List.Different() })
	if got := v.Titles(); !slices.Equal(got, first) || len(v.P.List.Instead) > 0 {
		t.Errorf("instead of all titles: %v", got)
	}
	v.Does(func() { v.P.Tuning.ToggleDecade(1970) })
	v.Does(func() { v.P.List.Different() })
	if got := v.Titles(); slices.Contains(got, 1) || len(got) != 10 {
		t.Errorf("instead of the shown titles: %v", got)
	}
}

func TestEverythingFilteredOut(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.Tuning.ToggleGenre("Rare") })
	v.Does(func() { v.P.Tuning.ToggleDecade(1950) }) // Films 0 and 5; 0 is liked
	v.Does(func() { v.P.Marking.Toggle(5, keep.Seen) })
	v.Sees("Nothing left to show.", "Remove one:", "Allow any genre", "Allow any decade")
	v.Does(func() { v.P.List.Relax(v.P.List.Loosen[1]) })
	if len(v.P.List.Titles) == 0 || v.P.Settings().Decade != 0 || !v.P.Tuning.HasGenre("Rare") {
		t.Errorf("loosening the decade left %d titles, decade %d", len(v.P.List.Titles), v.P.Settings().Decade)
	}
	v.Misses("Nothing left to show.")
}

func TestMoreEnds(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(list.MaxShown+30), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees("Ten more")
	for range list.MaxShown/list.PageSize - 1 {
		v.Does(v.P.List.More)
	}
	if len(v.P.List.Titles) != list.MaxShown {
		t.Errorf("%d titles are shown, want %d", len(v.P.List.Titles), list.MaxShown)
	}
	v.Misses("Ten more")
	v.Sees("the end of this list")
}

func TestSimilar(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.List.ShowSimilar(30) })
	v.Sees("More like Film 30", "Back to your list")
	if got := v.Titles()[0]; got != 29 && got != 31 {
		t.Errorf("the first title like Film 30 is Film %d", got)
	}
	v.Does(func() { v.P.List.ShowSimilar(-1) })
	if v.P.List.HasList() {
		t.Error("a visitor without likes sees a list")
	}
}

// Idle work runs once, after the latest question, and not after an overtaken one.
func TestIdleAfterTheLatestQuestion(t *testing.T) {
	e := uitest.NewLine(60)
	v := uitest.Come(t, e, uitest.NewMemory())
	idle := 0
	v.P.List.WhenIdle(func() { idle++ })
	e.Surely = func() {
		e.Surely = nil
		v.P.Tasks.Locked(func() { v.P.List.Refresh(false) })
	}
	v.Does(func() { v.P.Starters.Pick(0) })
	if idle != 1 || e.Surely != nil {
		t.Errorf("idle work ran %d times, want once", idle)
	}
}

// The list does not wait for its certainties. Titles that stay keep theirs meanwhile. New titles have none yet: on the
// card, in the explanation, or in the map's text.
func TestListDoesNotWaitForHowSureItIs(t *testing.T) {
	e := uitest.NewLine(60)
	v := uitest.Come(t, e, uitest.NewMemory())
	asked, held := make(chan bool), make(chan bool)
	e.Surely = func() { asked <- true; <-held }
	like := func(i int) {
		v.Env.Lock()
		v.P.Starters.Pick(i)
		v.Env.UnlockRender()
		<-asked
	}
	like(0)
	v.Env.Lock()
	v.P.List.ToggleWhy(1)
	v.Env.UnlockRender()
	v.Sees("Film 1, 1951</li>", "One of your top 7 of 60 titles")
	v.Misses("Fairly sure", "fairly sure")
	held <- true
	v.P.Tasks.Wait()
	v.Sees("Fairly sure</span>", "Film 1, 1951: fairly sure")
	like(1)
	v.Sees("Film 2, 1952: fairly sure", "Film 11, 1961</li>")
	held <- true
	v.P.Tasks.Wait()
	v.Sees("Film 11, 1961: fairly sure")
}

func TestWhy(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses("2-Wasserstein")
	v.Does(func() { v.P.List.ToggleWhy(1) })
	v.Sees("One of your top 7 of 60 titles", "What led here: Film 0 100%.", "Distance 1.000 (2-Wasserstein)",
		"We think there’s a 70% chance it stays in your first ten.")
	v.Does(v.P.List.ToggleTrust)
	v.Sees("very sure from 85%, fairly sure from 60%, a hunch from 40%, a gamble below.")
}

// A model that nobody tested says so. A tested one shows every group of its statements, as dots and in words.
func TestHowDoWeKnow(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.List.ToggleWhy(1) })
	v.Misses("was not tested on people", v.P.W.Uncalibrated)
	v.P.About.Reliability = recommend.Reliability{}
	for i := range v.P.List.Titles {
		v.P.List.Titles[i].Chance, v.P.List.Titles[i].Certainty = 0, recommend.Unsaid
	}
	v.Does(v.P.List.ToggleTrust)
	v.Sees(v.P.W.Uncalibrated)
	v.Misses("We think there", "airly sure", "ery sure")
	v.Sees("This model was not tested on people it had never seen, so it does not say how sure it is.")
	v.Misses("<circle cx=\"8.0\"")
	v.P.About.Reliability = recommend.Reliability{
		Of: recommend.Liking, People: 120, Error: 0.019,
		Bins: []model.LikeBin{{Predicted: 0, Observed: 0.25, Count: 25}, {Predicted: 0.5, Observed: 0.5, Count: 100}},
	}
	v.Does(func() {})
	v.Sees(
		"We tested this on 120 people the model had never seen. Each dot is a group of our 125 guesses about them",
		"On average we were 1.9 points off.", "very sure from 85%, fairly sure from 75%, a hunch from 65%",
		`<circle cx="8.0" cy="71.0" r="2.8"`, `<circle cx="50.0" cy="50.0" r="4.0"`,
		"0% said, 25% came true, of 25 guesses", "50% said, 50% came true, of 100 guesses",
	)
}

// TestOvertaken delays an answer until there is a newer question, and expects the old answer to be dropped.
func TestOvertaken(t *testing.T) {
	e := uitest.NewLine(60)
	v := uitest.Come(t, e, uitest.NewMemory())
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	e.Before = func() {
		once.Do(func() {
			close(entered)
			<-release
		})
	}
	v.Env.Lock()
	v.P.Starters.Pick(0)
	v.Env.UnlockRender()
	<-entered
	v.Env.Lock()
	v.P.Starters.Pick(40)
	said := v.P.AnnouncedTurn
	v.Env.UnlockRender()
	close(release)
	v.P.Tasks.Wait()
	if got := v.P.List.Taste.Evidence; got != 2 {
		t.Errorf("the page shows an answer to %d choices, want 2", got)
	}
	if v.P.AnnouncedTurn != said+1 {
		t.Errorf("%d answers were announced, want 1", v.P.AnnouncedTurn-said)
	}
}

// A region of the map has a list of its own with an address. The other titles fade on the map.
func TestRegion(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.Follow("region=0-Even-1980&order=new") })
	v.Sees("1980s Even", "30 titles")
	if got := v.Titles(); len(got) != list.BrowsePage || got[0] != 59 || got[19] != 40 {
		t.Errorf("the newest of the second half are %v", got)
	}
	dim := v.P.Map.Dim()
	if dim[29] != 1 || dim[30] != 0 {
		t.Errorf("the map fades: %v", dim)
	}
	for _, none := range []string{"region=2-Even", "region=1-"} {
		v.Does(func() { v.P.Follow(none) })
		if v.P.View().Kind != address.Own {
			t.Errorf("%s leads to %+v", none, v.P.View())
		}
	}
}

// The list is as long as before after a mark, and after coming back from another view. Other settings start anew.
func TestListKeepsItsLength(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(90), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(v.P.List.More)
	v.Does(v.P.List.More)
	length := func(when string, want int) {
		t.Helper()
		if n := len(v.P.List.Titles); n != want {
			t.Errorf("%s the list has %d titles, want %d", when, n, want)
		}
	}
	v.Does(func() { v.P.List.ToggleWhy(7) })
	v.Does(func() { v.P.Marking.Toggle(25, keep.Liked) })
	length("after a like", 30)
	if v.P.List.Why != 7 || v.P.List.Change == nil {
		t.Error("the open explanation is closed by a like of another title")
	}
	v.Does(func() { v.P.List.ShowSimilar(40) })
	length("of another view", 10)
	v.Does(func() { v.P.List.ShowSimilar(-1) })
	length("after coming back", 30)
	v.Does(func() { v.P.Tuning.SetDiversity(0.5) })
	length("with another setting", 10)
}
