package ui

import (
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
)

// Sentences that are put together alike in every language. Their texts hold a # where a number or a name goes.

// fill puts the texts where pattern has a #, in their order.
func fill(pattern string, with ...string) string {
	for _, s := range with {
		before, after, _ := strings.Cut(pattern, "#")
		pattern = before + s + after
	}
	return pattern
}

// with is a phrase of one name, which stands where pattern has a #. Some forty of them share what is one function.
func with(pattern string) func(name string) string {
	return func(name string) string {
		return strings.ReplaceAll(pattern, "#", name)
	}
}

// CertainNote says what a certainty rests on.
func (t *Texts) CertainNote(r recommend.Reliability, c recommend.Certainty, chance float64) string {
	note := t.ChanceOf
	if r.Of == recommend.Staying {
		note = t.ChanceToStay
	}
	note = fill(note, t.percent(chance)) + " "
	from := t.percent(r.Of.From(c))
	switch c {
	case recommend.Gamble:
		note += fill(t.StandsBelow, t.Certain[c], t.percent(r.Of.From(c+1)))
	case recommend.VerySure:
		note += fill(t.StandsAbove, t.Certain[c], from)
	default:
		note += fill(t.StandsBetween, t.Certain[c], from, t.percent(r.Of.From(c+1)))
	}
	return note
}

// joined writes of somebody what is known: how sure it is, and because of what.
func joined(who, certainty, because string) string {
	if certainty != "" && because != "" {
		because = ", " + because
	}
	return who + certainty + because
}

// HowKnownSaid says how the model was held against people.
func (t *Texts) HowKnownSaid(r recommend.Reliability) string {
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
	return fill(t.HeldAgainst, t.count(r.People, t.PersonWas, t.PeopleWere), t.number(n), t.decimal(100*r.Error, 1))
}

// BringProblem says what is wrong with a file that is brought, and where.
func (t *Texts) BringProblem(e *importer.Error) string {
	s := e.File
	if e.Line > 0 {
		s += fill(t.BringLine, t.number(e.Line))
	}
	if e.Column != "" {
		s += fill(t.BringColumn, e.Column)
	}
	s += ": " + t.BringWrong[e.Reason]
	if e.Value != "" {
		s += ": " + fill(t.Quoted, e.Value)
	}
	if strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// BackupBad says that a file is no backup, and from which line on; 0: as a whole.
func (t *Texts) BackupBad(line int) string {
	if line == 0 {
		return t.BackupBroken
	}
	return fill(t.BackupBrokenAt, t.number(line))
}

// TrainedWhen says when and with which settings the model was trained, as far as that is known.
func (t *Texts) TrainedWhen(date, preset string) string {
	var parts []string
	if date != "" {
		parts = append(parts, fill(t.TrainedAt, date))
	}
	if preset != "" {
		parts = append(parts, fill(t.TrainedAs, preset))
	}
	return strings.Join(parts, " ")
}

// Kernel says what computes distances.
func (t *Texts) Kernel(scan string) string {
	switch scan {
	case "simd":
		return t.KernelSIMD
	case "avx":
		return t.KernelAVX
	}
	return t.KernelGo
}

// Version names program and model, the model by the beginning of its digest.
func (t *Texts) Version(program, digest string) string {
	if len(digest) > 12 {
		digest = digest[:12]
	}
	return fill(t.ProgramAndModel, or(program, t.Unversioned), or(digest, t.Unsigned))
}

// Stored says how much is stored.
func (t *Texts) Stored(likes, dislikes, seen, bytes int) string {
	return strings.Join(t.marks(likes, dislikes, seen), ", ") + ": " + t.size(bytes) + "."
}
