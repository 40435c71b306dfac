package list_test

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
)

func TestBrowse(t *testing.T) {
	e := uitest.NewLine(100)
	v := uitest.Come(t, e, uitest.NewMemory())
	// the first visit, without marks
	v.Sees(`href="#browse"`, "Pick three you love")
	v.Does(func() { v.P.Follow("browse") })
	v.Sees(`href="#genre=Odd"`, `href="#decade=1980"`, "1980s", ">50<", "Everything there is")
	v.Misses("Pick three you love", "Nothing left", "Ten more")
	v.Does(func() { v.P.Follow("genre=Odd") })
	v.Sees(`>Odd</h2>`, "50 titles; here 1 to 20.", `href="#genre=Odd&amp;order=new"`, `href="#genre=Odd&amp;page=2"`,
		"Next page")
	v.Misses("Previous page", ">For you</a>")
	if got := v.Titles(); len(got) != list.BrowsePage || got[0] != 1 || got[19] != 39 {
		t.Errorf("the best known odd films are %v", got)
	}
	if v.P.Announced != "Odd. 50 titles; here 1 to 20." {
		t.Errorf("screen readers heard %q", v.P.Announced)
	}
	if dim := v.P.Map.Dim(); dim[1] != 0 || dim[2] != 1 {
		t.Error("the map does not dim what is not of the genre")
	}
	// The last page, then a like on it: marked titles leave the page, and are counted.
	v.Does(func() { v.P.Follow("genre=Odd&page=3") })
	v.Sees("here 41 to 50", "Previous page")
	v.Misses("Next page")
	v.Does(func() { v.P.Marking.Toggle(99, keep.Liked) })
	v.Sees("50 titles, 1 of which you have marked; here 41 to 49.")
	if slices.Contains(v.Titles(), 99) {
		t.Error("a marked title is still listed")
	}
	// With a like there is the order "for you", the default, which no address names.
	v.Does(func() { v.P.Follow("genre=Odd") })
	if got := v.Titles(); got[0] != 97 {
		t.Errorf("with a like of Film 99 the list begins with %v", got)
	}
	v.Does(func() { v.P.Follow("decade=1950&order=new") })
	v.Sees(`>1950s</h2>`, "10 titles; here 1 to 10.")
	if got := v.Titles(); got[0] != 9 {
		t.Errorf("the newest of the 1950s is %v", got)
	}
	// Anchors are not views. Titles that the catalogue lacks lead to the own list, and so does a mode.
	v.Does(func() { v.P.Follow("next-heading") })
	v.Sees(`>1950s</h2>`)
	v.Does(func() { v.P.Follow("genre=Nonsense") })
	v.Sees("Next for you")
	v.Does(func() { v.P.Follow("like=id30") })
	v.Sees("More like Film 30")
	v.Does(func() { v.P.Tuning.SetMode(recommend.HiddenGems) })
	v.Sees("Hidden gems", "Close to your taste, known to few.")
	v.Does(func() { v.P.Follow("like=nothing") })
	v.Sees("Close to your taste, known to few.")
	// A card links to its genres and its decade.
	v.Sees(`<a href="#genre=Odd">Odd</a>`, `<a href="#genre=Rare">Rare</a>`, `<a href="#decade=2040">2040s</a>`)
}

func TestSomethingDifferent(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(v.P.List.Different)
	if got, want := v.Titles(), []int{11, 12, 13, 14, 15, 16, 17, 18, 19, 20}; !slices.Equal(got, want) {
		t.Errorf("instead of the first ten: %v", got)
	}
	const said = "Something different. Gone: Film 1, Film 2 and 8 more. New: Film 11, Film 12 and 8 more."
	v.Sees(said, "Back to the first ones", v.P.W.DifferentNote)
	if v.P.Announced != said {
		t.Errorf("screen readers heard %q", v.P.Announced)
	}
	v.Does(v.P.List.Different)
	if got := v.Titles(); got[0] != 21 {
		t.Errorf("the next different titles are %v", got)
	}
	v.Does(v.P.Offer.TakeBack)
	if got := v.Titles(); got[0] != 11 || v.P.Announced != "Undone." {
		t.Errorf("after undo, the list is %v, announced %q", got, v.P.Announced)
	}
	v.Does(func() { v.P.Marking.Toggle(15, keep.Liked) }) // replaced titles do not come back after a like
	if got := v.Titles(); slices.Contains(got, 7) {
		t.Errorf("after a like the list is %v", got)
	}
	v.Does(v.P.List.Usual)
	if got := v.Titles(); got[0] != 7 && got[0] != 8 {
		t.Errorf("the first titles are %v", got)
	}
	v.Misses("Back to the first ones")
}

func TestWhatOneMoreLikeWouldChange(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses("If you like this too")
	v.Does(func() { v.P.List.ToggleWhy(2) })
	v.Sees("If you like this too, Film 30 and Film 31 would replace Film 9 in your top ten. We’d " +
		"know your taste 20% better.")
	v.Does(func() { v.P.List.ToggleWhy(1) })
	v.Sees("If you like this too, your list wouldn’t change. We’d know your taste 50% better.")
	v.Does(func() { v.P.List.ToggleWhy(1) })
	v.Misses("If you like this too")
}

// An address of a title, genre or region that the catalogue lacks leads to the visitor's own list, and the page says so
// until the next step.
func TestLostAddress(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Misses(v.P.W.NoSuchView)
	for _, lost := range []string{"like=gone", "genre=Gone", "region=gone"} {
		v.Does(func() { v.P.Follow(lost) })
		v.Sees(`role="alert">` + v.P.W.NoSuchView)
		v.Does(func() { v.P.Follow("like=id7") })
		v.Misses(v.P.W.NoSuchView)
	}
}

// With surprises the list does not claim to be in the order of fit.
func TestSurpriseIsNotBestFirst(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees(v.P.W.ModeNotes[0])
	v.Does(func() { v.P.Tuning.SetExploration(0.5) })
	v.Sees(v.P.W.SurpriseNote)
	v.Misses(v.P.W.ModeNotes[0])
}

// Formats such as IMAX are not shown as genres.
func TestFormatsAreNoGenres(t *testing.T) {
	e := uitest.NewLine(60)
	e.Items[1].Genres = []string{"IMAX", "Odd"}
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Sees("Film 1", `href="#genre=Odd"`)
	v.Misses("IMAX")
}
