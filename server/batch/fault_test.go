package batch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/klauspost/compress/zstd"

	"github.com/pmlam/pmlam/core/dataset"
)

// ratings writes CSV lines in which every user has item 0, in at least every tenth line.
func ratings(users, each int) string {
	var b strings.Builder
	b.WriteString("user,item,rating,timestamp\n")
	for u := range users {
		for n := range each {
			item := 0
			if n > 0 {
				item = 1 + (u*7+n*13)%60
			}
			fmt.Fprintf(&b, "u%d,i%d,%d,%d\n", u, item, 3+(u+n)%3, 1_600_000_000+u*100+n)
		}
	}
	return b.String()
}

func nothingAt(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s exists after a failed run: %v", path, err)
	}
}

// TestPoisonedLines: unreadable lines end the run with an error, or are counted and listed.
func TestPoisonedLines(t *testing.T) {
	folder := t.TempDir()
	text := ratings(40, 12)
	good := write(t, filepath.Join(folder, "good.csv"), "%s", text)
	lines := strings.SplitAfter(text, "\n")
	lines[5] = "u1,i2,many stars,5\n"
	lines[9] = "only one field\n"
	bad := write(t, filepath.Join(folder, "bad.csv"), "%s", strings.Join(lines, ""))
	rating := 3.0
	p := Preparation{Data: []string{good, bad}, Reading: Reading{MinRating: &rating},
		Out: filepath.Join(folder, "out"), Run: testRunner(t)}
	_, err := Prepare(t.Context(), p)
	var lost *BadLinesError
	if !errors.As(err, &lost) || lost.Lines != 2 || lost.First.File != bad || lost.First.Line != 6 {
		t.Fatalf("got %v; want 2 lines of %s, the first in line 6", err, bad)
	}
	nothingAt(t, p.Out)

	p.Reading.SkipBadLines = true
	done, err := Prepare(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if done.Report.Skipped != 2 || len(done.Quarantine) != 1 {
		t.Fatalf("%d lines skipped, listed in %v", done.Report.Skipped, done.Quarantine)
	}
	f, err := os.Open(done.Quarantine[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var at []int64
	for s := bufio.NewScanner(f); s.Scan(); {
		var q quarantined
		if err := json.Unmarshal(s.Bytes(), &q); err != nil || q.File != bad || q.Rule == "" {
			t.Fatalf("%s: %v", s.Text(), err)
		}
		at = append(at, q.Line)
	}
	if fmt.Sprint(at) != "[6 10]" {
		t.Errorf("lines %v are listed, want 6 and 10", at)
	}
}

// TestPackedFilesAndAnItemOfEverybody: gzip, zstd and plain files in one run, and an item with a tenth of all
// interactions.
func TestPackedFilesAndAnItemOfEverybody(t *testing.T) {
	folder := t.TempDir()
	text := ratings(600, 11)
	cut := strings.Index(text, "u300,")
	head := text[:strings.Index(text, "\n")+1]
	var gz, zs bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(text[:cut]))
	z.Close()
	e, err := zstd.NewWriter(&zs)
	if err != nil {
		t.Fatal(err)
	}
	e.Write([]byte(head + text[cut:]))
	e.Close()
	parts := []string{write(t, filepath.Join(folder, "a.csv.gz"), "%s", gz.String()),
		write(t, filepath.Join(folder, "b.csv.zst"), "%s", zs.String())}
	rating := 3.0
	reading := Reading{MinRating: &rating, MinUser: 2, MinItem: 2}
	one, err := dataset.Load(write(t, filepath.Join(folder, "whole.csv"), "%s", text), reading.options())
	if err != nil {
		t.Fatal(err)
	}
	out, p := prepared(t, reading, 3, parts...)
	w := one.Read
	one.Read.Format, one.Read.Lines = p.Report.Format, p.Report.Lines
	if p.Report.Lines != w.Lines {
		t.Errorf("%d lines, want %d", p.Report.Lines, w.Lines)
	}
	samePreparation(t, out, p, one, whole)
	if most := p.Stats.PerItem.Most; most*10 < w.Interactions*9/10 {
		t.Fatalf("the most popular item has %d of %d interactions, too few for this test", most, w.Interactions)
	}
	near := filepath.Join(folder, "near")
	if err := Neighbours(t.Context(), testRunner(t), out, near, 5, 2, Counting{}); err != nil {
		t.Fatal(err)
	}
	sameRows(t, filepath.Join(near, "near-*"), neighboursOf(t, one, one.Positives, 5))
	// Parquet is read as well, here the shards.
	again, _ := prepared(t, reading, 2, out)
	d, err := dataset.Load(again, whole)
	if err != nil {
		t.Fatal(err)
	}
	if d.Positives.Len() != one.Positives.Len() || d.Stats().PerItem != one.Stats().PerItem {
		t.Error("preparing the shards again gave other interactions")
	}
}

// TestInputThatBreaksOff: a truncated gzip file ends the run, without a result.
func TestInputThatBreaksOff(t *testing.T) {
	folder := t.TempDir()
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(ratings(400, 12)))
	z.Close()
	path := write(t, filepath.Join(folder, "half.csv.gz"), "%s", gz.String()[:gz.Len()/2])
	p := Preparation{Data: []string{path}, Out: filepath.Join(folder, "out"), Run: testRunner(t),
		Reading: Reading{SkipBadLines: true}}
	if _, err := Prepare(t.Context(), p); err == nil || !strings.Contains(err.Error(), "breaks off at line") {
		t.Errorf("got %v; want the line of the truncation", err)
	}
	nothingAt(t, p.Out)
}

// TestOutputCutInHalf: pmlam and the next pipeline detect damaged or missing files in a folder of shards.
func TestOutputCutInHalf(t *testing.T) {
	rating := 3.0
	path := write(t, filepath.Join(t.TempDir(), "r.csv"), "%s", ratings(60, 12))
	for _, c := range []struct {
		name  string
		spoil func(folder string) error
		want  string
	}{
		{"a shard cut", func(f string) error {
			return os.Truncate(filepath.Join(f, dataset.ShardName("interactions", 0, 1)), 100)
		}, "has 100 bytes where the manifest says"},
		{"a shard poisoned", func(f string) error { // with the right size
			path := filepath.Join(f, dataset.ShardName("interactions", 0, 1))
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for at := 8; at < len(b)/2; at++ {
				b[at] ^= 0x55
			}
			return os.WriteFile(path, b, 0o644)
		}, dataset.ShardName("interactions", 0, 1)},
		{"a shard gone", func(f string) error {
			return os.Remove(filepath.Join(f, dataset.ShardName("interactions", 0, 1)))
		}, "there is no such file"},
		{"no manifest", func(f string) error { return os.Remove(filepath.Join(f, dataset.ManifestName)) },
			"has no pmlam-shards.json"},
		{"a manifest cut", func(f string) error {
			return os.Truncate(filepath.Join(f, dataset.ManifestName), 50)
		}, "is damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, _ := prepared(t, Reading{MinRating: &rating}, 1, path)
			if err := c.spoil(out); err != nil {
				t.Fatal(err)
			}
			if _, err := dataset.Load(out, whole); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("pmlam: %v; want %q", err, c.want)
			}
			to := filepath.Join(t.TempDir(), "near")
			if err := Neighbours(t.Context(), testRunner(t), out, to, 5, 2, Counting{}); err == nil ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("the next pipeline: got %v, want %q", err, c.want)
			}
			nothingAt(t, to)
		})
	}
}

// TestAPipelineThatFails: a failed pipeline leaves no result, and the next run starts over.
func TestAPipelineThatFails(t *testing.T) {
	folder := t.TempDir()
	path := write(t, filepath.Join(folder, "r.csv"), "%s", ratings(60, 12))
	rating := 3.0
	run := testRunner(t)
	broken := errors.New("the cluster is gone")
	for stop := range 2 { // in the first pipeline, and after the last
		n := 0
		p := Preparation{Data: []string{path}, Reading: Reading{MinRating: &rating}, Out: filepath.Join(folder, "out"),
			Run: func(ctx context.Context, b *beam.Pipeline) error {
				err := run(ctx, b)
				if n++; n > stop {
					return broken
				}
				return err
			}}
		if _, err := Prepare(t.Context(), p); !errors.Is(err, broken) {
			t.Fatalf("%v, want %v", err, broken)
		}
		nothingAt(t, p.Out)
	}
	p := Preparation{Data: []string{path}, Reading: Reading{MinRating: &rating}, Out: filepath.Join(folder, "out"),
		Run: run}
	if _, err := Prepare(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	nothingAt(t, p.Out+Unfinished)
	if _, err := Prepare(t.Context(), p); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("got %v; an existing folder must not be overwritten", err)
	}
}

// TestMistakes: mistakes are reported before anything runs.
func TestMistakes(t *testing.T) {
	none := func(context.Context, *beam.Pipeline) error { t.Error("a pipeline ran"); return nil }
	out := filepath.Join(t.TempDir(), "out")
	if _, err := Prepare(t.Context(), Preparation{Out: out, Run: none}); err == nil {
		t.Error("no data: no error")
	}
	if _, err := Prepare(t.Context(), Preparation{Data: []string{"no such file"}, Out: out, Run: none}); err == nil {
		t.Error("a missing file: no error")
	}
	if err := Neighbours(t.Context(), none, t.TempDir(), out, 0, 0, Counting{}); err == nil {
		t.Error("0 neighbours: no error")
	}
	for _, by := range []SplitBy{{}, {Folds: 1}, {Folds: 5, Fold: 5}, {Latest: 1.5}, {Folds: 5, Latest: .5}} {
		if err := by.check(&dataset.Manifest{}); err == nil {
			t.Errorf("%+v: no error", by)
		}
	}
	if _, err := Rank(t.Context(), Ranking{Folder: t.TempDir(), Out: out, K: 1, Run: none}); err == nil {
		t.Error("a folder without shards: no error")
	}
	nothingAt(t, out)
}

// FuzzRow: invalid bytes are rejected, and valid rows survive a round trip.
func FuzzRow(f *testing.F) {
	f.Add(encodeRow(Row{User: "u", First: 7, Entries: []Entry{{Item: "i", Rating: 4, Liked: true, Time: -1, At: 9}}}))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := decodeRow(b)
		if err != nil {
			return
		}
		again, err := decodeRow(encodeRow(r))
		if err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
			t.Fatalf("%+v became %+v: %v", r, again, err)
		}
		decodeStripe(b)
		decodeCount(b)
		decodeNumberCount(b)
		decodeMessage(b)
	})
}
