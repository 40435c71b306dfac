package mapview

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/words"
)

// picture holds everything that the painted map depends on, as comparable values. An update is the difference between
// the shown picture and the current one, so no code has to record changes.
type picture struct {
	turn     uint64 // list.State.Complete
	titles   titlesOf
	places   placesOf
	selected int
	distance distanceOf
	dim      dimOf
	theme    uint8
	tab      tabs.Tab // the map may be hidden
	words    *words.Words
}

// titlesOf are the marks and the named titles. Marks appear together with the new list.
type titlesOf struct {
	who     int
	answers uint64
}

// placesOf are the tastes of one or two people with their names, and the glow on the map.
type placesOf struct {
	placed       uint64
	name, second string
}

// distanceOf is the shown view and its radii, which are never changed in place.
type distanceOf struct {
	ordered bool
	radii   *float32 // nil: the plain map
}

// dimOf are the filters, or the view, that fade and colour titles.
type dimOf struct {
	view    address.View
	filters string
}

func (m *State) picture() picture {
	settings := m.Settings()
	p := picture{
		turn:     m.list.Complete(),
		titles:   titlesOf{m.Who(), m.list.Answers},
		places:   placesOf{m.list.Placed, m.Called(m.Who()), m.Called(1 - m.Who())},
		selected: m.Selected,
		distance: distanceOf{ordered: m.list.Ordered()},
		dim:      dimOf{m.View(), strconv.Itoa(int(settings.Decade)) + " " + strings.Join(settings.Genres, "\n")},
		theme:    settings.Theme,
		tab:      m.tabs.Tab,
		words:    m.W,
	}
	if m.drawnByDistance() {
		p.distance.radii = unsafe.SliceData(m.list.Radii)
	}
	return p
}

// changes returns the update from one picture to another, or nil if they are equal.
func (m *State) changes(shown, now *picture) map[string]any {
	if shown != nil && *shown == *now {
		return nil
	}
	all := shown == nil
	if all {
		shown = &picture{}
	}
	u := map[string]any{"turn": now.turn}
	if all || now.tab != shown.tab {
		u["resize"] = true
	}
	if all || now.theme != shown.theme {
		u["recolour"] = true
	}
	if all || now.titles != shown.titles {
		u["marks"], u["top"], u["because"] = m.marks(), m.top(), m.because()
	}
	if all || now.places != shown.places {
		m.addPlaces(u)
	}
	if all || now.words != shown.words {
		u["words"] = m.texts()
	}
	if all || now.selected != shown.selected {
		u["selected"] = now.selected
	}
	if all || now.distance.ordered != shown.distance.ordered {
		u["ordered"] = now.distance.ordered
	}
	if all || now.distance.radii != shown.distance.radii {
		u["view"], u["radii"] = "map", nil
		if now.distance.radii != nil {
			u["view"], u["radii"] = "distance", mapRadii(m.list.Radii)
		}
	}
	if all || now.dim != shown.dim {
		u["dim"], u["groups"] = nil, m.groups()
		if dim := m.Dim(); dim != nil {
			u["dim"] = dim
		}
	}
	return u
}
