package batch

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

const small = "../../assets/data/ml-latest-small"

// With --runner and the flags of that runner after -args, tests run on it instead of Prism.
func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// testRunner runs pipelines on the runner of the flags; Prism by default.
func testRunner(t testing.TB) Runner {
	t.Helper()
	if flag.Lookup("runner").Value.String() != "" {
		return func(ctx context.Context, p *beam.Pipeline) error {
			ctx, stop := context.WithTimeoutCause(ctx, longest, errLongest)
			defer stop()
			return errors.Join(beamx.Run(ctx, p), context.Cause(ctx))
		}
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(discard{}, nil))) // Prism logs every stage
	return Watch(func(ctx context.Context, p *beam.Pipeline) error {
		_, err := prism.Execute(ctx, p)
		return err
	})
}

// longest is the longest time of a test's job on another runner than Prism, where Watch sees no workers.
const longest = 10 * time.Minute

var errLongest = errors.New("the job did not end within ten minutes")

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// realData returns a folder of PMLAM_DATA, or skips the test.
func realData(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("PMLAM_DATA")
	if root == "" {
		t.Skip("SKIPPED: set PMLAM_DATA to a folder with real data")
	}
	return filepath.Join(root, name)
}

// write writes a test file.
func write(t *testing.T, path, format string, args ...any) string {
	t.Helper()
	if err := os.WriteFile(path, fmt.Appendf(nil, format, args...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
