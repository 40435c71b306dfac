package postgres

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	web "github.com/pmlam/pmlam/server"
	"github.com/pmlam/pmlam/server/intake/intaketest"
)

// serveName holds the URL and the schema for a child process of this test.
const serveName = "PMLAM_TEST_SERVE"

// serveChild answers from the database of serveName until the process is killed, as pmlam-postgres serve does.
func serveChild() {
	url, schema, ok := strings.Cut(os.Getenv(serveName), " ")
	if !ok {
		return
	}
	s, err := Open(context.Background(), url, schema)
	if err != nil {
		panic(err)
	}
	l, err := web.Listen("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println(l.Addr())
	log := slog.New(slog.DiscardHandler)
	panic(web.Serve(context.Background(), l, Handler(s, log), web.DefaultLimits, log))
}

// answering starts a process that answers from a small model.
func answering(t testing.TB) (address string, pid int, stop func()) {
	t.Helper()
	url := database(t)
	conn := connect(t, url)
	schema := schemaOf(t, conn)
	if _, err := Export(t.Context(), conn, schema, small(t, 300, "digest")); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), serveName+"="+url+" "+schema)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return strings.TrimSpace(line), c.Process.Pid, func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	}
}

func TestBodiesTakeLittleMemory(t *testing.T) { intaketest.Memory(t, answering) }

// The results are in core/lab/docs/server.md.
func BenchmarkBodies(b *testing.B) { intaketest.Benchmark(b, answering) }
