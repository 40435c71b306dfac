package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
)

func testFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte("<p>page"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// serveProcess returns the command serve as a process of its own, which tests can send signals.
func serveProcess(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: this test sends signals, which Windows does not have")
	}
	c := exec.Command(os.Args[0], append([]string{"serve"}, args...)...)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}

func TestServesAndStopsOnSignal(t *testing.T) {
	folder := testFolder(t)
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		c := serveProcess(t, "--folder", folder, "--prefix", "/demo/")
		c.Env = append(c.Env, "PORT=0")
		var log bytes.Buffer
		c.Stderr = &log
		pipe, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		out := bufio.NewReader(pipe)
		line, err := out.ReadString('\n')
		if err != nil {
			t.Fatalf("%v: %s", err, log.String())
		}
		address := regexp.MustCompile(`http://localhost:\d+/demo/`).FindString(line)
		resp, err := http.Get(address + "?q=SECRET")
		if err != nil {
			t.Fatalf("printed %q: %v", line, err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(body) != "<p>page" {
			t.Errorf("the page is %q, %v", body, err)
		}
		if err := c.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		rest, _ := io.ReadAll(out)
		if err := c.Wait(); err != nil || !strings.Contains(string(rest), "Stopped.") {
			t.Errorf("after %v: %v, printed %q", signal, err, rest)
		}
		if !strings.Contains(log.String(), "path=/demo/") || strings.Contains(log.String(), "SECRET") {
			t.Errorf("the log is:\n%s", log.String())
		}
	}
}

func TestTakenPortIsAPlainError(t *testing.T) {
	folder := testFolder(t)
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port := strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
	c := serveProcess(t, "--folder", folder)
	c.Env = append(c.Env, "PORT="+port)
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 1 ||
		!strings.HasPrefix(string(out), "pmlam: Port "+port+" is already in use. Set PORT to another") {
		t.Errorf("%v: %s", err, out)
	}
}

func TestServeMistakes(t *testing.T) {
	folder := testFolder(t)
	for _, c := range []struct {
		port string
		args []string
		want string
	}{
		{"eighty", []string{"--folder", folder}, `PORT is "eighty"`},
		{"70000", []string{"--folder", folder}, "from 1 to 65535"},
		{"", []string{"--folder", filepath.Join(folder, "gone")}, "pmlam site"},
		{"", []string{"--folder", t.TempDir()}, "no index.html"},
		{"", []string{"--folder", folder, "--log", "loud"}, "text, json or off"},
		{"", []string{"--folder", folder, "--prefix", "/../"}, "prefix"},
		{"", []string{"--folder", folder, "--connections", "-1"}, "--connections is -1"},
		{"", []string{"--folder", folder, "--per-address", "-1"}, "--per-address is -1"},
		{"", []string{"--folder", folder, "--watch", "1s"}, "--model FILE"},
		{"", []string{"--model", filepath.Join(folder, "gone")}, "cannot read the model"},
		{"", []string{"--model", filepath.Join(folder, "index.html")}, "cannot read the model"},
		{"", []string{"--model", shipped, "--allow-origin", "*"}, "is not an origin"},
		{"", []string{"--model", shipped, "--watch", "-1s"}, "--watch is -1s"},
		{"", []string{"--model", shipped, "--at-once", "-1"}, "-1 questions at once"},
	} {
		t.Setenv("PORT", c.port)
		if r := command(append([]string{"serve"}, c.args...)...); r.code == cli.ExitOK || !strings.Contains(r.errors, c.want) {
			t.Errorf("%v: got %s, want %q", c.args, r.errors, c.want)
		}
	}
}

func TestPortReplacesOnlyTheDefault(t *testing.T) {
	for _, c := range []struct {
		address, port string
		given         bool
		want          string
	}{
		{"localhost:8080", "", false, "localhost:8080"},
		{"localhost:8080", "9000", false, "localhost:9000"},
		{":7000", "9000", true, ":7000"},
	} {
		if got, err := withPort(c.address, c.port, c.given); got != c.want || err != nil {
			t.Errorf("%+v: %q, %v", c, got, err)
		}
	}
}
