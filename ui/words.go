package ui

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
)

// Words are all that a visitor sees or hears, in one language. Nothing else in this package holds text. A language is
// a function that returns its Words, and a line in Languages: see words-en.go and phrases-en.go, whose values are laid
// out by the compiler, so that a language costs little more than its text. What is said before the program runs is in
// assets/js/page/words.js.
type Words struct {
	Texts
	Phrases
}

// Texts are the words that are always the same.
type Texts struct {
	_ [0]func() // never compared: the code for it would be 29 KB
	Numerals

	// The language.
	Tag         string // as the attribute lang has it: "en"
	Own         string // what it calls itself
	RightToLeft bool   // how it is written; words.js has to know it too
	Language    string // the label of the choice
	NowIn       string // what is announced after it

	// The site.
	Name, Tagline, Private string
	SkipToNext             string

	// Headings and tabs.
	Taste, Next, Map, Data             string
	TabNext, TabMap, TabTaste, TabData string
	Views                              string
	ThemeAuto, ThemeLight, ThemeDark   string
	LoadingTaste                       string

	// Search.
	SearchLabel, SearchResults string
	NoMatchAdvice              string
	ClearSearch                string

	// The first visit.
	PickThree, PickThreeWhy, ShowOthers, Peek string
	Starters                                  string

	// Actions.
	Like, Dislike, Seen, MoreLike  string
	Why, Remove, Undo, Close, Back string
	Undone                         string

	// The list.
	Recommendations                string
	SimilarNote, ListNote          string
	More                           string
	MoreEnd                        string
	Certain                        [4]string // by recommend.Certainty
	ChanceOf, ChanceToStay         string    // #: a chance
	StandsBelow, StandsAbove       string    // #: the word, # and where it ends or begins
	StandsBetween                  string    // #: the word, # from and # to
	Uncalibrated, UnsureYet        string    // why a title has no chance: the model is not calibrated, nobody likes anything yet
	HowKnown, Stated, CameTrue     string
	HeldAgainstNobody              string
	HeldAgainstNothing             string
	HeldAgainst                    string // #: so many people, # ratings, # points of error
	PersonWas, PeopleWere          string
	NothingLeft, NothingLeftAdvice string
	NothingWithout                 string

	// Controls.
	Modes                                  [3]string
	ModeNotes                              [3]string
	ModesLabel                             string
	Genres, Decades, AllGenres, AllDecades string
	Exploration, Safe, Surprise            string
	Diversity, Alike, Varied               string
	Shuffle, ClearFilters                  string
	Different, DifferentNote, Usual        string

	// Two people.
	ForTwo, ForTwoNote, ForBothNote string
	WhoseTaste, PersonName          string
	YourName, PersonDone, NowCalled string
	Rename                          string // #: a name
	PickForYou, BackToYou, NowYou   string
	SharedTogether                  string

	// Browsing.
	Browse, BrowseNote, BrowseInstead string
	Orders                            [4]string // by recommend.Order
	OrdersLabel                       string
	Earlier, Later, Pages             string

	// Your taste.
	LikesHeading, DislikesHeading, SeenHeading, MadeOf string
	NoLikes                                            string
	ShowFewer                                          string

	// Bring your taste.
	Bring, BringNote, BringChoose, BringDrop string
	BringInstead                             string
	BringStop, BringStopped                  string
	BringFormats                             [6]string // by importer.Format
	BringAgree, BringCancel                  string
	BringTakeBack, BringTakenBack            string
	BringLike, BringDislike, BringNever      string
	BringScale, BringUnrated                 string
	BringUnratedAs, BringBecomes             [4]string // by importer.Mark
	BringFirst, BringNoneOfAll, BringNone    string
	BringMoreDoubts                          string
	BringWrong                               [16]string // by importer.Reason
	BringLine, BringColumn, Quoted           string     // #: where it is wrong, and what is there

	// Sharing.
	Share, ShareNote, ShareLink  string
	ShareDislikes                string
	ShareCopied, ShareByHand     string
	ShareLatest                  string
	SharedNote, SharedMissing    string
	SharedLink                   string
	SharedLikes, SharedDislikes  string
	SharedLook, SharedDrop       string
	SharedLeads, SharedLeadsNote string
	SharedUnread, SharedBroken   string
	SharedNewer                  string
	BecauseTheyLike, ListBecause string // stand before titles
	ListTitle                    string // of ten
	ListCopy, ListCopied         string
	Picture, PictureFailed       string

	// The map.
	MapHelp, MapKeys, ZoomIn, ZoomOut, Home   string
	ViewMap, ViewDistance, ViewsLabel, AsText string
	DistanceNote, InOrder, NotInOrder         string
	MapAsleep, MapEnd, MapWheel               string
	MapUndrawn, PartUndrawn                   string // why the map, or something on it, is not to be seen
	MapFind, MapFound, MapRings               string
	MarkedAs                                  [3]string // by Mark, from LikedIt on
	TextNext, TextLikes, TextAsleep           string
	Legend, You                               string

	// Your data.
	StoredNothing, StoredUnread         string
	StoredHere                          string
	KeptForGood, KeptWhile, Persist     string
	AsideSave                           string
	Erase, EraseSaid, EraseYes, EraseNo string
	EraseQuestion, EraseNote            string
	Erased, EraseFailed                 string

	// Backup.
	Backup, BackupNote, BackupSave, BackupOpen string
	BackupOpened, BackupClose                  string
	BackupMerge, BackupMergeNote               string
	BackupRestore, BackupRestoreNote           string
	ChangesNothing                             string
	LeftOut                                    string // #: who is in the file, # who is here
	BackupNewer, BackupUnread                  string
	BackupBroken, BackupBrokenAt               string // #: the line

	// The model.
	About, AboutModel, Licence, Quality string
	QualityNote                         string
	TrainedAt, TrainedAs                string // #: a date, the settings
	KernelSIMD, KernelAVX, KernelGo     string
	ProgramAndModel                     string // #: the version of one and the digest of the other
	Unversioned, Unsigned               string

	// The page's own copy on the visitor's machine.
	Away, Restart, UpdateWaits       string
	CopyNever, CopySoon, CopyRefused string
	CopyNoRoom                       string // there is none
	CopyFull                         string // stands after since when there is one

	// What can go wrong.
	StoreBlocked, StoreFull, StoredAgain string
	StateDamaged, StateNewer             string
	FailureTitle, FailureKept, Reload    string
	ModelNewer, ModelDamaged             string // what the page shows instead of itself, with advice
	CannotDraw, Stopped                  string
}

// isolate keeps a title that is written in the other direction than the sentence around it from mixing with that: it
// stands between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE then. Titles of the same direction stay as they are.
func (t *Texts) isolate(title string) string {
	if t.RightToLeft || strings.ContainsFunc(title, rightToLeft) {
		return "\u2068" + title + "\u2069"
	}
	return title
}

// rightToLeft tells whether a letter is of a script that is written from right to left: Hebrew, Arabic and their
// neighbours in Unicode.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 && r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

// certainty returns the words for how sure the model is; "" as long as that is not worked out.
func (w *Words) certainty(c recommend.Certainty) string {
	if c == recommend.Unsaid {
		return ""
	}
	return w.Certain[c]
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
