package ui

import "github.com/pmlam/pmlam/core/importer"

// English returns the page's words in English.
func English() *Words { return &Words{englishTexts, englishPhrases} }

// en is how numbers and lists are written.
var en = Numerals{Group: ",", Ungrouped: 3, Point: ".", Percent: "%", And: " and ", Byte: "byte", Bytes: "bytes",
	Day: " ", Months: [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
	Marks: [3][2]string{{"like", "likes"}, {"not for you", "not for you"}, {"seen", "seen"}}, Others: [2]string{"more", "more"},
}

var englishTexts = Texts{
	Numerals: en,
	Tag:      "en", Own: "English", Language: "Language", NowIn: "This page is in English now.",

	Name: "Ellipsis", Tagline: "What next?", Private: "This stays on your device.",
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
	HowKnown:          "How do we know?", Stated: "Chance that was stated", CameTrue: "How often it came true",
	NothingWithout: "You have been through everything we know. Remove a few titles from Seen to see them again.",

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
	TextAsleep: "Nothing is marked yet.",
	Legend:     "Genres on the map", You: "You",

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
	Cite:        cite,

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
	Reload:       "Reload the page",
	ModelNewer:   "The model is of a newer version than the program that reads it. Load the page again to get both anew.",
	ModelDamaged: "The model is damaged. Load the page again; if that does not help, its owner has to publish it again.",
	CannotDraw:   "The page cannot be drawn.",
	Stopped:      "The page has stopped because of an error in its program. Load it again to go on.",
}

// cite is what the licence of MovieLens asks for, in every language.
const cite = "F. Maxwell Harper and Joseph A. Konstan. 2015. The MovieLens Datasets: History and Context. " +
	"ACM Transactions on Interactive Intelligent Systems 5, 4, Article 19. https://doi.org/10.1145/2827872"
