package ui

import (
	"strconv"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommender"
)

// Words are all the strings that a visitor sees or hears, in one language. Nothing else in this package holds text. A
// language is a function that returns its Words (words-en.go, and phrases-en.go for the sentences with numbers and names
// in them) and a line in Languages; what is said before the program runs is in assets/js/words.js.
type Words struct {
	Numerals

	// The language.
	Tag       string // as the attribute lang has it: "en"
	Own       string // what it calls itself
	Language  string // the label of the choice
	NowIn     string // what is announced after it
	GenreName func(genre string) string
	Date      func(year, month, day int) string

	// The site.
	Name, Tagline, Private string
	One, Many              string // what the items are: "film", "films"
	SkipToNext             string

	// Headings and tabs.
	Taste, Next, Map, Data             string
	TabNext, TabMap, TabTaste, TabData string
	Views                              string
	ThemeAuto, ThemeLight, ThemeDark   string
	Theme                              func(now string) string
	LoadingTaste                       string

	// Search.
	SearchLabel, SearchHint, SearchResults string
	NoMatch                                func(query string, items int) string
	Matches                                func(n int) string
	NoMatchAdvice                          string
	ClearSearch                            string

	// The first visit.
	PickThree, PickThreeWhy, ShowOthers, Peek string
	Picked                                    func(n int) string
	Starters                                  string

	// Actions.
	Like, Dislike, Seen, MoreLike                     string
	LikeTitle, DislikeTitle, SeenTitle, MoreLikeTitle func(title string) string
	RemoveTitle, WhyTitle                             func(title string) string
	Why, Remove, Undo, Close, Back                    string
	Liked, Disliked, SawIt, Removed                   func(title string) string
	Undone                                            string

	// The list.
	Recommendations                string
	Similar                        func(title string) string
	SimilarNote, ListNote          string
	More                           string
	MoreEnd                        string
	Updated                        func(n int) string
	Because                        func(titles []string) string // titles are HTML already
	Certain                        [4]string                    // by recommender.Certainty
	CertainNote                    func(of recommender.Reliability, c recommender.Certainty, chance float64) string
	HowKnown, Stated, CameTrue     string
	HowKnownSaid                   func(recommender.Reliability) string
	HowKnownPoint                  func(stated, observed float64, n int) string
	Closer                         func(match float64, items int) string
	DistanceIs, SpreadIs           func(v float64) string
	ShareOf                        func(title string, share float64) string
	NothingLeft, NothingLeftAdvice string
	Loosen                         func(filter string) string
	NothingWithout                 string

	// Controls.
	Modes                                  [3]string
	ModeNotes                              [3]string
	ModesLabel                             string
	Filter                                 func(n int) string
	Genres, Decades, AllGenres, AllDecades string
	Decade                                 func(year int) string
	Exploration, Safe, Surprise            string
	Diversity, Alike, Varied               string
	Shuffle, ClearFilters                  string

	// Your taste.
	LikesHeading, DislikesHeading, SeenHeading, MadeOf string
	NoLikes                                            string
	ShowAll                                            func(n int) string
	ShowFewer                                          string
	Unknown                                            func(n int) string
	Evidence                                           func(n int) string

	// Bring your taste.
	Bring, BringNote, BringChoose, BringDrop string
	BringInstead                             string
	BringReading                             func(file string) string
	BringLooking                             func(titles int) string
	BringStop, BringStopped                  string
	BringFormats                             [6]string // by importer.Format
	BringFrom                                func(formats string, titles int) string
	BringFound                               func(found, doubts, missing int) string
	BringNothing                             func(items int) string
	BringWished, BringBad                    func(n int) string
	BringAdds                                func(t Tally) string
	BringDone                                func(formats string, t Tally) string
	BringAgree, BringCancel                  string
	BringTakeBack, BringTakenBack            string
	BringLike, BringDislike, BringNever      string
	BringOf                                  func(rating, scale string) string
	BringScale, BringUnrated                 string
	BringUnratedAs, BringBecomes             [4]string // by importer.Mark
	BringDoubts                              func(n int) string
	BringFirst, BringNoneOfAll, BringNone    string
	BringMoreDoubts                          string
	BringShowFound, BringShowMissing         func(n int) string
	BringMore                                func(n int) string
	BringWrong                               [16]string // by importer.Reason
	BringProblem                             func(e *importer.Error) string
	BringUnreadable                          func(file string) string

	// The map.
	MapHelp, MapKeys, ZoomIn, ZoomOut, Home    string
	ViewMap, ViewDistance, ViewsLabel, AsText  string
	Shown                                      func(share float64) string
	DistanceNote, InOrder, NotInOrder          string
	MapAsleep, MapEnd, MapWheel                string
	MapFind, MapFound, MapRings                string
	MapCanvas                                  func(items int) string
	MarkedAs                                   [3]string // by Mark, from LikedIt on
	PlaceInList                                func(place int) string
	TextNext, TextLikes, TextTaste, TextAsleep string
	TextItem                                   func(title, certainty string, distance float64) string
	TextWidth                                  func(width float64) string
	Legend, You                                string
	FromYou                                    func(distance float64) string

	// Your data.
	Stored                              func(likes, dislikes, seen, bytes int) string
	StoredNothing                       string
	StoredHere                          string
	Usage                               func(usage, quota int) string
	KeptForGood, KeptWhile, Persist     string
	AsideKept                           func(bytes int) string
	AsideSave                           string
	Erase, EraseSaid, EraseYes, EraseNo string
	EraseQuestion, EraseNote            string
	Erased, EraseFailed                 string

	// Backup.
	Backup, BackupNote, BackupSave, BackupOpen  string
	BackupSaved                                 func(file string) string
	BackupOpened, BackupClose                   string
	BackupHolds                                 func(file, date string, titles, unknown int) string
	BackupMerge, BackupMergeNote, BackupMergeDo string
	BackupRestore, BackupRestoreNote            string
	BackupRestoreDo                             string
	Adds, ChangesMarks, Removes                 func(n int, titles []string) string
	ChangesNothing                              string
	BackupApplied                               func(added, changed, removed int) string
	BackupBad                                   func(line int) string
	BackupNewer, BackupUnread                   string

	// The model.
	About, AboutModel, Licence, Quality string
	TrainedOn                           func(dataset string, users, items, positives int) string
	TrainedWhen                         func(date, preset string) string
	Metric                              func(name string, v float64) string
	QualityNote                         string
	Kernel                              func(scan string) string
	Version                             func(program, digest string) string
	Cite, NoAccount                     string

	// The page's own copy on the visitor's machine.
	Away, Restart, UpdateWaits       string
	CopyNever, CopySoon, CopyRefused string
	CopySince                        func(year, month, day int) string

	// What can go wrong.
	StoreBlocked, StoreFull, StoredAgain string
	StateDamaged, StateNewer             string
	FailureTitle, FailureKept, Reload    string
	ModelNewer, ModelDamaged             string // what the page shows instead of itself, with advice
	CannotDraw, Stopped                  string
}

// certainty returns the words for how sure the model is.
func (w *Words) certainty(c recommender.Certainty) string {
	return w.Certain[min(int(c), len(w.Certain)-1)]
}

// entry names a title of a file as the file does: "Heat, 1995".
func (w *Words) entry(e *importer.Entry) string {
	switch {
	case e.Title == "":
		return or(e.ID, "tt"+strconv.Itoa(e.IMDb))
	case e.Year == 0:
		return e.Title
	}
	return e.Title + ", " + strconv.Itoa(e.Year)
}

// or returns the first text that is not empty.
func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
