package words

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
)

// Words are all texts in one language.
type Words struct {
	Texts
	Phrases
	phrases func(n *Numerals) Phrases // those of the language, with n's numbers and noun
	genres  []genreName               // named by the owner
	moods   []Mood                    // the owner's, or those of films
	base    *Words                    // without an owner's texts; nil: these
}

func newWords(texts Texts, phrases func(n *Numerals) Phrases) *Words {
	w := &Words{Texts: texts, phrases: phrases}
	w.Phrases = phrases(&w.Numerals)
	w.tell(Owner{})
	return w
}

// Texts are the fixed texts, and the patterns that sentences.go fills in.
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

// incomparable makes a struct incomparable, so that the compiler generates no code to compare it. For all groups of
// texts that saves 48 KB of the program.
type incomparable [0]func()

// LanguageTexts are about the language.
type LanguageTexts struct {
	_           incomparable
	Tag         string // value of the attribute lang: "en"
	Own         string // the language's own name
	RightToLeft bool   // words.js lists these languages too
	Language    string // label of the choice
	NowIn       string // announced after a change
}

// SiteTexts are about the site.
type SiteTexts struct {
	_                      incomparable
	Name, Tagline, Private string
	SkipToNext             string
}

// OwnerTexts depend on the owner's texts, or stand in for them. In patterns, # is the word for genre and % its plural.
// The part in brackets is dropped for catalogues without years.
type OwnerTexts struct {
	_                             incomparable
	Nouns                         string    // the plural noun for titles; "": not given
	KnownAs                       string    // the mark of titles that the visitor knows already
	GroupAs                       [2]string // the word for genre, in singular and plural
	AllGenresOf, LegendOf         string
	MadeOfBy                      string
	BrowseNoteBy, BrowseInsteadBy string
	NothingWithoutOf              string // #: the mark
	BringNoteOf                   string // #: services; the part in brackets is dropped without any
	Or                            string // before the last service, with its spaces
	PickForOf                     string // #: a name; the part in brackets is dropped without imports
}

// HeadingTexts are headings and tabs.
type HeadingTexts struct {
	_                                  incomparable
	Taste, Next, Map, Data             string
	TabNext, TabMap, TabTaste, TabData string
	Views                              string
	ThemeAuto, ThemeLight, ThemeDark   string
}

// SearchTexts belong to the search.
type SearchTexts struct {
	_                          incomparable
	SearchLabel, SearchResults string
	NoMatchAdvice, Closest     string
	OtherNames                 string // the advice where many titles have an original one in brackets
	ClearSearch                string
}

// InvitationTexts belong to the first visit, the pick for the week and the choice between two titles.
type InvitationTexts struct {
	_                                  incomparable
	PickThreeWhy, ShowOthers, Peek     string
	WhichOfTwo, WhichOfTwoNote         string
	WeekPick, EarlierPicks, NothingYet string
	Neither, OtherPair                 string
	AfterNote                          string
	Starters                           string
}

// ActionTexts are the names of buttons.
type ActionTexts struct {
	_                              incomparable
	Like, Dislike, Seen, MoreLike  string
	ForLater, Where                string
	Why, Remove, Undo, Close, Back string
	Undone                         string
	Rate                           string
	RatedAs, StarsOfFive           string // #: a title and OfFive; a number
	NewList, NewListDone           string
	OnList, OffList                string // #: a title, a list
	ShareThisList                  string
}

// ListTexts belong to the list and its cards.
type ListTexts struct {
	_               incomparable
	Recommendations string
	SimilarNote     string
	More            string
	MoreEnd         string
	Certain         [4]string // by recommend.Certainty
	// why a title has no chance: the model is not calibrated, or likes are missing
	Uncalibrated, UnsureYet        string
	NobodyYet                      string // of a title without ratings
	AndNear                        string // the same after other reasons, #
	SaferHere, BolderHere          string // of a title, among the safest or least safe third of its list
	NearMany                       string // reason of a title: such titles are generally popular
	InGeneral                      string // general popularity, as a share of a title's score
	Pinned                         string // of a title that the owner features
	FullCircle                     string // #: the chances at which very sure, fairly sure and a hunch begin
	SurerBelow                     string
	OneInFive                      string // below the last title that the guarantee covers
	HowKnown, Stated, CameTrue     string
	HeldAgainstNobody              string
	HeldAgainstNothing             string
	HeldAgainst                    string // #: a number of people, of guesses, and of percentage points
	Person, People                 string // after "we tested this on 507"
	NothingLeft, NothingLeftAdvice string
	NothingWithout                 string
}

// TuningTexts belong to the list's controls.
type TuningTexts struct {
	_                                      incomparable
	SurpriseNote                           string // of the list with exploration
	Modes                                  [3]string
	ModeNotes                              [3]string
	ModesLabel, MoodsLabel                 string
	FilmMoods                              [6]string // see filmMoods
	Genres, Decades, AllGenres, AllDecades string
	Exploration, Safe, Surprise            string
	Diversity, Alike, Varied               string
	Shuffle, ClearFilters                  string
	Different, DifferentNote, Usual        string
}

// PeopleTexts belong to two people choosing together.
type PeopleTexts struct {
	_                               incomparable
	ForTwo, ForTwoNote, ForBothNote string
	WhoseTaste, PersonName          string
	YourName, PersonDone, NowCalled string
	TasteOf                         string // #: the second person's name
	Rename                          string // #: a name
	PickForYou, BackToYou, NowYou   string
	SharedTogether                  string
}

// BrowseTexts belong to browsing by genre and decade.
type BrowseTexts struct {
	_                                 incomparable
	Browse, BrowseNote, BrowseInstead string
	NoSuchView                        string    // of an address whose title, genre or region the catalogue lacks
	Orders                            [4]string // by recommend.Order
	OrdersLabel                       string
	Earlier, Later, Pages             string
}

// TasteTexts belong to Your taste.
type TasteTexts struct {
	_                                                  incomparable
	LikesHeading, DislikesHeading, SeenHeading, MadeOf string
	LaterHeading, History                              string
	NoLikes                                            string
	ShowFewer                                          string
}

// ImportTexts belong to imported files.
type ImportTexts struct {
	_                                        incomparable
	Bring, BringNote, BringChoose, BringDrop string
	BringInstead                             string
	BringStop, BringStopped                  string
	BringTable                               string // a file of no known service
	BringAgree, BringCancel                  string
	BringTakeBack, BringTakenBack            string
	BringLike, BringDislike, BringNever      string
	BringScale, BringUnrated                 string
	BringListed, BringRatings                string
	BringTaken                               [3]string // #: the column of titles, of years, of ratings
	BringNoRatings                           string
	BringUnratedAs, BringBecomes             [4]string // by importer.Mark
	BringFirst, BringNoneOfAll, BringNone    string
	BringMoreDoubts                          string
}

// FileProblemTexts describe errors in imported files.
type FileProblemTexts struct {
	_                              incomparable
	BringWrong                     [15]string // by importer.Reason
	BringLine, BringColumn, Quoted string     // #: a line, a column, the bad value
}

// SharingTexts belong to shared links.
type SharingTexts struct {
	_                            incomparable
	Share, ShareNote, ShareLink  string
	ShareList                    string
	ShareDislikes, ShareLater    string
	ShareCopied, ShareByHand     string
	ShareLatest                  string
	SharedNote, SharedMissing    string
	SharedLink                   string
	SharedLikes, SharedDislikes  string
	SharedLook, SharedDrop       string
	SharedLeads, SharedLeadsNote string
	SharedUnread, SharedBroken   string
	SharedNamed                  string // #: a list
	SharedNewer                  string
}

// CopiedTexts belong to the list as text and the map as a picture.
type CopiedTexts struct {
	_                            incomparable
	BecauseTheyLike, ListBecause string // precede titles
	ListTitle                    string // heads ten titles
	ListCopy, ListCopied         string
	Picture, PictureFailed       string
}

// MapTexts belong to the map.
type MapTexts struct {
	_                                         incomparable
	MapHelp, MapKeys, ZoomIn, ZoomOut, Home   string
	FullScreen                                string
	ViewMap, ViewDistance, ViewsLabel, AsText string
	DistanceNote, InOrder, NotInOrder         string
	MapAsleep, MapEnd, MapWheel               string
	MapUndrawn, PartUndrawn                   string // why the map, or a part of it, is missing
	MapFind, MapFound, MapNote, MapRings      string
	Regions                                   string
	MarkedAs                                  [4]string // by keep.Mark, from keep.Liked on
}

// MapAsTextTexts describe the map in words.
type MapAsTextTexts struct {
	_                               incomparable
	TextNext, TextLikes, TextAsleep string
	TextTastes                      string
	Legend, You                     string
}

// DataTexts belong to Your data.
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

// BackupTexts belong to backups.
type BackupTexts struct {
	_                                          incomparable
	Backup, BackupNote, BackupSave, BackupOpen string
	BackupOpened, BackupClose                  string
	BackupMerge, BackupMergeNote               string
	BackupRestore, BackupRestoreNote           string
	ChangesNothing                             string
	LeftOut                                    string // #: the second person in the file, the second person here
	BackupNewer, BackupUnread                  string
	BackupBroken, BackupBrokenAt               string // #: the line
}

// ModelTexts are about the model.
type ModelTexts struct {
	_                                   incomparable
	About, AboutModel, Licence, Quality string
	MakeOwn                             string // the link to the studio
	QualityNote                         string
	TrainedAt, TrainedAs                string // #: a date, a name of settings
	KernelSIMD, KernelAVX, KernelGo     string
	ProgramAndModel                     string // #: the program's version, the model's digest
	Unversioned, Unsigned               string
}

// CopyTexts are about the page's copy on the device.
type CopyTexts struct {
	_                                incomparable
	Away, Restart, UpdateWaits       string
	CopyNever, CopySoon, CopyRefused string
	CopyNoRoom                       string // without a copy
	CopyFull                         string // follows CopySince, with an older copy
}

// ProblemTexts describe failures.
type ProblemTexts struct {
	_                                    incomparable
	StoreBlocked, StoreFull, StoredAgain string
	StateDamaged, StateNewer             string
	FailureTitle, FailureKept, Reload    string
	ModelNewer, ModelDamaged             string // shown instead of the page, with advice
	CannotDraw, Stopped                  string
}

// Isolate wraps a title in FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE if its direction may differ from the
// sentence's, so that the two do not mix. Other titles are returned unchanged.
func (t *Texts) Isolate(title string) string {
	if t.RightToLeft || strings.ContainsFunc(title, rightToLeft) {
		return "\u2068" + title + "\u2069"
	}
	return title
}

// rightToLeft reports whether a letter belongs to a right-to-left script: Hebrew, Arabic and their neighbours in
// Unicode.
func rightToLeft(r rune) bool {
	return r >= 0x590 && r < 0x900 || r >= 0xfb1d && r < 0xfe00 || r >= 0xfe70 && r < 0xff00 || r >= 0x10800 &&
		r < 0x11000 || r >= 0x1e800 && r < 0x1f000
}

// Certainty names how sure the model is, or returns "" while that is unknown.
func (w *Words) Certainty(c recommend.Certainty) string {
	if c == recommend.Unsaid {
		return ""
	}
	return w.Certain[c]
}

// Entry names a title as its file does: "Heat, 1995".
func (w *Words) Entry(e *importer.Entry) string {
	switch {
	case e.Title == "":
		return cmp.Or(e.ID, "tt"+strconv.Itoa(e.IMDb))
	case e.Year == 0:
		return e.Title
	}
	return e.Title + ", " + strconv.Itoa(e.Year)
}

// Formats lists the formats of the files, each once.
func (w *Words) Formats(sources []importer.Source) string {
	var out []string
	for _, s := range sources {
		if name := cmp.Or(s.Format.String(), w.BringTable); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return w.Join(out)
}

// Tally counts imported titles by their new mark.
type Tally struct {
	Likes, Dislikes, Seen, Later int
	Kept                         int // already marked here, and left unchanged
}
