package ui

import (
	"sort"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Data says what is stored, saves it to a file and takes it from one, erases it, and tells where the recommendations
// come from.
type Data struct {
	P *Page
}

// any tells whether anybody has said anything, if it is only their name.
func (c *Data) any() bool { return c.P.Log.Now().Marked() || c.P.Log.Other != "" }

// stored says how much is stored of both.
func (c *Data) stored() string {
	s, o := c.P.Log.Now(), c.P.Log.Partner()
	switch {
	case !c.any() && !c.P.Log.Began && c.P.keeper.failures > 0:
		return c.P.W.StoredUnread // there may be something
	case !c.any():
		return c.P.W.StoredNothing
	}
	return c.P.W.Stored(len(s.Likes)+len(o.Likes), len(s.Dislikes)+len(o.Dislikes), len(s.Seen)+len(o.Seen), c.P.Log.Bytes)
}

// erasable tells that nobody has asked yet whether to erase. There may always be something: the page's own copy.
func (c *Data) erasable() bool { return !c.P.Erasing }

// Figures are what the browser says of its storage.
type Figures struct {
	Known        bool // it was asked, and the rest is what it said
	Usage, Quota int  // bytes of this origin, and how many it may have at most; 0: it does not say
	Persisted    bool // it promises to remove nothing by itself
	Askable      bool // it can be asked for that promise
}

// learn shows what the browser has said. It is called without the render lock.
func (p *Page) learn(now Figures) {
	p.env.Lock()
	if p.Device == now {
		p.env.UnlockOnly()
		return
	}
	p.Device = now
	p.env.UnlockRender()
}

func (c *Data) device() string {
	d := &c.P.Device
	if d.Usage == 0 || d.Quota == 0 {
		return ""
	}
	return c.P.W.Usage(d.Usage, d.Quota)
}

func (c *Data) lasting() string {
	if c.P.Device.Persisted {
		return c.P.W.KeptForGood
	}
	return c.P.W.KeptWhile
}

// persistable tells that the browser can be asked to keep what is stored.
func (c *Data) persistable() bool {
	return c.P.Device.Askable && !c.P.Device.Persisted && c.any()
}

func (c *Data) chosen(event vugu.DOMEvent) {
	chosen(event, func(name string, b []byte) {
		c.P.env.Lock()
		c.P.OpenBackup(name, b)
		c.P.env.UnlockOnly()
	})
}

// fewNamed is how many titles of a change are named.
const fewNamed = 5

// openedBlocks say what would come of the opened backup, and ask whether it is to.
func (c *Data) openedBlocks() []Block {
	o, w := c.P.Opened, c.P.W
	shut := Block{Choices: []Choice{{"quiet", w.BackupClose, false, c.P.CloseBackup}}}
	if o.Problem != "" {
		shut.Text = o.Problem
		return []Block{shut}
	}
	return []Block{
		{Text: w.BackupHolds(o.Name, w.day(o.Date), o.Count, o.Unknown)},
		{Text: w.BackupMergeNote, Lines: c.changes(&o.Merge), Choices: []Choice{{"quiet", w.BackupMerge, false, c.P.MergeBackup}}},
		{Text: w.BackupRestoreNote, Lines: c.changes(&o.Restore), Choices: []Choice{{"quiet", w.BackupRestore, false, c.P.RestoreBackup}}},
		shut,
	}
}

// eraseBlocks ask what is to be erased.
func (c *Data) eraseBlocks() []Block {
	w := c.P.W
	does := Block{Class: "shared-does", Text: w.EraseNote}
	if c.any() || c.P.Log.Aside > 0 {
		does.Choices = []Choice{{"quiet danger", w.EraseSaid, false, c.P.EraseSaid}}
	}
	does.Choices = append(does.Choices, Choice{"quiet danger", w.EraseYes, false, c.P.EraseAll}, Choice{"quiet", w.EraseNo, false, c.P.KeepAll})
	return []Block{{Text: w.EraseQuestion}, does}
}

// changes says in lines what is planned, of whom where it is of two people.
func (c *Data) changes(of *visit.Plans) (out []string) {
	w, b := c.P.W, c.P.Opened.backup
	whose := ""
	if b.Other != "" {
		whose = c.P.Called(0) + ": "
	}
	out = c.planned(nil, whose, of[0])
	if b.Other == "" {
		return out
	}
	there, here := w.isolate(b.Other), w.isolate(c.P.Log.Other)
	if of[1] == nil {
		return append(out, fill(w.LeftOut, there, here))
	}
	if here != "" && here != there {
		there = here + " → " + there
	}
	return c.planned(out, there+": ", of[1])
}

// planned appends what would come of a plan.
func (c *Data) planned(out []string, whose string, p *keep.Plan) []string {
	w, n := c.P.W, len(out)
	say := func(ids []string, phrase func(n int, titles []string) string) {
		if len(ids) == 0 {
			return
		}
		var titles []string
		for _, id := range ids[:min(len(ids), fewNamed)] {
			titles = append(titles, w.isolate(c.title(id)))
		}
		out = append(out, whose+phrase(len(ids), titles))
	}
	say(p.Added, w.Adds)
	say(p.Changed, w.ChangesMarks)
	say(p.Removed, w.Removes)
	if len(out) == n {
		out = append(out, whose+w.ChangesNothing)
	}
	return out
}

func (c *Data) title(id string) string {
	if i, ok := c.P.Log.Item(id); ok {
		return c.P.Item(i).Title
	}
	if title, ok := c.P.Opened.titles[id]; ok {
		return title
	}
	return id
}

func (c *Data) trained() string {
	a := &c.P.About
	return c.P.W.TrainedOn(a.Dataset, a.Users, a.Items, a.Positives)
}

func (c *Data) when() string {
	return c.P.W.TrainedWhen(c.P.W.day(c.P.About.Trained), c.P.About.Preset)
}
func (c *Data) kernel() string { return c.P.W.Kernel(c.P.About.Scan) }
func (c *Data) version() string {
	return c.P.W.Version(or(c.P.Version, c.P.About.Program), c.P.About.Digest)
}

// metrics returns the measured quality, in the order of the names.
func (c *Data) metrics() []string {
	names := make([]string, 0, len(c.P.About.Metrics))
	for n := range c.P.About.Metrics {
		names = append(names, n)
	}
	sort.Strings(names)
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = c.P.W.Metric(n, c.P.About.Metrics[n])
	}
	return out
}
