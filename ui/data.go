package ui

import "sort"

// Data says what is stored, erases it, and tells where the recommendations come from.
type Data struct {
	P *Page
}

func (c *Data) stored() string {
	s := &c.P.State
	if !s.marked() {
		return c.P.W.StoredNothing
	}
	return c.P.W.Stored(len(s.Likes), len(s.Dislikes), len(s.Seen), c.P.Bytes)
}

// erasable tells that there is something to erase and nobody has asked yet.
func (c *Data) erasable() bool { return !c.P.Erasing && (c.P.State.marked() || c.P.Bytes > 0) }

func (c *Data) trained() string {
	a := &c.P.About
	return c.P.W.TrainedOn(a.Dataset, a.Users, a.Items, a.Positives)
}

func (c *Data) when() string   { return c.P.W.TrainedWhen(c.P.About.Trained, c.P.About.Preset) }
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
