package ui

import "github.com/pmlam/pmlam/core/importer"

// German returns the page's words in German. It says du: the page speaks of what somebody loves, as one friend to
// another, and keeps everything between the two.
func German() *Words { return &Words{germanTexts, germanPhrases} }

// de is how numbers and lists are written.
var de = Numerals{Group: "\u202f", Ungrouped: 4, Point: ",", Percent: "\u202f%", And: " und ", Byte: "Byte", Bytes: "Byte",
	Day: ". ", Months: [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
	Marks: [3][2]string{{"Vorliebe", "Vorlieben"}, {"nichts für dich", "nichts für dich"}, {"gesehen", "gesehen"}}, Others: [2]string{"weiterer", "weitere"},
}

var germanTexts = Texts{
	Numerals: de,
	Tag:      "de", Own: "Deutsch", Language: "Sprache", NowIn: "Diese Seite ist jetzt auf Deutsch.",

	Name: "Ellipsis", Tagline: "Was als Nächstes?", Private: "Das bleibt auf deinem Gerät.",
	SkipToNext: "Zu den Empfehlungen springen",

	Taste: "Dein Geschmack", Next: "Als Nächstes für dich", Map: "Geschmackskarte", Data: "Deine Daten",
	TabNext: "Tipps", TabMap: "Karte", TabTaste: "Geschmack", TabData: "Daten",
	Views:     "Ansichten",
	ThemeAuto: "automatisch", ThemeLight: "hell", ThemeDark: "dunkel",
	LoadingTaste: "Wir schlagen nach, was du letztes Mal gesagt hast",

	SearchLabel: "Titel suchen", SearchHint: "Heat, Amélie, Alien …", SearchResults: "Suchergebnisse",
	NoMatchAdvice: "Versuche es mit weniger Buchstaben oder mit dem Originaltitel.", ClearSearch: "Suche leeren",

	PickThree: "Wähle drei, die du liebst", PickThreeWhy: "Drei genügen für den Anfang. Alles Weitere schärft das Bild.",
	ShowOthers: "Andere zeigen", Peek: "Sehen, was schon in der Nähe liegt", Starters: "Bekannte Titel für den Anfang",

	Like: "Gefällt mir", Dislike: "Nichts für mich", Seen: "Gesehen", MoreLike: "Ähnliche",
	Why: "Warum?", Remove: "Entfernen", Undo: "Rückgängig", Close: "Schließen", Back: "Zurück zu deiner Liste",
	Undone: "Rückgängig gemacht.",

	Recommendations:   "Empfehlungen",
	SimilarNote:       "Die nächstliegenden Titel, egal wer fragt.",
	ListNote:          "Zuerst, was am besten zu dir passt.",
	More:              "Zehn weitere",
	MoreEnd:           "Das ist weit genug von deinem Geschmack entfernt. Sag zu ein paar Titeln etwas, dann geht die Liste weiter.",
	Certain:           [4]string{"Ein Wagnis", "Eine Ahnung", "Ziemlich sicher", "Sehr sicher"},
	NothingLeft:       "Es gibt nichts mehr zu zeigen.",
	NothingLeftAdvice: "Deine Filter lassen keinen Titel übrig. Lockere einen:",
	HowKnown:          "Woher wissen wir das?", Stated: "Genannte Wahrscheinlichkeit", CameTrue: "Wie oft es eintraf",
	NothingWithout: "Du bist durch alles durch, was wir kennen. Nimm ein paar Titel aus „Gesehen“ heraus, dann erscheinen sie wieder.",

	Modes: [3]string{"Für dich", "Geheimtipps", "Außerhalb deiner Blase"},
	ModeNotes: [3]string{
		"Zuerst, was am besten zu dir passt.",
		"Nah an deinem Geschmack und wenig bekannt.",
		"Abseits der Menge und mit Absicht weniger sicher.",
	},
	ModesLabel: "Art der Auswahl",
	Genres:     "Genre", Decades: "Jahrzehnt", AllGenres: "alle Genres", AllDecades: "alle Jahrzehnte",
	Exploration: "Auf Nummer sicher oder überraschen lassen", Safe: "Auf Nummer sicher", Surprise: "Überrasch mich",
	Diversity: "Einheitlicher oder vielfältiger", Alike: "Einheitlicher", Varied: "Vielfältiger",
	Shuffle: "Neu mischen", ClearFilters: "Filter aufheben",

	LikesHeading: "Gefällt dir", DislikesHeading: "Nichts für dich", SeenHeading: "Gesehen", MadeOf: "Besteht aus",
	NoLikes:   "Noch nichts. Was dir gefällt, erscheint hier.",
	ShowFewer: "Weniger zeigen",

	Bring: "Bring deinen Geschmack mit",
	BringNote: "Schon anderswo bewertet? Nimm den Export von Letterboxd, IMDb, Goodreads, StoryGraph oder MovieLens, oder " +
		"irgendeine CSV-Datei mit Titeln und Bewertungen.",
	BringChoose: "Datei wählen", BringDrop: "oder zieh sie irgendwo auf diese Seite. Sie wird hier gelesen und an niemanden geschickt.",
	BringInstead: "Mitbringen, was du anderswo bewertet hast",
	BringStop:    "Anhalten", BringStopped: "Angehalten. Nichts hat sich geändert.",
	BringFormats: [6]string{"Tabelle", "Letterboxd", "IMDb", "Goodreads", "StoryGraph", "MovieLens"},
	BringAgree:   "Zu deinem Geschmack hinzufügen", BringCancel: "Abbrechen",
	BringTakeBack: "Alles zurücknehmen", BringTakenBack: "Was die Datei gebracht hat, ist zurückgenommen.",
	BringLike: "Gefällt mir ab", BringDislike: "Nichts für mich bis", BringNever: "Nie",
	BringScale: "Bewertungen gehen bis", BringUnrated: "Titel ohne Bewertung",
	BringUnratedAs: [4]string{"Weglassen", "Gefällt mir", "Nichts für mich", "Gesehen"},
	BringBecomes:   [4]string{"Weggelassen", "Gefällt dir", "Nichts für dich", "Gesehen"},
	BringFirst:     "Jeweils den ersten nehmen", BringNoneOfAll: "Keinen davon nehmen", BringNone: "Keiner davon",
	BringMoreDoubts: "Mehr zum Prüfen zeigen",
	BringWrong: [16]string{
		importer.TooLarge:     "es sind mehr als die 32 MB, die diese Seite liest. Lass weg, was keine Bewertungen enthält",
		importer.TooManyRows:  "es sind mehr als die 100\u202f000 Zeilen, die diese Seite liest",
		importer.TooManyParts: "es sind zu viele Spalten oder Dateien für einen Export von Bewertungen",
		importer.FieldTooLong: "ein Feld ist länger als 1 MB. Fehlt ein Anführungszeichen?",
		importer.OpenQuote:    "hier beginnt ein Anführungszeichen, das nirgends endet",
		importer.NotText:      "das ist keine CSV-Datei",
		importer.UTF16:        "die Datei ist in UTF-16 geschrieben. Speichere sie als „CSV UTF-8“",
		importer.NoTitle:      "keine Spalte heißt „Title“ oder „Name“, also lässt sich nichts nachschlagen",
		importer.ManyPeople:   "das sind die Bewertungen mehrerer Leute. Behalte die Zeilen von einem",
		importer.Empty:        "es stehen keine Zeilen darin",
		importer.ZipDamaged:   "das ZIP-Archiv ist beschädigt. Lade es noch einmal herunter",
		importer.ZipLocked:    "das ZIP-Archiv ist verschlossen oder ungewöhnlich gepackt. Entpacke es und wähle die CSV-Datei",
		importer.ZipWithout:   "im ZIP-Archiv liegt keine Tabelle mit Bewertungen",
		importer.RowTooLong:   "die Zeile hat mehr Felder, als die erste Zeile Namen hat",
		importer.NoName:       "die Zeile hat keinen Titel",
		importer.NotARating:   "das ist keine Bewertung",
	},

	MapHelp: "Jeder Punkt ist ein Titel; Titel, die dieselben Leute lieben, liegen nah beieinander. Die Ringe sind du.",
	MapKeys: "Pfeiltasten gehen von Nachbar zu Nachbar, Plus und Minus zoomen, Pos1 zeigt alles, Enter öffnet einen Titel.",
	ZoomIn:  "Vergrößern", ZoomOut: "Verkleinern", Home: "Alles zeigen",
	ViewMap: "Karte", ViewDistance: "Abstand von dir", ViewsLabel: "Art der Darstellung", AsText: "Als Text",
	DistanceNote: "Du bist die Mitte. Der Radius ist der wahre Abstand, abzüglich dessen, was deine Vorlieben unmittelbar sagen; die Richtung ist die der Karte.",
	InOrder:      "Was hier am nächsten liegt, steht in deiner Liste zuerst.",
	NotInOrder:   "Deine Liste richtet sich jetzt nach mehr als dem Abstand, so wie du es eingestellt hast.",
	MapAsleep:    "Wähle etwas, das du liebst, dann wacht die Karte auf.",
	MapEnd:       "In dieser Richtung kommt kein Titel mehr.",
	MapWheel:     "Klick in die Karte oder halte Strg, um mit dem Rad zu zoomen.",
	MapFind:      "Einen Titel auf der Karte finden", MapFound: "Auf der Karte gefundene Titel",
	MapRings: "Die Ringe umfassen deinen Geschmack zu 50, 80 und 95\u202f%",
	MarkedAs: [3]string{"gefällt dir", "nichts für dich", "gesehen"},
	TextNext: "Deine nächsten Titel, der nächstliegende zuerst", TextLikes: "Was dir gefällt",
	TextAsleep: "Noch ist nichts markiert.",
	Legend:     "Genres auf der Karte", You: "Du",

	StoredNothing: "Noch ist nichts gespeichert.",
	StoredHere:    "Dieser Browser hebt es auf, und niemand sonst bekommt es. Es gibt kein Konto und keinen Server, den man fragen müsste.",
	KeptForGood:   "Der Browser hat versprochen, es nicht von sich aus zu löschen.",
	KeptWhile:     "Der Browser darf es löschen, wenn auf diesem Gerät der Platz knapp wird.",
	Persist:       "Den Browser bitten, es für immer aufzuheben",
	AsideSave:     "Als Datei speichern",
	Erase:         "Löschen …", EraseSaid: "Löschen, was ich gesagt habe", EraseYes: "Alles löschen", EraseNo: "Alles behalten",
	EraseQuestion: "Was möchtest du löschen? Das lässt sich nicht rückgängig machen.",
	EraseNote: "Was du gesagt hast, ist: was dir gefällt, was nichts für dich ist und was du gesehen hast. Alles ist das, " +
		"deine Einstellungen und die Kopie dieser Seite, die ohne Netz funktioniert.",
	Erased:      "Es ist gelöscht.",
	EraseFailed: "Der Browser hat die Seite nicht löschen lassen, was sie gespeichert hat. Versuche es noch einmal, oder lösche die Daten dieser Seite in den Einstellungen des Browsers.",

	Backup:     "Sicherung",
	BackupNote: "Eine Datei mit allem, was du dieser Seite gesagt hast: zum Lesen, zum Aufheben und zum Öffnen auf einem anderen Gerät.",
	BackupSave: "Sicherung speichern", BackupOpen: "Sicherung öffnen",
	BackupOpened: "Die geöffnete Sicherung", BackupClose: "Sicherung schließen",
	BackupMerge: "Zu dem hinzufügen, was hier ist", BackupMergeNote: "Wo beide etwas zu einem Titel sagen, gilt das Spätere.",
	BackupMergeDo: "Hinzufügen",
	BackupRestore: "Zu ihr zurückkehren", BackupRestoreNote: "Alles ist wieder so wie beim Speichern der Sicherung. Was du seither gesagt hast, verschwindet.",
	BackupRestoreDo: "Zu ihr zurückkehren",
	ChangesNothing:  "Das würde nichts ändern.",
	BackupNewer:     "Eine neuere Version dieser Seite hat diese Datei geschrieben. Lade die Seite neu, um diese Version zu bekommen, und öffne die Datei dann noch einmal.",
	BackupUnread:    "Die Datei war nicht zu lesen, oder sie ist viel zu groß für eine Sicherung.",

	About: "Über das Modell", AboutModel: "Woher es kommt", Licence: "Lizenz", Quality: "Wie gut es ist",
	QualityNote: "Gemessen an Bewertungen, die beim Training nicht dabei waren.",
	Cite:        cite,

	Away: "Offline", Restart: "Neu starten und aktualisieren", UpdateWaits: "Eine neue Version dieser Seite ist bereit.",
	CopyNever:   "Dieser Browser hebt die Seite selbst nicht auf; um sie zu öffnen, braucht es also eine Verbindung.",
	CopySoon:    "Die Seite wird gerade aufgehoben, damit sie sich auch ohne Verbindung öffnet.",
	CopyRefused: "Die Seite ließ sich nicht vollständig aufheben, deshalb braucht sie noch eine Verbindung. Dein nächster Besuch versucht es wieder.",

	StoreBlocked: "Dieser Browser lässt die Seite nichts aufheben, wie in einem privaten Fenster. Alles geht, aber was du sagst, hält nur, bis du sie schließt.",
	StoreFull:    "Auf diesem Gerät ist kein Platz mehr, um das Letzte aufzuheben, was du gesagt hast. Alles geht, und es wird wieder versucht; schließt du die Seite, bevor Platz ist, ist es weg.",
	StoredAgain:  "Es ist wieder Platz: Alles ist aufgehoben.",
	StateDamaged: "Was von deinem letzten Besuch gespeichert war, ist beschädigt und nicht mehr zu lesen. Es ist beiseitegelegt, nicht weggeworfen: Du kannst es unter „Deine Daten“ speichern.",
	StateNewer:   "Was gespeichert ist, stammt von einer neueren Version dieser Seite. Es ist beiseitegelegt, nicht weggeworfen: Du kannst es unter „Deine Daten“ speichern. Lade die Seite neu, um die neuere Version zu bekommen.",
	FailureTitle: "Das Modell lässt sich nicht öffnen", FailureKept: "Was dir gefällt, ist unberührt auf deinem Gerät aufgehoben.",
	Reload:       "Seite neu laden",
	ModelNewer:   "Das Modell ist neuer als das Programm, das es liest. Lade die Seite neu, um beide frisch zu bekommen.",
	ModelDamaged: "Das Modell ist beschädigt. Lade die Seite neu; hilft das nicht, muss es neu veröffentlicht werden.",
	CannotDraw:   "Die Seite lässt sich nicht zeichnen.",
	Stopped:      "Die Seite ist wegen eines Fehlers in ihrem Programm stehen geblieben. Lade sie neu, dann geht es weiter.",
}
