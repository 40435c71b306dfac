package ui

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommender"
)

// sayGerman fills in the sentences that hold numbers and names. A Titel is a Titel in the plural too; Filme are Filmen
// after von, unter and als.
func sayGerman(w *Words) {
	films := func(n int) string { return w.count(n, "Film", "Filmen") }
	titles := func(n int) string { return w.number(n) + " Titel" }
	before := func(what string) func(string) string {
		return func(title string) string { return what + ": " + title }
	}
	w.GenreName = func(genre string) string { return or(germanGenres[genre], genre) }
	w.Date = func(year, month, day int) string {
		months := [...]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"}
		return strconv.Itoa(day) + ". " + months[month-1] + " " + strconv.Itoa(year)
	}
	w.LikeTitle, w.DislikeTitle, w.SeenTitle = before(w.Like), before(w.Dislike), before(w.Seen)
	w.MoreLikeTitle = func(title string) string { return w.MoreLike + " wie " + title }
	w.RemoveTitle = before(w.Remove)
	w.WhyTitle = func(title string) string { return "Warum " + title }
	w.Liked, w.Disliked, w.SawIt, w.Removed = before("Gefällt dir"), before("Nichts für dich"), before("Gesehen"), before("Entfernt")
	w.Theme = before("Farben")
	w.NoMatch = func(query string, items int) string {
		return "„" + query + "“ ist nicht in diesem Katalog von " + films(items) + "."
	}
	w.Matches = func(n int) string { return titles(n) + " gefunden" }
	w.Picked = func(n int) string {
		return [...]string{"Noch keiner gewählt", "Einer gewählt, noch zwei", "Zwei gewählt, noch einer", "Drei gewählt"}[min(n, 3)]
	}
	w.Similar = func(title string) string { return "Ähnlich wie " + title }
	w.Updated = func(n int) string { return w.count(n, "Empfehlung", "Empfehlungen") + " aktualisiert" }
	w.Because = func(titles []string) string {
		return "Weil dir " + w.and(titles) + plural(len(titles), " gefällt", " gefallen")
	}
	w.Closer = func(match float64, items int) string {
		return "Näher bei dir als " + w.number(int(match*float64(items)+0.5)) + " von " + films(items)
	}
	w.DistanceIs = func(v float64) string { return "Abstand " + w.decimal(v, 3) + " (W₂, latente Einheiten)" }
	w.SpreadIs = func(v float64) string { return "Streuung auf der Karte " + w.decimal(v, 3) + " (latente Einheiten)" }
	w.CertainNote = func(r recommender.Reliability, c recommender.Certainty, chance float64) string {
		note := "Würdest du ihn bewerten, gefiele er dir mit einer Wahrscheinlichkeit von " + w.percent(chance) + "."
		if r.Of == recommender.Staying {
			note = "Er bleibt unter deinen ersten zehn in " + w.percent(chance) + " der Ziehungen aus dem, was von dir und von den Titeln bekannt ist."
		}
		note += " „" + w.Certain[c] + "“ steht für "
		switch {
		case c == recommender.Gamble:
			note += "weniger als " + w.percent(r.Of.From(c+1)) + ": Nimm es als Vermutung."
		case c == recommender.VerySure:
			note += w.percent(r.Of.From(c)) + " und mehr."
		default:
			note += w.percent(r.Of.From(c)) + " bis " + w.percent(r.Of.From(c+1)) + "."
		}
		if r.People == 0 {
			note += " Die Wahrscheinlichkeiten dieses Modells sind nicht kalibriert."
		}
		return note
	}
	w.HowKnown, w.Stated, w.CameTrue = "Woher wissen wir das?", "Genannte Wahrscheinlichkeit", "Wie oft es eintraf"
	w.HowKnownSaid = func(r recommender.Reliability) string {
		switch {
		case r.People == 0:
			return "Dieses Modell wurde nicht an Menschen geprüft, die es nicht kannte. Nimm seine Worte als Reihenfolge, nicht als mehr."
		case len(r.Bins) == 0:
			return "Diese Wahrscheinlichkeit ist errechnet aus dem, was von dir und von den Titeln bekannt ist. Was Menschen dann gefiel, steht nicht in den Daten; es ließ sich also nicht damit vergleichen."
		}
		n := 0
		for _, b := range r.Bins {
			n += int(b.Count)
		}
		return w.count(r.People, "Mensch wurde", "Menschen wurden") + " bei einem Training ausgelassen. Für " + w.number(n) +
			" ihrer Bewertungen wurde die Wahrscheinlichkeit vorher genannt: Jeder Punkt ist eine Gruppe davon. " +
			"Träfen die Angaben genau zu, lägen alle Punkte auf der Linie; im Mittel liegen sie " + w.decimal(100*r.Error, 1) + " Prozentpunkte daneben."
	}
	w.HowKnownPoint = func(stated, observed float64, n int) string {
		return w.percent(stated) + " genannt, " + w.percent(observed) + " eingetroffen, von " + w.count(n, "Bewertung", "Bewertungen")
	}
	w.ShareOf = func(title string, share float64) string { return title + ", " + w.percent(share) }
	w.Loosen = before("Zulassen")
	w.Filter = func(n int) string {
		if n == 0 {
			return "Filter"
		}
		return "Filter (" + strconv.Itoa(n) + ")"
	}
	w.Decade = func(year int) string { return strconv.Itoa(year) + "er" }
	w.ShowAll = func(n int) string { return "Alle " + w.number(n) + " zeigen" }
	w.Unknown = func(n int) string { return titles(n) + " aus einem früheren Katalog, aufgehoben, bis er wiederkommt" }
	w.BringReading = func(file string) string { return file + " wird gelesen" }
	w.BringLooking = func(n int) string { return titles(n) + plural(n, " wird", " werden") + " gesucht" }
	w.BringFrom = func(formats string, n int) string { return formats + ": " + titles(n) }
	w.BringFound = func(found, doubts, missing int) string {
		parts := []string{w.number(found) + " gefunden"}
		if doubts > 0 {
			parts = append(parts, w.number(doubts)+" zu prüfen")
		}
		if missing > 0 {
			parts = append(parts, w.number(missing)+" nicht in diesem Katalog")
		}
		return w.and(parts) + "."
	}
	w.BringNothing = func(items int) string { return "Keiner dieser Titel ist in diesem Katalog von " + films(items) + "." }
	w.BringWished = func(n int) string {
		return titles(n) + plural(n, " ist", " sind") + " erst noch zu sehen oder zu lesen: weggelassen."
	}
	w.BringBad = func(n int) string {
		if n == 1 {
			return "1 Zeile war nicht zu lesen:"
		}
		return w.number(n) + " Zeilen waren nicht zu lesen; die ersten davon:"
	}
	said := func(likes, dislikes, seen int) []string {
		var parts []string
		if likes > 0 {
			parts = append(parts, w.count(likes, "Vorliebe", "Vorlieben"))
		}
		if dislikes > 0 {
			parts = append(parts, w.number(dislikes)+" nichts für dich")
		}
		if seen > 0 {
			parts = append(parts, w.number(seen)+" gesehen")
		}
		return parts
	}
	marks := func(t Tally) string { return or(w.and(said(t.Likes, t.Dislikes, t.Seen)), "nichts") }
	w.BringAdds = func(t Tally) string {
		s := "Neu dazu: " + marks(t) + "."
		if t.Kept > 0 {
			s += " " + titles(t.Kept) + plural(t.Kept, ", den du hier schon markiert hast, bleibt, wie er ist.", ", die du hier schon markiert hast, bleiben, wie sie sind.")
		}
		return s
	}
	w.BringDone = func(formats string, t Tally) string { return "Hinzugefügt (" + formats + "): " + marks(t) + "." }
	w.BringOf = func(rating, scale string) string { return rating + " von " + scale }
	w.BringDoubts = func(n int) string {
		return titles(n) + plural(n, " ist", " sind") + " zu prüfen. Es kann mehr als einer gemeint sein, oder der Name ist nicht ganz derselbe:"
	}
	w.BringShowFound = func(n int) string { return "Was gefunden wurde (" + w.number(n) + ")" }
	w.BringShowMissing = func(n int) string { return "Nicht in diesem Katalog (" + w.number(n) + ")" }
	w.BringMore = func(n int) string { return "und " + w.count(n, "weiterer", "weitere") }
	w.BringProblem = func(e *importer.Error) string {
		s := e.File
		if e.Line > 0 {
			s += ", Zeile " + w.number(e.Line)
		}
		if e.Column != "" {
			s += ", Spalte „" + e.Column + "“"
		}
		s += ": " + w.BringWrong[e.Reason]
		if e.Value != "" {
			s += ": „" + e.Value + "“"
		}
		if strings.HasSuffix(s, "?") {
			return s
		}
		return s + "."
	}
	w.BringUnreadable = func(file string) string { return file + " war nicht zu lesen. Ist die Datei noch da?" }
	w.Evidence = func(n int) string { return "Beruht auf " + w.count(n, "Angabe", "Angaben") + "." }
	w.Shown = func(share float64) string {
		return "Ein flaches Bild vieler Dimensionen: Es kann " + w.percent(share) + " dessen zeigen, was Titel unterscheidet."
	}
	w.MapCanvas = func(items int) string { return "Karte von " + films(items) }
	w.TextItem = func(title, certainty string, distance float64) string {
		return title + ": " + strings.ToLower(certainty[:1]) + certainty[1:] + ", Abstand " + w.decimal(distance, 2)
	}
	w.TextWidth = func(width float64) string {
		return "Mit einer Wahrscheinlichkeit von 95\u202f% liegt dein Geschmack höchstens " + w.decimal(width, 2) + " latente Einheiten von der Mitte der Ringe entfernt."
	}
	w.FromYou = func(d float64) string { return w.decimal(d, 2) + " von dir entfernt" }
	w.PlaceInList = func(place int) string { return "Nr. " + w.number(place) + " in deiner Liste" }
	w.Stored = func(likes, dislikes, seen, bytes int) string {
		return strings.Join(said(likes, dislikes, seen), ", ") + ": " + w.size(bytes) + "."
	}
	w.Usage = func(usage, quota int) string {
		return "Diese Seite braucht " + w.size(usage) + " auf diesem Gerät, ihre Kopie für den Gebrauch ohne Netz mitgezählt. Der Browser erlaubt " + w.size(quota) + "."
	}
	w.AsideKept = func(bytes int) string { return "Beiseitegelegt, weil es nicht zu lesen war: " + w.size(bytes) + "." }
	w.BackupSaved = func(file string) string { return "Gespeichert als " + file + "." }
	w.BackupHolds = func(file, date string, n, unknown int) string {
		s := "„" + file + "“"
		if date != "" {
			s += " vom " + date
		}
		s += " enthält " + titles(n) + "."
		switch {
		case unknown > 0 && unknown == n:
			s += " Keiner ist in diesem Katalog; sie bleiben aufgehoben für einen, der sie hat."
		case unknown > 0:
			s += " " + w.number(unknown) + " davon " + plural(unknown, "ist nicht in diesem Katalog und bleibt aufgehoben für einen, der ihn hat.", "sind nicht in diesem Katalog und bleiben aufgehoben für einen, der sie hat.")
		}
		return s
	}
	some := func(n int, titles []string) string {
		if more := n - len(titles); more > 0 {
			titles = append(titles, w.count(more, "weiterer", "weitere"))
		}
		return w.and(titles)
	}
	w.Adds = func(n int, titles []string) string { return "Fügt " + w.number(n) + " hinzu: " + some(n, titles) }
	w.ChangesMarks = func(n int, titles []string) string { return "Ändert " + w.number(n) + ": " + some(n, titles) }
	w.Removes = func(n int, titles []string) string { return "Entfernt " + w.number(n) + ": " + some(n, titles) }
	w.BackupApplied = func(added, changed, removed int) string {
		return "Aus der Sicherung: " + w.number(added) + " hinzugefügt, " + w.number(changed) + " geändert, " + w.number(removed) + " entfernt."
	}
	w.BackupBad = func(line int) string {
		s := "Diese Datei ist keine Sicherung dieser Seite, oder sie ist"
		if line > 0 {
			s += " in Zeile " + w.number(line)
		}
		return s + " beschädigt. Nichts wurde geändert."
	}
	w.CopySince = func(year, month, day int) string {
		return "Geht auch ohne Netz, seit dem " + w.Date(year, month, day) + "."
	}
	w.TrainedOn = func(dataset string, users, items, positives int) string {
		return "Gelernt aus " + dataset + ": " + w.count(positives, "Lieblingstitel", "Lieblingstitel") + " von " +
			w.count(users, "Menschen", "Menschen") + " unter " + films(items) + "."
	}
	w.TrainedWhen = func(date, preset string) string {
		switch {
		case date != "" && preset != "":
			return "Trainiert am " + date + ", Einstellungen „" + preset + "“."
		case date != "":
			return "Trainiert am " + date + "."
		case preset != "":
			return "Einstellungen „" + preset + "“."
		}
		return ""
	}
	w.Metric = func(name string, v float64) string { return metricName(name) + " " + w.decimal(v, 3) }
	w.Kernel = func(scan string) string {
		switch scan {
		case "simd":
			return "Abstände berechnet der SIMD-Kern."
		case "avx":
			return "Abstände berechnet der AVX-Kern."
		}
		return "Abstände werden in reinem Go berechnet; dieser Browser hat kein SIMD."
	}
	w.Version = func(program, digest string) string {
		if len(digest) > 12 {
			digest = digest[:12]
		}
		return "Programm " + or(program, "ohne Nummer") + ", Modell " + or(digest, "ohne Prüfsumme") + "."
	}
}

// germanGenres are the names of MovieLens in German. What is not here is called alike.
var germanGenres = map[string]string{
	"Adventure": "Abenteuer", "Children": "Kinder", "Children's": "Kinder", "Comedy": "Komödie", "Crime": "Krimi",
	"Documentary": "Dokumentarfilm", "Film-Noir": "Film noir", "Romance": "Liebesfilm", "Sci-Fi": "Science-Fiction",
	"War": "Kriegsfilm", "(no genres listed)": "ohne Genre",
}
