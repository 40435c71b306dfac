// Package data is the section about the visitor's own data: backup, languages, facts about the model, and erasing.
package data

import (
	"cmp"
	"maps"
	"slices"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/blocks"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/looks"
	"github.com/pmlam/pmlam/ui/offline"
	"github.com/pmlam/pmlam/ui/visit"
	"github.com/pmlam/pmlam/ui/words"
)

// Data shows the size of the stored visit, saves, restores and erases it, and describes the model.
type Data struct {
	Data    *State
	Backup  *Backup
	Looks   *looks.Looks
	Offline *offline.State
}

// any reports whether there is anything to store: marks, or a second person.
func (c *Data) any() bool { return c.Data.Now().Marked() || c.Data.Other() != "" }

// stored describes the size of both people's stored visits.
func (c *Data) stored() string {
	s, o := c.Data.Now(), c.Data.Partner()
	switch {
	case !c.any() && c.Data.Unread():
		return c.Data.W.StoredUnread // there may be a stored visit
	case !c.any():
		return c.Data.W.StoredNothing
	}
	return c.Data.W.Stored(len(s.Likes)+len(o.Likes), len(s.Dislikes)+len(o.Dislikes), len(s.Seen)+len(o.Seen),
		len(s.Later)+len(o.Later),
		c.Data.Bytes())
}

// erasable reports whether erasing is offered. There may always be something to erase: the page's own copy.
func (c *Data) erasable() bool { return !c.Data.Asked }

func (c *Data) device() string {
	d := &c.Data.Device
	if d.Usage == 0 || d.Quota == 0 {
		return ""
	}
	return c.Data.W.Usage(d.Usage, d.Quota)
}

func (c *Data) lasting() string {
	if c.Data.Device.Persisted {
		return c.Data.W.KeptForGood
	}
	return c.Data.W.KeptWhile
}

// persistable reports whether the browser can be asked to keep the stored visit.
func (c *Data) persistable() bool {
	return c.Data.Device.Askable && !c.Data.Device.Persisted && c.any()
}

func (c *Data) chosen(event vugu.DOMEvent) {
	browser.ReadChosen(event, keep.MaxBackup, func(name string, b []byte) {
		c.Data.Tasks.Lock()
		c.Backup.OpenBackup(name, b)
		c.Data.Tasks.Unlock()
	})
}

// fewNamed is the maximum number of titles that a change names.
const fewNamed = 5

// openedBlocks shows the effects of the opened backup, and the choice between them.
func (c *Data) openedBlocks() []blocks.Block {
	o, w := c.Backup.Opened, c.Data.W
	shut := blocks.Block{Choices: []blocks.Choice{blocks.Button("quiet", w.BackupClose, c.Backup.CloseBackup)}}
	if o.Problem != "" {
		shut.Text = o.Problem
		return []blocks.Block{shut}
	}
	return []blocks.Block{
		{Text: w.BackupHolds(o.Name, w.Date(o.Date), o.Count, o.Unknown)},
		{
			Text: w.BackupMergeNote, Lines: c.changes(&o.Merge),
			Choices: []blocks.Choice{blocks.Button("quiet", w.BackupMerge, c.Backup.MergeBackup)},
		},
		{
			Text: w.BackupRestoreNote, Lines: c.changes(&o.Restore),
			Choices: []blocks.Choice{blocks.Button("quiet", w.BackupRestore, c.Backup.RestoreBackup)},
		},
		shut,
	}
}

// eraseBlocks asks how much to erase.
func (c *Data) eraseBlocks() []blocks.Block {
	w := c.Data.W
	does := blocks.Block{Class: "shared-does", Text: w.EraseNote}
	if c.any() || c.Data.SetAside() > 0 {
		does.Choices = []blocks.Choice{blocks.Button("quiet danger", w.EraseMarks, c.Data.EraseMarks)}
	}
	does.Choices = append(does.Choices,
		blocks.Button("quiet danger", w.EraseYes, c.Data.EraseAll), blocks.Button("quiet", w.EraseNo, c.Data.KeepAll))
	return []blocks.Block{{Text: w.EraseQuestion}, does}
}

// changes describes plans in lines, with names if there are two people.
func (c *Data) changes(of *visit.Plans) (out []string) {
	w, b := c.Data.W, c.Backup.Opened.backup
	whose := ""
	if b.Other != "" {
		whose = c.Data.Called(0) + ": "
	}
	out = c.planned(nil, whose, of[0])
	if b.Other == "" {
		return out
	}
	name, present := w.Isolate(b.Other), w.Isolate(c.Data.Other())
	if of[1] == nil {
		return append(out, words.Fill(w.LeftOut, name, present))
	}
	if present != "" && present != name {
		name = present + " → " + name
	}
	return c.planned(out, name+": ", of[1])
}

// planned appends the changes of a plan.
func (c *Data) planned(out []string, whose string, p *keep.Plan) []string {
	w, n := c.Data.W, len(out)
	list := func(ids []string, phrase func(n int, titles []string) string) {
		if len(ids) == 0 {
			return
		}
		var titles []string
		for _, id := range ids[:min(len(ids), fewNamed)] {
			titles = append(titles, w.Isolate(c.title(id)))
		}
		out = append(out, whose+phrase(len(ids), titles))
	}
	list(p.Added, w.Adds)
	list(p.Changed, w.ChangesMarks)
	list(p.Removed, w.Removes)
	if len(out) == n {
		out = append(out, whose+w.ChangesNothing)
	}
	return out
}

func (c *Data) title(id string) string {
	if i, ok := c.Data.Find(id); ok {
		return c.Data.Entry(i).Title
	}
	if title, ok := c.Backup.Opened.titles[id]; ok {
		return title
	}
	return id
}

func (c *Data) trained() string {
	a := &c.Data.About
	return c.Data.W.TrainedOn(a.Dataset, a.Users, a.Items, a.Positives)
}

func (c *Data) when() string {
	return c.Data.W.TrainedWhen(c.Data.W.Date(c.Data.About.Trained), c.Data.About.Preset)
}
func (c *Data) kernel() string { return c.Data.W.Kernel(c.Data.About.Scan) }
func (c *Data) version() string {
	return c.Data.W.Version(cmp.Or(c.Data.Version, c.Data.About.Program), c.Data.About.Digest)
}

// metrics lists the measured quality, in the order of names.
func (c *Data) metrics() (out []string) {
	for _, name := range slices.Sorted(maps.Keys(c.Data.About.Metrics)) {
		out = append(out, c.Data.W.Metric(name, c.Data.About.Metrics[name]))
	}
	return out
}
