//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// watch keeps what a tab asks of the network and what it complains about.
type watch struct {
	sync.Mutex
	requests   []string // addresses, other than data: and blob:, which are no requests
	complaints []string // errors and warnings of the console and the browser, exceptions
	latest     func()   // fetches what has not come by itself; nil: all does
}

// newWatch has Chromium tell.
func newWatch(v *visitor) *watch {
	v.Helper()
	w := &watch{}
	err := chromedp.Listen(v.ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			w.request(e.Request.URL)
		case *network.EventWebSocketCreated:
			w.request(e.URL)
		case *network.EventWebTransportCreated:
			w.request(e.URL)
		case *runtime.EventConsoleAPICalled:
			text := []string{"console." + string(e.Type) + ":"}
			for _, a := range e.Args {
				if a.Description != "" {
					text = append(text, a.Description)
				} else {
					text = append(text, string(a.Value))
				}
			}
			w.complain(strings.Join(text, " "))
		case *runtime.EventExceptionThrown:
			text := e.ExceptionDetails.Text
			if x := e.ExceptionDetails.Exception; x != nil {
				text += " " + x.Description
			}
			w.complain("exception: " + text)
		case *log.EventEntryAdded:
			if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
				w.complain(fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
			}
		}
	})
	if err != nil {
		v.Fatal(err)
	}
	return w
}

func (w *watch) request(address string) {
	if strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:") {
		return
	}
	w.Lock()
	defer w.Unlock()
	w.requests = append(w.requests, address)
}

func (w *watch) complain(text string) {
	w.Lock()
	defer w.Unlock()
	w.complaints = append(w.complaints, text)
}

// requests returns the addresses that the tab has requested so far, other than data: and blob:.
func (v *visitor) requests() []string {
	v.Helper()
	if !v.persona.Requests {
		v.Fatal("the requests of this visitor are not recorded: see persona.Requests")
	}
	v.watch.Lock()
	defer v.watch.Unlock()
	return append([]string(nil), v.watch.requests...)
}

// noErrors fails the test for every complaint that holds none of the expected texts, and for every violation of the
// page's security policy.
func (v *visitor) noErrors(expected ...string) {
	v.Helper()
	// A round trip: what was said before it has arrived after it.
	for _, violation := range see[[]string](v, "visitor.violations") {
		v.Errorf("the page broke its security policy: %s", violation)
	}
	if v.watch.latest != nil {
		v.watch.latest()
	}
	v.watch.Lock()
	defer v.watch.Unlock()
next:
	for _, c := range v.watch.complaints {
		for _, e := range expected {
			if strings.Contains(c, e) {
				continue next
			}
		}
		v.Errorf("the browser complained: %s", c)
	}
}
