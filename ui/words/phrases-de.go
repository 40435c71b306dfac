package words

import (
	"cmp"
	"strconv"
	"strings"
)

var germanPhrases = Phrases{
	LanguagePhrases: LanguagePhrases{
		GenreName: germanGenre,
		Theme:     with("Farben: #"),
	},
	SearchPhrases: SearchPhrases{
		NoMatch: func(query string, items int) string {
			return "„" + query + "“ ist nicht in diesem Katalog von " + dativeTitles(items) + "."
		},
		Matches: func(n int) string { return germanTitles(n) + " gefunden" },
		Picked: func(n int) string {
			return [...]string{"Noch keiner gewählt", "Einer gewählt, noch zwei", "Zwei gewählt, noch einer",
				"Drei gewählt"}[min(n, 3)]
		},
	},
	ActionPhrases: ActionPhrases{
		LikeTitle:     with("Mag ich: #"),
		DislikeTitle:  with("Nicht meins: #"),
		SeenTitle:     with("Gesehen: #"),
		MoreLikeTitle: with("Ähnliche wie #"),
		RemoveTitle:   with("Entfernen: #"),
		WhyTitle:      with("Warum #"),
		Liked:         with("Gefällt dir: #"),
		Disliked:      with("Nicht deins: #"),
		SawIt:         with("Gesehen: #"),
		Removed:       with("Entfernt: #"),
	},
	ListPhrases: ListPhrases{
		Similar: with("Ähnlich wie #"),
		Updated: func(n int) string { return de.count(n, "Empfehlung", "Empfehlungen") + " aktualisiert" },
		Because: func(titles []string) string {
			return "Weil dir " + de.Join(titles) + plural(len(titles), " gefällt", " gefallen")
		},
		Closer: func(match float64, items int) string {
			return "Näher bei dir als " + de.Number(int(match*float64(items)+0.5)) + " von " + dativeTitles(items)
		},
		OneMore: func(in, out []string, area float64) string {
			s := "Wenn dir das auch gefällt, "
			if len(in) == 0 {
				s += "bleiben deine ersten zehn, wie sie sind"
			} else {
				s += "kommt in deine ersten zehn: " + de.Join(in) + "; es geht: " + de.Join(out)
			}
			switch change := de.percent(max(area-1, 1-area)); {
			case area < 0.995:
				return s + ". Die Ringe um dich werden um " + change + " kleiner."
			case area > 1.005:
				return s + ". Die Ringe um dich werden um " + change +
					" weiter: Es liegt abseits von deinen anderen Vorlieben."
			}
			return s + "."
		},
		Dealt: func(gone, come []string) string {
			return "Etwas anderes. Weg: " + de.Some(len(gone), gone[:min(len(gone), 2):min(len(gone), 2)]) +
				". Neu: " + de.Some(len(come), come[:min(len(come), 2):min(len(come), 2)]) + "."
		},
		DistanceIs: func(v float64) string { return "Abstand " + de.decimal(v, 3) + " (W₂, latente Einheiten)" },
		SpreadIs: func(v float64) string {
			return "Streuung auf der Karte " + de.decimal(v, 3) +
				" (latente Einheiten)"
		},
		HowKnownPoint: func(stated, observed float64, n int) string {
			return de.percent(stated) + " genannt, " + de.percent(observed) + " eingetroffen, von " +
				de.count(n, "Bewertung", "Bewertungen")
		},
		ShareOf: func(title string, share float64) string { return title + ", " + de.percent(share) },
		Loosen:  with("Zulassen: #"),
	},
	PeoplePhrases: PeoplePhrases{
		NextForBoth: with("Als Nächstes für dich und #"),
		PickFor: with("Wähle oben # und dann etwas, das # liebt: über die Suche, aus einem Import oder aus " +
			"einer Sicherung."),
		Forget:      with("# vergessen"),
		Forgotten:   with("# ist vergessen."),
		NowChoosing: with("Du wählst jetzt für #."),
		BothLikes: func(name string, yours, theirs int) string {
			return de.count(yours, "Vorliebe", "Vorlieben") + " von dir, " + de.Number(theirs) + " von " + name +
				". Ihr zählt beide gleich."
		},
		TextSecond: func(name string, width float64) string {
			return "Die gestrichelten Ringe sind " + name + "; der weiteste misst " + de.decimal(width, 2) +
				" latente Einheiten."
		},
		BothBecause: func(name string, titles []string, certainty string) string {
			because := ""
			if len(titles) > 0 {
				because = "wegen " + de.Join(titles)
			}
			return joined(name+": ", strings.ToLower(certainty), because)
		},
	},
	BrowsePhrases: BrowsePhrases{
		BrowseCount: func(all, marked, from, to int) string {
			s := germanTitles(all)
			if marked > 0 {
				s += ", zu " + de.Number(marked) + " davon hast du etwas gesagt"
			}
			if to > 0 {
				s += "; hier " + de.Number(from) + " bis " + de.Number(to)
			}
			return s + "."
		},
	},
	TuningPhrases: TuningPhrases{
		Filter: func(n int) string {
			if n == 0 {
				return "Filter"
			}
			return "Filter (" + strconv.Itoa(n) + ")"
		},
		Decade: func(year int) string { return strconv.Itoa(year) + "er" },
	},
	TastePhrases: TastePhrases{
		SharedWith: func(n int) string {
			return "Jemand hat " + plural(n, "einen Titel", de.Number(n)+" Titel") + " mit dir geteilt"
		},
		ShowAll: func(n int) string { return "Alle " + de.Number(n) + " zeigen" },
		Unknown: func(n int) string {
			return germanTitles(n) + " aus einem früheren Katalog, aufgehoben, bis er wiederkommt"
		},
	},
	ImportPhrases: ImportPhrases{
		BringReading: with("# wird gelesen"),
		BringLooking: func(n int) string { return germanTitles(n) + plural(n, " wird", " werden") + " gesucht" },
		BringFrom:    func(formats string, n int) string { return formats + ": " + germanTitles(n) },
		BringFound: func(found, doubts, missing int) string {
			parts := []string{de.Number(found) + " gefunden"}
			if doubts > 0 {
				parts = append(parts, de.Number(doubts)+" zu prüfen")
			}
			if missing > 0 {
				parts = append(parts, de.Number(missing)+" nicht in diesem Katalog")
			}
			return de.Join(parts) + "."
		},
		BringNothing: func(items int) string {
			return "Keiner dieser Titel ist in diesem Katalog von " + dativeTitles(items) + "."
		},
		BringWished: func(n int) string {
			return germanTitles(n) + plural(n, " ist", " sind") + " erst noch zu sehen oder zu lesen: weggelassen."
		},
		BringBad: func(n int) string {
			if n == 1 {
				return "1 Zeile war nicht zu lesen:"
			}
			return de.Number(n) + " Zeilen waren nicht zu lesen; die ersten davon:"
		},
		BringAdds: func(t Tally) string {
			s := "Neu dazu: " + cmp.Or(de.Join(de.marks(t.Likes, t.Dislikes, t.Seen)), "nichts") + "."
			if t.Kept > 0 {
				s += " " + germanTitles(t.Kept) + plural(t.Kept, ", den du hier schon markiert hast, bleibt, wie "+
					"er ist.", ", die du hier schon markiert hast, bleiben, wie sie sind.")
			}
			return s
		},
		BringDone: func(formats string, t Tally) string {
			return "Hinzugefügt (" + formats + "): " + cmp.Or(de.Join(de.marks(t.Likes, t.Dislikes, t.Seen)),
				"nichts") + "."
		},
		BringOf: func(rating, scale string) string { return rating + " von " + scale },
		BringDoubts: func(n int) string {
			return germanTitles(n) + plural(n, " ist", " sind") + " zu prüfen. Es kann mehr als einer gemeint " +
				"sein, oder der Name ist nicht ganz derselbe:"
		},
		BringShowFound:   func(n int) string { return "Was gefunden wurde (" + de.Number(n) + ")" },
		BringShowMissing: func(n int) string { return "Nicht in diesem Katalog (" + de.Number(n) + ")" },
		BringMore:        func(n int) string { return "und " + de.count(n, "weiterer", "weitere") },
		BringUnreadable:  with("# war nicht zu lesen. Ist die Datei noch da?"),
	},
	MapPhrases: MapPhrases{
		Shown: func(share float64) string {
			return "Ein flaches Bild vieler Dimensionen: Es kann " + de.percent(share) +
				" dessen zeigen, was Titel unterscheidet."
		},
		MapCanvas: func(items int) string { return "Karte von " + dativeTitles(items) },
		TextItem: func(title, certainty string, distance float64) string {
			return title + ": " + strings.ToLower(certainty[:1]) + certainty[1:] + ", Abstand " +
				de.decimal(distance, 2)
		},
		TextWidth: func(width float64) string {
			return "Mit einer Wahrscheinlichkeit von 95\u202f% liegt dein Geschmack höchstens " +
				de.decimal(width, 2) + " latente Einheiten von der Mitte der Ringe entfernt."
		},
		FromYou:     func(d float64) string { return de.decimal(d, 2) + " von dir entfernt" },
		PlaceInList: func(place int) string { return "Nr. " + de.Number(place) + " in deiner Liste" },
	},
	DataPhrases: DataPhrases{
		Usage: func(usage, quota int) string {
			return "Diese Seite braucht " + de.size(usage) + " auf diesem Gerät, ihre Kopie für den Gebrauch ohne " +
				"Netz mitgezählt. Der Browser erlaubt " + de.size(quota) + "."
		},
		AsideKept: func(bytes int) string {
			return "Beiseitegelegt, weil es nicht zu lesen war: " + de.size(bytes) +
				"."
		},
	},
	BackupPhrases: BackupPhrases{
		BackupSaved: with("Gespeichert als #."),
		BackupHolds: func(file, date string, n, unknown int) string {
			s := "„" + file + "“"
			if date != "" {
				s += " vom " + date
			}
			s += " enthält " + germanTitles(n) + "."
			switch {
			case unknown > 0 && unknown == n:
				s += " Keiner ist in diesem Katalog; sie bleiben aufgehoben für einen, der sie hat."
			case unknown > 0:
				s += " " + de.Number(unknown) + " davon " + plural(unknown, "ist nicht in diesem Katalog und "+
					"bleibt aufgehoben für einen, der ihn hat.", "sind nicht in diesem Katalog und bleiben "+
					"aufgehoben für einen, der sie hat.")
			}
			return s
		},
		Adds: func(n int, titles []string) string {
			return "Fügt " + de.Number(n) + " hinzu: " + de.Some(n, titles)
		},
		ChangesMarks: func(n int, titles []string) string {
			return "Ändert " + de.Number(n) + ": " +
				de.Some(n, titles)
		},
		Removes: func(n int, titles []string) string {
			return "Entfernt " + de.Number(n) + ": " +
				de.Some(n, titles)
		},
		BackupApplied: func(added, changed, removed int) string {
			return "Aus der Sicherung: " + de.Number(added) + " hinzugefügt, " + de.Number(changed) + " geändert, " +
				de.Number(removed) + " entfernt."
		},
	},
	ModelPhrases: ModelPhrases{
		CopySince: func(year, month, day int) string {
			return "Geht auch ohne Netz, seit dem " + de.date(year, month, day) + "."
		},
		TrainedOn: func(dataset string, users, items, positives int) string {
			return "Gelernt aus " + cmp.Or(dataset, "Daten ohne Namen") + ": " + de.count(positives, "Lieblingstitel",
				"Lieblingstitel") + " von " +
				de.count(users, "Menschen", "Menschen") + " unter " + dativeTitles(items) + "."
		},
		Metric: func(name string, v float64) string { return metricName(name) + " " + de.decimal(v, 3) },
	},
}

// germanTitles counts titles: a Titel is a Titel in the plural too.
func germanTitles(n int) string { return de.Number(n) + " Titel" }

// dativeTitles counts them as after von, unter and als.
func dativeTitles(n int) string { return de.count(n, "Titel", "Titeln") }

// germanGenre is a genre of MovieLens in German. What is not listed is called alike.
func germanGenre(genre string) string {
	for _, pair := range germanGenres {
		if pair[0] == genre {
			return pair[1]
		}
	}
	return genre
}

var germanGenres = [...][2]string{
	{"Adventure", "Abenteuer"}, {"Children", "Kinder"}, {"Children's", "Kinder"}, {"Comedy", "Komödie"}, {"Crime",
		"Krimi"},
	{"Documentary", "Dokumentarfilm"}, {"Film-Noir", "Film noir"}, {"Romance", "Liebesfilm"}, {"Sci-Fi",
		"Science-Fiction"},
	{"War", "Kriegsfilm"}, {"(no genres listed)", "ohne Genre"},
}
