package postgres

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/server/intake/intaketest"
)

// shared is the tests' server: the one of PMLAM_POSTGRES, a URL whose user may create schemas and the extension, or one
// in memory that starts with the first test that needs it. make test-postgres installs its packages.
var shared struct {
	once sync.Once
	url  string
	err  error
	stop func()
}

func TestMain(m *testing.M) {
	intaketest.Main()
	serveChild()
	code := m.Run()
	if shared.stop != nil {
		shared.stop()
	}
	os.Exit(code)
}

// database returns the URL of a server, or skips the test.
func database(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() {
		if shared.url = os.Getenv("PMLAM_POSTGRES"); shared.url != "" {
			return
		}
		var s *server
		if s, shared.err = startServer("", ""); shared.err == nil {
			shared.url, shared.stop = s.url(), s.stop
		}
	})
	if shared.err != nil {
		t.Skipf("SKIPPED: %v; run make test-postgres, or set PMLAM_POSTGRES to a server with pgvector", shared.err)
	}
	return shared.url
}

// server is a PostgreSQL with pgvector in a process of its own.
type server struct {
	process *exec.Cmd
	stdin   io.Closer
	port    string
}

// startServer starts testdata/server, with its database in the folder ("" for memory) and on the port ("" for a free
// one).
func startServer(folder, port string) (*server, error) {
	if _, err := os.Stat("testdata/server/node_modules"); err != nil {
		return nil, fmt.Errorf("the packages of testdata/server are not installed")
	}
	s := &server{process: exec.Command("node", "testdata/server/serve.js", folder, port)}
	stdin, err := s.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.stdin = stdin
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.process.Stderr = os.Stderr
	if err := s.process.Start(); err != nil {
		return nil, fmt.Errorf("starting node: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("starting testdata/server/serve.js: %w", err)
	}
	s.port = strings.TrimSpace(line)
	return s, nil
}

// stop closes the database and waits for the process.
func (s *server) stop() {
	_ = s.stdin.Close()
	_ = s.process.Wait()
}

// kill ends the process immediately.
func (s *server) kill() {
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

// url returns the server's URL. All its connections share one session, so names of prepared statements would collide.
func (s *server) url() string {
	return "postgres://postgres@127.0.0.1:" + s.port +
		"/postgres?sslmode=disable&default_query_exec_mode=simple_protocol&pool_max_conns=1"
}

// connect returns a connection that is closed with the test.
func connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// schemaOf returns an empty schema for the test, which is dropped with it.
func schemaOf(t testing.TB, conn *pgx.Conn) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", time.Now().UnixNano())
	drop := func() {
		if _, err := conn.Exec(context.Background(), "DROP SCHEMA IF EXISTS "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(drop)
	return name
}

// open returns a store that is closed with the test.
func open(t testing.TB, url, schema string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url, schema)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// movielens returns the project's shipped model.
func movielens(t testing.TB) *model.Model {
	t.Helper()
	m, err := model.ReadFile("../../assets/models/movielens.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	return m
}
