package words

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
)

// Words are the page in one language.
type Words struct {
	Texts
	Phrases
	genres []genreName // those that the owner has named
}

// Texts are the words that are always the same.
type Texts struct {
	Numerals
	LanguageTexts
	SiteTexts
	OwnerTexts
	HeadingTexts
	SearchTexts
	InvitationTexts
	ActionTexts
	ListTexts
	TuningTexts
	PeopleTexts
	BrowseTexts
	TasteTexts
	ImportTexts
	FileProblemTexts
	SharingTexts
	CopiedTexts
	MapTexts
	MapAsTextTexts
	DataTexts
	BackupTexts
	ModelTexts
	CopyTexts
	ProblemTexts
}

// incomparable keeps the compiler from writing code that compares a struct: 48 KB of the program for all groups of
// texts.
type incomparable [0]func()

// LanguageTexts are about the language.
type LanguageTexts struct {
	_           incomparable
	Tag         string // as the attribute lang has it: "en"
	Own         string // what it calls itself
	RightToLeft bool   // how it is written; words.js has to know it too
	Language    string // the label of the choice
	NowIn       string // what is announced after it
}

// SiteTexts are about the site.
type SiteTexts struct {
	_                      incomparable
	Name, Tagline, Private string
	SkipToNext             string
}

// OwnerTexts are those that depend on what the owner says, and what is said where they say nothing. In patterns, # is
// what one genre is called and % what several are; what stands in brackets is left out where a catalogue has no years.
type OwnerTexts struct {
	_                             incomparable
	Nouns                         string    // what titles are; "": nothing is said
	KnownAs                       string    // the mark of what somebody knows already
	GroupAs                       [2]string // what one genre is called, and several
	AllGenresOf, LegendOf         string
	MadeOfBy                      string
	BrowseNoteBy, BrowseInsteadBy string
	NothingWithoutOf              string // #: the mark
	BringNoteOf                   string // #: services; the brackets are left out where there are none
	Or                            string // before the last of these, with its spaces
}

// HeadingTexts are headings and tabs.
type HeadingTexts struct {
	_                                  incomparable
	Taste, Next, Map, Data             string
	TabNext, TabMap, TabTaste, TabData string
	Views                              string
	ThemeAuto, ThemeLight, ThemeDark   string
}

// SearchTexts are of the search.
type SearchTexts struct {
	_                          incomparable
	SearchLabel, SearchResults string
	NoMatchAdvice, Closest     string
	ClearSearch                string
}

// InvitationTexts are of the first visit.
type InvitationTexts struct {
	_                                  incomparable
	PickThreeWhy, ShowOthers, Peek     string
	WhichOfTwo, WhichOfTwoNote         string
	WeekPick, EarlierPicks, NothingYet string
	Neither, OtherPair                 string
	Starters                           string
}

// ActionTexts are the names of buttons.
type ActionTexts struct {
	_                              incomparable
	Like, Dislike, Seen, MoreLike  string
	ForLater, Where                string
	Why, Remove, Undo, Close, Back string
	Undone                         string
}

// ListTexts are of the list and its cards.
type ListTexts struct {
	_               incomparable
	Recommendations string
	SimilarNote     string
	More            string
	MoreEnd         string
	Certain         [4]string // by recommend.Certainty
	// why a title has no chance: the model is not calibrated, there are no likes yet
	Uncalibrated, UnsureYet        string
	NobodyYet                      string // of a title that nobody had rated
	NearMany                       string // why a title is listed: people like such titles in general
	InGeneral                      string // what people like in general, which has a share in a title's score
	Pinned                         string // of a title that the site's owner puts first
	FullCircle                     string // #: the chances at which very sure, fairly sure and a hunch begin
	SurerBelow                     string
	OneInFive                      string // under the last title that the guarantee covers
	HowKnown, Stated, CameTrue     string
	HeldAgainstNobody              string
	HeldAgainstNothing             string
	HeldAgainst                    string // #: so many people, # guesses, # points of error
	Person, People                 string // after "we tested this on 507"
	NothingLeft, NothingLeftAdvice string
	NothingWithout                 string
}

// TuningTexts are of the controls of the list.
type TuningTexts struct {
	_                                      incomparable
	Modes                                  [3]string
	ModeNotes                              [3]string
	ModesLabel                             string
	Genres, Decades, AllGenres, AllDecades string
	Exploration, Safe, Surprise            string
	Diversity, Alike, Varied               string
	Shuffle, ClearFilters                  string
	Different, DifferentNote, Usual        string
}

// PeopleTexts are of two people.
type PeopleTexts struct {
	_                               incomparable
	ForTwo, ForTwoNote, ForBothNote string
	WhoseTaste, PersonName          string
	YourName, PersonDone, NowCalled string
	Rename                          string // #: a name
	PickForYou, BackToYou, NowYou   string
	SharedTogether                  string
}

// BrowseTexts are of genres and decades.
type BrowseTexts struct {
	_                                 incomparable
	Browse, BrowseNote, BrowseInstead string
	Orders                            [4]string // by recommend.Order
	OrdersLabel                       string
	Earlier, Later, Pages             string
}

// TasteTexts are of Your taste.
type TasteTexts struct {
	_                                                  incomparable
	LikesHeading, DislikesHeading, SeenHeading, MadeOf string
	LaterHeading, History                              string
	NoLikes                                            string
	ShowFewer                                          string
}

// ImportTexts are of imported files.
type ImportTexts struct {
	_                                        incomparable
	Bring, BringNote, BringChoose, BringDrop string
	BringInstead                             string
	BringStop, BringStopped                  string
	BringTable                               string // a file of no site that is known
	BringAgree, BringCancel                  string
	BringTakeBack, BringTakenBack            string
	BringLike, BringDislike, BringNever      string
	BringScale, BringUnrated                 string
	BringListed, BringRatings                string
	BringTaken                               [3]string // #: the column of titles, of years and of ratings
	BringNoRatings                           string
	BringUnratedAs, BringBecomes             [4]string // by importer.Mark
	BringFirst, BringNoneOfAll, BringNone    string
	BringMoreDoubts                          string
}

// FileProblemTexts are what can be wrong with an imported file.
type FileProblemTexts struct {
	_                              incomparable
	BringWrong                     [15]string // by importer.Reason
	BringLine, BringColumn, Quoted string     // #: where it is wrong, and what is there
}

// SharingTexts are of shared links.
type SharingTexts struct {
	_                            incomparable
	Share, ShareNote, ShareLink  string
	ShareDislikes, ShareLater    string
	ShareCopied, ShareByHand     string
	ShareLatest                  string
	SharedNote, SharedMissing    string
	SharedLink                   string
	SharedLikes, SharedDislikes  string
	SharedLook, SharedDrop       string
	SharedLeads, SharedLeadsNote string
	SharedUnread, SharedBroken   string
	SharedNewer                  string
}

// CopiedTexts are of the list as text and the map as a picture.
type CopiedTexts struct {
	_                            incomparable
	BecauseTheyLike, ListBecause string // stand before titles
	ListTitle                    string // of ten
	ListCopy, ListCopied         string
	Picture, PictureFailed       string
}

// MapTexts are of the map.
type MapTexts struct {
	_                                         incomparable
	MapHelp, MapKeys, ZoomIn, ZoomOut, Home   string
	ViewMap, ViewDistance, ViewsLabel, AsText string
	DistanceNote, InOrder, NotInOrder         string
	MapAsleep, MapEnd, MapWheel               string
	MapUndrawn, PartUndrawn                   string // why the map, or something on it, is not to be seen
	MapFind, MapFound, MapNote, MapRings      string
	Regions                                   string
	MarkedAs                                  [4]string // by Mark, from LikedIt on
}

// MapAsTextTexts are of what the map shows as text.
type MapAsTextTexts struct {
	_                               incomparable
	TextNext, TextLikes, TextAsleep string
	TextTastes                      string
	Legend, You                     string
}

// DataTexts are of Your data.
type DataTexts struct {
	_                                    incomparable
	StoredNothing, StoredUnread          string
	StoredHere                           string
	KeptForGood, KeptWhile, Persist      string
	AsideSave                            string
	Erase, EraseMarks, EraseYes, EraseNo string
	EraseQuestion, EraseNote             string
	Erased, EraseFailed                  string
}

// BackupTexts are of backups.
type BackupTexts struct {
	_                                          incomparable
	Backup, BackupNote, BackupSave, BackupOpen string
	BackupOpened, BackupClose                  string
	BackupMerge, BackupMergeNote               string
	BackupRestore, BackupRestoreNote           string
	ChangesNothing                             string
	LeftOut                                    string // #: who is in the file, # who is here
	BackupNewer, BackupUnread                  string
	BackupBroken, BackupBrokenAt               string // #: the line
}

// ModelTexts are about the model.
type ModelTexts struct {
	_                                   incomparable
	About, AboutModel, Licence, Quality string
	QualityNote                         string
	TrainedAt, TrainedAs                string // #: a date, the settings
	KernelSIMD, KernelAVX, KernelGo     string
	ProgramAndModel                     string // #: the version of one and the digest of the other
	Unversioned, Unsigned               string
}

// CopyTexts are about the page's copy on the visitor's machine.
type CopyTexts struct {
	_                                incomparable
	Away, Restart, UpdateWaits       string
	CopyNever, CopySoon, CopyRefused string
	CopyNoRoom                       string // there is none
	CopyFull                         string // stands after since when there is one
}

// ProblemTexts are what can go wrong.
type ProblemTexts struct {
	_                                    incomparable
	StoreBlocked, StoreFull, StoredAgain string
	StateDamaged, StateNewer             string
	FailureTitle, FailureKept, Reload    string
	ModelNewer, ModelDamaged             string // what the page shows instead of itself, with advice
	CannotDraw, Stopped                  string
}

// isolate keeps a title that is written in the other direction than the sentence around it from mixing with that: it
// stands between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE then. Titles of the same direction stay as they are.
func (t *Texts) Isolate(title string) string {
	if t.RightToLeft || strings.ContainsFunc(title, rightToLeft) {
		return "\u2068" + title + "\u2069"
	}
	return title
}

// rightToLeft reports whether a letter is of a script that is written from right to left: Hebrew, Arabic and their
// neighbours in Unicode.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 &&
		r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

// certainty returns the words for how sure the model is; "" as long as that is not worked out.
func (w *Words) Certainty(c recommend.Certainty) string {
	if c == recommend.Unsaid {
		return ""
	}
	return w.Certain[c]
}

// entry names a title of a file as the file does: "Heat, 1995".
func (w *Words) Entry(e *importer.Entry) string {
	switch {
	case e.Title == "":
		return cmp.Or(e.ID, "tt"+strconv.Itoa(e.IMDb))
	case e.Year == 0:
		return e.Title
	}
	return e.Title + ", " + strconv.Itoa(e.Year)
}

// Formats names whose files were read, each once.
func (w *Words) Formats(sources []importer.Source) string {
	var out []string
	for _, s := range sources {
		if name := cmp.Or(s.Format.String(), w.BringTable); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return w.Join(out)
}

// Tally counts titles by what they become.
type Tally struct {
	Likes, Dislikes, Seen, Later int
	Kept                         int // marked here already, and left as they are
}
