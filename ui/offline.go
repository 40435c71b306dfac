package ui

import "github.com/pmlam/pmlam/ui/browser"

// OfflineState is what the page knows of its own copy on this machine.
type OfflineState struct {
	*Session
	Copy browser.Copy
}

// set takes in news of the copy. What a visitor should notice is announced.
func (o *OfflineState) set(now browser.Copy) {
	switch {
	case now.Update && !o.Copy.Update:
		o.announce(o.W.UpdateWaits)
	case now.Away && !o.Copy.Away:
		o.announce(o.W.Away)
	}
	o.Copy = now
}

// Restart starts the page again, in the newest version, once what the visitor marked is stored.
func (o *OfflineState) Restart() {
	go func() {
		o.Wait()
		browser.Restart()
	}()
}

// copied describes whether the page opens without a connection.
func (o *OfflineState) copied() string {
	w, c := o.W, &o.Copy
	switch {
	case !c.Able:
		return w.CopyNever
	case !c.Since.IsZero():
		text := w.CopySince(c.Since.Year(), int(c.Since.Month()), c.Since.Day())
		if c.Full {
			text += " " + w.CopyFull
		}
		return text
	case c.Full:
		return w.CopyNoRoom
	case c.Refused:
		return w.CopyRefused
	}
	return w.CopySoon
}
