package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/cli/clitest"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/server/intake/intaketest"
)

// asCommand makes the test binary act as the command, for tests that need a process.
const asCommand = "PMLAM_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	intaketest.Main()
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

const (
	repo    = "../../.."
	lens    = repo + "/assets/data/ml-latest-small"
	shipped = repo + "/assets/models/movielens.msgpack"
)

// result is the outcome of a command line.
type result struct {
	code        int
	out, errors string
}

// command runs a command line in this process.
func command(args ...string) result { return within(context.Background(), args...) }

// testRoot is the root command with testPage.
func testRoot(stdout, stderr io.Writer) *cobra.Command { return newRootOf(stdout, stderr, testPage) }

func within(ctx context.Context, args ...string) result {
	var out, errors bytes.Buffer
	code := cli.Execute(ctx, testRoot, args, &out, &errors)
	return result{code, out.String(), errors.String()}
}

// notices returns standard error without progress and without the reading report.
func (r result) notices() string {
	var b strings.Builder
	for _, line := range strings.SplitAfter(r.errors, "\n") {
		if strings.HasPrefix(line, "pmlam: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

// badVerb matches fmt's output for a verb without its argument, such as %!f(BADINDEX).
var badVerb = regexp.MustCompile(`%!([a-zA-Z]\(|\(EXTRA|\(NOVERB)`)

// ok runs a command line that must succeed.
func ok(t *testing.T, args ...string) result {
	t.Helper()
	r := command(args...)
	if r.code != cli.ExitOK {
		t.Fatalf("pmlam %s: exit code %d\n%s", strings.Join(args, " "), r.code, r.errors)
	}
	if badVerb.MatchString(r.out + r.errors) {
		t.Errorf("pmlam %s prints a format that does not fit its arguments:\n%s%s", strings.Join(args, " "), r.out, r.errors)
	}
	return r
}

// object returns the JSON object on the last line of standard output.
func (r result) object(t *testing.T) map[string]any {
	t.Helper()
	return clitest.Object(t, r.out)
}

// figure returns the number with that key.
func figure(t *testing.T, m map[string]any, key string) float64 {
	t.Helper()
	return clitest.Figure(t, m, key)
}

// some is clitest.MovieLens for MovieLens small.
func some(t *testing.T, users int) string { return clitest.MovieLens(t, lens, users) }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func blocks(t *testing.T) string { return clitest.Blocks(t) }

var quick = clitest.Quick

func TestOutputThatIsLostIsAFailure(t *testing.T) {
	var errors bytes.Buffer
	code := cli.Execute(context.Background(), newRoot, []string{"version"}, failing{}, &errors)
	if code != cli.ExitFailed || errors.String() != "pmlam: the output could not be written: the disk is full\n" {
		t.Errorf("exit code %d, %q", code, errors.String())
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, fmt.Errorf("the disk is full") }

func TestVersion(t *testing.T) {
	if got := ok(t, "version").out; !strings.HasPrefix(got, "pmlam "+train.Version+" (go") {
		t.Errorf("%q", got)
	}
	if got := ok(t, "version", "--json").object(t)["version"]; got != train.Version {
		t.Errorf("%v", got)
	}
}
