package mapview

import (
	"math"
	"slices"
	"strings"

	vugujs "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/search"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/tabs"
	"github.com/pmlam/pmlam/ui/titles"
	"github.com/pmlam/pmlam/ui/tuning"
)

// State is the taste map: its opened title, and the painted map, which is updated after each render.
type State struct {
	*store.Store
	list   *list.State
	tuning *tuning.State
	tabs   *tabs.State

	Selected int  // the opened title; −1: none
	AsText   bool // the map's text is shown below it
	Undrawn  bool // the map cannot be drawn

	host    *vugujs.Value // where to paint the map; nil: nowhere, or already painted
	painted *browser.Map  // nil: not yet painted, or not at all
	shown   *picture      // what the painted map shows; nil: nothing yet
}

// New returns the state of a first visit, and checks whether the map can be drawn. O(items).
func New(s *store.Store, list *list.State, tuning *tuning.State, tabs *tabs.State) *State {
	m := &State{Store: s, list: list, tuning: tuning, tabs: tabs, Selected: -1}
	m.Undrawn = !drawablePoints(s.Engine)
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			m.Selected = -1
		}
	})
	list.WhenAnswered(m.answered)
	return m
}

// Select opens item i on the map; −1 closes it.
func (m *State) Select(i int) { m.Selected = i }

// ShowDistances switches between the plain map and the view of distances from the visitor.
func (m *State) ShowDistances(on bool) {
	m.Set(func(s *keep.Settings) { s.Distances = on })
}

// ToggleText shows or hides the map's text below it.
func (m *State) ToggleText() { m.AsText = !m.AsText }

// Zoom zooms the painted map, Home shows all of it, and SavePicture gives the visitor an image of the current view.
func (m *State) Zoom(factor float64) {
	if m.painted != nil {
		m.painted.Zoom(factor)
	}
}

func (m *State) Home() {
	if m.painted != nil {
		m.painted.Home()
	}
}

// FullScreen shows the map alone on the screen, or as before.
func (m *State) FullScreen() {
	if m.painted != nil {
		m.painted.FullScreen()
	}
}

func (m *State) SavePicture() {
	if m.painted != nil {
		m.painted.Picture()
	}
}

// Mount paints the map into an element that Vugu leaves alone. It waits until the page is painted and the current
// answer is complete, so that the map opens on the visitor's places.
func (m *State) Mount(host vugujs.Value) {
	m.Tasks.Aside(func() {
		browser.Painted()
		m.Tasks.Lock()
		m.host = &host
		m.Update()
		m.Tasks.Unlock()
	})
}

// begin paints the map. Then it prepares the search, so that the first letter typed does not wait.
func (m *State) begin(host vugujs.Value) {
	browser.NextTurn()
	d := drawingOf(m.Engine, yield.Now)
	m.Tasks.Lock()
	m.paint(host, d)
	m.Tasks.Unlock()
	yield.Now()
	m.Tasks.Lock()
	m.Update()
	m.Tasks.Unlock()
	browser.NextTurn()
	m.Engine.Search("", 1)
}

// paint creates the map. It is called with the render lock held.
func (m *State) paint(host vugujs.Value, d *drawing) {
	if m.painted != nil && m.painted.In(host) || !browser.CanMap() {
		return
	}
	if m.painted != nil {
		m.painted.Release()
	}
	if m.Undrawn {
		return // the page says so
	}
	m.shown = nil
	m.painted = browser.NewMap(host, browser.MapOptions{
		Titles: d.titles, Points: d.points, Weights: d.weights, Regions: d.regions, Groups: m.groups(),
		Bell: recommend.Glow, Texts: m.texts(),
		Describe: m.Describe,
		Open:     func(i int) { m.Tasks.Locked(func() { m.Select(i) }) },
		Search:   m.find,
		Fail:     func() { m.Tasks.Locked(func() { m.Undrawn = true }) },
	})
}

// texts returns the texts of the painted map.
func (m *State) texts() map[string]any {
	w := m.W
	var names, links []string
	for i, key := range m.Regions {
		names = append(names, m.RegionName(i))
		links = append(links, "#"+address.View{Kind: address.Region, Region: key}.Fragment())
	}
	return map[string]any{
		"regionsLabel": w.Regions, "regionNames": strings.Join(names, "\n"), "regionLinks": strings.Join(links, "\n"),
		"label": w.MapCanvas(m.Engine.Len()), "help": w.MapKeys, "you": w.You, "end": w.MapEnd, "wheel": w.MapWheel,
		"find": w.MapFind, "found": w.MapFound, "point": w.Point,
		"from": m.provenance(), "site": m.Name, "unpainted": w.PictureFailed,
	}
}

// provenance is the source line of a picture of the map.
func (m *State) provenance() string {
	a := &m.About
	parts := []string{m.Name, m.W.MapCanvas(m.Engine.Len()), a.Dataset, a.Digest[:min(len(a.Digest), 12)]}
	return strings.Join(parts, " · ")
}

// Describe returns the map's line for a title under the pointer.
func (m *State) Describe(i int) (line string) {
	if i < 0 || i >= m.Engine.Len() {
		return ""
	}
	return m.line(i)
}

// Update brings the painted map up to date. It is called after each render.
func (m *State) Update() {
	if m.host != nil && !m.list.Overtaken(m.list.Complete()) {
		host := *m.host
		m.Tasks.Aside(func() { m.begin(host) })
		m.host = nil
	}
	if m.painted == nil {
		return
	}
	now := m.picture()
	if u := m.changes(m.shown, &now); u != nil {
		m.shown = &now
		m.painted.Update(u)
	}
}

// answered is called when an answer is complete. It tells the map right away, unless a render is due, which will.
func (m *State) answered() {
	if m.painted == nil || m.shown == nil {
		return
	}
	now := m.picture()
	if now.turn = m.shown.turn; now == *m.shown {
		m.Update()
	}
}

// addPlaces adds the tastes of one or two people, and the titles that glow.
func (m *State) addPlaces(u map[string]any) {
	label := func(p *recommend.Places, who int) string { return strings.Join(m.labels(p, who), "\n") }
	u["tastes"], u["labels"] = mapTastes(&m.list.Places), label(&m.list.Places, m.Who())
	u["name"] = m.Called(m.Who())
	u["second"] = nil
	if second := &m.list.Second; len(second.Tastes) > 0 {
		u["second"] = map[string]any{"tastes": mapTastes(second), "labels": label(second, 1-m.Who())}
	}
	u["glow"] = slices.Concat(m.list.Places.Next, m.list.Second.Next)
}

// regionLinks returns links to the lists of the named regions, coarse ones first.
func (m *State) regionLinks() (links []markup.Link) {
	for i, key := range m.Regions {
		if key != "" {
			to := address.View{Kind: address.Region, Region: key}
			links = append(links, markup.Link{Text: m.RegionName(i), Class: "gx", To: to.Fragment()})
		}
	}
	return links
}

// regionAt names the region around a place on the map, at the finest level with names.
func (m *State) regionAt(x, y float64) string {
	all := m.Engine.Regions()
	for level := model.MaxLevel; level >= 0; level-- {
		best, closest := -1, math.Inf(1)
		for i, r := range all {
			if d := math.Hypot(x-float64(r.X), y-float64(r.Y)); r.Level == level && d < closest {
				best, closest = i, d
			}
		}
		if best >= 0 && m.Regions[best] != "" {
			return m.RegionName(best)
		}
	}
	return ""
}

// partUndrawn reports whether the rings or the distances are missing because they cannot be drawn.
func (m *State) partUndrawn() bool {
	return !drawablePlaces(&m.list.Places) || !drawablePlaces(&m.list.Second) ||
		m.Settings().Distances && m.list.Radii != nil && !m.drawnByDistance()
}

// drawnByDistance reports whether the map shows distances: the visitor asks for them, and they can be drawn.
func (m *State) drawnByDistance() bool {
	if !m.Settings().Distances || m.list.Radii == nil || !drawablePlaces(&m.list.Places) {
		return false
	}
	for _, r := range m.list.Radii {
		if !drawable(float64(r)) {
			return false
		}
	}
	return true
}

// groups returns each item's colour in the low four bits and its shape in the high ones; colour 15 means none. An item
// that passes a filter of genres has the colour of that genre.
func (m *State) groups() []byte {
	all := m.Engine.Genres()
	var filtered []int // as ranks
	for rank, name := range all[:min(len(all), titles.NoGenre)] {
		if v := m.View(); v.Kind == address.Genre && name == v.Genre || !v.Browses() && m.tuning.HasGenre(name) {
			filtered = append(filtered, rank)
		}
	}
	b := make([]byte, m.Engine.Len())
	for i := range b {
		g := m.Group(i)
		for _, rank := range filtered {
			if slices.Contains(m.Entry(i).Genres, all[rank]) {
				g = uint8(rank)
				break
			}
		}
		b[i] = 15
		if g != titles.NoGenre {
			b[i] = g%titles.GenreColours | titles.GenreShape(g)<<4
		}
	}
	return b
}

// line is the map's line about item i after its title: its mark or place in the list, and its distance.
func (m *State) line(i int) string {
	var parts []string
	if mark := m.Mark(i); mark != keep.Unmarked {
		parts = append(parts, m.W.MarkedAs[mark-keep.Liked])
	}
	for place, s := range m.list.Titles {
		if s.Item == i {
			parts = append(parts, m.W.PlaceInList(place+1))
		}
	}
	if m.list.Taste != nil {
		parts = append(parts, m.W.FromYou(m.Engine.Distance(m.list.Taste, i)))
	}
	return strings.Join(parts, " · ")
}

// find answers the map's own search, and announces the number of titles.
func (m *State) find(query string) (items []int, told string) {
	found := m.Engine.Search(query, search.Shows)
	if len(found) == 0 {
		return nil, m.W.NoMatch(m.W.Isolate(query), m.Engine.Len(), m.Until)
	}
	for _, f := range found {
		items = append(items, f.Item)
	}
	return items, m.W.Matches(len(found))
}

// marks returns each item's Mark. Titles kept for later count as unmarked.
func (m *State) marks() []byte {
	b := make([]byte, len(m.Now().ByItem))
	for i, mark := range m.Now().ByItem {
		if mark != keep.Later {
			b[i] = byte(mark)
		}
	}
	return b
}

// Dim returns 1 for each item outside of the filters or the view, or nil for none.
func (m *State) Dim() []byte {
	settings := m.Settings()
	f := tuning.Filter(&settings)
	if m.View().Browses() {
		f = m.Filter(m.View())
	}
	if len(f.Genres) == 0 && f.FromYear == 0 && f.Region == 0 {
		return nil
	}
	b, kept := make([]byte, m.Engine.Len()), m.Engine.Keeps(f)
	for i := range b {
		if !kept.Has(i) {
			b[i] = 1
		}
	}
	return b
}

// top returns the titles that the map names.
func (m *State) top() (items []int) {
	for _, s := range m.list.OnMap() {
		items = append(items, s.Item)
	}
	return items
}
