package ui

import (
	"math"
	"slices"
	"strings"
	"unsafe"

	vugujs "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/browser"
)

// MapState is the taste map: what is opened on it, and the painted map, which gets what has changed after each
// render.
type MapState struct {
	*Session
	list    *ListState
	tuning  *TuningState
	storage *Storage

	Selected int  // the title that is opened; −1: none
	AsText   bool // what the map shows is written below it
	Undrawn  bool // it cannot be drawn

	host    *vugujs.Value // where it is to be painted; nil: nowhere, or it is
	painted *browser.Map  // nil: not yet, or there is none
	viewed  bool          // the painted map has got which view to show
	radii   []float32     // of the view that it shows; nil: the map
}

// newMap looks whether the map can be drawn. O(I).
func newMap(s *Session, list *ListState, tuning *TuningState, storage *Storage) *MapState {
	m := &MapState{Session: s, list: list, tuning: tuning, storage: storage, Selected: -1}
	m.Undrawn = !drawablePoints(s.Engine)
	m.feed.dirty = feedAll
	return m
}

// Select opens item i on the map; −1 closes.
func (m *MapState) Select(i int) {
	m.Selected = i
	m.feed.dirty |= feedSelected
}

// ShowDistances draws the map by the distance from the visitor, or as it is again.
func (m *MapState) ShowDistances(on bool) {
	m.Log.Settings.Distances = on
	m.feed.dirty |= feedDistances
	m.storage.save()
	if on && m.list.Taste != nil && m.feed.radii == nil {
		m.background(func() { m.list.measure(m.list.turn.Load()) })
	}
}

// ToggleText writes below the map what it shows, or hides that.
func (m *MapState) ToggleText() { m.AsText = !m.AsText }

// Zoom zooms the painted map, Home shows the visitor's places on it, SavePicture hands the visitor a picture of it as
// it is shown.
func (m *MapState) Zoom(factor float64) {
	if m.painted != nil {
		m.painted.Zoom(factor)
	}
}

func (m *MapState) Home() {
	if m.painted != nil {
		m.painted.Home()
	}
}

func (m *MapState) SavePicture() {
	if m.painted != nil {
		m.painted.Picture()
	}
}

// mount has the map painted into an element that Vugu made and leaves alone, once the page around it is painted and all
// of the answer that is being worked out is there: the map opens on the visitor's places.
func (m *MapState) mount(host vugujs.Value) {
	m.aside(func() {
		browser.Painted()
		m.env.Lock()
		m.host = &host
		m.update()
		m.env.UnlockOnly()
	})
}

// begin paints the map, and then has the search prepare itself, so that the first letter that is typed does not wait
// for that.
func (m *MapState) begin(host vugujs.Value) {
	browser.NextTurn()
	d := drawingOf(m.Engine, yield.Now)
	m.env.Lock()
	m.paint(host, d)
	m.env.UnlockOnly()
	yield.Now()
	m.env.Lock()
	m.update()
	m.env.UnlockOnly()
	browser.NextTurn()
	m.Engine.Search("", 1)
}

// paint makes the map, with the render lock held.
func (m *MapState) paint(host vugujs.Value, d *drawing) {
	if m.painted != nil && m.painted.In(host) || !browser.CanMap() {
		return
	}
	if m.painted != nil {
		m.painted.Release()
	}
	if m.Undrawn {
		return // the page says so
	}
	m.viewed, m.radii = false, nil
	m.painted = browser.NewMap(host, browser.MapOptions{
		Titles: d.titles, Points: d.points, Weights: d.weights, Regions: d.regions, Groups: m.groups(),
		Bell: recommend.Glow, Texts: m.texts(),
		Describe: m.describe,
		Open:     func(i int) { m.locked(func() { m.Select(i) }) },
		Search:   m.find,
		Fail:     func() { m.locked(func() { m.Undrawn = true }) },
	})
	m.feed.dirty = feedAll
}

// texts are the texts of the painted map.
func (m *MapState) texts() map[string]any {
	w := m.W
	var names, links []string
	for i, key := range m.regions {
		names = append(names, m.regionName(i))
		links = append(links, "#"+View{Kind: RegionView, Region: key}.Fragment())
	}
	return map[string]any{
		"regionsLabel": w.Regions, "regionNames": strings.Join(names, "\n"), "regionLinks": strings.Join(links, "\n"),
		"label": w.MapCanvas(m.Engine.Len()), "help": w.MapKeys, "you": w.You, "end": w.MapEnd, "wheel": w.MapWheel,
		"find": w.MapFind, "found": w.MapFound, "point": w.Point,
		"from": m.provenance(), "site": m.Name, "unpainted": w.PictureFailed,
	}
}

// provenance is the source line of a picture of the map.
func (m *MapState) provenance() string {
	a := &m.About
	parts := []string{m.Name, m.W.MapCanvas(m.Engine.Len()), a.Dataset, a.Digest[:min(len(a.Digest), 12)]}
	return strings.Join(parts, " · ")
}

// describe answers what the map asks of a title that is pointed at.
func (m *MapState) describe(i int) (line string) {
	if i < 0 || i >= m.Engine.Len() {
		return ""
	}
	return m.line(i)
}

// update brings the painted map up to date. It is called after each render.
func (m *MapState) update() {
	if m.host != nil && !m.list.overtaken(m.feed.turn) {
		host := *m.host
		m.aside(func() { m.begin(host) })
		m.host = nil
	}
	if m.painted == nil || m.feed.dirty == 0 {
		return
	}
	d := m.feed.dirty
	m.feed.dirty = 0
	u := map[string]any{"turn": m.feed.turn}
	if d&feedSize != 0 {
		u["resize"] = true
	}
	if d&feedColours != 0 {
		u["recolour"] = true
	}
	if d&feedMarks != 0 {
		u["marks"], u["top"] = m.marks(), m.top()
	}
	if d&feedPlaces != 0 {
		m.updatePlaces(u)
	}
	if d&feedWords != 0 {
		u["words"] = m.texts()
	}
	if d&feedSelected != 0 {
		u["selected"] = m.Selected
	}
	if d&(feedDistances|feedPlaces) != 0 {
		m.updateDistances(u)
	}
	if d&feedDim != 0 {
		u["dim"], u["groups"] = nil, m.groups()
		if dim := m.dim(); dim != nil {
			u["dim"] = dim
		}
	}
	m.painted.Update(u)
}

// updatePlaces adds the tastes of one or two people, and the titles where the map glows.
func (m *MapState) updatePlaces(u map[string]any) {
	u["tastes"], u["shares"] = mapTastes(&m.list.Places), strings.Join(m.shares(&m.list.Places), "\n")
	u["second"] = nil
	if second := &m.list.Second; len(second.Tastes) > 0 {
		u["second"] = map[string]any{"name": m.Called(1 - m.Log.Who), "tastes": mapTastes(second),
			"shares": strings.Join(m.shares(second), "\n")}
	}
	u["name"] = m.Called(m.Log.Who)
	u["glow"] = slices.Concat(m.list.Places.Next, m.list.Second.Next)
}

// regionLinks lead to the lists of the regions that have a name, the coarse ones first.
func (m *MapState) regionLinks() (links []Link) {
	for i, key := range m.regions {
		if key != "" {
			links = append(links, Link{Text: m.regionName(i), Class: "gx", To: View{Kind: RegionView, Region: key}})
		}
	}
	return links
}

// regionAt names the region that a place of the map lies in, of the finest level that has names.
func (m *MapState) regionAt(x, y float64) string {
	all := m.Engine.Regions()
	for level := model.MaxLevel; level >= 0; level-- {
		best, least := -1, math.Inf(1)
		for i, r := range all {
			if d := math.Hypot(x-float64(r.X), y-float64(r.Y)); r.Level == level && d < least {
				best, least = i, d
			}
		}
		if best >= 0 && m.regions[best] != "" {
			return m.regionName(best)
		}
	}
	return ""
}

// shares writes the share of each taste.
func (m *MapState) shares(p *recommend.Places) (out []string) {
	for _, t := range p.Tastes {
		out = append(out, m.W.Percentage(t.Share))
	}
	return out
}

// updateDistances adds which view is shown, where that is another one.
func (m *MapState) updateDistances(u map[string]any) {
	var radii []float32
	if m.drawnByDistance() {
		radii = m.feed.radii
	}
	u["ordered"] = m.list.Ordered()
	if m.viewed && unsafe.SliceData(radii) == unsafe.SliceData(m.radii) { // radii do not change, only others come
		return
	}
	m.viewed, m.radii = true, radii
	u["view"], u["radii"] = "map", nil
	if radii != nil {
		u["view"], u["radii"] = "distance", mapRadii(radii)
	}
}

// partUndrawn reports whether something of the map is left out, because it cannot be drawn: the rings of a visitor, or
// the distances.
func (m *MapState) partUndrawn() bool {
	return !drawablePlaces(&m.list.Places) || !drawablePlaces(&m.list.Second) ||
		m.Log.Settings.Distances && m.feed.radii != nil && !m.drawnByDistance()
}

// drawnByDistance reports whether the map shows distances: the visitor asks for them, and they can be drawn.
func (m *MapState) drawnByDistance() bool {
	if !m.Log.Settings.Distances || m.feed.radii == nil || !drawablePlaces(&m.list.Places) {
		return false
	}
	for _, r := range m.feed.radii {
		if !drawable(float64(r)) {
			return false
		}
	}
	return true
}

// groups returns each item's colour in the low four bits and its shape above; 15 is no colour. While genres are
// filtered, an item of several is shown as what it was filtered by.
func (m *MapState) groups() []byte {
	all := m.Engine.Genres()
	var filtered []int // by rank
	for rank, name := range all[:min(len(all), noGenre)] {
		if v := m.list.View; v.Kind == GenreView && name == v.Genre || !v.browses() && m.tuning.HasGenre(name) {
			filtered = append(filtered, rank)
		}
	}
	b := make([]byte, m.Engine.Len())
	for i, g := range m.genreGroups {
		for _, rank := range filtered {
			if slices.Contains(m.Item(i).Genres, all[rank]) {
				g = uint8(rank)
				break
			}
		}
		b[i] = 15
		if g != noGenre {
			b[i] = g%genreColours | genreShape(g)<<4
		}
	}
	return b
}

// line is what the map shows of item i beside its title: its mark or its place in the list, and how far it is.
func (m *MapState) line(i int) string {
	var parts []string
	if mark := m.Mark(i); mark != Unmarked {
		parts = append(parts, m.W.MarkedAs[mark-LikedIt])
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

// find answers the map's own search, and announces how much it found.
func (m *MapState) find(query string) (items []int, told string) {
	found := m.Engine.Search(query, searchShows)
	if len(found) == 0 {
		return nil, m.W.NoMatch(m.W.Isolate(query), m.Engine.Len(), m.until)
	}
	for _, f := range found {
		items = append(items, f.Item)
	}
	return items, m.W.Matches(len(found))
}

// marks returns each item's Mark; a title that is kept for later is painted as one without.
func (m *MapState) marks() []byte {
	b := make([]byte, len(m.Log.Now().ByItem))
	for i, mark := range m.Log.Now().ByItem {
		if mark != ForLater {
			b[i] = byte(mark)
		}
	}
	return b
}

// dim returns 1 for each item that the filters, or what is browsed, leave out; nil where that is none.
func (m *MapState) dim() []byte {
	f := filterOf(&m.Log.Settings)
	if m.list.View.browses() {
		f = m.filter(m.list.View)
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

// top returns the titles that are named.
func (m *MapState) top() (items []int) {
	for _, s := range m.list.OnMap() {
		items = append(items, s.Item)
	}
	return items
}
