package words

import (
	"cmp"
	"strconv"
	"strings"
)

func englishPhrases(en *Numerals) Phrases {
	return Phrases{
		LanguagePhrases: LanguagePhrases{
			Theme: with("Colours: #"),
		},
		SearchPhrases: SearchPhrases{
			NoMatch: func(query string, items, until int) string {
				switch {
				case later(query, until):
					return "“" + query + "” is too new: this catalogue ends in " + strconv.Itoa(until) + "."
				case until > 0:
					return "No " + en.Thing + " has “" + query +
						"”. This catalogue ends in " + strconv.Itoa(until) + "."
				}
				return "None of the " + en.things(items) + " has “" + query + "”."
			},
			TooFew: func(titles []string) string {
				return en.Join(titles) + plural(len(titles), " is", " are") +
					" missing here: too few people in our data liked " + plural(len(titles), "it.", "them.")
			},
			Tagged: with("People tagged these “#”:"),
			PickThree: func(noun string) string {
				if noun != "" {
					return "Pick three " + noun + " you love"
				}
				return "Pick three you love"
			},
			Holds: func(items, until int) string {
				s := en.things(items)
				if until > 0 {
					s += " up to " + strconv.Itoa(until)
				}
				return s + "."
			},
			Matches: func(n int) string { return en.things(n) + " found" },
			Picked: func(n int) string {
				return [...]string{"None picked yet", "One picked, two to go", "Two picked, one to go",
					"Three picked"}[min(n, 3)]
			},
		},
		ActionPhrases: ActionPhrases{
			LikeTitle:     with("Like #"),
			DislikeTitle:  with("Not for me: #"),
			MoreLikeTitle: with("More like this: #"),
			OtherTitle:    with("More for #"),
			RemoveTitle:   with("Remove #"),
			WhyTitle:      with("Why? #"),
			Liked:         with("Liked: #"),
			Disliked:      with("Not for you: #"),
			UndoStep:      with("Undo: #"),
			Tightened: func(share float64) string {
				if share > 1 {
					return en.percent(share-1) + " less sure than after your first like: your tastes are many."
				}
				return en.percent(1-share) + " less unsure than after your first like."
			},
			NeitherOf:  func(a, b string) string { return "Neither " + a + " nor " + b },
			LaterTitle: with("Later: keep #"),
			Kept:       with("Kept for later: #"),
			AfterTitle: with("After #"),
			Removed:    with("Removed: #"),
			RateTitle:  with("Rate # or put it on a list"),
			Unrated:    with("No stars: #"),
			ListsOf:    with("Your lists for #"),
			ShareNamed: with("Share this list: #"),
		},
		ListPhrases: ListPhrases{
			Similar: with("More like #"),
			Updated: func(n int) string { return en.count(n, "recommendation", "recommendations") + " updated" },
			Because: func(titles []string) string {
				return "Because you liked " + en.Join(titles)
			},
			Closer: func(match float64, items int) string {
				switch top := placeOf(match, items); top {
				case 1:
					return "Your best fit of " + en.things(items) + "."
				default:
					return "One of your top " + en.Number(top) + " of " + en.things(items) + "."
				}
			},
			OneMore: func(in, out []string, doubt float64) string {
				s := "If you like this too, "
				if len(in) == 0 {
					s += "your list wouldn’t change"
				} else {
					s += en.Join(in) + " would replace " + en.Join(out) + " in your top ten"
				}
				switch change := en.percent(max(doubt-1, 1-doubt)); {
				case doubt < 0.995:
					return s + ". We’d know your taste " + change + " better."
				case doubt > 1.005:
					return s + ". We’d know your taste " + change +
						" less well: it lies apart from your other likes."
				}
				return s + "."
			},
			Dealt: func(gone, come []string) string {
				return "Something different. Gone: " + en.Some(len(gone), gone[:min(len(gone), 2):min(len(gone), 2)]) +
					". New: " + en.Some(len(come), come[:min(len(come), 2):min(len(come), 2)]) + "."
			},
			PicksLiked: func(liked, of int) string {
				return "You liked " + en.Number(liked) + " of " + en.count(of, "pick", "picks") + "."
			},
			DistanceIs: func(v float64) string { return "Distance " + en.decimal(v, 3) + " (2-Wasserstein)" },
			SpreadIs:   func(v float64) string { return "Uncertainty " + en.decimal(v, 3) + ", in the same units" },
			ChanceOf: func(stays bool, chance float64) string {
				s := en.percent(chance)
				a := "a "
				if s[0] == '8' || s == "11%" || s == "18%" { // eight, eleven, eighteen
					a = "an "
				}
				if stays {
					return "We think there’s " + a + s + " chance it stays in your first ten."
				}
				return "We think there’s " + a + s + " chance you’ll like this."
			},
			HowKnownPoint: func(stated, observed float64, n int) string {
				return en.percent(stated) + " said, " + en.percent(observed) + " came true, of " +
					en.count(n, "guess", "guesses")
			},
			ShareOf: func(title string, share float64) string { return title + " " + en.percent(share) },
			LedHere: func(shares []string) string { return "What led here: " + strings.Join(shares, ", ") + "." },
			LovedBoth: func(titles []string) string {
				return "Because of " + en.Join(titles) + ": people who loved " +
					[...]string{"it", "both"}[min(len(titles), 2)-1] + " often loved this."
			},
			SafetyIs: func(rank, of int) string {
				return "In safety it is no. " + en.Number(rank) + " of these " + en.Number(of) + "."
			},
			Loosen: with("Allow #"),
		},
		PeoplePhrases: PeoplePhrases{
			NextForBoth: with("Next for you and #"),
			Forget:      with("Forget #"),
			Forgotten:   with("# is forgotten."),
			NowChoosing: with("You are now choosing for #."),
			BothLikes: func(name string, yours, theirs int) string {
				return en.count(yours, "like", "likes") + " from you, " + en.Number(theirs) + " from " + name +
					". Both of you count the same."
			},
			TextSecond: with("Dashed rings: #."),
			BothBecause: func(name string, titles []string, near bool, certainty string) string {
				because, general := "", ""
				if len(titles) > 0 {
					because = "because of " + en.Join(titles)
				}
				if near {
					general = lowered(englishTexts.NearMany)
				}
				return name + ": " + joined(strings.ToLower(certainty), because, general)
			},
		},
		BrowsePhrases: BrowsePhrases{
			BrowseCount: func(all, marked, from, to int) string {
				s := en.things(all)
				if marked > 0 {
					s += ", " + en.Number(marked) + " of which you have marked"
				}
				if to > 0 {
					s += "; here " + en.Number(from) + " to " + en.Number(to)
				}
				return s + "."
			},
		},
		TuningPhrases: TuningPhrases{
			Filter: func(n int) string {
				if n == 0 {
					return "Filters and moods"
				}
				return "Filters and moods (" + strconv.Itoa(n) + ")"
			},
			Decade: func(year int) string { return strconv.Itoa(year) + "s" },
		},
		TastePhrases: TastePhrases{
			SharedWith: func(titles int) string {
				return "Someone shared " + en.things(titles) +
					" with you"
			},
			ShowAll: func(n int) string { return "Show all " + en.Number(n) },
			Unknown: func(n int) string {
				return en.things(n) + " from an earlier catalogue, kept for when it returns"
			},
		},
		ImportPhrases: ImportPhrases{
			BringReading: with("Reading #"),
			BringLooking: func(titles int) string { return "Looking for " + en.things(titles) },
			BringFrom: func(formats string, titles int) string {
				return "From " + formats + ": " + en.things(titles)
			},
			BringFound: func(found, doubts, missing int) string {
				parts := []string{en.Number(found+doubts) + " found"}
				if doubts > 0 {
					parts = append(parts, en.Number(doubts)+" of them to check")
				}
				if missing > 0 {
					parts = append(parts, en.Number(missing)+" not in this catalogue")
				}
				return en.Join(parts) + "."
			},
			BringNothing: func(items int) string {
				return "None of these is in this catalogue of " + en.things(items) + "."
			},
			BringWished: func(n int) string {
				return en.things(n) + " only kept for later: left out."
			},
			BringSeries: func(n int) string {
				return en.count(n, "series or episode", "series and episodes") + " left out: this catalogue has none."
			},
			BringBad: func(n int) string {
				if n == 1 {
					return "1 row could not be read:"
				}
				return en.Number(n) + " rows could not be read; the first of them:"
			},
			Adding: func(marks string, kept int) string {
				s := "This adds " + cmp.Or(marks, "nothing") + "."
				if kept > 0 {
					s += " " + en.Number(kept) + " that you marked here " +
						plural(kept, "stays as it is", "stay as they are") + "."
				}
				return s
			},
			Added: func(formats, marks string) string {
				return "Added from " + formats + ": " + cmp.Or(marks, "nothing") + "."
			},
			BringOf: func(rating, scale string) string { return rating + " of " + scale },
			BringDoubts: func(n int) string {
				return en.things(n) + " to check. Several could be meant, or the name " +
					"is not quite the same:"
			},
			BringShowFound:   func(n int) string { return "Found (" + en.Number(n) + ")" },
			BringShowMissing: func(n int) string { return "Not in this catalogue (" + en.Number(n) + ")" },
			BringMore:        func(n int) string { return "and " + en.Number(n) + " more" },
			BringUnreadable:  with("# could not be read. Is it still there?"),
		},
		MapPhrases: MapPhrases{
			Around: func(a, b string) string { return "Around " + a + " and " + b },
			Region: func(name string, from, to int) string {
				first := strconv.Itoa(from)
				years := "from " + first + " to " + strconv.Itoa(to-1)
				switch {
				case from == 0 && to == 0:
					return capital(name)
				case to == from+10 && name == "":
					return "The " + first + "s"
				case to == from+10:
					return first + "s " + name
				case from == 0:
					years = "before " + strconv.Itoa(to)
				case to == 0:
					years = "since " + first
				case to == from+20:
					years = "of the " + first + "s and " + strconv.Itoa(from+10) + "s"
					if name == "" {
						years = strings.TrimPrefix(years, "of ")
					}
				}
				return capital(strings.TrimSpace(name + " " + years))
			},
			MapCanvas: func(items int) string { return "Map of " + en.things(items) },
			TextItem: func(title, certainty string, distance float64) string {
				return title + ": " + strings.ToLower(certainty) + ", distance " + en.decimal(distance, 2)
			},
			TasteLabel: func(name, share, owner string) string {
				taste := "your taste"
				if owner != "" {
					taste = owner + "’s taste"
				}
				if share == "" {
					return capital(leading(name) + taste)
				}
				return leading(name) + share + " of " + taste
			},
			TextTaste: func(label, region string) string {
				if region == "" {
					return label
				}
				return label + ", in “" + region + "”"
			},
			FromYou:     func(d float64) string { return en.decimal(d, 2) + " from you" },
			PlaceInList: func(place int) string { return "No. " + en.Number(place) + " in your list" },
		},
		DataPhrases: DataPhrases{
			Usage: func(usage, quota int) string {
				return "This site uses " + en.size(usage) + " on this device, including its copy for offline use. " +
					"The browser allows " + en.size(quota) + "."
			},
			AsideKept: func(bytes int) string {
				return "Set aside because it could not be read: " + en.size(bytes) + "."
			},
		},
		BackupPhrases: BackupPhrases{
			BackupSaved: with("Saved as #."),
			BackupHolds: func(file, date string, titles, unknown int) string {
				s := "“" + file + "”"
				if date != "" {
					s += ", from " + date
				}
				s += ", holds " + en.things(titles) + "."
				switch {
				case unknown > 0 && unknown == titles:
					s += " None is in this catalogue; they are kept for one that has them."
				case unknown > 0:
					s += " " + en.Number(unknown) + " of them " + plural(unknown, "is", "are") +
						" not in this catalogue, and kept for one that has them."
				}
				return s
			},
			Adds: func(n int, titles []string) string { return "Adds " + en.Number(n) + ": " + en.Some(n, titles) },
			ChangesMarks: func(n int, titles []string) string {
				return "Changes " + en.Number(n) + ": " +
					en.Some(n, titles)
			},
			Removes: func(n int, titles []string) string {
				return "Removes " + en.Number(n) + ": " +
					en.Some(n, titles)
			},
			BackupApplied: func(added, changed, removed int) string {
				return "From the backup: " + en.Number(added) + " added, " + en.Number(changed) + " changed, " +
					en.Number(removed) + " removed."
			},
		},
		ModelPhrases: ModelPhrases{
			CopySince: func(year, month, day int) string {
				return "Works offline (saved " + en.date(year, month, day) + ")."
			},
			TrainedOn: func(dataset string, users, items, positives int) string {
				return "Learned from " + cmp.Or(dataset, "data without a name") + ": " + en.Number(positives) +
					" favourites of " + en.count(users, "person", "people") +
					" among " + en.things(items) + "."
			},
			Metric: func(name string, v float64) string { return metricName(name) + " " + en.decimal(v, 3) },
		},
	}
}
