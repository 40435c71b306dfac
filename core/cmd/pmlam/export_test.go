package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
)

// A search of the exported items with an exported user gives the model's own nearest items by distance.
func TestExportedVectorsRankAsTheModelDoes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "vectors")
	o := ok(t, "export", "--model", shipped, "--data", lens, "--min-item", "2", "--as", "csv", "--out", folder,
		"--json").object(t)
	if files := o["files"].([]any); len(files) != 2 {
		t.Fatalf("wrote %v", files)
	}
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	h := m.Items.Dim()
	ids, items := vectors(t, filepath.Join(folder, "items.csv"), h, 4) // id, title, x, y
	if len(ids) != m.Items.Len() || ids[7] != m.Catalogue.Items[7].ID {
		t.Fatalf("%d items, the eighth is %s", len(ids), ids[7])
	}
	who, users := vectors(t, filepath.Join(folder, "users.csv"), h, 2)
	if len(who) < 500 {
		t.Fatalf("%d users", len(who))
	}
	own, theirs := recommend.NewIndex(items, nil), recommend.NewIndex(m.Items, nil)
	all := recommend.NewItemSet(items.Len())
	for i := range items.Len() {
		all.Add(i)
	}
	for u := 0; u < len(who); u += 100 {
		a := own.Nearest(nil, users.Row(u), 10, all)
		b := theirs.Nearest(nil, users.Row(u), 10, all)
		for k := range a {
			if a[k] != b[k] {
				t.Fatalf("user %s, place %d: %v from the files, %v from the model", who[u], k, a[k], b[k])
			}
		}
	}
}

func vectors(t *testing.T, path string, h, from int) ([]string, *gaussian.Table) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	var values []float32
	for _, line := range lines[1:] {
		ids = append(ids, line[0])
		for _, text := range line[from:] {
			x, err := strconv.ParseFloat(text, 32)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, float32(x))
		}
	}
	return ids, gaussian.TableOf(h, values)
}

func TestExportWithoutUsers(t *testing.T) {
	folder := t.TempDir()
	r := ok(t, "export", "--model", shipped, "--as", "npy,parquet", "--out", folder)
	if !strings.Contains(r.errors, "the model has no users") {
		t.Errorf("nothing said of the users: %s", r.errors)
	}
	for _, name := range []string{"items.npy", "items.ids.csv", "items.parquet"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	// Existing files stay without --replace.
	write(t, filepath.Join(folder, "items.csv"), "id;cost")
	for _, args := range [][]string{{"--as", "csv"}, {}} {
		args = append([]string{"export", "--model", shipped, "--out", folder}, args...)
		if r := command(args...); r.code != cli.ExitFailed || !strings.Contains(r.errors, "is not overwritten") {
			t.Errorf("%v: exit code %d, %s", args, r.code, r.errors)
		}
	}
	if got := string(read(t, filepath.Join(folder, "items.csv"))); got != "id;cost" {
		t.Errorf("a catalogue became %.40q", got)
	}
	ok(t, "export", "--model", shipped, "--as", "npy", "--out", folder, "--replace")
	// Data with other items have no users to export.
	strangers := filepath.Join(t.TempDir(), "other.csv")
	write(t, strangers, "user,item,rating\n1,x,5\n1,y,5\n")
	if r := command("export", "--model", shipped, "--data", strangers, "--min-user", "1", "--min-item", "1", "--out",
		filepath.Join(folder, "others")); r.code != 1 ||
		!strings.Contains(r.errors, "knows none of the 2 items") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}
