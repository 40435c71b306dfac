package words

// Phrases are the sentences with numbers and names in them.
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

// LanguagePhrases belong to the language and the colours.
type LanguagePhrases struct {
	Theme func(now string) string
}

// SearchPhrases belong to the search and the first visit.
type SearchPhrases struct {
	NoMatch   func(query string, items, until int) string // until: the latest year; 0: unknown
	TooFew    func(titles []string) string                // that the model leaves out
	Tagged    func(tag string) string
	PickThree func(noun string) string // noun: "films"; "": not given
	Holds     func(items, until int) string
	Matches   func(n int) string
	Picked    func(n int) string
}

// ActionPhrases are the names of a title's buttons, and their announcements.
type ActionPhrases struct {
	LikeTitle, DislikeTitle, SeenTitle, MoreLikeTitle func(title string) string // SeenTitle is set by Words.tell
	RemoveTitle, WhyTitle, OtherTitle                 func(title string) string
	Liked, Disliked, SawIt, Removed                   func(title string) string
	UndoStep                                          func(step string) string
	// share: how unsure we are, compared with the state after the first like
	Tightened                   func(share float64) string
	NeitherOf                   func(a, b string) string
	LaterTitle, Kept            func(title string) string
	RateTitle, Unrated, ListsOf func(title string) string
	ShareNamed                  func(list string) string
	AfterTitle                  func(title string) string
}

// ListPhrases belong to the list and its cards.
type ListPhrases struct {
	Similar func(title string) string
	Updated func(n int) string
	Because func(titles []string) string // titles are HTML
	// of liking the title, or with stays, of its staying among the first ten
	ChanceOf             func(stays bool, chance float64) string
	HowKnownPoint        func(stated, observed float64, n int) string
	Closer               func(match float64, items int) string
	DistanceIs, SpreadIs func(v float64) string
	ShareOf              func(title string, share float64) string
	LedHere              func(shares []string) string
	LovedBoth            func(titles []string) string // of one or two likes, as HTML: the reason of a title
	SafetyIs             func(rank, of int) string    // by chance, among the titles of a list
	Loosen               func(filter string) string
	// doubt: uncertainty after one more like, as a share of now
	OneMore func(in, out []string, doubt float64) string
	Dealt   func(gone, come []string) string
	// of the picks for a week
	PicksLiked func(liked, of int) string
}

// PeoplePhrases belong to two people choosing together.
type PeoplePhrases struct {
	NextForBoth, PickFor, Forget, Forgotten func(name string) string
	NowChoosing, TextSecond                 func(name string) string
	BothLikes                               func(name string, yours, theirs int) string
	// all arguments are HTML; near: general popularity is a reason too
	BothBecause func(name string, titles []string, near bool, certainty string) string
}

// BrowsePhrases belong to browsing by genre and decade. BrowseCount gives the number of titles, how many are marked,
// and the range of the others that is shown.
type BrowsePhrases struct {
	BrowseCount func(all, marked, from, to int) string
}

// TuningPhrases belong to the list's controls.
type TuningPhrases struct {
	Filter func(n int) string
	Decade func(year int) string
}

// TastePhrases belong to Your taste and to shared links.
type TastePhrases struct {
	ShowAll    func(n int) string
	Unknown    func(n int) string
	SharedWith func(titles int) string
}

// ImportPhrases belong to imported files.
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

// MapPhrases belong to the map.
type MapPhrases struct {
	Region      func(name string, from, to int) string // see Words.RegionName; name "": all titles
	Around      func(a, b string) string               // names the titles around two of them
	MapCanvas   func(items int) string
	PlaceInList func(place int) string
	TextItem    func(title, certainty string, distance float64) string
	TasteLabel  func(name, share, owner string) string // name "": unnamed; share "": all; owner "": the visitor
	TextTaste   func(label, region string) string      // region "": unnamed
	FromYou     func(distance float64) string
}

// DataPhrases belong to Your data.
type DataPhrases struct {
	Usage     func(usage, quota int) string
	AsideKept func(bytes int) string
}

// BackupPhrases belong to backups.
type BackupPhrases struct {
	BackupSaved                 func(file string) string
	BackupHolds                 func(file, date string, titles, unknown int) string
	Adds, ChangesMarks, Removes func(n int, titles []string) string
	BackupApplied               func(added, changed, removed int) string
}

// ModelPhrases belong to the model, and to the page's copy on the device.
type ModelPhrases struct {
	TrainedOn func(dataset string, users, items, positives int) string
	Metric    func(name string, v float64) string
	CopySince func(year, month, day int) string
}
