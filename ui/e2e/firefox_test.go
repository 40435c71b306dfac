//go:build !js

package e2e

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/websocket"
)

// firefoxDriver speaks WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/) to Firefox: numbered commands and answers
// over a WebSocket, with events in between.
type firefoxDriver struct {
	ctx    context.Context
	socket *websocket.Conn
	tab    string // its "browsing context"
	watch  *watch
	folder string // of downloads

	sync.Mutex
	last    int
	waiting map[int]chan<- bidiMessage
}

type bidiMessage struct {
	ID      int             `json:"id,omitempty"`
	Type    string          `json:"type,omitempty"` // "success", "error" or "event"
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   string          `json:"error,omitempty"`
	Message string          `json:"message,omitempty"`
}

// firefox returns the browser's path, or "".
func firefox() string {
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Preferences of a profile: reduced motion, and no background requests.
const firefoxPreferences = `
user_pref("ui.prefersReducedMotion", 1);
user_pref("browser.download.folderList", 2);
user_pref("app.update.enabled", false);
user_pref("browser.safebrowsing.update.enabled", false);
user_pref("browser.region.update.enabled", false);
user_pref("extensions.update.enabled", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
`

// newFirefox starts the browser. Without Firefox it skips the test.
func newFirefox(t testing.TB, p persona) *visitor {
	t.Helper()
	p = p.complete(t)
	browser := firefox()
	if browser == "" {
		t.Skip("SKIPPED: Firefox is not installed (apt-get install firefox-esr), so tests in Firefox did not run")
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.Limit)
	t.Cleanup(cancel)
	folder := filepath.Join(p.Profile, "arrived")
	if err := os.WriteFile(filepath.Join(p.Profile, "user.js"),
		[]byte(firefoxPreferences+"user_pref(\"browser.download.dir\", "+quote(folder)+");\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const origin = "http://127.0.0.1"
	address := ""
	output := bufio.NewScanner(outputOf(t,
		exec.CommandContext(ctx, browser, "--headless", "--no-remote", "--profile", p.Profile,
			"--remote-debugging-port", "0", "--remote-allow-origins", origin)))
	for address == "" && output.Scan() {
		_, address, _ = strings.Cut(output.Text(), "WebDriver BiDi listening on ")
	}
	if address == "" {
		t.Fatalf("Firefox did not print its address: %v", output.Err())
	}
	go func() {
		for output.Scan() { // else it would block on a full pipe
		}
	}()
	socket, err := websocket.Dial(address+"/session", "", origin)
	if err != nil {
		t.Fatalf("no answer from Firefox: %v", err)
	}
	d := &firefoxDriver{ctx: ctx, socket: socket, watch: &watch{}, folder: folder,
		waiting: map[int]chan<- bidiMessage{}}
	context.AfterFunc(ctx, func() { socket.Close() })
	go d.listen()
	var tabs struct{ Contexts []struct{ Context string } }
	for _, err := range []error{
		d.call("session.new", object{"capabilities": object{}}, nil),
		d.call("session.subscribe", object{"events": []string{"log.entryAdded", "network.beforeRequestSent"}}, nil),
		d.call("script.addPreloadScript", object{"functionDeclaration": "() => {" + visitorScript + p.Before + "}"},
			nil),
		d.call("browsingContext.getTree", object{}, &tabs),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	d.tab = tabs.Contexts[0].Context
	if err := d.call("browsingContext.setViewport",
		object{"context": d.tab, "viewport": object{"width": p.Width, "height": p.Height}}, nil); err != nil {
		t.Fatal(err)
	}
	v := &visitor{TB: t, persona: p, driver: d, watch: d.watch}
	t.Cleanup(v.picture)
	return v
}

// listen passes answers to waiting callers, and events to the watch, until the connection ends.
func (d *firefoxDriver) listen() {
	for {
		var m bidiMessage
		if err := websocket.JSON.Receive(d.socket, &m); err != nil {
			d.Lock()
			defer d.Unlock()
			for id, c := range d.waiting {
				c <- bidiMessage{Type: "error", Error: "the connection ended", Message: err.Error()}
				delete(d.waiting, id)
			}
			return
		}
		switch m.Method {
		case "log.entryAdded":
			var entry struct{ Level, Text string }
			if json.Unmarshal(m.Params, &entry) == nil && (entry.Level == "error" || entry.Level == "warn") {
				d.watch.complain(entry.Level + ": " + entry.Text)
			}
		case "network.beforeRequestSent":
			var sent struct{ Request struct{ URL string } }
			if json.Unmarshal(m.Params, &sent) == nil {
				d.watch.request(sent.Request.URL)
			}
		case "":
			d.Lock()
			if c, ok := d.waiting[m.ID]; ok {
				c <- m
				delete(d.waiting, m.ID)
			}
			d.Unlock()
		}
	}
}

// call sends a command and decodes its result into take, unless nil.
func (d *firefoxDriver) call(method string, params object, take any) error {
	b, err := json.Marshal(params)
	if err != nil {
		return err
	}
	answer := make(chan bidiMessage, 1)
	d.Lock()
	d.last++
	id := d.last
	d.waiting[id] = answer
	d.Unlock()
	if err := websocket.JSON.Send(d.socket, bidiMessage{ID: id, Method: method, Params: b}); err != nil {
		return err
	}
	select {
	case m := <-answer:
		if m.Type != "success" {
			return fmt.Errorf("%s: %s: %s", method, m.Error, m.Message)
		}
		if take == nil {
			return nil
		}
		return json.Unmarshal(m.Result, take)
	case <-d.ctx.Done():
		return fmt.Errorf("%s: %w", method, d.ctx.Err())
	}
}

func (d *firefoxDriver) navigate(address string) error {
	return d.call("browsingContext.navigate", object{"context": d.tab, "url": address, "wait": "complete"}, nil)
}

func (d *firefoxDriver) reload() error {
	return d.call("browsingContext.reload", object{"context": d.tab, "wait": "complete"}, nil)
}

// script calls a function of the page and decodes its result, which has BiDi's own format.
func (d *firefoxDriver) script(function string, take any) error {
	var said struct {
		Type             string
		Result           json.RawMessage
		ExceptionDetails struct{ Text string }
	}
	err := d.call("script.callFunction",
		object{"functionDeclaration": function, "awaitPromise": true, "target": object{"context": d.tab}}, &said)
	if err == nil && said.Type != "success" {
		err = errors.New(said.ExceptionDetails.Text)
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(said.Result, take)
}

func (d *firefoxDriver) evaluate(expression string) ([]byte, error) {
	var text struct{ Value string }
	err := d.script(`async () => JSON.stringify(await (`+expression+`)) ?? "null"`, &text)
	return []byte(text.Value), err
}

func (d *firefoxDriver) act(kind, id string, steps []object) error {
	source := object{"type": kind, "id": id, "actions": steps}
	return d.call("input.performActions", object{"context": d.tab, "actions": []object{source}}, nil)
}

func (d *firefoxDriver) click(x, y float64) error { return d.act("pointer", "mouse", clicking(x, y)) }

func (d *firefoxDriver) keys(keys string) error { return d.act("key", "keyboard", typing(keys)) }

func (d *firefoxDriver) selectAll() error { return d.act("key", "keyboard", control("a")) }

func (d *firefoxDriver) paste() error { return d.act("key", "keyboard", control("v")) }

func (d *firefoxDriver) choose(expression string, files ...string) error {
	var element struct{ SharedID string }
	if err := d.script("() => "+expression, &element); err != nil {
		return err
	}
	return d.call("input.setFiles",
		object{"context": d.tab, "element": object{"sharedId": element.SharedID}, "files": files}, nil)
}

func (d *firefoxDriver) downloads() (folder string, err error) { return d.folder, nil }

func (d *firefoxDriver) picture() (png []byte, err error) {
	var said struct{ Data string }
	if err := d.call("browsingContext.captureScreenshot", object{"context": d.tab}, &said); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(said.Data)
}
