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

// watch records a tab's network requests and complaints.
type watch struct {
	sync.Mutex
	requests   []string // addresses, except data: and blob:
	complaints []string // errors and warnings of the console and the browser, and exceptions
	latest     func()   // fetches records that are not pushed; nil if all are
}

// newWatch subscribes to Chromium's events.
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

// requests returns the addresses requested by the tab so far, except data: and blob:.
func (v *visitor) requests() []string {
	v.Helper()
	if !v.persona.Requests {
		v.Fatal("requests are not recorded: set persona.Requests")
	}
	v.watch.Lock()
	defer v.watch.Unlock()
	return append([]string(nil), v.watch.requests...)
}

// noErrors fails the test for every complaint without one of the expected texts, and for every violation of the page's
// security policy.
func (v *visitor) noErrors(expected ...string) {
	v.Helper()
	// A round trip: earlier messages have arrived after it.
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
