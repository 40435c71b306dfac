package ui

import (
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommender"
)

// sayEnglish fills in the sentences that hold numbers and names.
func sayEnglish(w *Words) {
	w.GenreName = func(genre string) string { return genre } // as the catalogue names them
	w.Date = func(year, month, day int) string {
		months := [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}
		return strconv.Itoa(day) + " " + months[month-1] + " " + strconv.Itoa(year)
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
		return "“" + query + "” is not in this catalogue of " + w.count(items, w.One, w.Many) + "."
	}
	w.Matches = func(n int) string { return w.count(n, "title", "titles") + " found" }
	w.Picked = func(n int) string {
		return [...]string{"None picked yet", "One picked, two to go", "Two picked, one to go", "Three picked"}[min(n, 3)]
	}
	w.Similar = func(title string) string { return "More like " + title }
	w.Updated = func(n int) string { return w.count(n, "recommendation", "recommendations") + " updated" }
	w.Because = func(titles []string) string {
		return "Because you liked " + w.and(titles)
	}
	w.Closer = func(match float64, items int) string {
		return "Closer to you than " + w.number(int(match*float64(items)+0.5)) + " of " + w.count(items, w.One, w.Many)
	}
	w.DistanceIs = func(v float64) string { return "Distance " + w.decimal(v, 3) + " (W₂, latent units)" }
	w.SpreadIs = func(v float64) string { return "Spread on the map " + w.decimal(v, 3) + " (latent units)" }
	w.CertainNote = func(r recommender.Reliability, c recommender.Certainty, chance float64) string {
		note := "If you rated it, you would like it with a chance of " + w.percent(chance) + "."
		if r.Of == recommender.Staying {
			note = "It stays among your first ten in " + w.percent(chance) + " of draws from what is known of you and of the titles."
		}
		note += " " + w.Certain[c] + " stands for "
		switch {
		case c == recommender.Gamble:
			note += "less than " + w.percent(r.Of.From(c+1)) + ": take it as a guess."
		case c == recommender.VerySure:
			note += w.percent(r.Of.From(c)) + " and more."
		default:
			note += w.percent(r.Of.From(c)) + " to " + w.percent(r.Of.From(c+1)) + "."
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
		return w.count(r.People, "person was", "people were") + " left out of a training. For " + w.number(n) + " ratings of theirs the chance was stated first: each dot is a group of them. " +
			"Were the statements perfect, all dots would lie on the line; on average they are " + w.decimal(100*r.Error, 1) + " points off."
	}
	w.HowKnownPoint = func(stated, observed float64, n int) string {
		return w.percent(stated) + " stated, " + w.percent(observed) + " came true, of " + w.count(n, "rating", "ratings")
	}
	w.ShareOf = func(title string, share float64) string { return title + ", " + w.percent(share) }
	w.Loosen = func(filter string) string { return "Allow " + filter }
	w.Filter = func(n int) string {
		if n == 0 {
			return "Filter"
		}
		return "Filter (" + strconv.Itoa(n) + ")"
	}
	w.Decade = func(year int) string { return strconv.Itoa(year) + "s" }
	w.ShowAll = func(n int) string { return "Show all " + w.number(n) }
	w.Unknown = func(n int) string {
		return w.count(n, "title", "titles") + " from an earlier catalogue, kept for when it returns"
	}
	w.BringReading = func(file string) string { return "Reading " + file }
	w.BringLooking = func(titles int) string { return "Looking for " + w.count(titles, "title", "titles") }
	w.BringFrom = func(formats string, titles int) string {
		return "From " + formats + ": " + w.count(titles, "title", "titles")
	}
	w.BringFound = func(found, doubts, missing int) string {
		parts := []string{w.number(found) + " found"}
		if doubts > 0 {
			parts = append(parts, w.number(doubts)+" to check")
		}
		if missing > 0 {
			parts = append(parts, w.number(missing)+" not in this catalogue")
		}
		return w.and(parts) + "."
	}
	w.BringNothing = func(items int) string {
		return "None of these titles is in this catalogue of " + w.count(items, w.One, w.Many) + "."
	}
	w.BringWished = func(n int) string {
		return w.count(n, "title", "titles") + " still to be seen or read: left out."
	}
	w.BringBad = func(n int) string {
		if n == 1 {
			return "1 row could not be read:"
		}
		return w.number(n) + " rows could not be read; the first of them:"
	}
	marks := func(t Tally) string {
		var parts []string
		for _, p := range []struct {
			n    int
			text string
		}{{t.Likes, w.count(t.Likes, "like", "likes")}, {t.Dislikes, w.number(t.Dislikes) + " not for you"}, {t.Seen, w.number(t.Seen) + " seen"}} {
			if p.n > 0 {
				parts = append(parts, p.text)
			}
		}
		return or(w.and(parts), "nothing")
	}
	w.BringAdds = func(t Tally) string {
		s := "This adds " + marks(t) + "."
		if t.Kept > 0 {
			s += " " + w.number(t.Kept) + " that you marked here stay as they are."
		}
		return s
	}
	w.BringDone = func(formats string, t Tally) string { return "Added from " + formats + ": " + marks(t) + "." }
	w.BringOf = func(rating, scale string) string { return rating + " of " + scale }
	w.BringDoubts = func(n int) string {
		return w.count(n, "title", "titles") + " to check. More than one may be meant, or it is not quite the same:"
	}
	w.BringShowFound = func(n int) string { return "What was found (" + w.number(n) + ")" }
	w.BringShowMissing = func(n int) string { return "Not in this catalogue (" + w.number(n) + ")" }
	w.BringMore = func(n int) string { return "and " + w.number(n) + " more" }
	w.BringProblem = func(e *importer.Error) string {
		s := e.File
		if e.Line > 0 {
			s += ", line " + w.number(e.Line)
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
	w.Evidence = func(n int) string { return "Rests on " + w.count(n, "choice", "choices") + "." }
	w.Shown = func(share float64) string {
		return "A flat picture of many dimensions: it can show " + w.percent(share) + " of what tells titles apart."
	}
	w.MapCanvas = func(items int) string { return "Map of " + w.count(items, w.One, w.Many) }
	w.TextItem = func(title, certainty string, distance float64) string {
		return title + ": " + strings.ToLower(certainty) + ", distance " + w.decimal(distance, 2)
	}
	w.TextWidth = func(width float64) string {
		return "With probability 95% your taste lies within " + w.decimal(width, 2) + " latent units of the centre of the rings."
	}
	w.FromYou = func(d float64) string { return w.decimal(d, 2) + " from you" }
	w.PlaceInList = func(place int) string { return "No. " + w.number(place) + " in your list" }
	w.Stored = func(likes, dislikes, seen, bytes int) string {
		var parts []string
		for _, part := range []struct {
			n    int
			text string
		}{{likes, w.count(likes, "like", "likes")}, {dislikes, w.number(dislikes) + " not for you"}, {seen, w.number(seen) + " seen"}} {
			if part.n > 0 {
				parts = append(parts, part.text)
			}
		}
		return strings.Join(parts, ", ") + ": " + w.size(bytes) + "."
	}
	w.Usage = func(usage, quota int) string {
		return "This site takes " + w.size(usage) + " of this device, its copy for use without a network included. The browser allows " + w.size(quota) + "."
	}
	w.AsideKept = func(bytes int) string {
		return "Set aside because it could not be read: " + w.size(bytes) + "."
	}
	w.BackupSaved = func(file string) string { return "Saved as " + file + "." }
	w.BackupHolds = func(file, date string, titles, unknown int) string {
		s := "“" + file + "”"
		if date != "" {
			s += ", of " + date
		}
		s += ", holds " + w.count(titles, "title", "titles") + "."
		switch {
		case unknown > 0 && unknown == titles:
			s += " None is in this catalogue; they are kept for one that has them."
		case unknown > 0:
			s += " " + w.number(unknown) + " of them " + plural(unknown, "is", "are") + " not in this catalogue, and kept for one that has them."
		}
		return s
	}
	some := func(n int, titles []string) string {
		if more := n - len(titles); more > 0 {
			titles = append(titles, w.number(more)+" more")
		}
		return w.and(titles)
	}
	w.Adds = func(n int, titles []string) string { return "Adds " + w.number(n) + ": " + some(n, titles) }
	w.ChangesMarks = func(n int, titles []string) string { return "Changes " + w.number(n) + ": " + some(n, titles) }
	w.Removes = func(n int, titles []string) string { return "Removes " + w.number(n) + ": " + some(n, titles) }
	w.BackupApplied = func(added, changed, removed int) string {
		return "From the backup: " + w.number(added) + " added, " + w.number(changed) + " changed, " + w.number(removed) + " removed."
	}
	w.BackupBad = func(line int) string {
		s := "This file is not a backup of this page, or it is damaged"
		if line > 0 {
			s += " in line " + w.number(line)
		}
		return s + ". Nothing was changed."
	}
	w.CopySince = func(year, month, day int) string { return "Works offline since " + w.Date(year, month, day) + "." }
	w.TrainedOn = func(dataset string, users, items, positives int) string {
		return "Learned from " + dataset + ": " + w.number(positives) + " favourites of " + w.count(users, "person", "people") +
			" among " + w.count(items, w.One, w.Many) + "."
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
	w.Metric = func(name string, v float64) string { return metricName(name) + " " + w.decimal(v, 3) }
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
}
