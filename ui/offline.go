package ui

import "time"

// Offline is what the page knows of its own copy on this machine (assets/js/page/offline.js).
type Offline struct {
	Away    bool      // there is no network, as far as the browser knows
	Able    bool      // this browser can keep a copy
	Since   time.Time // when it first held a whole copy; zero: not yet
	Refused bool      // the latest try to make one has failed
	Full    bool      // there is no room for one, or for a newer one
	Update  bool      // a newer version waits for the next start
}

// setOffline takes in news of it. What a visitor should hear of is announced.
func (p *Page) setOffline(o Offline) {
	switch {
	case o.Update && !p.Offline.Update:
		p.announce(p.W.UpdateWaits)
	case o.Away && !p.Offline.Away:
		p.announce(p.W.Away)
	}
	p.Offline = o
}

// Restart starts the page again, in the newest version, once what the visitor said is kept.
func (p *Page) Restart() {
	go func() {
		p.Wait()
		restart()
	}()
}

// copied says in words whether the page opens without a connection.
func (p *Page) copied() string {
	o := &p.Offline
	switch {
	case !o.Able:
		return p.W.CopyNever
	case !o.Since.IsZero():
		says := p.W.CopySince(o.Since.Year(), int(o.Since.Month()), o.Since.Day())
		if o.Full {
			says += " " + p.W.CopyFull
		}
		return says
	case o.Full:
		return p.W.CopyNoRoom
	case o.Refused:
		return p.W.CopyRefused
	}
	return p.W.CopySoon
}
