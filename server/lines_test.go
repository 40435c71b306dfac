package server

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A header with too many lines is rejected while it arrives: on a new and a reused connection, after a body and after
// empty lines. Lines of a body are not counted.
func TestHeaderLinesAreBounded(t *testing.T) {
	body := strings.Repeat("\n", 3000)
	lengths := make(chan int, 9)
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		done <- Serve(ctx, l, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got, _ := io.ReadAll(r.Body)
			lengths <- len(got)
		}), Limits{}, slog.New(slog.DiscardHandler))
	}()
	defer func() { cancel(); <-done }()
	request := func(fields int, body string) string {
		return "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + fmt.Sprint(len(body)) + "\r\n" +
			strings.Repeat("a: b\r\n", fields) + "\r\n" + body
	}
	const most = maxHeaderLines - 3
	for name, c := range map[string]struct {
		parts []string // each is sent after the answer to the previous one
		bytes []int    // sizes of the bodies answered with 200; the next request is rejected
	}{
		"the maximum":            {[]string{request(most, "x")}, []int{1}},
		"one more":               {[]string{request(most+1, "x")}, nil},
		"many short ones":        {[]string{"GET / HTTP/1.1\r\n" + strings.Repeat(":\n", 5000) + "\n"}, nil},
		"a body of lines":        {[]string{request(most, body), request(most, "x")}, []int{3000, 1}},
		"another":                {[]string{request(0, body), request(most+1, "")}, []int{3000}},
		"empty lines, then many": {[]string{request(0, body), "\r\n\r\n" + request(most+1, "")}, []int{3000}},
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(conn)
		for i, part := range c.parts {
			go func() { _, _ = io.WriteString(conn, part) }()
			resp, err := http.ReadResponse(answers, nil)
			switch {
			case i == len(c.bytes): // the answer may be lost if the connection closes first
				if err == nil && resp.StatusCode != http.StatusBadRequest {
					t.Errorf("%s: answered with %s", name, resp.Status)
				}
			case err != nil:
				t.Fatalf("%s: %v", name, err)
			default:
				if got := <-lengths; resp.StatusCode != http.StatusOK || got != c.bytes[i] {
					t.Errorf("%s: %s, a body of %d bytes, want %d", name, resp.Status, got, c.bytes[i])
				}
			}
		}
		conn.Close()
	}
}
