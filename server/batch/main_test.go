package batch

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
)

const small = "../../assets/data/ml-latest-small"

// With --runner and the flags of that runner behind -args, the tests run on another runner than Prism.
func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// testRunner runs pipelines by the runner of the flags, Prism without any.
func testRunner(t testing.TB) Runner {
	t.Helper()
	if flag.Lookup("runner").Value.String() != "" {
		return beamx.Run
	}
	slog.SetDefault(slog.New(slog.NewTextHandler(discard{}, nil))) // Prism tells of every stage
	return func(ctx context.Context, p *beam.Pipeline) error {
		_, err := prism.Execute(ctx, p)
		return err
	}
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// realData returns a folder of PMLAM_DATA, or skips.
func realData(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("PMLAM_DATA")
	if root == "" {
		t.Skip("PMLAM_DATA does not name the folder with real data")
	}
	return filepath.Join(root, name)
}

// write writes a file of the test.
func write(t *testing.T, path, format string, args ...any) string {
	t.Helper()
	if err := os.WriteFile(path, fmt.Appendf(nil, format, args...), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}
