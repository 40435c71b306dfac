package words

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
)

// Sentences that are built the same way in every language. Their texts have a # for each number or name.

// Fill replaces each # of the pattern by the next text.
func Fill(pattern string, with ...string) string {
	for _, s := range with {
		before, after, _ := strings.Cut(pattern, "#")
		pattern = before + s + after
	}
	return pattern
}

// with returns a phrase that puts a name for each # of the pattern. Some forty phrases share this one function.
func with(pattern string) func(name string) string {
	return func(name string) string {
		return strings.ReplaceAll(pattern, "#", name)
	}
}

// later reports whether a query ends with a year after the catalogue's latest.
func later(query string, until int) bool {
	words := strings.Fields(strings.Trim(query, "\u2068\u2069"))
	if until == 0 || len(words) < 2 {
		return false
	}
	year, err := strconv.Atoi(strings.Trim(words[len(words)-1], "()"))
	return err == nil && year > until && year < until+100
}

// placeOf returns a title's place among the items, from the share of the others that fit less.
func placeOf(match float64, items int) int {
	return min(max(items-int(match*float64(items-1)+0.5), 1), items)
}

// CircleNote is the legend of the circles on cards.
func (t *Texts) CircleNote(of recommend.ChanceOf) string {
	return Fill(t.FullCircle, t.percent(of.From(recommend.VerySure)), t.percent(of.From(recommend.FairlySure)),
		t.percent(of.From(recommend.Hunch)))
}

// leading returns a name in front of something else, or nothing.
func leading(name string) string {
	if name == "" {
		return ""
	}
	return name + " · "
}

// joined joins the non-empty parts of a sentence by commas.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// Standing is the place of general popularity among a title's reasons.
type Standing byte

// The places.
const (
	Unnamed Standing = iota
	Named            // after the likes
	NamedFirst
)

// Reasoned writes a title's reasons. likes is the clause that names likes, or "".
func (t *Texts) Reasoned(likes string, general Standing) string {
	switch {
	case general == Unnamed:
		return likes
	case likes == "":
		return t.NearMany
	case general == NamedFirst:
		return t.NearMany + "," + t.And + lowered(likes)
	}
	return Fill(t.AndNear, likes)
}

// HowKnownNote describes how the stated chances were checked.
func (t *Texts) HowKnownNote(r recommend.Reliability) string {
	switch {
	case r.People == 0:
		return t.HeldAgainstNobody
	case len(r.Bins) == 0:
		return t.HeldAgainstNothing
	}
	n := 0
	for _, b := range r.Bins {
		n += int(b.Count)
	}
	return Fill(t.HeldAgainst, t.count(r.People, t.Person, t.People), t.Number(n), t.decimal(100*r.Error, 1))
}

// BringAdds describes what an import will add.
func (w *Words) BringAdds(t Tally) string { return w.Adding(w.tally(t), t.Kept) }

// BringDone describes what was added from files of these formats.
func (w *Words) BringDone(formats string, t Tally) string { return w.Added(formats, w.tally(t)) }

// tally lists the marks of an import, or returns "".
func (w *Words) tally(t Tally) string { return w.Join(w.marks(t.Likes, t.Dislikes, t.Seen, t.Later)) }

// Starred writes a rating in half stars: "★ 4.5".
func (t *Texts) Starred(stars uint8) string { return "★ " + t.Stars(float64(stars)/2) }

// OfFive writes a rating in half stars: "4.5 of 5 stars".
func (t *Texts) OfFive(stars uint8) string { return Fill(t.StarsOfFive, t.Stars(float64(stars)/2)) }

// BringProblem describes an error in an imported file, and its place.
func (t *Texts) BringProblem(e *importer.Error) string {
	s := e.File
	if e.Line > 0 {
		s += Fill(t.BringLine, t.Number(e.Line))
	}
	if e.Column != "" {
		s += Fill(t.BringColumn, e.Column)
	}
	s += ": " + t.BringWrong[e.Reason]
	if e.Value != "" {
		s += ": " + Fill(t.Quoted, e.Value)
	}
	if strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// BringColumns names the columns that a table's titles, years and ratings come from.
func (t *Texts) BringColumns(s *importer.Source) string {
	out := ""
	for i, name := range [...]string{s.Title, s.Year, s.Rating} {
		if name != "" {
			out += Fill(t.BringTaken[i], name) + ", "
		}
	}
	if s.Rating == "" {
		out += t.BringNoRatings + ", "
	}
	return s.Name + ": " + strings.TrimSuffix(out, ", ") + "."
}

// BackupBad reports that a file is not a backup, and the bad line; 0: none in particular.
func (t *Texts) BackupBad(line int) string {
	if line == 0 {
		return t.BackupBroken
	}
	return Fill(t.BackupBrokenAt, t.Number(line))
}

// TrainedWhen gives the date and settings of the training, if known.
func (t *Texts) TrainedWhen(date, preset string) string {
	var parts []string
	if date != "" {
		parts = append(parts, Fill(t.TrainedAt, date))
	}
	if preset != "" {
		parts = append(parts, Fill(t.TrainedAs, preset))
	}
	return strings.Join(parts, " ")
}

// Kernel names the code that computes distances.
func (t *Texts) Kernel(scan string) string {
	switch scan {
	case "simd":
		return t.KernelSIMD
	case "avx":
		return t.KernelAVX
	}
	return t.KernelGo
}

// Version names the versions of program and model. The model's is the beginning of its digest.
func (t *Texts) Version(program, digest string) string {
	if len(digest) > 12 {
		digest = digest[:12]
	}
	return Fill(t.ProgramAndModel, cmp.Or(program, t.Unversioned), cmp.Or(digest, t.Unsigned))
}

// Counted lists numbers of marks like "8 likes, 3 seen".
func (t *Texts) Counted(likes, dislikes, seen, later int) string {
	return strings.Join(t.marks(likes, dislikes, seen, later), ", ")
}

// Stored describes the stored marks, and their size.
func (t *Texts) Stored(likes, dislikes, seen, later, bytes int) string {
	return t.Counted(likes, dislikes, seen, later) + ": " + t.size(bytes) + "."
}

// Percentage writes a share in [0,1] like "40%".
func (t *Texts) Percentage(share float64) string { return t.percent(share) }
