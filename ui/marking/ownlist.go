package marking

import "github.com/pmlam/pmlam/ui/visit"

// Ownlist is one of the visitor's own lists, latest title first.
type Ownlist struct {
	Marking *Marking
	List    visit.List
	Share   func(ids []string, name string)
}

func (c *Ownlist) key() string   { return "list " + c.List.Name }
func (c *Ownlist) count() string { return c.Marking.W.Number(len(c.List.IDs)) }

// shown returns the titles, latest first.
func (c *Ownlist) shown() (out []int) {
	for k := len(c.List.Items) - 1; k >= 0 && len(out) < manyMarked; k-- {
		out = append(out, c.List.Items[k])
	}
	return out
}
