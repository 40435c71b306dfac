package ui

import (
	"sort"

	"github.com/vugu/vugu"
)

// Data says what is stored, saves it to a file and takes it from one, erases it, and tells where the recommendations
// come from.
type Data struct {
	P *Page
}

// any tells whether anybody has said anything, if it is only their name.
func (c *Data) any() bool { return c.P.State.Marked() || c.P.Other != "" }

// stored says how much is stored of both.
func (c *Data) stored() string {
	s, o := &c.P.State, &c.P.others
	if !c.any() {
		return c.P.W.StoredNothing
	}
	return c.P.W.Stored(len(s.Likes)+len(o.Likes), len(s.Dislikes)+len(o.Dislikes), len(s.Seen)+len(o.Seen), c.P.Bytes)
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

// changes says in lines what would come of the opened backup.
func (c *Data) changes(of plans) (out []string) {
	w := c.P.W
	for who, p := range of {
		whose, theirs := "", w.isolate(c.P.Opened.backup.Other)
		switch {
		case theirs == "" && who == 1:
			return out
		case theirs == "":
		case who == 0:
			whose = c.P.Called(0) + ": "
		case p == nil:
			return append(out, fill(w.LeftOut, theirs, w.isolate(c.P.Other)))
		default:
			whose = theirs + ": "
			if c.P.Other != "" && c.P.Other != c.P.Opened.backup.Other {
				whose = w.isolate(c.P.Other) + " → " + whose
			}
		}
		n := len(out)
		for _, part := range []struct {
			ids []string
			say func(n int, titles []string) string
		}{{p.Added, w.Adds}, {p.Changed, w.ChangesMarks}, {p.Removed, w.Removes}} {
			if n := len(part.ids); n > 0 {
				var titles []string
				for _, id := range part.ids[:min(n, fewNamed)] {
					titles = append(titles, w.isolate(c.title(id)))
				}
				out = append(out, whose+part.say(n, titles))
			}
		}
		if len(out) == n {
			out = append(out, whose+w.ChangesNothing)
		}
	}
	return out
}

func (c *Data) title(id string) string {
	if i, ok := c.P.index[id]; ok {
		return c.P.Item(i).Title
	}
	if title, ok := c.P.Opened.titles[id]; ok {
		return title
	}
	return id
}

func (c *Data) opened() string {
	o := c.P.Opened
	return c.P.W.BackupHolds(o.Name, c.P.W.day(o.Date), o.Count, o.Unknown)
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

// attribution is the text that the data's licence asks for.
func (c *Data) attribution() string { return or(c.P.About.Attribution, c.P.W.Cite) }
