package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// network is a listener for connections from arbitrary addresses. They are pipes without a buffer: a write returns once
// the other end has read it.
type network struct {
	incoming chan accepted
	closing  chan struct{}
	once     sync.Once
}

type accepted struct {
	net.Conn
	err error
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case a := <-n.incoming:
		return a.Conn, a.err
	case <-n.closing:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error   { n.once.Do(func() { close(n.closing) }); return nil }
func (n *network) Addr() net.Addr { return &net.TCPAddr{} }

// from is the server's end of a connection, with the client's address.
type from struct {
	net.Conn
	address net.Addr
}

func (f from) RemoteAddr() net.Addr { return f.address }

// site is a server under test. /slow is a download whose second half waits for the test.
type site struct {
	t       *testing.T
	net     *network
	limited *limiter
	log     lines
	second  chan chan bool // releases the second half of each /slow, in order of arrival
	stop    func() error   // stops the server and returns the result of Serve
}

// lines is a log.
type lines chan string

func (l lines) Write(b []byte) (int, error) {
	l <- string(b)
	return len(b), nil
}

// says waits for a log line with text.
func (l lines) says(text string) {
	for !strings.Contains(<-l, text) {
	}
}

// New connections are quiet at once, or never, so that tests never wait.
const (
	atOnce = 0
	never  = 1000 * time.Hour
)

// serveLimited starts a server without any time limits. New connections count as quiet after timeToAsk.
func serveLimited(t *testing.T, limits Limits, timeToAsk time.Duration) *site {
	s := &site{
		t:      t,
		net:    &network{incoming: make(chan accepted, 100), closing: make(chan struct{})},
		log:    make(lines, 1000),
		second: make(chan chan bool),
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	mux.HandleFunc("/slow", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "first half, ")
		_ = http.NewResponseController(w).Flush()
		may := make(chan bool)
		s.second <- may
		<-may
		_, _ = io.WriteString(w, "second half")
	})
	log := slog.New(slog.NewTextHandler(s.log, nil))
	var err error
	if s.limited, err = newLimiter(s.net, limits, log); err != nil {
		t.Fatal(err)
	}
	s.limited.timeToAsk = timeToAsk
	server := newServer(s.limited, mux, log)
	server.ReadHeaderTimeout, server.ReadTimeout, server.WriteTimeout, server.IdleTimeout = 0, 0, 0, 0
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- serve(ctx, server, s.limited) }()
	s.stop = sync.OnceValue(func() error { cancel(); return <-done })
	t.Cleanup(func() {
		_ = server.Close()
		_ = s.stop()
	})
	return s
}

// visitor is a client's end of a connection.
type visitor struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func (s *site) connect(address string) *visitor {
	client, server := net.Pipe()
	s.net.incoming <- accepted{Conn: from{server, &net.TCPAddr{IP: net.ParseIP(address), Port: 1}}}
	s.t.Cleanup(func() { client.Close() })
	return &visitor{s.t, client, bufio.NewReader(client)}
}

// send writes text and returns once the server has read it.
func (v *visitor) send(text string) *visitor {
	v.t.Helper()
	if _, err := io.WriteString(v, text); err != nil {
		v.t.Fatalf("sending %q: %v", text, err)
	}
	return v
}

const (
	askPage = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
	askSlow = "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"
	half    = "GET / HTTP/1.1\r\nHo"
	rest    = "st: h\r\n\r\n"
)

// answer reads the head of the next answer.
func (v *visitor) answer() *http.Response {
	v.t.Helper()
	resp, err := http.ReadResponse(v.in, nil)
	if err != nil {
		v.t.Fatalf("no answer: %v", err)
	}
	return resp
}

// gets reads the next answer and compares it with want.
func (v *visitor) gets(want string) {
	v.t.Helper()
	body, err := io.ReadAll(v.answer().Body)
	if err != nil || string(body) != want {
		v.t.Fatalf("got %q, %v; want %q", body, err, want)
	}
}

// download requests /slow and returns after the first half. The returned function releases the rest, reads it and
// compares it.
func (v *visitor) download(s *site) (end func()) {
	v.t.Helper()
	v.send(askSlow)
	body := v.answer().Body
	first := make([]byte, len("first half, "))
	if _, err := io.ReadFull(body, first); err != nil {
		v.t.Fatal(err)
	}
	may := <-s.second
	return func() {
		v.t.Helper()
		close(may)
		second, err := io.ReadAll(body)
		if text := string(first) + string(second); err != nil || text != "first half, second half" {
			v.t.Errorf("downloaded %q, %v", text, err)
		}
	}
}

func (v *visitor) isClosed() {
	v.t.Helper()
	if b, err := v.in.ReadByte(); err == nil {
		v.t.Fatalf("the connection is still open and sent %q", b)
	}
}

// One client holds every connection and sends its requests byte by byte, or not at all. Every newcomer is answered,
// each at the cost of that client's oldest connection, and other connections are unaffected.
func TestSlowClientBlocksNobody(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 8}, atOnce)
	var slow []*visitor
	for i := range 8 {
		slow = append(slow, s.connect("192.0.2.66"))
		if i%2 == 0 {
			slow[i].send(half)
		}
	}
	for i := range 3 {
		v := s.connect(fmt.Sprintf("192.0.2.%d", i+1))
		v.send(askPage).gets("page")
		slow[i].isClosed()
	}
	for i, v := range slow[3:] {
		if i%2 == 0 {
			v.send(half)
		}
		v.send(rest).gets("page")
	}
}

// A served client keeps its idle connection while another client has more quiet ones.
func TestServedClientsKeepTheirConnections(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 6}, atOnce)
	one, two := s.connect("192.0.2.1"), s.connect("192.0.2.2")
	one.send(askPage).gets("page")
	two.send(askPage).gets("page")
	for range 50 { // four remain
		s.connect("192.0.2.66")
	}
	s.connect("192.0.2.3").send(askPage).gets("page")
	one.send(askPage).gets("page")
	two.send(askPage).gets("page")
}

// Downloads are never interrupted, however many clients arrive. These wait, and all are answered in the end.
func TestDownloadsAreNeverInterrupted(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 3}, never)
	var ends []func()
	for range 3 {
		v := s.connect("192.0.2.1")
		end := v.download(s)
		ends = append(ends, func() { end(); v.Close() })
	}
	answered := make(chan bool)
	for i := range 20 {
		v := s.connect(fmt.Sprintf("198.51.100.%d", i+1))
		go func() {
			defer func() { answered <- true }()
			if _, err := io.WriteString(v, askPage); err != nil {
				t.Errorf("a waiting client was disconnected: %v", err)
				return
			}
			if _, err := http.ReadResponse(v.in, nil); err != nil {
				t.Errorf("a waiting client got no answer: %v", err)
			}
			v.Close()
		}()
	}
	s.log.says("all connections are busy")
	for _, end := range ends {
		end()
	}
	for range 20 {
		<-answered
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// 64 concurrent clients on the machine's own network: all are served or told to retry, the limits of concurrent answers
// and open connections hold, and nothing stays in memory.
func TestLimitsHold(t *testing.T) {
	const limit, perAddress, clients, requests = 8, 5, 64, 20
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	opened, busy := &watched{Listener: l}, &gauge{}
	log := slog.New(slog.DiscardHandler)
	limited, err := newLimiter(opened, Limits{Connections: limit, PerAddress: perAddress}, log)
	if err != nil {
		t.Fatal(err)
	}
	limited.timeToAsk = never
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- serve(ctx, newServer(limited, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			busy.add(1)
			defer busy.add(-1)
			_, _ = w.Write(make([]byte, 100_000))
		}), log), limited)
	}()
	var all sync.WaitGroup
	var served, refused atomic.Int64
	for i := range clients {
		all.Go(func() {
			transport := &http.Transport{DisableKeepAlives: i%3 == 0}
			defer transport.CloseIdleConnections()
			for range requests {
				resp, err := (&http.Client{Transport: transport}).Get("http://" + l.Addr().String())
				if err != nil {
					t.Error(err)
					return
				}
				n, err := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				switch {
				case resp.StatusCode == http.StatusServiceUnavailable:
					refused.Add(1)
				case err != nil || n != 100_000:
					t.Errorf("an answer of %d bytes was truncated: %v", n, err)
				default:
					served.Add(1)
				}
			}
		})
	}
	all.Wait()
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if busy.most() > perAddress || opened.most() > limit+1 { // and the one waiting for admission
		t.Errorf("%d concurrent answers and %d connections; the limits are %d and %d", busy.most(), opened.most(),
			perAddress, limit)
	}
	if served.Load() == 0 || served.Load()+refused.Load() != clients*requests {
		t.Errorf("%d served, %d refused, of %d", served.Load(), refused.Load(), clients*requests)
	}
	limited.mu.Lock()
	defer limited.mu.Unlock()
	for len(limited.conns) > 0 { // the last ones are being closed
		limited.changed.Wait()
	}
	if len(limited.clients) != 0 || len(limited.byQuiet) != 0 || limited.fresh.Len() != 0 {
		t.Errorf("%d clients are left, %d in the heap, %d fresh", len(limited.clients), len(limited.byQuiet),
			limited.fresh.Len())
	}
}

// gauge counts concurrent events.
type gauge struct {
	mu       sync.Mutex
	now, max int
}

func (g *gauge) add(n int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.now += n
	g.max = max(g.max, g.now)
}

func (g *gauge) most() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.max
}

// watched counts open connections.
type watched struct {
	net.Listener
	gauge
}

func (w *watched) Accept() (net.Conn, error) {
	c, err := w.Listener.Accept()
	if err != nil {
		return nil, err
	}
	w.add(1)
	return &watchedConn{Conn: c, gone: sync.OnceFunc(func() { w.add(-1) })}, nil
}

type watchedConn struct {
	net.Conn
	gone func()
}

func (c *watchedConn) Close() error {
	c.gone()
	return c.Conn.Close()
}

// A client with its maximum of downloads is refused another and keeps them. Other clients are served, and so is this
// one after one download has ended.
func TestOneClientsDownloadsAreBounded(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 10, PerAddress: 2}, atOnce)
	first, second := s.connect("2001:db8::1"), s.connect("2001:db8::2") // the same network
	endFirst, endSecond := first.download(s), second.download(s)
	third := s.connect("2001:db8::3")
	resp := third.send(askPage).answer()
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" || !resp.Close ||
		err != nil || !strings.Contains(string(body), "too many downloads") {
		t.Errorf("the third is answered with %d, %v, %q, %v", resp.StatusCode, resp.Header, body, err)
	}
	checkSecurity(t, "a refusal", resp.Header)
	third.isClosed()
	s.connect("2001:db8:0:1::1").send(askPage).gets("page")
	endFirst()
	first.send(askPage).gets("page")
	endSecond()
	s.log.says("status=503")
}

// A refused client that does not read the refusal can be closed like any quiet one.
func TestRefusedConnectionsAreClosed(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 3, PerAddress: 1}, atOnce)
	end := s.connect("192.0.2.66").download(s)
	for range 2 {
		v := s.connect("192.0.2.66").send(askPage)
		if _, err := v.Read(make([]byte, 1)); err != nil { // the rest stays unread
			t.Fatal(err)
		}
	}
	for i := range 5 {
		s.connect(fmt.Sprintf("192.0.2.%d", i+1)).send(askPage).gets("page")
	}
	end()
}

// The server can stop while a connection waits for room.
func TestStopWhileConnectionsWait(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 1}, atOnce)
	end := s.connect("192.0.2.1").download(s)
	waiting := s.connect("192.0.2.2")
	s.log.says("all connections are busy")
	ended := make(chan error)
	go func() { ended <- s.stop() }()
	waiting.isClosed()
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// If the system allows fewer connections than the limit, quiet ones are closed as well.
func TestTooManyOpenFiles(t *testing.T) {
	s := serveLimited(t, Limits{Connections: 100}, atOnce)
	slow := s.connect("192.0.2.66").send(half)
	s.net.incoming <- accepted{err: &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", syscall.EMFILE)}}
	slow.isClosed()
	s.connect("192.0.2.1").send(askPage).gets("page")
}

func TestNegativeLimits(t *testing.T) {
	for _, limits := range []Limits{{Connections: -1}, {PerAddress: -1}} {
		l, err := Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if err := Serve(t.Context(), l, http.NotFoundHandler(), limits, slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), "0 for no limit") {
			t.Errorf("%+v: %v", limits, err)
		}
		if c, err := l.Accept(); err == nil {
			c.Close()
			t.Error("the listener is open")
		}
	}
}

func TestClientOf(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7:80":              "192.0.2.7/32",
		"[::ffff:192.0.2.7]:80":     "192.0.2.7/32",
		"[2001:db8:1:2:3:4:5:6]:80": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:80":         "fe80::/64",
	} {
		if got := clientOf(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))); got.String() != want {
			t.Errorf("%s is %s, want %s", address, got, want)
		}
	}
	for _, a := range []net.Addr{nil, &net.UnixAddr{Name: "socket"}, &net.TCPAddr{}} {
		if got := clientOf(a); got != (netip.Prefix{}) {
			t.Errorf("%v is %v", a, got)
		}
	}
}
