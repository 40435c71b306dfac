package words

import "github.com/pmlam/pmlam/core/importer"

// German returns the German words. They address the visitor with du.
func German() *Words {
	w := &Words{Texts: germanTexts, Phrases: germanPhrases}
	w.tell(Owner{})
	return w
}

// de holds German numbers, dates and lists.
var de = Numerals{Group: "\u202f", Ungrouped: 4, Point: ",", Percent: "\u202f%", And: " und ", Byte: "Byte",
	Bytes: "Byte",
	Day:   ". ", Months: [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
		"Oktober", "November", "Dezember"},
	Marks: [4][2]string{{"Favorit", "Favoriten"}, {"nicht deins", "nicht deins"},
		{}, {"für später", "für später"}}, Others: [2]string{"weiterer", "weitere"},
}

var germanTexts = Texts{
	Numerals: de,
	LanguageTexts: LanguageTexts{
		Tag:      "de",
		Own:      "Deutsch",
		Language: "Sprache",
		NowIn:    "Diese Seite ist jetzt auf Deutsch.",
	},
	SiteTexts: SiteTexts{
		Name:       "Ellipsis",
		Tagline:    "Was als Nächstes?",
		Private:    "Deine Auswahl bleibt auf deinem Gerät.",
		SkipToNext: "Zu den Empfehlungen springen",
	},
	OwnerTexts: OwnerTexts{
		KnownAs:         "Bekannt",
		GroupAs:         [2]string{"Genre", "Genres"},
		AllGenresOf:     "alle %",
		MapNoteOf:       "#, die dieselben Leute lieben, sind Nachbarn.",
		TitlesAs:        "Titel",
		LegendOf:        "% auf der Karte",
		MadeOfBy:        "Nach #[ und Jahrzehnt]",
		BrowseNoteBy:    "Alles, was es gibt, nach #[ und Jahrzehnt].",
		BrowseInsteadBy: "Nach #[ oder Jahrzehnt] stöbern",
		NothingWithoutOf: "Du hast alles durch, was wir kennen. Nimm ein paar Titel aus „#“ heraus, dann " +
			"siehst du sie wieder.",
		PickForOf: "Wähle oben # und dann etwas, das # liebt: über die Suche, [aus einem Import ]oder aus " +
			"einer Sicherung.",
		BringNoteOf: "Schon anderswo bewertet? Nimm [deinen Export von # oder ]eine CSV-Datei mit Titeln und " +
			"Bewertungen.",
		Or: " oder ",
	},
	HeadingTexts: HeadingTexts{
		Taste:      "Dein Geschmack",
		Next:       "Als Nächstes für dich",
		Map:        "Geschmackskarte",
		Data:       "Deine Daten",
		TabNext:    "Tipps",
		TabMap:     "Karte",
		TabTaste:   "Geschmack",
		TabData:    "Daten",
		Views:      "Ansichten",
		ThemeAuto:  "automatisch",
		ThemeLight: "hell",
		ThemeDark:  "dunkel",
	},
	SearchTexts: SearchTexts{
		SearchLabel:   "Titel suchen",
		SearchResults: "Suchergebnisse",
		NoMatchAdvice: "Versuche es mit weniger Buchstaben oder mit einem anderen Namen.",
		OtherNames:    "Titel sind hier unter ihren internationalen und originalen Namen bekannt.",
		Closest:       "Am ähnlichsten:",
		ClearSearch:   "Suche leeren",
	},
	InvitationTexts: InvitationTexts{
		PickThreeWhy:   "Drei genügen für den Anfang.",
		ShowOthers:     "Andere zeigen",
		WhichOfTwo:     "Welcher von beiden gefällt dir besser?",
		WhichOfTwoNote: "Deine Wahl zählt als „Mag ich“ und macht deine Liste besser.",
		Neither:        "Keiner von beiden",
		WeekPick:       "Ein Tipp für diese Woche",
		EarlierPicks:   "Frühere Tipps:",
		NothingYet:     "noch keine Antwort",
		OtherPair:      "Zwei andere",
		Peek:           "Deine bisherige Liste ansehen",
		Starters:       "Bekannte Titel für den Anfang",
	},
	ActionTexts: ActionTexts{
		Like:     "Mag ich",
		Dislike:  "Nicht meins",
		ForLater: "Später",
		Where:    "Mehr bei",
		MoreLike: "Ähnliche",
		Why:      "Warum?",
		Remove:   "Entfernen",
		Undo:     "Rückgängig",
		Close:    "Schließen",
		Back:     "Zurück zu deiner Liste",
		Undone:   "Rückgängig gemacht.",
	},
	ListTexts: ListTexts{
		Recommendations: "Empfehlungen",
		SimilarNote:     "Titel, die dieselben Leute mögen. Dein eigener Geschmack zählt hier nicht.",
		More:            "Zehn weitere",
		MoreEnd: "Hier endet die Liste. Sag bei ein paar Titeln, ob du sie magst oder ob sie nichts für dich sind, " +
			"dann ändert sie sich.",
		Certain:           [4]string{"Gewagt", "Könnte passen", "Ziemlich sicher", "Sehr sicher"},
		NothingLeft:       "Es gibt nichts mehr zu zeigen.",
		NothingLeftAdvice: "Kein Titel passt zu allen Filtern. Nimm einen weg:",
		FullCircle: "Je voller der Kreis bei einem Titel, desto wahrscheinlicher gefällt er dir: sehr sicher ab #, " +
			"ziemlich sicher ab #, könnte passen ab #, darunter gewagt.",
		SurerBelow:   "„Sehr sicher“ heißt: sicherer Tipp, nicht besser passend.",
		OneInFive:    "Bis hierher gefallen dir im Schnitt vier von fünf.",
		Uncalibrated: "Wie sicher das ist, sagt dieses Modell nicht: Das wurde nie geprüft.",
		UnsureYet:    "Wie sicher wir sind, können wir sagen, sobald dir etwas gefällt.",
		NearMany:     "Von vielen geliebt",
		AndNear:      "# – und vielen anderen auch",
		SaferHere:    "sichere Wahl",
		BolderHere:   "mutige Wahl",
		InGeneral:    "allgemeine Beliebtheit",
		Pinned:       "Von dieser Seite hervorgehoben.",
		NobodyYet: "Neu und noch von niemandem bewertet. Sein Platz ergibt sich aus dem, was wir über " +
			"ihn wissen.",
		HeldAgainstNobody: "Dieses Modell wurde nicht an Menschen geprüft, die ihm neu waren, und sagt deshalb " +
			"nicht, wie sicher es ist. Nimm seine Liste als Rangfolge, mehr nicht.",
		HeldAgainstNothing: "Diese Wahrscheinlichkeit haben wir aus dem errechnet, was wir über dich und die Titel " +
			"wissen. Was den Leuten später gefiel, steht nicht in den Daten; deshalb konnten wir sie nicht " +
			"überprüfen.",
		HeldAgainst: "Wir haben das an # geprüft, die das Modell noch nie gesehen hatte. Jeder Punkt ist eine Gruppe " +
			"unserer # Vermutungen über sie: Auf der Linie traf so viel ein, wie wir sagten. Im Schnitt lagen wir # " +
			"Prozentpunkte daneben.",
		Person:   "Menschen", // dative, singular and plural alike
		People:   "Menschen",
		HowKnown: "Woher wissen wir das?",
		Stated:   "Was wir sagten",
		CameTrue: "Wie oft es eintraf",
	},
	TuningTexts: TuningTexts{
		Modes:        [3]string{"Für dich", "Geheimtipps", "Außerhalb deiner Blase"},
		SurpriseNote: "Passendes und Überraschungen, gemischt.",
		ModeNotes: [3]string{
			"Was am besten passt, zuerst.",
			"Nah an deinem Geschmack, wenigen bekannt.",
			"Weiter weg vom Gewohnten. Nicht alles wird dir gefallen.",
		},
		ModesLabel:    "Art der Auswahl",
		Different:     "Zeig mir etwas anderes",
		Usual:         "Zurück zu den ersten",
		DifferentNote: "Statt der Titel von eben: auch nah an deinem Geschmack, aber anders.",
		MoodsLabel:    "Stimmung",
		Moods: [6]string{"Zum Lachen", "Für die Familie", "Etwas Spannendes", "Andere Welten",
			"Eine Liebesgeschichte", "Aus dem Leben"},
		Decades:      "Jahrzehnt",
		AllDecades:   "alle Jahrzehnte",
		Exploration:  "Bewährtes oder Überraschung",
		Safe:         "Bewährtes",
		Surprise:     "Überraschung",
		Diversity:    "Einheitlicher oder vielfältiger",
		Alike:        "Einheitlicher",
		Varied:       "Vielfältiger",
		Shuffle:      "Mischen",
		ClearFilters: "Filter aufheben",
	},
	PeopleTexts: PeopleTexts{
		ForTwo: "Zu zweit",
		ForTwoNote: "Jemand anders wählt auf diesem Gerät, was er oder sie liebt, und ihr seht, was zu euch beiden " +
			"passt.",
		ForBothNote: "Was zu euch beiden passt, die besten Treffer zuerst. Was schon jemand von euch " +
			"markiert hat, fehlt.",
		WhoseTaste:     "Wessen Geschmack",
		TasteOf:        "Geschmack von #",
		PersonName:     "Name der anderen Person",
		PersonDone:     "Fertig",
		YourName:       "Dein Name",
		Rename:         "# umbenennen",
		NowCalled:      "Der Name ist jetzt #.",
		PickForYou:     "Wähle jetzt selbst etwas, das du liebst.",
		BackToYou:      "Zurück zu dir",
		NowYou:         "Du wählst wieder für dich.",
		SharedTogether: "Zusammen aussuchen",
	},
	BrowseTexts: BrowseTexts{
		Browse:      "Stöbern",
		NoSuchView:  "Dieser Link führt zu einem Titel oder einer Liste, die es hier nicht gibt.",
		Orders:      [4]string{"Für dich", "Bekannteste", "Neueste", "A bis Z"},
		OrdersLabel: "Reihenfolge",
		Earlier:     "Vorige Seite",
		Later:       "Nächste Seite",
		Pages:       "Seiten",
	},
	TasteTexts: TasteTexts{
		LikesHeading:    "Gefällt dir",
		DislikesHeading: "Nicht deins",
		LaterHeading:    "Für später",
		History:         "Verlauf",
		NoLikes:         "Noch nichts. Was dir gefällt, erscheint hier.",
		ShowFewer:       "Weniger zeigen",
	},
	ImportTexts: ImportTexts{
		Bring:           "Bewertungen importieren",
		BringChoose:     "Datei wählen",
		BringDrop:       "oder zieh sie irgendwo auf diese Seite. Sie verlässt dein Gerät nicht.",
		BringInstead:    "Bewertungen importieren",
		BringStop:       "Anhalten",
		BringStopped:    "Angehalten. Nichts hat sich geändert.",
		BringTable:      "Tabelle",
		BringAgree:      "Übernehmen",
		BringCancel:     "Abbrechen",
		BringTakeBack:   "Import rückgängig machen",
		BringTakenBack:  "Import rückgängig gemacht.",
		BringLike:       "Zählt als „Mag ich“ ab",
		BringDislike:    "Zählt als „Nicht meins“ bis",
		BringNever:      "Nie",
		BringScale:      "Bewertungen gehen bis",
		BringUnrated:    "Titel ohne Bewertung",
		BringListed:     "Titel aus einer Liste oder Sammlung, gesehen oder nicht",
		BringTaken:      [3]string{"Titel aus „#“", "Jahre aus „#“", "Bewertungen aus „#“"},
		BringNoRatings:  "keine Spalte mit Bewertungen",
		BringRatings:    "In welcher Spalte stehen deine Bewertungen?",
		BringUnratedAs:  [4]string{"Weglassen", "Mag ich", "Nicht meins"},
		BringBecomes:    [4]string{"Weggelassen", "Gefällt dir", "Nicht deins"},
		BringFirst:      "Jeweils den ersten nehmen",
		BringNoneOfAll:  "Keinen davon nehmen",
		BringNone:       "Keiner davon",
		BringMoreDoubts: "Mehr zum Prüfen zeigen",
	},
	FileProblemTexts: FileProblemTexts{
		BringLine:   ", Zeile #",
		BringColumn: ", Spalte „#“",
		Quoted:      "„#“",
		BringWrong: [15]string{
			importer.TooLarge: "mehr als 32 MB, so viel liest diese Seite nicht. Lass weg, was keine Bewertungen " +
				"enthält",
			importer.TooManyRows:  "mehr als 100\u202f000 Zeilen, so viele liest diese Seite nicht",
			importer.TooManyParts: "zu viele Spalten oder Dateien für einen Export von Bewertungen",
			importer.FieldTooLong: "ein Feld ist länger als 1 MB. Fehlt ein Anführungszeichen?",
			importer.OpenQuote:    "hier beginnt ein Anführungszeichen, das nirgends endet",
			importer.NotText: "Dateien dieser Art kann diese Seite nicht lesen. Speichere oder exportiere sie als " +
				"CSV",
			importer.NoTitle:    "keine Spalte heißt „Title“ oder „Name“, also lässt sich nichts nachschlagen",
			importer.ManyPeople: "das sind die Bewertungen mehrerer Leute. Behalte nur die Zeilen einer Person",
			importer.Empty:      "die Datei hat keine Zeilen",
			importer.ZipDamaged: "das ZIP-Archiv ist beschädigt. Lade es noch einmal herunter",
			importer.ZipLocked: "das ZIP-Archiv hat ein Passwort oder ist ungewöhnlich gepackt. Entpacke es und " +
				"wähle die CSV-Datei",
			importer.ZipWithout: "im ZIP-Archiv liegt keine Tabelle mit Bewertungen",
			importer.RowTooLong: "die Zeile hat mehr Felder als die Kopfzeile",
			importer.NoName:     "die Zeile hat keinen Titel",
			importer.NotARating: "keine Bewertung",
		},
	},
	SharingTexts: SharingTexts{
		Share: "Teile deinen Geschmack",
		ShareNote: "Ein Link, in dem steht, was dir gefällt. Er geht an keinen Server, aber wer ihn hat, kann " +
			"es lesen.",
		ShareLink:       "Link teilen",
		ShareList:       "Nur meine Liste für später teilen",
		ShareDislikes:   "Auch das, was nicht meins ist",
		ShareLater:      "Auch, was ich mir für später gemerkt habe",
		ShareCopied:     "Link kopiert. Füge ihn ein, wo du magst.",
		ShareByHand:     "Dieser Browser lässt die Seite nicht für dich kopieren. Kopiere den Link von hier:",
		ShareLatest:     "In einen Link passt nicht alles: In diesem steht das Neueste.",
		SharedNote:      "Nichts davon bleibt hier, wenn du es nicht übernimmst.",
		SharedMissing:   "Nicht in diesem Katalog:",
		SharedLink:      "Link",
		SharedLikes:     "Mag diese Person",
		SharedDislikes:  "Mag diese Person nicht",
		SharedLook:      "Die Empfehlungen dazu ansehen",
		SharedDrop:      "Nein danke",
		SharedLeads:     "Die Liste zu diesem Geschmack",
		SharedLeadsNote: "Beruht auf dem geteilten Geschmack, ohne das, was du selbst markiert hast.",
		SharedUnread:    "Dieser Link lässt sich nicht lesen",
		SharedBroken: "Er wurde unterwegs abgeschnitten oder verändert. Lass ihn dir noch einmal schicken. Hier " +
			"hat sich nichts geändert.",
		SharedNewer: "Er stammt aus einer neueren Version dieser Seite. Lade die Seite neu, um diese Version zu " +
			"bekommen, und öffne den Link dann noch einmal.",
	},
	CopiedTexts: CopiedTexts{
		BecauseTheyLike: "Wegen",
		ListBecause:     "Wegen",
		ListTitle:       "Meine nächsten zehn",
		ListCopy:        "Als Text kopieren",
		ListCopied:      "Liste kopiert",
		Picture:         "Als Bild speichern",
		PictureFailed:   "Der Browser konnte kein Bild der Karte machen.",
	},
	MapTexts: MapTexts{
		MapHelp: "Jeder Punkt ist ein Titel. Titel, die dieselben Leute lieben, sind Nachbarn. Die " +
			"Ringe zeigen die Seiten deines Geschmacks.",
		MapKeys: "Pfeiltasten gehen von Nachbar zu Nachbar, Plus und Minus zoomen, Pos1 zeigt deine Gegend, Enter " +
			"öffnet einen Titel.",
		ZoomIn:       "Vergrößern",
		ZoomOut:      "Verkleinern",
		Home:         "Deine Gegend",
		ViewMap:      "Karte",
		ViewDistance: "Abstand",
		ViewsLabel:   "Ansicht der Karte",
		AsText:       "Als Text",
		DistanceNote: "Du bist in der Mitte: Je näher ein Titel, desto besser passt er zu dir. Die Richtungen sind " +
			"die der Karte.",
		InOrder:    "Was hier am nächsten liegt, steht in deiner Liste vorn, weitere Teile einer Reihe etwas später.",
		NotInOrder: "Mit deinen Einstellungen zählt für die Liste mehr als der Abstand.",
		MapUndrawn: "Diese Karte lässt sich nicht zeichnen: Ihre Daten sind beschädigt. Alles andere auf der Seite " +
			"funktioniert.",
		PartUndrawn: "Auf der Karte fehlt etwas, weil Daten beschädigt sind.",
		MapAsleep:   "Wähle etwas, das du liebst, dann zeigt die Karte deinen Geschmack.",
		MapEnd:      "Hier endet die Karte.",
		MapWheel:    "Klick in die Karte oder halte Strg, um mit dem Rad zu zoomen.",
		MapFind:     "Einen Titel auf der Karte finden",
		MapFound:    "Auf der Karte gefundene Titel",
		MapRings:    "Innerer Ring: die Hälfte dessen, was dir gefallen würde. Äußerer Ring: fast alles.",
		Regions:     "Gegenden der Karte",
		MarkedAs:    [4]string{"gefällt dir", "nicht deins", "", "für später gemerkt"},
	},
	MapAsTextTexts: MapAsTextTexts{
		TextNext:   "Deine nächsten Titel, der nächstliegende zuerst",
		TextLikes:  "Was dir gefällt",
		TextAsleep: "Noch ist nichts markiert.",
		TextTastes: "Die Seiten deines Geschmacks und ihr Anteil",
		You:        "Du",
	},
	DataTexts: DataTexts{
		StoredNothing: "Noch ist nichts gespeichert.",
		StoredUnread:  "Der Speicher dieses Browsers lässt sich gerade nicht lesen.",
		StoredHere:    "Bleibt in diesem Browser und wird an niemanden geschickt. Du brauchst kein Konto.",
		KeptForGood:   "Der Browser hat versprochen, es nicht von sich aus zu löschen.",
		KeptWhile:     "Der Browser darf es löschen, wenn auf diesem Gerät der Platz knapp wird.",
		Persist:       "Vor automatischem Aufräumen schützen",
		AsideSave:     "Als Datei speichern",
		Erase:         "Löschen …",
		EraseMarks:    "Löschen, was ich gesagt habe",
		EraseYes:      "Alles löschen",
		EraseNo:       "Alles behalten",
		EraseQuestion: "Was möchtest du löschen? Das lässt sich nicht rückgängig machen.",
		EraseNote: "Was du gesagt hast: was dir gefällt, was nicht deins ist, was du schon kennst und was du dir " +
			"gemerkt hast. Alles: auch deine Einstellungen und die Offline-Kopie dieser Seite.",
		Erased: "Gelöscht.",
		EraseFailed: "Der Browser hat das Löschen nicht zugelassen. Versuche es noch einmal, oder lösche die Daten " +
			"dieser Seite in den Einstellungen des Browsers.",
	},
	BackupTexts: BackupTexts{
		Backup: "Sicherung",
		BackupNote: "Eine Datei mit allem, was du dieser Seite gesagt hast: zum Lesen, zum Aufheben und zum " +
			"Öffnen auf einem anderen Gerät.",
		BackupSave:      "Sicherung speichern",
		BackupOpen:      "Sicherung öffnen",
		BackupOpened:    "Die geöffnete Sicherung",
		BackupClose:     "Sicherung schließen",
		BackupMerge:     "Zu deinen Angaben hinzufügen",
		BackupMergeNote: "Wo beide etwas zu einem Titel sagen, gilt das Spätere.",
		BackupRestore:   "Alles durch diese Sicherung ersetzen",
		BackupRestoreNote: "Alles ist wieder so wie beim Speichern der Sicherung. Was du seither gesagt hast, " +
			"verschwindet.",
		ChangesNothing: "Das würde nichts ändern.",
		LeftOut:        "# bleibt weg, weil hier # mit aussucht.",
		BackupBroken: "Diese Datei ist keine Sicherung dieser Seite, oder sie ist beschädigt. Nichts wurde " +
			"geändert.",
		BackupBrokenAt: "Diese Datei ist keine Sicherung dieser Seite, oder sie ist in Zeile # beschädigt. " +
			"Nichts wurde geändert.",
		BackupNewer: "Diese Datei stammt aus einer neueren Version dieser Seite. Lade die Seite neu, um diese " +
			"Version zu bekommen, und öffne die Datei dann noch einmal.",
		BackupUnread: "Die Datei war nicht zu lesen, oder sie ist viel zu groß für eine Sicherung.",
	},
	ModelTexts: ModelTexts{
		About:           "Über das Modell",
		AboutModel:      "Woher es kommt",
		Licence:         "Lizenz",
		Quality:         "Wie gut es ist",
		TrainedAt:       "Trainiert am #.",
		TrainedAs:       "Einstellungen „#“.",
		KernelSIMD:      "Abstände berechnet der SIMD-Kern.",
		KernelAVX:       "Abstände berechnet der AVX-Kern.",
		KernelGo:        "Abstände werden in reinem Go berechnet; dieser Browser hat kein SIMD.",
		ProgramAndModel: "Programm #, Modell #.",
		Unversioned:     "ohne Nummer",
		Unsigned:        "ohne Prüfsumme",
		QualityNote:     "Gemessen an Lieblingstiteln, die das Modell nicht kannte.",
	},
	CopyTexts: CopyTexts{
		Away:        "Offline",
		Restart:     "Aktualisieren",
		UpdateWaits: "Eine neue Version dieser Seite ist bereit.",
		CopyNever: "Dieser Browser speichert die Seite selbst nicht; um sie zu öffnen, brauchst du also eine " +
			"Verbindung.",
		CopySoon: "Die Seite wird gerade gespeichert, damit sie sich auch ohne Verbindung öffnet.",
		CopyRefused: "Die Seite ließ sich nicht vollständig speichern, deshalb brauchst du noch eine Verbindung, um " +
			"sie zu öffnen. Beim nächsten Besuch versuchen wir es wieder.",
		CopyNoRoom: "Auf diesem Gerät ist kein Platz mehr, um die Seite zu speichern; um sie zu öffnen, brauchst du " +
			"also eine Verbindung. Beim nächsten Besuch versuchen wir es wieder.",
		CopyFull: "Auf diesem Gerät ist kein Platz mehr, um eine neuere Version davon zu speichern.",
	},
	ProblemTexts: ProblemTexts{
		StoreBlocked: "Dieser Browser lässt die Seite nichts speichern, wie in einem privaten Fenster. Alles " +
			"funktioniert, aber was du sagst, ist weg, wenn du es schließt.",
		StoreFull: "Auf diesem Gerät ist kein Platz mehr, um zu speichern, was du zuletzt gesagt hast. Alles " +
			"funktioniert, und die Seite versucht es weiter. Schließt du sie vorher, ist es weg.",
		StoredAgain: "Es ist wieder Platz, und alles ist gespeichert.",
		StateDamaged: "Die Daten deines letzten Besuchs sind beschädigt und nicht mehr zu lesen. Sie sind " +
			"beiseitegelegt, nicht weggeworfen: Du kannst sie unter „Deine Daten“ speichern.",
		StateNewer: "Deine gespeicherten Daten stammen aus einer neueren Version dieser Seite. Sie sind " +
			"beiseitegelegt, nicht weggeworfen: Du kannst sie unter „Deine Daten“ speichern. Lade die Seite neu, um " +
			"die neuere Version zu bekommen.",
		FailureTitle: "Diese Seite kann nicht starten",
		FailureKept:  "Was dir gefällt, ist weiter auf deinem Gerät gespeichert.",
		Reload:       "Seite neu laden",
		ModelNewer: "Die Daten der Seite sind neuer als ihr Programm. Lade die Seite neu, dann passen sie wieder " +
			"zusammen.",
		ModelDamaged: "Die Daten der Seite sind beschädigt. Lade die Seite neu; hilft das nicht, muss sie neu " +
			"veröffentlicht werden.",
		CannotDraw: "Die Seite lässt sich nicht zeichnen.",
		Stopped: "Die Seite ist wegen eines Fehlers in ihrem Programm stehen geblieben. Lade sie neu, dann " +
			"geht es weiter.",
	},
}
