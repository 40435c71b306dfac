package ui

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommender"
)

// Words are all the strings that a visitor sees or hears. Another language is another value of this type; nothing else
// in this package holds text.
type Words struct {
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
}

// number writes n with a separator every three digits.
func number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// decimal writes v with so many digits after the point.
func decimal(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }

// count writes "1 film" or "3 films".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// plural returns the form that goes with n.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// percent writes a share in [0,1] as a whole percentage.
func percent(v float64) string { return strconv.Itoa(int(v*100+0.5)) + "%" }

// size writes a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1000:
		return count(n, "byte", "bytes")
	case n < 1_000_000:
		return decimal(float64(n)/1000, 1) + " KB"
	}
	if n < 1_000_000_000 {
		return decimal(float64(n)/1_000_000, 1) + " MB"
	}
	return decimal(float64(n)/1_000_000_000, 1) + " GB"
}

// English returns the page's words in English.
func English() *Words {
	w := &Words{
		Name: "Ellipsis", Tagline: "What next?", Private: "This stays on your device.",
		One: "film", Many: "films",
		SkipToNext: "Skip to recommendations",

		Taste: "Your taste", Next: "Next for you", Map: "Taste map", Data: "Your data",
		TabNext: "Next", TabMap: "Map", TabTaste: "Taste", TabData: "Data",
		Views:     "Views",
		ThemeAuto: "Auto", ThemeLight: "Light", ThemeDark: "Dark",
		LoadingTaste: "Looking up what you told us last time",

		SearchLabel: "Search titles", SearchHint: "Heat, Amélie, Alien …", SearchResults: "Search results",
		NoMatchAdvice: "Try fewer letters, or the original title.", ClearSearch: "Clear search",

		PickThree: "Pick three you love", PickThreeWhy: "Three are enough to begin. Everything after that sharpens the picture.",
		ShowOthers: "Show me others", Peek: "See what is near so far", Starters: "Well-known titles to start from",

		Like: "Like", Dislike: "Not for me", Seen: "Seen", MoreLike: "More like this",
		Why: "Why?", Remove: "Remove", Undo: "Undo", Close: "Close", Back: "Back to your list",
		Undone: "Undone.",

		Recommendations:   "Recommendations",
		SimilarNote:       "The nearest titles, whoever is asking.",
		ListNote:          "What suits you best first.",
		More:              "Ten more",
		MoreEnd:           "That is far enough from your taste. Like or drop a few titles and the list moves on.",
		Certain:           [4]string{"A gamble", "A hunch", "Fairly sure", "Very sure"},
		NothingLeft:       "Nothing left to show.",
		NothingLeftAdvice: "Your filters leave no title. Loosen one:",
		NothingWithout:    "You have been through everything we know. Remove a few titles from Seen to see them again.",

		Modes: [3]string{"For you", "Hidden gems", "Outside your bubble"},
		ModeNotes: [3]string{
			"What suits you best first.",
			"Near to your taste, and little known.",
			"Far from the crowd, and less certain on purpose.",
		},
		ModesLabel: "Way of looking",
		Genres:     "Genre", Decades: "Decade", AllGenres: "any genre", AllDecades: "any decade",
		Exploration: "Play it safe or be surprised", Safe: "Play it safe", Surprise: "Surprise me",
		Diversity: "More alike or more varied", Alike: "More alike", Varied: "More varied",
		Shuffle: "Deal again", ClearFilters: "Clear filters",

		LikesHeading: "You like", DislikesHeading: "Not for you", SeenHeading: "Seen", MadeOf: "Made of",
		NoLikes:   "Nothing yet. What you like appears here.",
		ShowFewer: "Show fewer",

		Bring:       "Bring your taste",
		BringNote:   "Rated elsewhere? Take the export of Letterboxd, IMDb, Goodreads, StoryGraph or MovieLens, or any CSV with titles and ratings.",
		BringChoose: "Choose a file", BringDrop: "or drop it anywhere on this page. It is read here and sent to nobody.",
		BringInstead: "Bring what you rated elsewhere",
		BringStop:    "Stop", BringStopped: "Stopped. Nothing has changed.",
		BringFormats: [6]string{"a table", "Letterboxd", "IMDb", "Goodreads", "StoryGraph", "MovieLens"},
		BringAgree:   "Add to your taste", BringCancel: "Cancel",
		BringTakeBack: "Take it all back", BringTakenBack: "What the file brought is taken back.",
		BringLike: "Like from", BringDislike: "Not for me up to", BringNever: "Never",
		BringScale: "Ratings are out of", BringUnrated: "Titles without a rating",
		BringUnratedAs: [4]string{"Leave out", "Like", "Not for me", "Seen"},
		BringBecomes:   [4]string{"Left out", "Like", "Not for you", "Seen"},
		BringFirst:     "Take the first of each", BringNoneOfAll: "Take none of them", BringNone: "None of these",
		BringMoreDoubts: "Show more to check",
		BringWrong: [16]string{
			importer.TooLarge:     "there is more than the 32 MB that this page reads. Leave out what holds no ratings",
			importer.TooManyRows:  "there are more than the 100,000 rows that this page reads",
			importer.TooManyParts: "there are too many columns or files for an export of ratings",
			importer.FieldTooLong: "a field is longer than 1 MB. Is a quote missing?",
			importer.OpenQuote:    "a quote opens here and never closes",
			importer.NotText:      "this is no CSV file",
			importer.UTF16:        "the file is written in UTF-16. Save it as “CSV UTF-8”",
			importer.NoTitle:      "no column is called “Title” or “Name”, so nothing can be looked up",
			importer.ManyPeople:   "these are the ratings of several people. Keep the rows of one",
			importer.Empty:        "there are no rows in it",
			importer.ZipDamaged:   "the zip is damaged. Download it again",
			importer.ZipLocked:    "the zip is locked, or packed in an unusual way. Unpack it and choose the CSV",
			importer.ZipWithout:   "the zip holds no table of ratings",
			importer.RowTooLong:   "the row has more fields than the first line has names",
			importer.NoName:       "the row has no title",
			importer.NotARating:   "this is no rating",
		},

		MapHelp: "Every point is a title; titles that the same people love lie close together. The rings are you.",
		MapKeys: "Arrow keys move between neighbours, plus and minus zoom, Home shows everything, Enter opens a title.",
		ZoomIn:  "Zoom in", ZoomOut: "Zoom out", Home: "Show everything",
		ViewMap: "Map", ViewDistance: "Distance from you", ViewsLabel: "Way of drawing", AsText: "As text",
		DistanceNote: "You are the centre. The radius is the true distance, less what your likes say directly; the direction is the map’s.",
		InOrder:      "Nearest here is first in your list.",
		NotInOrder:   "Your list goes by more than distance now, as you have set it.",
		MapAsleep:    "Pick something you love and the map wakes up.",
		MapEnd:       "No title farther that way.",
		MapWheel:     "Click the map, or hold Ctrl, to zoom with the wheel.",
		MapFind:      "Find a title on the map", MapFound: "Titles found on the map",
		MapRings: "The rings hold your taste with 50, 80 and 95%",
		MarkedAs: [3]string{"you like it", "not for you", "seen"},
		TextNext: "Your next titles, nearest first", TextLikes: "What you like",
		TextTaste: "Your taste", TextAsleep: "Nothing is marked yet.",
		Legend: "Genres on the map", You: "You",

		StoredNothing: "Nothing is stored yet.",
		StoredHere:    "Kept by this browser, sent to nobody. There is no account and no server to ask.",
		KeptForGood:   "The browser has promised not to clear it by itself.",
		KeptWhile:     "The browser may clear it when this device runs out of space.",
		Persist:       "Ask the browser to keep it for good",
		AsideSave:     "Save it as a file",
		Erase:         "Erase …", EraseSaid: "Erase what I said", EraseYes: "Erase everything", EraseNo: "Keep it all",
		EraseQuestion: "What do you want to erase? It cannot be undone.",
		EraseNote: "What you said is your likes, what is not for you and what you have seen. Everything is that, your settings and " +
			"the copy of this page that works without a network.",
		Erased:      "It is erased.",
		EraseFailed: "The browser did not let the page erase what it has stored. Try again, or clear this site’s data in the browser’s settings.",

		Backup:     "Backup",
		BackupNote: "A file with all you have told this page, which you can read, keep, and open on another device.",
		BackupSave: "Save a backup", BackupOpen: "Open a backup",
		BackupOpened: "The backup you opened", BackupClose: "Close the backup",
		BackupMerge: "Add it to what is here", BackupMergeNote: "Where both say something of a title, what was said later counts.",
		BackupMergeDo: "Add it",
		BackupRestore: "Go back to it", BackupRestoreNote: "All is as it was when the backup was saved. What you said since goes.",
		BackupRestoreDo: "Go back to it",
		ChangesNothing:  "This would change nothing.",
		BackupNewer:     "A newer version of this page wrote this file. Reload the page to get that version, then open the file again.",
		BackupUnread:    "The file could not be read, or it is far too large for a backup.",

		About: "About the model", AboutModel: "Where it comes from", Licence: "Licence", Quality: "How good it is",
		QualityNote: "Measured on ratings that were kept from the training.",
		Cite: "F. Maxwell Harper and Joseph A. Konstan. 2015. The MovieLens Datasets: History and Context. " +
			"ACM Transactions on Interactive Intelligent Systems 5, 4, Article 19. https://doi.org/10.1145/2827872",
		NoAccount: "No account",

		Away: "Offline", Restart: "Restart to update", UpdateWaits: "A new version of this page is ready.",
		CopyNever:   "This browser does not keep the page itself, so it takes a connection to open it.",
		CopySoon:    "The page is being kept, so that it opens without a connection.",
		CopyRefused: "The page could not be kept completely, so it still takes a connection to open it. Your next visit tries again.",

		StoreBlocked: "This browser does not let the page keep anything, as in a private window. All works, but your choices last only until you close it.",
		StoreFull:    "There is no room left on this device to keep your latest choices. All works, and it is tried again, but they are gone if you close the page before there is room.",
		StoredAgain:  "There is room again: everything is kept.",
		StateDamaged: "What was stored from your last visit is damaged and could not be read. It is set aside, not thrown away: you can save it under Your data.",
		StateNewer:   "What was stored comes from a newer version of this page. It is set aside, not thrown away: you can save it under Your data. Reload to get the newer version.",
		FailureTitle: "The model cannot be opened", FailureKept: "What you like is kept on your device, untouched.",
		Reload: "Reload the page",
	}

	about := func(verb string) func(string) string {
		return func(title string) string { return verb + " " + title }
	}
	w.LikeTitle, w.DislikeTitle, w.SeenTitle = about(w.Like), about(w.Dislike), about(w.Seen)
	w.MoreLikeTitle = func(title string) string { return w.MoreLike + ": " + title }
	w.RemoveTitle, w.WhyTitle = about("Remove"), about("Why")
	said := func(what string) func(string) string {
		return func(title string) string { return what + ": " + title }
	}
	w.Liked, w.Disliked, w.SawIt, w.Removed = said("Liked"), said("Not for you"), said("Seen"), said("Removed")
	w.Theme = func(now string) string { return "Colours: " + now }
	w.NoMatch = func(query string, items int) string {
		return "“" + query + "” is not in this catalogue of " + count(items, w.One, w.Many) + "."
	}
	w.Matches = func(n int) string { return count(n, "title", "titles") + " found" }
	w.Picked = func(n int) string {
		return [...]string{"None picked yet", "One picked, two to go", "Two picked, one to go", "Three picked"}[min(n, 3)]
	}
	w.Similar = func(title string) string { return "More like " + title }
	w.Updated = func(n int) string { return count(n, "recommendation", "recommendations") + " updated" }
	w.Because = func(titles []string) string {
		return "Because you liked " + and(titles)
	}
	w.Closer = func(match float64, items int) string {
		return "Closer to you than " + number(int(match*float64(items)+0.5)) + " of " + count(items, w.One, w.Many)
	}
	w.DistanceIs = func(v float64) string { return "Distance " + decimal(v, 3) + " (W₂, latent units)" }
	w.SpreadIs = func(v float64) string { return "Spread on the map " + decimal(v, 3) + " (latent units)" }
	w.CertainNote = func(r recommender.Reliability, c recommender.Certainty, chance float64) string {
		note := "If you rated it, you would like it with a chance of " + percent(chance) + "."
		if r.Of == recommender.Staying {
			note = "It stays among your first ten in " + percent(chance) + " of draws from what is known of you and of the titles."
		}
		note += " " + w.Certain[c] + " stands for "
		switch {
		case c == recommender.Gamble:
			note += "less than " + percent(r.Of.From(c+1)) + ": take it as a guess."
		case c == recommender.VerySure:
			note += percent(r.Of.From(c)) + " and more."
		default:
			note += percent(r.Of.From(c)) + " to " + percent(r.Of.From(c+1)) + "."
		}
		if r.People == 0 {
			note += " This model’s chances are not calibrated."
		}
		return note
	}
	w.HowKnown, w.Stated, w.CameTrue = "How do we know?", "Chance that was stated", "How often it came true"
	w.HowKnownSaid = func(r recommender.Reliability) string {
		switch {
		case r.People == 0:
			return "This model was not checked on people whom it had not seen. Take its words as an order, no more."
		case len(r.Bins) == 0:
			return "This chance is worked out from what is known of you and of the titles. What people then liked is not in the data, so it could not be compared with that."
		}
		n := 0
		for _, b := range r.Bins {
			n += int(b.Count)
		}
		return count(r.People, "person was", "people were") + " left out of a training. For " + number(n) + " ratings of theirs the chance was stated first: each dot is a group of them. " +
			"Were the statements perfect, all dots would lie on the line; on average they are " + decimal(100*r.Error, 1) + " points off."
	}
	w.HowKnownPoint = func(stated, observed float64, n int) string {
		return percent(stated) + " stated, " + percent(observed) + " came true, of " + count(n, "rating", "ratings")
	}
	w.ShareOf = func(title string, share float64) string { return title + ", " + percent(share) }
	w.Loosen = func(filter string) string { return "Allow " + filter }
	w.Filter = func(n int) string {
		if n == 0 {
			return "Filter"
		}
		return "Filter (" + strconv.Itoa(n) + ")"
	}
	w.Decade = func(year int) string { return strconv.Itoa(year) + "s" }
	w.ShowAll = func(n int) string { return "Show all " + number(n) }
	w.Unknown = func(n int) string {
		return count(n, "title", "titles") + " from an earlier catalogue, kept for when it returns"
	}
	w.BringReading = func(file string) string { return "Reading " + file }
	w.BringLooking = func(titles int) string { return "Looking for " + count(titles, "title", "titles") }
	w.BringFrom = func(formats string, titles int) string {
		return "From " + formats + ": " + count(titles, "title", "titles")
	}
	w.BringFound = func(found, doubts, missing int) string {
		parts := []string{number(found) + " found"}
		if doubts > 0 {
			parts = append(parts, number(doubts)+" to check")
		}
		if missing > 0 {
			parts = append(parts, number(missing)+" not in this catalogue")
		}
		return and(parts) + "."
	}
	w.BringNothing = func(items int) string {
		return "None of these titles is in this catalogue of " + count(items, w.One, w.Many) + "."
	}
	w.BringWished = func(n int) string {
		return count(n, "title", "titles") + " still to be seen or read: left out."
	}
	w.BringBad = func(n int) string {
		if n == 1 {
			return "1 row could not be read:"
		}
		return number(n) + " rows could not be read; the first of them:"
	}
	marks := func(t Tally) string {
		var parts []string
		for _, p := range []struct {
			n    int
			text string
		}{{t.Likes, count(t.Likes, "like", "likes")}, {t.Dislikes, number(t.Dislikes) + " not for you"}, {t.Seen, number(t.Seen) + " seen"}} {
			if p.n > 0 {
				parts = append(parts, p.text)
			}
		}
		return or(and(parts), "nothing")
	}
	w.BringAdds = func(t Tally) string {
		s := "This adds " + marks(t) + "."
		if t.Kept > 0 {
			s += " " + number(t.Kept) + " that you marked here stay as they are."
		}
		return s
	}
	w.BringDone = func(formats string, t Tally) string { return "Added from " + formats + ": " + marks(t) + "." }
	w.BringOf = func(rating, scale string) string { return rating + " of " + scale }
	w.BringDoubts = func(n int) string {
		return count(n, "title", "titles") + " to check. More than one may be meant, or it is not quite the same:"
	}
	w.BringShowFound = func(n int) string { return "What was found (" + number(n) + ")" }
	w.BringShowMissing = func(n int) string { return "Not in this catalogue (" + number(n) + ")" }
	w.BringMore = func(n int) string { return "and " + number(n) + " more" }
	w.BringProblem = func(e *importer.Error) string {
		s := e.File
		if e.Line > 0 {
			s += ", line " + number(e.Line)
		}
		if e.Column != "" {
			s += ", column “" + e.Column + "”"
		}
		s += ": " + w.BringWrong[e.Reason]
		if e.Value != "" {
			s += ": “" + e.Value + "”"
		}
		if strings.HasSuffix(s, "?") {
			return s
		}
		return s + "."
	}
	w.BringUnreadable = func(file string) string { return file + " could not be read. Is it still there?" }
	w.Evidence = func(n int) string { return "Rests on " + count(n, "choice", "choices") + "." }
	w.Shown = func(share float64) string {
		return "A flat picture of many dimensions: it can show " + percent(share) + " of what tells titles apart."
	}
	w.MapCanvas = func(items int) string { return "Map of " + count(items, w.One, w.Many) }
	w.TextItem = func(title, certainty string, distance float64) string {
		return title + ": " + strings.ToLower(certainty) + ", distance " + decimal(distance, 2)
	}
	w.TextWidth = func(width float64) string {
		return "With probability 95% your taste lies within " + decimal(width, 2) + " latent units of the centre of the rings."
	}
	w.FromYou = func(d float64) string { return decimal(d, 2) + " from you" }
	w.PlaceInList = func(place int) string { return "No. " + number(place) + " in your list" }
	w.Stored = func(likes, dislikes, seen, bytes int) string {
		var parts []string
		for _, part := range []struct {
			n    int
			text string
		}{{likes, count(likes, "like", "likes")}, {dislikes, number(dislikes) + " not for you"}, {seen, number(seen) + " seen"}} {
			if part.n > 0 {
				parts = append(parts, part.text)
			}
		}
		return strings.Join(parts, ", ") + ": " + size(bytes) + "."
	}
	w.Usage = func(usage, quota int) string {
		return "This site takes " + size(usage) + " of this device, its copy for use without a network included. The browser allows " + size(quota) + "."
	}
	w.AsideKept = func(bytes int) string {
		return "Set aside because it could not be read: " + size(bytes) + "."
	}
	w.BackupSaved = func(file string) string { return "Saved as " + file + "." }
	w.BackupHolds = func(file, date string, titles, unknown int) string {
		s := "“" + file + "”"
		if date != "" {
			s += ", of " + date
		}
		s += ", holds " + count(titles, "title", "titles") + "."
		switch {
		case unknown > 0 && unknown == titles:
			s += " None is in this catalogue; they are kept for one that has them."
		case unknown > 0:
			s += " " + number(unknown) + " of them " + plural(unknown, "is", "are") + " not in this catalogue, and kept for one that has them."
		}
		return s
	}
	some := func(n int, titles []string) string {
		if more := n - len(titles); more > 0 {
			titles = append(titles, number(more)+" more")
		}
		return and(titles)
	}
	w.Adds = func(n int, titles []string) string { return "Adds " + number(n) + ": " + some(n, titles) }
	w.ChangesMarks = func(n int, titles []string) string { return "Changes " + number(n) + ": " + some(n, titles) }
	w.Removes = func(n int, titles []string) string { return "Removes " + number(n) + ": " + some(n, titles) }
	w.BackupApplied = func(added, changed, removed int) string {
		return "From the backup: " + number(added) + " added, " + number(changed) + " changed, " + number(removed) + " removed."
	}
	w.BackupBad = func(line int) string {
		s := "This file is not a backup of this page, or it is damaged"
		if line > 0 {
			s += " in line " + number(line)
		}
		return s + ". Nothing was changed."
	}
	w.CopySince = func(year, month, day int) string {
		months := [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
		return "Works offline since " + strconv.Itoa(day) + " " + months[month-1] + " " + strconv.Itoa(year) + "."
	}
	w.TrainedOn = func(dataset string, users, items, positives int) string {
		return "Learned from " + dataset + ": " + number(positives) + " favourites of " + count(users, "person", "people") +
			" among " + count(items, w.One, w.Many) + "."
	}
	w.TrainedWhen = func(date, preset string) string {
		switch {
		case date != "" && preset != "":
			return "Trained " + date + ", settings “" + preset + "”."
		case date != "":
			return "Trained " + date + "."
		case preset != "":
			return "Settings “" + preset + "”."
		}
		return ""
	}
	w.Metric = func(name string, v float64) string { return metricName(name) + " " + decimal(v, 3) }
	w.Kernel = func(scan string) string {
		switch scan {
		case "simd":
			return "Distances are computed by the SIMD kernel."
		case "avx":
			return "Distances are computed by the AVX kernel."
		}
		return "Distances are computed in plain Go; this browser has no SIMD."
	}
	w.Version = func(program, digest string) string {
		if len(digest) > 12 {
			digest = digest[:12]
		}
		return "Program " + or(program, "unversioned") + ", model " + or(digest, "unsigned") + "."
	}
	return w
}

// metricName turns "recall@10" into "Recall@10" and "ndcg@10" into "NDCG@10".
func metricName(name string) string {
	head, tail, _ := strings.Cut(name, "@")
	switch head {
	case "ndcg", "mrr", "map":
		head = strings.ToUpper(head)
	default:
		if head != "" {
			head = strings.ToUpper(head[:1]) + head[1:]
		}
	}
	if tail == "" {
		return head
	}
	return head + "@" + tail
}

// and joins "A", "A and B", "A, B and C".
func and(s []string) string {
	switch len(s) {
	case 0:
		return ""
	case 1:
		return s[0]
	}
	return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
}

// or returns the first text that is not empty.
func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
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
