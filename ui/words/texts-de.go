package words

import "github.com/pmlam/pmlam/core/importer"

// German returns the page's words in German. It addresses the visitor with du.
func German() *Words { return &Words{germanTexts, germanPhrases} }

// de is how numbers and lists are written.
var de = Numerals{Group: "\u202f", Ungrouped: 4, Point: ",", Percent: "\u202f%", And: " und ", Byte: "Byte",
	Bytes: "Byte",
	Day:   ". ", Months: [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
		"Oktober", "November", "Dezember"},
	Marks: [3][2]string{{"Vorliebe", "Vorlieben"}, {"nicht deins", "nicht deins"},
		{"gesehen", "gesehen"}}, Others: [2]string{"weiterer", "weitere"},
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
		Private:    "Das bleibt auf deinem Gerät.",
		SkipToNext: "Zu den Empfehlungen springen",
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
		NoMatchAdvice: "Versuche es mit weniger Buchstaben oder mit dem Originaltitel.",
		ClearSearch:   "Suche leeren",
	},
	InvitationTexts: InvitationTexts{
		PickThree:    "Wähle drei, die du liebst",
		PickThreeWhy: "Drei genügen für den Anfang. Alles Weitere schärft das Bild.",
		ShowOthers:   "Andere zeigen",
		Peek:         "Sehen, was schon in der Nähe liegt",
		Starters:     "Bekannte Titel für den Anfang",
	},
	ActionTexts: ActionTexts{
		Like:     "Mag ich",
		Dislike:  "Nicht meins",
		Seen:     "Gesehen",
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
		SimilarNote:     "Die nächstliegenden Titel, egal wer fragt.",
		ListNote:        "Zuerst, was am besten zu dir passt.",
		More:            "Zehn weitere",
		MoreEnd: "Das ist weit genug von deinem Geschmack entfernt. Sag zu ein paar Titeln etwas, dann " +
			"geht die Liste weiter.",
		Certain:           [4]string{"Ein Wagnis", "Eine Ahnung", "Ziemlich sicher", "Sehr sicher"},
		NothingLeft:       "Es gibt nichts mehr zu zeigen.",
		NothingLeftAdvice: "Deine Filter lassen keinen Titel übrig. Lockere einen:",
		ChanceOf:          "Würdest du ihn bewerten, gefiele er dir mit einer Wahrscheinlichkeit von #.",
		ChanceToStay: "Er bleibt unter deinen ersten zehn in # der Ziehungen aus dem, was von dir und von " +
			"den Titeln bekannt ist.",
		StandsBelow:   "„#“ steht für weniger als #: Nimm es als Vermutung.",
		StandsAbove:   "„#“ steht für # und mehr.",
		StandsBetween: "„#“ steht für # bis #.",
		Uncalibrated:  "Wie sicher das ist, sagt dieses Modell nicht, denn es ist nicht kalibriert.",
		UnsureYet:     "Wie sicher das ist, lässt sich sagen, sobald dir etwas gefällt.",
		HeldAgainstNobody: "Dieses Modell wurde nicht an Menschen geprüft, die es nicht kannte, und sagt deshalb " +
			"nicht, wie sicher es ist. Nimm seine Liste als Reihenfolge, nicht als mehr.",
		HeldAgainstNothing: "Diese Wahrscheinlichkeit ist errechnet aus dem, was von dir und von den Titeln " +
			"bekannt ist. Was Menschen dann gefiel, steht nicht in den Daten; es ließ sich also nicht damit " +
			"vergleichen.",
		HeldAgainst: "# bei einem Training ausgelassen. Für # ihrer Bewertungen wurde die Wahrscheinlichkeit " +
			"vorher genannt: Jeder Punkt ist eine Gruppe davon. " +
			"Träfen die Angaben genau zu, lägen alle Punkte auf der Linie; im Mittel liegen sie # Prozentpunkte " +
			"daneben.",
		PersonWas:  "Mensch wurde",
		PeopleWere: "Menschen wurden",
		HowKnown:   "Woher wissen wir das?",
		Stated:     "Genannte Wahrscheinlichkeit",
		CameTrue:   "Wie oft es eintraf",
		NothingWithout: "Du bist durch alles durch, was wir kennen. Nimm ein paar Titel aus „Gesehen“ heraus, dann " +
			"erscheinen sie wieder.",
	},
	TuningTexts: TuningTexts{
		Modes: [3]string{"Für dich", "Geheimtipps", "Außerhalb deiner Blase"},
		ModeNotes: [3]string{
			"Zuerst, was am besten zu dir passt.",
			"Nah an deinem Geschmack und wenig bekannt.",
			"Abseits der Menge und mit Absicht weniger sicher.",
		},
		ModesLabel:    "Art der Auswahl",
		Different:     "Zeig mir etwas anderes",
		Usual:         "Zurück zu den ersten",
		DifferentNote: "Was du gesehen hast, macht Platz. Diese sind dir auch nah und liegen fern davon.",
		Genres:        "Genre",
		Decades:       "Jahrzehnt",
		AllGenres:     "alle Genres",
		AllDecades:    "alle Jahrzehnte",
		Exploration:   "Bewährtes oder Überraschung",
		Safe:          "Bewährtes",
		Surprise:      "Überraschung",
		Diversity:     "Einheitlicher oder vielfältiger",
		Alike:         "Einheitlicher",
		Varied:        "Vielfältiger",
		Shuffle:       "Neu mischen",
		ClearFilters:  "Filter aufheben",
	},
	PeopleTexts: PeopleTexts{
		ForTwo: "Zu zweit",
		ForTwoNote: "Jemand anders sagt auf diesem Gerät, was er oder sie liebt, und ihr seht, was euch beiden " +
			"nah ist.",
		ForBothNote: "Euch beiden nah und noch von niemandem markiert; zuerst, was der Mitte zwischen euch am " +
			"nächsten liegt.",
		WhoseTaste:     "Wessen Geschmack",
		PersonName:     "Wie heißt diese Person?",
		PersonDone:     "Fertig",
		YourName:       "Wie heißt du?",
		Rename:         "# umbenennen",
		NowCalled:      "Der Name ist jetzt #.",
		PickForYou:     "Wähle nun selbst etwas, das du liebst.",
		BackToYou:      "Zurück zu dir",
		NowYou:         "Du wählst wieder für dich.",
		SharedTogether: "Zusammen aussuchen",
	},
	BrowseTexts: BrowseTexts{
		Browse:        "Stöbern",
		BrowseNote:    "Alles, was es gibt, nach Genre und nach Jahrzehnt.",
		BrowseInstead: "Nach Genre oder Jahrzehnt stöbern",
		Orders:        [4]string{"Für dich", "Bekannteste", "Neueste", "A bis Z"},
		OrdersLabel:   "Reihenfolge",
		Earlier:       "Vorige Seite",
		Later:         "Nächste Seite",
		Pages:         "Seiten",
	},
	TasteTexts: TasteTexts{
		LikesHeading:    "Gefällt dir",
		DislikesHeading: "Nicht deins",
		SeenHeading:     "Gesehen",
		MadeOf:          "Besteht aus",
		NoLikes:         "Noch nichts. Was dir gefällt, erscheint hier.",
		ShowFewer:       "Weniger zeigen",
	},
	ImportTexts: ImportTexts{
		Bring: "Bring deinen Geschmack mit",
		BringNote: "Schon anderswo bewertet? Nimm den Export von Letterboxd, IMDb, Goodreads, StoryGraph oder " +
			"MovieLens, oder " +
			"irgendeine CSV-Datei mit Titeln und Bewertungen.",
		BringChoose:     "Datei wählen",
		BringDrop:       "oder zieh sie irgendwo auf diese Seite. Sie wird hier gelesen und an niemanden geschickt.",
		BringInstead:    "Mitbringen, was du anderswo bewertet hast",
		BringStop:       "Anhalten",
		BringStopped:    "Angehalten. Nichts hat sich geändert.",
		BringFormats:    [6]string{"Tabelle", "Letterboxd", "IMDb", "Goodreads", "StoryGraph", "MovieLens"},
		BringAgree:      "Zu deinem Geschmack hinzufügen",
		BringCancel:     "Abbrechen",
		BringTakeBack:   "Alles zurücknehmen",
		BringTakenBack:  "Was die Datei gebracht hat, ist zurückgenommen.",
		BringLike:       "Mag ich ab",
		BringDislike:    "Nicht meins bis",
		BringNever:      "Nie",
		BringScale:      "Bewertungen gehen bis",
		BringUnrated:    "Titel ohne Bewertung",
		BringUnratedAs:  [4]string{"Weglassen", "Mag ich", "Nicht meins", "Gesehen"},
		BringBecomes:    [4]string{"Weggelassen", "Gefällt dir", "Nicht deins", "Gesehen"},
		BringFirst:      "Jeweils den ersten nehmen",
		BringNoneOfAll:  "Keinen davon nehmen",
		BringNone:       "Keiner davon",
		BringMoreDoubts: "Mehr zum Prüfen zeigen",
	},
	FileProblemTexts: FileProblemTexts{
		BringLine:   ", Zeile #",
		BringColumn: ", Spalte „#“",
		Quoted:      "„#“",
		BringWrong: [16]string{
			importer.TooLarge: "es sind mehr als die 32 MB, die diese Seite liest. Lass weg, was keine " +
				"Bewertungen enthält",
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
			importer.ZipLocked: "das ZIP-Archiv ist verschlossen oder ungewöhnlich gepackt. Entpacke es und " +
				"wähle die CSV-Datei",
			importer.ZipWithout: "im ZIP-Archiv liegt keine Tabelle mit Bewertungen",
			importer.RowTooLong: "die Zeile hat mehr Felder, als die erste Zeile Namen hat",
			importer.NoName:     "die Zeile hat keinen Titel",
			importer.NotARating: "das ist keine Bewertung",
		},
	},
	SharingTexts: SharingTexts{
		Share: "Teile deinen Geschmack",
		ShareNote: "Ein Link, der trägt, was dir gefällt. Er geht an keinen Server, aber wer ihn hat, kann " +
			"es lesen.",
		ShareLink:       "Link teilen",
		ShareDislikes:   "Auch das, was nicht meins ist",
		ShareCopied:     "Der Link ist kopiert. Füge ihn ein, wo du magst.",
		ShareByHand:     "Dieser Browser lässt die Seite nicht für dich kopieren. Kopiere den Link von hier:",
		ShareLatest:     "Ein Link hat ein Ende: Dieser trägt das Neueste.",
		SharedNote:      "Nichts davon bleibt hier, wenn du es nicht übernimmst.",
		SharedMissing:   "Nicht in diesem Katalog:",
		SharedLink:      "Link",
		SharedLikes:     "Mag diese Person",
		SharedDislikes:  "Mag diese Person nicht",
		SharedLook:      "Sehen, wohin das führt",
		SharedDrop:      "Nein danke",
		SharedLeads:     "Wohin dieser Geschmack führt",
		SharedLeadsNote: "Errechnet aus dem, was geteilt wurde, ohne das, wozu du selbst etwas gesagt hast.",
		SharedUnread:    "Dieser Link lässt sich nicht lesen",
		SharedBroken: "Er wurde unterwegs abgeschnitten oder verändert. Lass ihn dir noch einmal geben. Hier " +
			"hat sich nichts geändert.",
		SharedNewer: "Eine neuere Version dieser Seite hat ihn gemacht. Lade die Seite neu, um sie zu " +
			"bekommen, und öffne den Link dann noch einmal.",
	},
	CopiedTexts: CopiedTexts{
		BecauseTheyLike: "Wegen",
		ListBecause:     "Wegen",
		ListTitle:       "Meine nächsten zehn",
		ListCopy:        "Als Text kopieren",
		ListCopied:      "Die Liste ist kopiert",
		Picture:         "Als Bild speichern",
		PictureFailed:   "Der Browser konnte kein Bild der Karte machen.",
	},
	MapTexts: MapTexts{
		MapHelp: "Jeder Punkt ist ein Titel; Titel, die dieselben Leute lieben, liegen nah beieinander. Die " +
			"Ringe sind du.",
		MapKeys: "Pfeiltasten gehen von Nachbar zu Nachbar, Plus und Minus zoomen, Pos1 zeigt alles, Enter " +
			"öffnet einen Titel.",
		ZoomIn:       "Vergrößern",
		ZoomOut:      "Verkleinern",
		Home:         "Alles zeigen",
		ViewMap:      "Karte",
		ViewDistance: "Abstand von dir",
		ViewsLabel:   "Art der Darstellung",
		AsText:       "Als Text",
		DistanceNote: "Du bist die Mitte. Der Radius ist der wahre Abstand, abzüglich dessen, was deine Vorlieben " +
			"unmittelbar sagen; die Richtung ist die der Karte.",
		InOrder:    "Was hier am nächsten liegt, steht in deiner Liste zuerst.",
		NotInOrder: "Deine Liste richtet sich jetzt nach mehr als dem Abstand, so wie du es eingestellt hast.",
		MapUndrawn: "Diese Karte lässt sich nicht zeichnen: Zahlen des Modells sind zu groß oder gar keine. " +
			"Alles andere auf der Seite geht.",
		PartUndrawn: "Etwas, das sich nicht zeichnen lässt, fehlt auf der Karte: Zahlen des Modells sind zu groß " +
			"oder gar keine.",
		MapAsleep: "Wähle etwas, das du liebst, dann wacht die Karte auf.",
		MapEnd:    "In dieser Richtung kommt kein Titel mehr.",
		MapWheel:  "Klick in die Karte oder halte Strg, um mit dem Rad zu zoomen.",
		MapFind:   "Einen Titel auf der Karte finden",
		MapFound:  "Auf der Karte gefundene Titel",
		MapRings:  "Die Ringe umfassen deinen Geschmack zu 50, 80 und 95\u202f%",
		MarkedAs:  [3]string{"gefällt dir", "nicht deins", "gesehen"},
	},
	MapAsTextTexts: MapAsTextTexts{
		TextNext:   "Deine nächsten Titel, der nächstliegende zuerst",
		TextLikes:  "Was dir gefällt",
		TextAsleep: "Noch ist nichts markiert.",
		Legend:     "Genres auf der Karte",
		You:        "Du",
	},
	DataTexts: DataTexts{
		StoredNothing: "Noch ist nichts gespeichert.",
		StoredUnread:  "Was aufgehoben ist, wenn es etwas gibt, lässt sich gerade nicht lesen.",
		StoredHere: "Dieser Browser hebt es auf, und niemand sonst bekommt es. Es gibt kein Konto und keinen " +
			"Server, den man fragen müsste.",
		KeptForGood:   "Der Browser hat versprochen, es nicht von sich aus zu löschen.",
		KeptWhile:     "Der Browser darf es löschen, wenn auf diesem Gerät der Platz knapp wird.",
		Persist:       "Den Browser bitten, es für immer aufzuheben",
		AsideSave:     "Als Datei speichern",
		Erase:         "Löschen …",
		EraseMarks:    "Löschen, was ich gesagt habe",
		EraseYes:      "Alles löschen",
		EraseNo:       "Alles behalten",
		EraseQuestion: "Was möchtest du löschen? Das lässt sich nicht rückgängig machen.",
		EraseNote: "Was du gesagt hast, ist: was dir gefällt, was nicht deins ist und was du gesehen hast. Alles " +
			"ist das, " +
			"deine Einstellungen und die Kopie dieser Seite, die ohne Netz funktioniert.",
		Erased: "Es ist gelöscht.",
		EraseFailed: "Der Browser hat die Seite nicht löschen lassen, was sie gespeichert hat. Versuche es noch " +
			"einmal, oder lösche die Daten dieser Seite in den Einstellungen des Browsers.",
	},
	BackupTexts: BackupTexts{
		Backup: "Sicherung",
		BackupNote: "Eine Datei mit allem, was du dieser Seite gesagt hast: zum Lesen, zum Aufheben und zum " +
			"Öffnen auf einem anderen Gerät.",
		BackupSave:      "Sicherung speichern",
		BackupOpen:      "Sicherung öffnen",
		BackupOpened:    "Die geöffnete Sicherung",
		BackupClose:     "Sicherung schließen",
		BackupMerge:     "Zu dem hinzufügen, was hier ist",
		BackupMergeNote: "Wo beide etwas zu einem Titel sagen, gilt das Spätere.",
		BackupRestore:   "Zu ihr zurückkehren",
		BackupRestoreNote: "Alles ist wieder so wie beim Speichern der Sicherung. Was du seither gesagt hast, " +
			"verschwindet.",
		ChangesNothing: "Das würde nichts ändern.",
		LeftOut:        "# bleibt weg, weil hier # mit aussucht.",
		BackupBroken: "Diese Datei ist keine Sicherung dieser Seite, oder sie ist beschädigt. Nichts wurde " +
			"geändert.",
		BackupBrokenAt: "Diese Datei ist keine Sicherung dieser Seite, oder sie ist in Zeile # beschädigt. " +
			"Nichts wurde geändert.",
		BackupNewer: "Eine neuere Version dieser Seite hat diese Datei geschrieben. Lade die Seite neu, um " +
			"diese Version zu bekommen, und öffne die Datei dann noch einmal.",
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
		QualityNote:     "Gemessen an Lieblingstiteln, die beim Training nicht dabei waren.",
	},
	CopyTexts: CopyTexts{
		Away:        "Offline",
		Restart:     "Aktualisieren",
		UpdateWaits: "Eine neue Version dieser Seite ist bereit.",
		CopyNever: "Dieser Browser hebt die Seite selbst nicht auf; um sie zu öffnen, braucht es also eine " +
			"Verbindung.",
		CopySoon: "Die Seite wird gerade aufgehoben, damit sie sich auch ohne Verbindung öffnet.",
		CopyRefused: "Die Seite ließ sich nicht vollständig aufheben, deshalb braucht sie noch eine Verbindung. " +
			"Dein nächster Besuch versucht es wieder.",
		CopyNoRoom: "Auf diesem Gerät ist kein Platz mehr, um die Seite aufzuheben; um sie zu öffnen, braucht es " +
			"also eine Verbindung. Dein nächster Besuch versucht es wieder.",
		CopyFull: "Auf diesem Gerät ist kein Platz mehr, um eine neuere Fassung davon aufzuheben.",
	},
	ProblemTexts: ProblemTexts{
		StoreBlocked: "Dieser Browser lässt die Seite nichts aufheben, wie in einem privaten Fenster. Alles geht, " +
			"aber was du sagst, hält nur, bis du sie schließt.",
		StoreFull: "Auf diesem Gerät ist kein Platz mehr, um das Letzte aufzuheben, was du gesagt hast. Alles " +
			"geht, und es wird wieder versucht; schließt du die Seite, bevor Platz ist, ist es weg.",
		StoredAgain: "Es ist wieder Platz: Alles ist aufgehoben.",
		StateDamaged: "Was von deinem letzten Besuch gespeichert war, ist beschädigt und nicht mehr zu lesen. Es " +
			"ist beiseitegelegt, nicht weggeworfen: Du kannst es unter „Deine Daten“ speichern.",
		StateNewer: "Was gespeichert ist, stammt von einer neueren Version dieser Seite. Es ist beiseitegelegt, " +
			"nicht weggeworfen: Du kannst es unter „Deine Daten“ speichern. Lade die Seite neu, um die neuere " +
			"Version zu bekommen.",
		FailureTitle: "Das Modell lässt sich nicht öffnen",
		FailureKept:  "Was dir gefällt, ist unberührt auf deinem Gerät aufgehoben.",
		Reload:       "Seite neu laden",
		ModelNewer: "Das Modell ist neuer als das Programm, das es liest. Lade die Seite neu, um beide frisch zu " +
			"bekommen.",
		ModelDamaged: "Das Modell ist beschädigt. Lade die Seite neu; hilft das nicht, muss es neu veröffentlicht " +
			"werden.",
		CannotDraw: "Die Seite lässt sich nicht zeichnen.",
		Stopped: "Die Seite ist wegen eines Fehlers in ihrem Programm stehen geblieben. Lade sie neu, dann " +
			"geht es weiter.",
	},
}
