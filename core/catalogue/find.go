package catalogue

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/brief"
)

// TitleError says why a title does not identify one item.
type TitleError struct {
	Query      string
	Candidates []string // similar titles in the form of Quote; none: no title is similar
}

func (e *TitleError) Error() string {
	if len(e.Candidates) == 0 {
		return fmt.Sprintf("no title in the catalogue is like %q", brief.Text(e.Query))
	}
	return fmt.Sprintf("%q is not the title of one item; did you mean %s?", brief.Text(e.Query),
		strings.Join(e.Candidates, ", "))
}

// Settled reports whether the first result is certainly the one meant: an exact title, the only result, or better than
// all others without a typing error.
func Settled(found []Found) bool {
	return len(found) == 1 || len(found) > 1 &&
		(found[0].Tier == Exact || found[0].Tier > Fuzzy && found[0].Score > found[1].Score)
}

// Quote returns a title in quotes, with its year if known.
func Quote(title string, year int) string {
	if year != 0 {
		title = fmt.Sprintf("%s (%d)", title, year)
	}
	return fmt.Sprintf("%q", title)
}
