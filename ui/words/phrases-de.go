package words

import (
	"cmp"
	"strconv"
	"strings"
)

func germanPhrases(de *Numerals) Phrases {
	return Phrases{
		LanguagePhrases: LanguagePhrases{
			Theme: with("Farben: #"),
		},
		SearchPhrases: SearchPhrases{
			NoMatch: func(query string, items, until int) string {
				switch {
				case later(query, until):
					return "„" + query + "“ ist zu neu: Dieser Katalog endet " + strconv.Itoa(until) + "."
				case until > 0:
					return "Nichts hier enthält „" + query + "“. Dieser Katalog endet " + strconv.Itoa(until) + "."
				}
				return de.things(items) + ": Nichts davon enthält „" + query + "“."
			},
			TooFew: func(titles []string) string {
				return de.Join(titles) + plural(len(titles), " fehlt", " fehlen") +
					" hier: In unseren Daten mochten das zu wenige."
			},
			Tagged: with("Mit „#“ verschlagwortet:"),
			PickThree: func(noun string) string {
				if noun != "" {
					return "Wähle drei " + noun + ", die du liebst"
				}
				return "Wähle drei, die du liebst"
			},
			Holds: func(items, until int) string {
				s := de.things(items)
				if until > 0 {
					s += " bis " + strconv.Itoa(until)
				}
				return s + "."
			},
			Matches: func(n int) string { return de.things(n) + " gefunden" },
			Picked: func(n int) string {
				return [...]string{"Noch keiner gewählt", "Einer gewählt, noch zwei", "Zwei gewählt, noch einer",
					"Drei gewählt"}[min(n, 3)]
			},
		},
		ActionPhrases: ActionPhrases{
			LikeTitle:     with("Mag ich: #"),
			DislikeTitle:  with("Nicht meins: #"),
			MoreLikeTitle: with("Ähnliche wie #"),
			OtherTitle:    with("Mehr zu #"),
			RemoveTitle:   with("Entfernen: #"),
			WhyTitle:      with("Warum? #"),
			Liked:         with("Gefällt dir: #"),
			Disliked:      with("Nicht deins: #"),
			UndoStep:      with("Rückgängig: #"),
			Tightened: func(share float64) string {
				if share > 1 {
					return de.percent(share-1) + " unsicherer als nach deinem ersten „Mag ich“: Du magst Verschiedenes."
				}
				return "Um " + de.percent(1-share) + " weniger unsicher als nach deinem ersten „Mag ich“."
			},
			NeitherOf:  func(a, b string) string { return "Weder " + a + " noch " + b },
			LaterTitle: with("Später: # merken"),
			AfterTitle: with("Nach #"),
			Kept:       with("Für später gemerkt: #"),
			Removed:    with("Entfernt: #"),
			RateTitle:  with("Sterne und Listen für #"),
			Unrated:    with("Ohne Sterne: #"),
			ListsOf:    with("Deine Listen für #"),
			ShareNamed: with("Diese Liste teilen: #"),
		},
		ListPhrases: ListPhrases{
			Similar: with("Ähnlich wie #"),
			Updated: func(n int) string { return de.count(n, "Empfehlung", "Empfehlungen") + " aktualisiert" },
			Because: func(titles []string) string {
				return "Weil dir " + de.Join(titles) + plural(len(titles), " gefällt", " gefallen")
			},
			Closer: func(match float64, items int) string {
				switch top := placeOf(match, items); top {
				case 1:
					return "Passt unter allen " + de.Number(items) + " am besten zu dir."
				default:
					return "Unter den " + de.Number(top) + " von " + de.Number(items) + ", die am besten zu dir passen."
				}
			},
			OneMore: func(in, out []string, doubt float64) string {
				s := "Wenn dir das auch gefällt, "
				if len(in) == 0 {
					s += "bleibt deine Liste, wie sie ist"
				} else {
					s += plural(len(in), "ersetzt ", "ersetzen ") + de.Join(in) + " in deinen ersten zehn " +
						de.Join(out)
				}
				switch change := de.percent(max(doubt-1, 1-doubt)); {
				case doubt < 0.995:
					return s + ". Wir kennen deinen Geschmack dann um " + change + " besser."
				case doubt > 1.005:
					return s + ". Wir kennen deinen Geschmack dann um " + change +
						" schlechter: Es liegt abseits von deinen anderen Favoriten."
				}
				return s + "."
			},
			Dealt: func(gone, come []string) string {
				return "Etwas anderes. Weg: " + de.Some(len(gone), gone[:min(len(gone), 2):min(len(gone), 2)]) +
					". Neu: " + de.Some(len(come), come[:min(len(come), 2):min(len(come), 2)]) + "."
			},
			PicksLiked: func(liked, of int) string {
				return "Dir " + plural(liked, "gefiel ", "gefielen ") + de.Number(liked) + " von " + de.Number(of) +
					" Tipps."
			},
			DistanceIs: func(v float64) string { return "Abstand " + de.decimal(v, 3) + " (2-Wasserstein)" },
			SpreadIs: func(v float64) string {
				return "Unsicherheit " + de.decimal(v, 3) + ", in denselben Einheiten"
			},
			ChanceOf: func(stays bool, chance float64) string {
				if stays {
					return "Wir denken, dass es mit " + de.percent(chance) +
						" Wahrscheinlichkeit unter deinen ersten " +
						"zehn bleibt."
				}
				return "Wir denken, dass dir das mit " + de.percent(chance) + " Wahrscheinlichkeit gefällt."
			},
			HowKnownPoint: func(stated, observed float64, n int) string {
				return de.percent(stated) + " gesagt, " + de.percent(observed) + " eingetroffen, von " +
					de.count(n, "Vermutung", "Vermutungen")
			},
			ShareOf: func(title string, share float64) string { return title + " " + de.percent(share) },
			LedHere: func(shares []string) string { return "Was hierher führte: " + strings.Join(shares, ", ") + "." },
			LovedBoth: func(titles []string) string {
				return "Wegen " + de.Join(titles) + ": Wer " + [...]string{"das", "beides"}[min(len(titles), 2)-1] +
					" liebt, liebt oft auch das hier."
			},
			SafetyIs: func(rank, of int) string {
				return "Nach Sicherheit ist das Nr. " + de.Number(rank) + " von diesen " + de.Number(of) + "."
			},
			Loosen: with("Zulassen: #"),
		},
		PeoplePhrases: PeoplePhrases{
			NextForBoth: with("Als Nächstes für dich und #"),
			Forget:      with("# vergessen"),
			Forgotten:   with("# ist vergessen."),
			NowChoosing: with("Du wählst jetzt für #."),
			BothLikes: func(name string, yours, theirs int) string {
				return de.count(yours, "Favorit", "Favoriten") + " von dir, " + de.Number(theirs) + " von " + name +
					". Ihr zählt beide gleich."
			},
			TextSecond: with("Gestrichelte Ringe: #."),
			BothBecause: func(name string, titles []string, near bool, certainty string) string {
				because, general := "", ""
				if len(titles) > 0 {
					because = "wegen " + de.Join(titles)
				}
				if near {
					general = lowered(germanTexts.NearMany)
				}
				return name + ": " + joined(lowered(certainty), because, general)
			},
		},
		BrowsePhrases: BrowsePhrases{
			BrowseCount: func(all, marked, from, to int) string {
				s := de.things(all)
				if marked > 0 {
					s += ", " + de.Number(marked) + " davon hast du markiert"
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
					return "Filter und Stimmungen"
				}
				return "Filter und Stimmungen (" + strconv.Itoa(n) + ")"
			},
			Decade: func(year int) string { return strconv.Itoa(year) + "er" },
		},
		TastePhrases: TastePhrases{
			SharedWith: func(n int) string {
				return "Jemand hat " + de.things(n) + " mit dir geteilt"
			},
			ShowAll: func(n int) string { return "Alle " + de.Number(n) + " zeigen" },
			Unknown: func(n int) string {
				return de.things(n) + " aus einem früheren Katalog, aufgehoben, bis er wiederkommt"
			},
		},
		ImportPhrases: ImportPhrases{
			BringReading: with("# wird gelesen"),
			BringLooking: func(n int) string { return de.things(n) + plural(n, " wird", " werden") + " gesucht" },
			BringFrom:    func(formats string, n int) string { return formats + ": " + de.things(n) },
			BringFound: func(found, doubts, missing int) string {
				parts := []string{de.Number(found+doubts) + " gefunden"}
				if doubts > 0 {
					parts = append(parts, de.Number(doubts)+" davon zu prüfen")
				}
				if missing > 0 {
					parts = append(parts, de.Number(missing)+" nicht in diesem Katalog")
				}
				return de.Join(parts) + "."
			},
			BringNothing: func(items int) string {
				return "Nichts davon ist in diesem Katalog. Er hat " + de.things(items) + "."
			},
			BringWished: func(n int) string {
				return de.things(n) + plural(n, " ist", " sind") + " nur vorgemerkt: weggelassen."
			},
			BringSeries: func(n int) string {
				return de.count(n, "Serie oder Folge", "Serien und Folgen") +
					" weggelassen: In diesem Katalog sind keine."
			},
			BringBad: func(n int) string {
				if n == 1 {
					return "1 Zeile war nicht zu lesen:"
				}
				return de.Number(n) + " Zeilen waren nicht zu lesen; die ersten davon:"
			},
			Adding: func(marks string, kept int) string {
				s := "Neu dazu: " + cmp.Or(marks, "nichts") + "."
				if kept > 0 {
					s += " " + de.things(kept) + ", hier schon markiert, " + plural(kept, "bleibt", "bleiben") +
						" unverändert."
				}
				return s
			},
			Added: func(formats, marks string) string {
				return "Hinzugefügt (" + formats + "): " + cmp.Or(marks, "nichts") + "."
			},
			BringOf: func(rating, scale string) string { return rating + " von " + scale },
			BringDoubts: func(n int) string {
				return de.things(n) + plural(n, " ist", " sind") + " zu prüfen. Mehrere kommen infrage, oder der " +
					"Name " +
					"weicht etwas ab:"
			},
			BringShowFound:   func(n int) string { return "Gefunden (" + de.Number(n) + ")" },
			BringShowMissing: func(n int) string { return "Nicht in diesem Katalog (" + de.Number(n) + ")" },
			BringMore:        func(n int) string { return "und " + de.count(n, "weiterer", "weitere") },
			BringUnreadable:  with("# war nicht zu lesen. Ist die Datei noch da?"),
		},
		MapPhrases: MapPhrases{
			Around: func(a, b string) string { return "Rund um " + a + " und " + b },
			Region: func(name string, from, to int) string {
				first, article := strconv.Itoa(from)+"er", "der "
				if name == "" {
					article = "die "
				}
				years := "von " + strconv.Itoa(from) + " bis " + strconv.Itoa(to-1)
				switch {
				case from == 0 && to == 0:
					return name
				case from == 0:
					years = "vor " + strconv.Itoa(to)
				case to == 0:
					years = "seit " + strconv.Itoa(from)
				case to == from+10:
					years = article + first
				case to == from+20:
					years = article + first + " und " + strconv.Itoa(from+10) + "er"
				}
				return capital(strings.TrimSpace(name + " " + years))
			},
			MapCanvas: func(items int) string { return "Karte: " + de.things(items) },
			TextItem: func(title, certainty string, distance float64) string {
				return title + ": " + lowered(certainty) + ", Abstand " +
					de.decimal(distance, 2)
			},
			TasteLabel: func(name, share, owner string) string {
				all, part := "dein Geschmack", "deines Geschmacks"
				if owner != "" {
					all, part = "Geschmack von "+owner, "des Geschmacks von "+owner
				}
				if share == "" {
					return capital(leading(name) + all)
				}
				return leading(name) + share + " " + part
			},
			TextTaste: func(label, region string) string {
				if region == "" {
					return label
				}
				return label + ", in „" + region + "“"
			},
			FromYou:     func(d float64) string { return de.decimal(d, 2) + " von dir entfernt" },
			PlaceInList: func(place int) string { return "Nr. " + de.Number(place) + " in deiner Liste" },
		},
		DataPhrases: DataPhrases{
			Usage: func(usage, quota int) string {
				return "Diese Seite braucht " + de.size(usage) + " auf diesem Gerät, ihre Offline-Kopie " +
					"mitgezählt. Der Browser erlaubt " + de.size(quota) + "."
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
				s += " enthält " + de.things(n) + "."
				switch {
				case unknown > 0 && unknown == n:
					s += " Nichts davon ist in diesem Katalog; es bleibt aufgehoben für einen, der es hat."
				case unknown > 0:
					s += " " + de.Number(unknown) + " davon " + plural(unknown, "ist nicht in diesem Katalog und "+
						"bleibt aufgehoben für einen, der es hat.", "sind nicht in diesem Katalog und bleiben "+
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
				return "Aus der Sicherung: " + de.Number(added) + " hinzugefügt, " +
					de.Number(changed) + " geändert, " +
					de.Number(removed) + " entfernt."
			},
		},
		ModelPhrases: ModelPhrases{
			CopySince: func(year, month, day int) string {
				return "Funktioniert auch ohne Netz (gespeichert am " + de.date(year, month, day) + ")."
			},
			TrainedOn: func(dataset string, users, items, positives int) string {
				return "Gelernt aus " + cmp.Or(dataset, "Daten ohne Namen") + ": " +
					de.count(positives, "Favorit", "Favoriten") + " von " +
					de.count(users, "Menschen", "Menschen") + "; " + de.things(items) + "."
			},
			Metric: func(name string, v float64) string { return metricName(name) + " " + de.decimal(v, 3) },
		},
	}
}
