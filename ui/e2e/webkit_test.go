//go:build !js

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// webkitDriver speaks WebDriver (https://www.w3.org/TR/webdriver2/) to WebKitGTK's driver, which controls its mini
// browser on a virtual screen. The protocol has neither scripts that run before a page's own nor the console, so each
// expression brings both along.
type webkitDriver struct {
	ctx     context.Context
	session string // address
	home    string // folder
	watch   *watch
	browser *output
}

// newWebKit starts the browser on a screen of that size. It skips the test if a program is missing.
func newWebKit(t testing.TB, p persona) *visitor {
	t.Helper()
	p = p.complete(t)
	for command, its := range map[string]string{"WebKitWebDriver": "webkit2gtk-driver", "Xvfb": "xvfb"} {
		if _, err := exec.LookPath(command); err != nil {
			t.Skipf("SKIPPED: %s is not installed (apt-get install %s), so tests in WebKit did not run", command, its)
		}
	}
	found, _ := filepath.Glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser")
	if len(found) == 0 {
		t.Skip(
			"SKIPPED: MiniBrowser is not installed (apt-get install webkit2gtk-driver), so tests in WebKit did not run",
		)
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.Limit)
	t.Cleanup(cancel)

	number := newScreen(t, ctx, p)

	// An isolated home.
	home := p.Profile
	settings := filepath.Join(home, "gtk-3.0")
	if err := os.MkdirAll(settings, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(settings, "settings.ini"), []byte("[Settings]\ngtk-enable-animations=0\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	// The driver would pick a free ephemeral port for the browser, close it again, and wait forever if another process
	// took it in the meantime. So the browser is started here.
	where := append(os.Environ(), "DISPLAY=:"+number, "HOME="+home, "XDG_CONFIG_HOME="+home,
		"XDG_DOWNLOAD_DIR="+home)
	browserPort, port := freePort(t), freePort(t)
	browser := exec.CommandContext(ctx, found[len(found)-1], "--automation")
	browser.Env = append(where, "WEBKIT_INSPECTOR_SERVER=127.0.0.1:"+browserPort)
	said := listening(t, browser, browserPort)
	service := exec.CommandContext(ctx, "WebKitWebDriver", "--port="+port, "--target=127.0.0.1:"+browserPort)
	service.Env = where
	listening(t, service, port)

	d := &webkitDriver{ctx: ctx, watch: &watch{}, home: home, browser: said,
		session: "http://127.0.0.1:" + port + "/session"}
	var made struct {
		SessionID string `json:"sessionId"`
	}
	asked := object{"capabilities": object{"alwaysMatch": object{"browserName": "MiniBrowser"}}}
	if err := d.call(http.MethodPost, "", asked, &made); err != nil {
		t.Fatalf("starting WebKit: %v", err)
	}
	d.session += "/" + made.SessionID
	t.Cleanup(func() { d.call(http.MethodDelete, "", nil, nil) })
	if err := d.call(http.MethodPost, "/window/rect", object{"x": 0, "y": 0, "width": p.Width, "height": p.Height},
		nil); err != nil {
		t.Fatal(err)
	}
	v := &visitor{TB: t, persona: p, driver: d, watch: d.watch}
	d.watch.latest = d.listen
	t.Cleanup(v.picture)
	return v
}

// newScreen starts a virtual screen of that size and returns its number. Xvfb picks the first free one; its standard
// error also has complaints about used ones, so the number gets a pipe of its own.
func newScreen(t testing.TB, ctx context.Context, p persona) (number string) {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	screen := exec.CommandContext(ctx, "Xvfb", "-displayfd", "3", "-nolisten", "tcp", "-screen", "0",
		fmt.Sprintf("%dx%dx24", p.Width, p.Height))
	screen.ExtraFiles = []*os.File{to}
	said := outputOf(t, screen)
	to.Close()
	number, err = bufio.NewReader(from).ReadString('\n')
	if err != nil {
		text, _ := io.ReadAll(said)
		t.Fatalf("Xvfb did not print its screen: %v\n%s", err, text)
	}
	go io.Copy(io.Discard, said)
	return strings.TrimSpace(number)
}

// object is a JSON object.
type object map[string]any

// outputOf starts a command, which ends with the test, and returns its future output. Its child processes end too,
// before the test's folders are removed, to which they might write: it waits until all have closed the output.
func outputOf(t testing.TB, c *exec.Cmd) io.Reader {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stdout, c.Stderr, c.SysProcAttr = to, to, &syscall.SysProcAttr{Setpgid: true}
	err = c.Start()
	to.Close()
	if err != nil {
		t.Fatal(err)
	}
	out, in := io.Pipe()
	gone := make(chan struct{})
	go func() {
		io.Copy(in, from)
		in.Close()
		io.Copy(io.Discard, from) // if nobody reads any more
		close(gone)
	}()
	t.Cleanup(func() {
		out.Close()
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
		c.Wait()
		<-gone
		from.Close()
	})
	return out
}

// output is the output of a command so far.
type output struct {
	mu   sync.Mutex
	text []byte
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text = append(o.text, b...)
	return len(b), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(o.text)
}

// listening starts a command, which ends with the test, waits until it listens on that port of this machine, and
// returns its output.
func listening(t testing.TB, c *exec.Cmd, port string) *output {
	t.Helper()
	from, said := outputOf(t, c), &output{}
	ended := make(chan struct{})
	go func() {
		io.Copy(said, from)
		close(ended)
	}()
	for {
		if l, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			l.Close()
			return said
		}
		select {
		case <-ended:
			t.Fatalf("%s ended: %s", c, said)
		case <-time.After(20 * time.Millisecond): // polling interval
		}
	}
}

var lastPort atomic.Int32 // the last result of freePort

// freePort returns a free port that the system does not assign as an ephemeral one: those are above 32767. It never
// returns a port twice.
func freePort(t testing.TB) string {
	t.Helper()
	lastPort.CompareAndSwap(0, 20_000+rand.Int32N(10_000))
	for {
		port := strconv.Itoa(20_000 + int(lastPort.Add(1))%10_000)
		if l, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			l.Close()
			return port
		}
	}
}

// call sends the driver a request about the session and decodes the answer into take, unless nil. Errors include the
// browser's output: if the page's process dies during an action, the driver only reports "unknown error", but the
// browser says that it crashed.
func (d *webkitDriver) call(method, what string, give, take any) error {
	var body io.Reader
	if give != nil {
		b, err := json.Marshal(give)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(d.ctx, method, d.session+what, body)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var said struct{ Value json.RawMessage }
	if err := json.NewDecoder(answer.Body).Decode(&said); err != nil {
		return fmt.Errorf("WebDriver %s %s: %w", method, what, err)
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("WebDriver %s %s: %s; output of the browser: %q", method, what, said.Value, d.browser)
	}
	if take == nil {
		return nil
	}
	return json.Unmarshal(said.Value, take)
}

func (d *webkitDriver) navigate(address string) error {
	d.listen()
	return d.call(http.MethodPost, "/url", object{"url": address}, nil)
}

func (d *webkitDriver) reload() error {
	d.listen()
	return d.call(http.MethodPost, "/refresh", object{}, nil)
}

// complaining records the page's complaints. It starts with the first expression, so earlier ones are missed.
const complaining = `
	const complaints = (globalThis.complaints = []);
	for (const kind of ["error", "warn"]) {
		const say = console[kind];
		console[kind] = (...words) => (complaints.push("console." + kind + ": " + words.join(" ")), say.apply(console, words));
	}
	addEventListener("error", (e) => complaints.push("exception: " + (e.message ?? "of " + e.target.src)), true);
	addEventListener("unhandledrejection", (e) => complaints.push("exception: " + e.reason));`

// listen collects the page's complaints since the last call.
func (d *webkitDriver) listen() {
	b, err := d.evaluate(`globalThis.complaints?.splice(0) ?? []`)
	var said []string
	if err == nil && json.Unmarshal(b, &said) == nil {
		for _, text := range said {
			d.watch.complain(text)
		}
	}
}

func (d *webkitDriver) evaluate(expression string) ([]byte, error) {
	var said struct{ Value, Problem string }
	err := d.call(http.MethodPost, "/execute/async", object{"args": []any{}, "script": `
		const say = arguments[0];
		if (!globalThis.visitor) { ` + visitorScript + complaining + ` }
		(async () => (` + expression + `))().then((value) => say({ value: JSON.stringify(value) ?? "null" }), (error) => say({ problem: String(error) }));`}, &said)
	if err == nil && said.Problem != "" {
		err = errors.New(said.Problem)
	}
	return []byte(said.Value), err
}

func (d *webkitDriver) act(kind, id string, steps []object) error {
	source := object{"type": kind, "id": id, "actions": steps}
	return d.call(http.MethodPost, "/actions", object{"actions": []object{source}}, nil)
}

func (d *webkitDriver) click(x, y float64) error { return d.act("pointer", "mouse", clicking(x, y)) }

func (d *webkitDriver) keys(keys string) error { return d.act("key", "keyboard", typing(keys)) }

func (d *webkitDriver) selectAll() error { return d.act("key", "keyboard", control("a")) }

func (d *webkitDriver) paste() error { return d.act("key", "keyboard", control("v")) }

func (d *webkitDriver) choose(expression string, files ...string) error {
	var element map[string]string
	if err := d.call(http.MethodPost, "/execute/sync", object{"args": []any{}, "script": "return " + expression},
		&element); err != nil {
		return err
	}
	for _, id := range element {
		return d.call(http.MethodPost, "/element/"+id+"/value", object{"text": strings.Join(files, "\n")}, nil)
	}
	return fmt.Errorf("%s is not an element", expression)
}

func (d *webkitDriver) downloads() (folder string, err error) { return d.home, nil }

func (d *webkitDriver) picture() (png []byte, err error) {
	var said string
	if err := d.call(http.MethodGet, "/screenshot", nil, &said); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(said)
}

// --- actions, as both kinds of WebDriver call them -------------------------------------------------------------------

func clicking(x, y float64) []object {
	return []object{
		{"type": "pointerMove", "x": int(x), "y": int(y)},
		{"type": "pointerDown", "button": 0},
		{"type": "pointerUp", "button": 0},
	}
}

func typing(keys string) (steps []object) {
	for _, r := range keys {
		steps = append(steps, object{"type": "keyDown", "value": string(r)},
			object{"type": "keyUp", "value": string(r)})
	}
	return steps
}

// control returns a key with Ctrl.
func control(key string) []object {
	return []object{
		{"type": "keyDown", "value": "\uE009"}, {"type": "keyDown", "value": key},
		{"type": "keyUp", "value": key}, {"type": "keyUp", "value": "\uE009"},
	}
}
