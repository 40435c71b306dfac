package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// A training with links from a folder writes the file of one that finds them. Links of other settings, and settings
// that are not fixed beforehand, are refused before training.
func TestItemLinks(t *testing.T) {
	d, err := dataset.Load(lens, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recipe := itemlinks.Recipe{Kind: itemlinks.ByRidge, Top: 7, Lambda: 30}
	links, err := recipe.Build(context.Background(), d.Positives, 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows []itemlinks.Row
	for i := range links.Len() {
		sources, weights := links.Row(i)
		for k, j := range sources {
			rows = append(rows, itemlinks.Row{Item: d.Items.ID(i), Source: d.Items.ID(int(j)), Weight: weights[k]})
		}
	}
	folder := t.TempDir()
	if err := parquet.WriteFile(filepath.Join(folder, itemlinks.FileName(0, 1)), rows); err != nil {
		t.Fatal(err)
	}
	m := itemlinks.Manifest{Recipe: recipe, Items: d.Items.Len(), Likes: d.Positives.Len()}
	if err := m.Write(folder, 1); err != nil {
		t.Fatal(err)
	}

	training := func(args ...string) []string {
		return append([]string{"train", "--data", lens, "--dim", "4", "--epochs", "1", "--item-top", "7", "--item-lambda",
			"30", "--out", filepath.Join(t.TempDir(), "model.msgpack")}, args...)
	}
	var files [2][]byte
	for k, more := range [][]string{nil, {"--item-links", folder}} {
		args := training(append(more, "--auto=false", "--calibrate=false")...)
		r := ok(t, args...)
		if said := strings.Contains(r.out, folder+": "); said != (k == 1) {
			t.Errorf("%q says\n%s", more, r.out)
		}
		if files[k], err = os.ReadFile(args[len(args)-len(more)-3]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("with the links of a folder the training writes another file")
	}
	for _, args := range [][]string{{"--refresh", "--out", "model.msgpack"}} {
		r := command(append([]string{"train", "--data", lens, "--item-links", folder}, args...)...)
		if r.code != cli.ExitUsage || !strings.Contains(r.errors, "--item-links cannot be combined") {
			t.Errorf("%q: exit code %d:\n%s", args, r.code, r.errors)
		}
	}
	for _, c := range []struct {
		want string
		code int
		args []string
	}{
		{"needs --auto=false and --calibrate=false", cli.ExitUsage, nil},
		{"needs --auto=false and --calibrate=false", cli.ExitUsage, []string{"--auto=false"}},
		{"needs item-item links", cli.ExitUsage, []string{"--auto=false", "--calibrate=false", "--item-part", "none"}},
		{"but the settings ask for ridge, 6 sources", cli.ExitFailed, []string{"--auto=false", "--calibrate=false",
			"--item-top", "6"}},
		{"; the data have ", cli.ExitFailed, []string{"--auto=false", "--calibrate=false", "--min-item", "9"}},
	} {
		r := command(training(append(c.args, "--item-links", folder)...)...)
		if r.code != c.code || !strings.Contains(r.errors, c.want) {
			t.Errorf("%q: exit code %d, want %d and %q:\n%s", c.args, r.code, c.code, c.want, r.errors)
		}
	}
}
