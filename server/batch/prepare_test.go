package batch

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// lines returns a data set as sorted lines, for exact comparison.
func lines(d *dataset.Dataset) string {
	var out []string
	add := func(kind string, m *dataset.Matrix, times []int64) {
		if m == nil {
			return
		}
		for u := range m.Rows() {
			for at := m.Offsets[u]; at < m.Offsets[u+1]; at++ {
				time := int64(0)
				if times != nil {
					time = times[at]
				}
				i := m.Indices[at]
				out = append(out, fmt.Sprintf("%s %d %s %d %s %d", kind, u, d.Users.ID(u), i, d.Items.ID(int(i)), time))
			}
		}
	}
	add("like", d.Positives, d.Times)
	add("low", d.Low, nil)
	add("unliked", d.Unliked, nil)
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// samePreparation compares a folder of shards and its counts with reading on one machine.
func samePreparation(t *testing.T, path string, p *Prepared, want *dataset.Dataset, o dataset.Options) {
	t.Helper()
	got, err := dataset.Load(path, o)
	if err != nil {
		t.Fatal(err)
	}
	sameData(t, path, got, p, want)
}

func sameData(t *testing.T, path string, got *dataset.Dataset, p *Prepared, want *dataset.Dataset) {
	t.Helper()
	if lines(got) != lines(want) {
		t.Errorf("%s has other interactions than reading on one machine", path)
	}
	if (got.Times == nil) != (want.Times == nil) || (got.Low == nil) != (want.Low == nil) {
		t.Errorf("only one side has times or ratings")
	}
	stats := want.Stats()
	stats.Name = ""
	if p.Stats != stats {
		t.Errorf("statistics %+v, want %+v", p.Stats, stats)
	}
	r, w := p.Report, want.Read
	r.Files, w.Files, r.Readings, w.Readings, r.Examples, w.Examples = nil, nil, nil, nil, nil, nil
	r.TitleReport, w.TitleReport = dataset.TitleReport{}, dataset.TitleReport{}
	if !reflect.DeepEqual(r, w) {
		t.Errorf("report\n%+v, want\n%+v", r, w)
	}
}

func TestPrepareIsLoad(t *testing.T) {
	rating := 3.0
	for _, c := range []struct {
		name    string
		reading Reading
		shards  int
		rounds  int
	}{
		{"as the paper does", Reading{}, 5, 4},
		{"more than one pipeline", Reading{MinUser: 25, MinItem: 20}, 3, 1},
		{"another threshold", Reading{MinRating: &rating, MinUser: -1, MinItem: -1}, 1, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			want, err := dataset.Load(small, c.reading.options())
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "out")
			p, err := Prepare(t.Context(), Preparation{Data: []string{small}, Reading: c.reading, Out: out,
				Shards: c.shards, Rounds: c.rounds, Run: testRunner(t)})
			if err != nil {
				t.Fatal(err)
			}
			samePreparation(t, out, p, want, dataset.Options{MinUser: -1, MinItem: -1})
		})
	}
}

// Preparing shards again uses the smallest rating of a like in their manifest, as dataset.Load and LoadAt do. Folders
// with different ones are an error unless it is given.
func TestPrepareFollowsManifests(t *testing.T) {
	three, four := 3.0, 4.0
	shards, _ := prepared(t, Reading{MinRating: &three, MinUser: 5, MinItem: 5, Times: true}, 3, small)
	for _, at := range []*dataset.Cut{nil, {Share: .2}} {
		again, p := filepath.Join(t.TempDir(), "again"), Preparation{Data: []string{shards}, At: at, Shards: 2,
			Run: testRunner(t)}
		p.Out = again
		done, err := Prepare(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if done.Report.MinRating != 3 {
			t.Errorf("likes have a rating of at least %g, want 3 as in the manifest", done.Report.MinRating)
		}
		if at != nil {
			_, want, moment, err := dataset.LoadAt(shards, *at, dataset.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if done.Moment != moment || done.Tested != want.Test.Len() ||
				done.Stats.Interactions != want.Train.Len()+want.Test.Len() {
				t.Errorf("split at %d: %d of %d tested, want %d: %d of %d", done.Moment, done.Tested,
					done.Stats.Interactions, moment, want.Test.Len(), want.Train.Len()+want.Test.Len())
			}
			continue
		}
		want, err := dataset.Load(shards, dataset.Options{Times: true})
		if err != nil {
			t.Fatal(err)
		}
		samePreparation(t, again, done, want, dataset.Options{MinUser: -1, MinItem: -1, Times: true})
	}
	other, _ := prepared(t, Reading{MinRating: &four}, 1, small)
	p := Preparation{Data: []string{shards, other}, Out: filepath.Join(t.TempDir(), "both"), Run: testRunner(t)}
	if _, err := Prepare(t.Context(), p); err == nil || !strings.Contains(err.Error(), "likes have a rating of at least 3 in "+
		shards+" but of at least 4 in "+other) {
		t.Errorf("two different manifests: %v", err)
	}
	p.Reading.MinRating = &four
	if least, err := p.leastRating(); err != nil || *least != 4 {
		t.Errorf("if given: %v, %v", least, err)
	}
	p.Reading.MinRating, p.Data = nil, []string{shards, small}
	if least, err := p.leastRating(); err != nil || *least != 3 {
		t.Errorf("with a folder without one: %v, %v", least, err)
	}
}
