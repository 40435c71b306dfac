package words

// Phrases are the sentences that hold numbers and names.
type Phrases struct {
	LanguagePhrases
	SearchPhrases
	ActionPhrases
	ListPhrases
	PeoplePhrases
	BrowsePhrases
	TuningPhrases
	TastePhrases
	ImportPhrases
	MapPhrases
	DataPhrases
	BackupPhrases
	ModelPhrases
}

// LanguagePhrases are about the language, and the colours.
type LanguagePhrases struct {
	Theme func(now string) string
}

// SearchPhrases are of the search and the first visit.
type SearchPhrases struct {
	NoMatch   func(query string, items, until int) string // until: the latest year, 0: unknown
	PickThree func(noun string) string                    // noun: "films", "": nothing is said
	Holds     func(noun string, items, until int) string
	Matches   func(n int) string
	Picked    func(n int) string
}

// ActionPhrases are the names of buttons of a title, and what is announced after them.
type ActionPhrases struct {
	LikeTitle, DislikeTitle, SeenTitle, MoreLikeTitle func(title string) string // SeenTitle: see Words.tell
	RemoveTitle, WhyTitle, OtherTitle                 func(title string) string
	Liked, Disliked, SawIt, Removed                   func(title string) string
	UndoStep                                          func(step string) string
	// how unsure the page is, as a share of what it was after the first like
	Tightened        func(share float64) string
	NeitherOf        func(a, b string) string
	LaterTitle, Kept func(title string) string
}

// ListPhrases are of the list and its cards.
type ListPhrases struct {
	Similar              func(title string) string
	Updated              func(n int) string
	Because              func(titles []string) string            // titles are HTML already
	ChanceOf             func(stays bool, chance float64) string // of liking; stays: of staying among the first ten
	HowKnownPoint        func(stated, observed float64, n int) string
	Closer               func(match float64, items int) string
	DistanceIs, SpreadIs func(v float64) string
	ShareOf              func(title string, share float64) string
	Loosen               func(filter string) string
	OneMore              func(in, out []string, doubt float64) string // doubt: what is not known, as a share of now
	Dealt                func(gone, come []string) string
}

// PeoplePhrases are of two people.
type PeoplePhrases struct {
	NextForBoth, PickFor, Forget, Forgotten func(name string) string
	NowChoosing, TextSecond                 func(name string) string
	BothLikes                               func(name string, yours, theirs int) string
	// all HTML already; near: what people like in general is a reason too
	BothBecause func(name string, titles []string, near bool, certainty string) string
}

// BrowsePhrases are of genres and decades. BrowseCount states how many titles there are, how many of them are marked,
// and which of the others are shown.
type BrowsePhrases struct {
	BrowseCount func(all, marked, from, to int) string
}

// TuningPhrases are of the controls of the list.
type TuningPhrases struct {
	Filter func(n int) string
	Decade func(year int) string
}

// TastePhrases are of Your taste and of shared links.
type TastePhrases struct {
	ShowAll    func(n int) string
	Unknown    func(n int) string
	SharedWith func(titles int) string
}

// ImportPhrases are of imported files.
type ImportPhrases struct {
	BringReading                       func(file string) string
	BringLooking                       func(titles int) string
	BringFrom                          func(formats string, titles int) string
	BringFound                         func(found, doubts, missing int) string
	BringNothing                       func(items int) string
	BringWished, BringSeries, BringBad func(n int) string
	Adding                             func(marks string, kept int) string
	Added                              func(formats, marks string) string
	BringOf                            func(rating, scale string) string
	BringDoubts                        func(n int) string
	BringShowFound, BringShowMissing   func(n int) string
	BringMore                          func(n int) string
	BringUnreadable                    func(file string) string
}

// MapPhrases are of the map.
type MapPhrases struct {
	// Region is RegionName of what the genres' titles are called.
	Region      func(genre, or string, from, to int) string
	MapCanvas   func(items int) string
	PlaceInList func(place int) string
	TextItem    func(title, certainty string, distance float64) string
	TextTaste   func(share, region string) string // region "": it has no name
	FromYou     func(distance float64) string
}

// DataPhrases are of Your data.
type DataPhrases struct {
	Usage     func(usage, quota int) string
	AsideKept func(bytes int) string
}

// BackupPhrases are of backups.
type BackupPhrases struct {
	BackupSaved                 func(file string) string
	BackupHolds                 func(file, date string, titles, unknown int) string
	Adds, ChangesMarks, Removes func(n int, titles []string) string
	BackupApplied               func(added, changed, removed int) string
}

// ModelPhrases are about the model, and the page's copy on the visitor's machine.
type ModelPhrases struct {
	TrainedOn func(dataset string, users, items, positives int) string
	Metric    func(name string, v float64) string
	CopySince func(year, month, day int) string
}
