package itemlinks

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// inFolder writes links to a folder, in two files.
func inFolder(t *testing.T, ids *dataset.IDs, p *model.ItemLinks, m Manifest) string {
	t.Helper()
	folder := t.TempDir()
	var rows [2][]Row
	for i := range p.Len() {
		sources, weights := p.Row(i)
		for k, j := range sources {
			half := &rows[2*i/p.Len()]
			*half = append(*half, Row{ids.ID(i), ids.ID(int(j)), weights[k]})
		}
	}
	for f := range rows {
		if err := parquet.WriteFile(filepath.Join(folder, FileName(f, 2)), rows[f]); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Write(folder, 2); err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestFolder checks that written links are read back exactly. Links of other settings or interactions, and files that
// are truncated, lost, changed or out of order, are refused with a clear error.
func TestFolder(t *testing.T) {
	d, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recipe := Recipe{Kind: ByRidge, Top: 5, Lambda: 50}
	p, err := recipe.Build(background, d.Positives, 0)
	if err != nil {
		t.Fatal(err)
	}
	whole := Manifest{Recipe: recipe, Items: d.Items.Len(), Likes: d.Positives.Len()}
	read := func(folder string) error {
		got, err := ReadFolder(folder, d.Items, d.Positives.Len(), recipe)
		if err == nil && !reflect.DeepEqual(got, p) {
			t.Errorf("read %d links that differ from the %d written ones", got.Links(), p.Links())
		}
		return err
	}
	if err := read(inFolder(t, d.Items, p, whole)); err != nil {
		t.Fatal(err)
	}
	alike := whole
	alike.Recipe.Pool = recipe.Top
	if err := read(inFolder(t, d.Items, p, alike)); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct {
		change func(m *Manifest)
		after  func(folder string)
		want   string
	}{
		"other recipe": {func(m *Manifest) { m.Recipe.Lambda = 20 }, nil,
			"holds links by ridge, 5 sources of a pool of 5, λ 20, but the settings ask for ridge, 5 sources of a pool of 5, λ 50"},
		"other pool":  {func(m *Manifest) { m.Recipe.Pool = 9 }, nil, "a pool of 9"},
		"other likes": {func(m *Manifest) { m.Likes++ }, nil, "the data have "},
		"other items": {func(m *Manifest) { m.Items-- }, nil, "the data have "},
		"no manifest": {nil, func(f string) { os.Remove(filepath.Join(f, ManifestName)) }, "not a folder of links"},
		"damaged manifest": {nil, func(f string) { os.WriteFile(filepath.Join(f, ManifestName), []byte("{"), 0o644) },
			"is damaged"},
		"other version": {nil, func(f string) {
			os.WriteFile(filepath.Join(f, ManifestName), []byte(`{"version": 2}`), 0o644)
		}, "version 2"},
		"other name": {nil, func(f string) {
			text, _ := os.ReadFile(filepath.Join(f, ManifestName))
			os.WriteFile(filepath.Join(f, ManifestName), []byte(strings.Replace(string(text), "00001-of", "00000-of", 1)), 0o644)
		}, "the unexpected file"},
		"lost file": {nil, func(f string) { os.Remove(filepath.Join(f, FileName(1, 2))) }, "is missing"},
		"cut file":  {nil, func(f string) { os.Truncate(filepath.Join(f, FileName(0, 2)), 100) }, "has 100 bytes, but"},
		"damaged file": {nil, func(f string) {
			path := filepath.Join(f, FileName(0, 2))
			info, _ := os.Stat(path)
			os.WriteFile(path, make([]byte, info.Size()), 0o644)
		}, "cannot be read"},
		"out of order": {nil, func(f string) {
			parquet.WriteFile(filepath.Join(f, FileName(0, 2)), []Row{{d.Items.ID(7), d.Items.ID(1), 1}, {d.Items.ID(6), d.Items.ID(1), 1}})
			whole.Write(f, 2)
		}, "out of order"},
		"unknown item": {nil, func(f string) {
			parquet.WriteFile(filepath.Join(f, FileName(0, 2)), []Row{{d.Items.ID(7), "no item", 1}})
			whole.Write(f, 2)
		}, `its source "no item"`},
		"weight": {nil, func(f string) {
			parquet.WriteFile(filepath.Join(f, FileName(0, 2)), []Row{{d.Items.ID(7), d.Items.ID(1), -1}})
			whole.Write(f, 2)
		}, "holds invalid links"},
		"itself": {nil, func(f string) {
			parquet.WriteFile(filepath.Join(f, FileName(0, 2)), []Row{{d.Items.ID(7), d.Items.ID(7), 1}})
			whole.Write(f, 2)
		}, "holds invalid links"},
	} {
		m := whole
		if c.change != nil {
			c.change(&m)
		}
		folder := inFolder(t, d.Items, p, m)
		if c.after != nil {
			c.after(folder)
		}
		if err := read(folder); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), folder) {
			t.Errorf("%s: %v; want it to name the folder and say %q", name, err, c.want)
		}
	}
}
