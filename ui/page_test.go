package ui

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

func TestFirstVisit(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.sees("Pick three you love", `aria-label="Like Film 0"`, `aria-label="Like Film 11"`, "Show me others",
		`for="search"`, ">Search titles<", `aria-label="Taste map"`, "Nothing is stored yet",
		"Open a backup", "This stays on your device.")
	v.misses(`class="card"`, "Save a backup", `aria-label="Like Film 12"`)

	v.does(func() { v.p.Starters.OtherStarters() })
	v.sees(`aria-label="Like Film 12"`)
	v.misses(`aria-label="Like Film 11"`)
}

func TestInvitationGoesAfterTheThirdLike(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees("Pick three you love", `<ol id="recommendations" class="cards" aria-label="Recommendations">`,
		"One picked, two to go",
		`Because you liked <b dir="auto">Film 0</b>`, "Fairly sure", `aria-label="Not for me: Film 1"`,
		`aria-label="Known: Film 1"`, `aria-label="More like this: Film 1"`)
	if got, want := v.titles(), []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}; !slices.Equal(got, want) {
		t.Errorf("after one like of Film 0 the list is %v, want %v", got, want)
	}
	v.does(func() { v.p.Marking.Pick(2) })
	v.does(func() { v.p.Marking.Pick(0) }) // taken back
	v.sees("Pick three you love", "One picked")
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.Marking.Pick(4) })
	v.misses("Pick three you love")
	if got := v.titles(); got[0] != 1 || got[1] != 3 {
		t.Errorf("after likes of Films 0, 2 and 4 the list begins %v, want 1, 3", got[:2])
	}
	if v.p.Announced != "10 recommendations updated" {
		t.Errorf("screen readers heard %q last", v.p.Announced)
	}
	before := v.p.List.Places.Tastes[0].Ellipses[2].A
	v.does(func() { v.p.Marking.Toggle(3, LikedIt) })
	if now := v.p.List.Places.Tastes[0].Ellipses[2].A; now >= before {
		t.Errorf("the ellipse did not tighten with a like: %v, before %v", now, before)
	}
}

func TestAMarkMovesBetweenLists(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Toggle(7, LikedIt) })
	v.does(func() { v.p.Marking.Toggle(7, NotForMe) })
	if len(v.p.Log.Now().Likes) != 0 || !slices.Equal(v.p.Log.Now().Dislikes, []string{"id7"}) {
		t.Fatalf("a title stands in likes %v and dislikes %v", v.p.Log.Now().Likes, v.p.Log.Now().Dislikes)
	}
	v.does(func() { v.p.Marking.Toggle(7, SeenIt) })
	v.sees("Remove Film 7")
	v.does(func() { v.p.Marking.Remove(7) })
	if v.p.Log.Now().Marked() {
		t.Errorf("a removed title is still marked: %+v", v.p.Log.Now().State)
	}
}

func TestUndo(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	for _, i := range []int{0, 2, 4} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	list := v.titles()
	v.does(func() { v.p.Marking.Toggle(1, NotForMe) })
	v.sees("Not for you: Film 1", ">Undo<")
	if slices.Contains(v.titles(), 1) {
		t.Error("a title that is not for the visitor is still recommended")
	}
	v.does(func() { v.p.Tuning.SetDiversity(0.5) })
	v.does(func() { v.p.Offer.TakeBack() })
	if !slices.Equal(v.titles(), list) {
		t.Errorf("after undo the list is %v, was %v", v.titles(), list)
	}
	if v.p.Log.Settings.Diversity != 0.5 {
		t.Error("undo took a setting back, not only the mark")
	}
	v.misses(">Undo<")
}

func TestFilters(t *testing.T) {
	e := newLine(60)
	v := come(t, e, newMemory())
	v.does(func() { v.p.Marking.Pick(20) })
	v.does(func() { v.p.Tuning.ToggleGenre("Odd") })
	for _, i := range v.titles() {
		if i%2 == 0 {
			t.Fatalf("Film %d passed the filter Odd", i)
		}
	}
	v.does(func() { v.p.Tuning.ToggleDecade(1970) })
	if got, want := v.titles(), []int{21, 23, 25, 27, 29}; !slices.Equal(got, want) {
		t.Errorf("odd films of the 1970s: %v, want %v", got, want)
	}
	v.sees("More ways to look (2)", "Clear filters")
	v.misses(`class="chip g1"`, "1970s</button>")
	v.does(v.p.Tuning.ToggleTuning)
	v.sees(`class="chip g1"`, "1970s</button>")
	if dim := v.p.Map.dim(); dim[21] != 0 || dim[20] != 1 || dim[31] != 1 {
		t.Error("the map does not dim what the filters leave out")
	}
	// Film 25 is Odd and Rare, and Rare says more; Film 20 is not Odd
	if g := v.p.Map.groups(); g[25] != 1 || g[20] != 2 {
		t.Errorf("filtered by Odd, Films 25 and 20 are coloured %d and %d", g[25], g[20])
	}
	v.does(func() { v.p.Tuning.ToggleDecade(1970) })
	v.does(func() { v.p.Tuning.ToggleGenre("Odd") })
	if v.p.Tuning.Filters() != 0 || v.p.Map.dim() != nil || v.p.Map.groups()[25] != 2 {
		t.Error("filters remain after they were taken away")
	}
}

// Where the list is all that passes the filters, nothing different is offered; where a list in place of others has no
// titles left, it begins anew: it is never empty.
func TestDifferentNeverEndsInNothing(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees("Show me something different")
	v.does(func() { v.p.Tuning.ToggleDecade(1970) })
	first := v.titles()
	if len(first) != 10 {
		t.Fatalf("of the 1970s come %v", first)
	}
	v.misses("Show me something different")
	v.does(func() { v.p.List.Different() })
	if got := v.titles(); !slices.Equal(got, first) || len(v.p.List.Instead) > 0 {
		t.Errorf("in place of all there is come %v", got)
	}
	v.does(func() { v.p.Tuning.ToggleDecade(1970) })
	v.does(func() { v.p.List.Different() })
	if got := v.titles(); slices.Contains(got, 1) || len(got) != 10 {
		t.Errorf("in place of what was shown come %v", got)
	}
}

// Each way of looking is what the heading says, and no more than two stand there until the button is pressed.
func TestWaysOfLooking(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	ways := func() (n int) {
		page := v.html()
		for _, group := range strings.Split(page, `class="modes"`)[1:] {
			tags := strings.Split(group[:strings.Index(group, "</div>")], "<")
			for _, tag := range tags[1:] {
				if strings.Contains(tag, `class="mode"`) && !strings.Contains(tag+tags[0], "hidden") {
					n++
				}
			}
		}
		return n
	}
	for m, name := range v.p.W.Modes {
		v.does(func() { v.p.Tuning.SetMode(recommend.Mode(m)) })
		want := v.p.W.Next
		if m > 0 {
			want = name
		}
		v.sees(`id="next-heading" class="display">` + want + "<")
		if n := ways(); n != min(m, 1)+1 {
			t.Errorf("%s: %d ways stand there", name, n)
		}
	}
	v.does(v.p.Tuning.ToggleTuning)
	if n := ways(); n != 5 {
		t.Errorf("behind the button %d ways stand there", n)
	}
	v.sees("#like=")
	v.does(v.p.Tuning.ToggleTuning)
	v.does(func() { v.p.List.Go(View{Kind: BrowseView}) })
	if n := ways(); n != 2 {
		t.Errorf("browsing: %d ways stand there", n)
	}
}

func TestEverythingFilteredOut(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.Tuning.ToggleGenre("Rare") })
	v.does(func() { v.p.Tuning.ToggleDecade(1950) }) // Films 0 and 5, and 0 is liked
	v.does(func() { v.p.Marking.Toggle(5, SeenIt) })
	v.sees("Nothing left to show.", "Take one away:", "Allow any genre", "Allow any decade")
	v.does(func() { v.p.Tuning.Loosen(v.p.List.Loosen[1]) })
	if len(v.p.List.Titles) == 0 || v.p.Log.Settings.Decade != 0 || !v.p.Tuning.HasGenre("Rare") {
		t.Errorf("loosening the decade left %d titles, decade %d", len(v.p.List.Titles), v.p.Log.Settings.Decade)
	}
	v.misses("Nothing left to show.")
}

func TestMoreEnds(t *testing.T) {
	v := come(t, newLine(80), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.sees("Ten more")
	for range 4 {
		v.does(v.p.List.More)
	}
	if len(v.p.List.Titles) != maxShown {
		t.Errorf("%d titles are shown, want %d", len(v.p.List.Titles), maxShown)
	}
	v.misses("Ten more")
	v.sees("the end of this list")
}

func TestControlsReachTheEngine(t *testing.T) {
	e := newLine(60)
	v := come(t, e, newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.Tuning.SetExploration(0.75) })
	v.does(func() { v.p.Tuning.SetDiversity(0.25) })
	v.does(func() { v.p.Tuning.SetMode(recommend.HiddenGems) })
	v.sees("Shuffle")
	v.does(v.p.Tuning.Shuffle)
	r := e.asked[len(e.asked)-1]
	if r.Exploration != 0.75 || r.Diversity != 0.25 || r.Mode != recommend.HiddenGems || r.Seed != 1 ||
		r.K != pageSize {
		t.Errorf("the engine was asked %+v", r)
	}
}

func TestSearch(t *testing.T) {
	v := come(t, newLine(1947), newMemory())
	v.does(func() { v.p.Search.Search("film 12") })
	v.sees(`aria-label="Search results"`, `aria-label="Like Film 12"`, `aria-label="Not for me: Film 12"`,
		`aria-label="Known: Film 12"`)
	v.does(func() { v.p.Marking.Toggle(12, LikedIt) })
	v.sees(`aria-label="Like Film 12" aria-pressed="true"`)
	v.does(func() { v.p.Search.Search("<nothing>") })
	v.sees("“&lt;nothing&gt;” is not in this catalogue, which ends in 3896.")
	v.does(v.p.Search.ClearSearch)
	v.misses("is not in this catalogue", "Search results")
}

func TestSimilar(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.List.ShowSimilar(30) })
	v.sees("More like Film 30", "Back to your list")
	if got := v.titles()[0]; got != 29 && got != 31 {
		t.Errorf("the first title like Film 30 is Film %d", got)
	}
	v.does(func() { v.p.List.ShowSimilar(-1) })
	if v.p.List.HasList() {
		t.Error("a list is shown to somebody who likes nothing yet")
	}
}

// What nothing waits for is worked out once, after the latest question: not after one that was overtaken, beside it.
func TestIdleAfterTheLatestQuestion(t *testing.T) {
	e := newLine(60)
	v := come(t, e, newMemory())
	idle := 0
	v.p.on.idle = func() { idle++ }
	e.surely = func() {
		e.surely = nil
		v.p.locked(func() { v.p.List.refresh(false) })
	}
	v.does(func() { v.p.Marking.Pick(0) })
	if idle != 1 || e.surely != nil {
		t.Errorf("the engine was said to be idle %d times, want once", idle)
	}
}

// The list stands before it is known how sure it is. Titles that stay are as sure as they were meanwhile, and of a new
// one nothing is said yet, in its card, in what it explains or in the text of the map.
func TestListDoesNotWaitForHowSureItIs(t *testing.T) {
	e := newLine(60)
	v := come(t, e, newMemory())
	asked, held := make(chan bool), make(chan bool)
	e.surely = func() { asked <- true; <-held }
	like := func(i int) {
		v.env.Lock()
		v.p.Marking.Pick(i)
		v.env.UnlockRender()
		<-asked
	}
	like(0)
	v.env.Lock()
	v.p.List.ToggleWhy(1)
	v.env.UnlockRender()
	v.sees("Film 1, 1951</li>", "A better match than 54 of 60 titles")
	v.misses("Fairly sure", "fairly sure")
	held <- true
	v.p.Wait()
	v.sees("Fairly sure</span>", "Film 1, 1951: fairly sure")
	like(1)
	v.sees("Film 2, 1952: fairly sure", "Film 11, 1961</li>")
	held <- true
	v.p.Wait()
	v.sees("Film 11, 1961: fairly sure")
}

func TestWhy(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.misses("latent units)")
	v.does(func() { v.p.List.ToggleWhy(1) })
	v.sees("A better match than 54 of 60 titles", "Film 0, 1950, 100%", "Distance 1.000 (2-Wasserstein)",
		"We think there&#39;s a 70% chance it stays in your first ten.")
	v.does(v.p.List.ToggleTrust)
	v.sees("very sure from 85%, fairly sure from 60%, a hunch from 40%, a gamble below.")
}

// How do we know? A model that nobody checked says so; one that was shows every group of its statements, as dots and in
// words.
func TestHowDoWeKnow(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.List.ToggleWhy(1) })
	v.misses("was not checked on people", v.p.W.Uncalibrated)
	v.p.About.Reliability = recommend.Reliability{}
	for i := range v.p.List.Titles {
		v.p.List.Titles[i].Chance, v.p.List.Titles[i].Certainty = 0, recommend.Unsaid
	}
	v.does(v.p.List.ToggleTrust)
	v.sees(v.p.W.Uncalibrated)
	v.misses("We think there", "airly sure", "ery sure")
	v.sees("This model was not checked on people whom it had not seen, so it does not say how sure it is.")
	v.misses("<circle cx=\"8.0\"")
	v.p.About.Reliability = recommend.Reliability{
		Of: recommend.Liking, People: 120, Error: 0.019,
		Bins: []model.LikeBin{{Predicted: 0, Observed: 0.25, Count: 25}, {Predicted: 0.5, Observed: 0.5, Count: 100}},
	}
	v.does(func() {})
	v.sees(
		"We tested this on 120 people the model had never seen. Each dot is a group of our 125 guesses about them",
		"On average we were 1.9 points off.", "very sure from 85%, fairly sure from 75%, a hunch from 65%",
		`<circle cx="8.0" cy="71.0" r="2.8"`, `<circle cx="50.0" cy="50.0" r="4.0"`,
		"0% said, 25% came true, of 25 guesses", "50% said, 50% came true, of 100 guesses",
	)
}

func TestMapAsText(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.sees(v.p.W.MapAsleep, "Nothing is marked yet.")
	v.does(func() { v.p.Marking.Pick(0) })
	v.misses("#region=")
	v.does(func() { v.p.Map.ToggleText() })
	v.sees(`id="map-text"`, "Film 1, 1951: fairly sure, distance 1.00", v.p.W.MapNote, v.p.W.TextTastes,
		"100%: around “Even”", v.p.W.MapRings,
		`<a href="#region=0-Even-1980" class="link-to gx" aria-current="false">1980s Even</a>`,
		`<a href="#region=1-1%20%26%202"`)
	v.misses("latent units", "#region=\"")
	v.does(func() { v.p.Map.ShowDistances(true) })
	v.sees(v.p.W.DistanceNote, v.p.W.InOrder)
	v.does(func() { v.p.Tuning.SetDiversity(0.5) })
	v.sees(v.p.W.NotInOrder)
	v.does(func() { v.p.Tuning.SetDiversity(0) })
	if d := v.p.feed.radii; len(d) != 60 || d[9] != 9 {
		t.Error("the distance view has no true distances")
	}
	v.does(func() { v.p.Map.Select(9) })
	v.sees("1959 · Odd · 9.00 from you")
	if got := mapTastes(&v.p.List.Places); len(got) != 16*4 {
		t.Errorf("the map is fed with %d bytes of one taste", len(got))
	}
}

// A region of the map has a list of its own, with an address; what lies elsewhere fades on the map.
func TestRegion(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.List.follow("region=0-Even-1980&order=new") })
	v.sees("1980s Even", "30 titles")
	if got := v.titles(); len(got) != browsePage || got[0] != 59 || got[19] != 40 {
		t.Errorf("the newest of the second half are %v", got)
	}
	dim := v.p.Map.dim()
	if dim[29] != 1 || dim[30] != 0 {
		t.Errorf("on the map are left out: %v", dim)
	}
	for _, none := range []string{"region=2-Even", "region=1-"} {
		v.does(func() { v.p.List.follow(none) })
		if v.p.List.View.Kind != OwnView {
			t.Errorf("%s leads to %+v", none, v.p.List.View)
		}
	}
	if got := regionKeys([]model.Region{{Genre: "A"}, {Genre: "A"}, {}, {Level: 2, From: 1990, To: 2000},
		{Genre: "A", Or: "B", From: 1970, To: 1990}, {To: 1960}, {Genre: "A", From: 1990}}); !slices.Equal(got,
		[]string{"0-A", "0-A-2", "", "2-1990", "0-A+B-1970..1990", "0-..1960", "0-A-1990.."}) {
		t.Errorf("the keys are %q", got)
	}
}

func TestChoicesSurvive(t *testing.T) {
	s := newMemory()
	v := come(t, newLine(60), s)
	for _, i := range []int{3, 5, 8} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	v.does(func() { v.p.Marking.Toggle(9, SeenIt) })
	v.does(func() { v.p.Tuning.SetExploration(0.5) })
	list := v.titles()

	again := come(t, newLine(60), s)
	if !slices.Equal(again.titles(), list) || again.p.Log.Settings.Exploration != 0.5 || again.p.Mark(9) != SeenIt {
		t.Errorf("after coming back the list is %v, was %v", again.titles(), list)
	}
	again.misses("Pick three you love")

	smaller := come(t, newLine(6), s) // Films 8 and 9 are not in this catalogue
	if smaller.p.Log.Now().Unknown != 2 || len(smaller.p.Log.Now().Likes) != 3 {
		t.Errorf("a smaller catalogue forgot: unknown %d, likes %v", smaller.p.Log.Now().Unknown,
			smaller.p.Log.Now().Likes)
	}
	smaller.sees("2 titles from an earlier catalogue")
}

// TestOvertaken holds an answer back until a newer question was asked, and sees that the old answer is dropped.
func TestOvertaken(t *testing.T) {
	e := newLine(60)
	v := come(t, e, newMemory())
	entered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	e.before = func() {
		once.Do(func() {
			close(entered)
			<-release
		})
	}
	v.env.Lock()
	v.p.Marking.Pick(0)
	v.env.UnlockRender()
	<-entered
	v.env.Lock()
	v.p.Marking.Pick(40)
	said := v.p.AnnouncedTurn
	v.env.UnlockRender()
	close(release)
	v.p.Wait()
	if got := v.p.List.Taste.Evidence; got != 2 {
		t.Errorf("the page shows an answer to %d choices, want 2", got)
	}
	if v.p.AnnouncedTurn != said+1 {
		t.Errorf("%d answers were announced, want 1", v.p.AnnouncedTurn-said)
	}
}

func TestAttribution(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.p.About.Attribution = "A. Line. 2026. Points."
	v.sees("A. Line. 2026. Points.", "Learned from A line: 3,456 favourites of 12 people among 60 titles.")
	v.misses("Free as a line")
	v.does(v.p.Data.ToggleAbout)
	v.sees("Free as a line", v.p.W.QualityNote, "Recall@10 0.200", "NDCG@10 0.300", "plain Go", "model 0123456789ab")
}

func TestFailure(t *testing.T) {
	f := NewFailure(nil, errors.New("the model is torn"))
	if f.Reason != "the model is torn" || f.W.FailureKept == "" {
		t.Errorf("a failure says %+v", f)
	}
}
