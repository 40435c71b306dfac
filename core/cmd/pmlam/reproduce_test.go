package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/reproduce"
)

// A reproduction writes its tables and pictures, and a second one measures nothing again.
func TestReproduce(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "all", "--data", data, "--out", out, "--methods", "popularity,ease,pmlam-hybrid", "--folds", "2", "--trials", "2", "--epochs", "4", "--jobs", "2"}
	r := ok(t, args...)
	for _, want := range []string{"### Table 1", "### Table 2: blocks", "| EASE^R |", "2 of 5", "### Figure 3", "| (8) PMLAM |"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if !strings.Contains(r.errors, "pmlam: table4: ") || !strings.Contains(r.errors, "margins by genre need data with genres") {
		t.Errorf("standard error has %q", r.errors)
	}
	names := []string{"table1.md", "table1.csv", "table1.tex", "table2.md", "table2.csv", "table2-2.csv", "table2.tex", "table2-folds.csv", "figure3-blocks.png", "figure3-blocks.svg", "figure3.csv", "table3.md", "table3-folds.csv"}
	for _, name := range names {
		if len(read(t, filepath.Join(out, name))) < 80 {
			t.Errorf("%s is empty", name)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(string(read(t, filepath.Join(out, "table2-folds.csv"))))).ReadAll()
	if err != nil || len(rows) != 1+3*2 {
		t.Errorf("%v: %d rows", err, len(rows))
	}
	before := read(t, filepath.Join(out, "table2.csv"))
	kept := files(t, filepath.Join(out, "measured"))
	again := ok(t, append(args, "--json")...)
	if string(read(t, filepath.Join(out, "table2.csv"))) != string(before) || files(t, filepath.Join(out, "measured")) != kept {
		t.Error("the second run measured something, or wrote something else")
	}
	var told struct {
		Files       []string
		Interrupted bool
	}
	if err := json.Unmarshal([]byte(again.out), &told); err != nil || told.Interrupted || len(told.Files) < len(names) {
		t.Errorf("%v, %s", err, again.out)
	}
}

// files lists a folder with the times of its files.
func files(t *testing.T, folder string) (all string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			all += path + info.ModTime().String() + "\n"
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Where the time is over, or Ctrl-C comes, what there is is written, and it is said how to go on.
func TestReproduceStops(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "table2", "--data", data, "--out", out, "--methods", "popularity,bprmf", "--folds", "1", "--trials", "1", "--epochs", "3"}
	r := ok(t, append(args, "--max-time", "1ns")...)
	if !strings.Contains(r.errors, "pmlam: --max-time is over: table2 is not complete; the same command goes on from here") || !strings.Contains(r.out, "0 of 5") {
		t.Errorf("%q\n%s", r.errors, r.out)
	}
	if r = ok(t, args...); !strings.Contains(r.out, "| BPRMF |") || strings.Contains(r.out, "0 of 5") {
		t.Error(r.out)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	r = within(ctx, args...)
	if r.code != exitInterrupted {
		t.Errorf("exit code %d, %q", r.code, r.errors)
	}
}

// What was measured elsewhere is known, and a table is made of it in no time.
func TestReproduceKnown(t *testing.T) {
	data, first, second := blocks(t), filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	args := []string{"reproduce", "table2", "--data", data, "--methods", "popularity,bprmf", "--folds", "1", "--trials", "1", "--epochs", "3"}
	want := ok(t, append(args, "--out", first)...).out
	args = append(args, "--max-time", "1ns")
	if r := ok(t, append(args, "--out", second, "--known", filepath.Join(first, "measured"))...); r.out != want || strings.Contains(r.errors, "not complete") {
		t.Errorf("%q, and\n%s\nnot\n%s", r.errors, r.out, want)
	}
	if r := ok(t, append(args, "--out", second)...); r.out == want {
		t.Error("there was time to measure")
	}
}

// What docs/reproduction.md shows of the data in the repository is what docs/measured holds, wherever that has all of a table: nothing is
// measured here, only read, tested and written again.
func TestPageShowsWhatWasMeasured(t *testing.T) {
	docs := filepath.Join(repo, "docs")
	page := filepath.Join(t.TempDir(), "reproduction.md")
	want := read(t, filepath.Join(docs, "reproduction.md"))
	write(t, page, string(want))
	for _, table := range [][]string{{"table2", "--trials", "1"}, {"figure3", "--trials", "1"}, {"table3"}} {
		args := append([]string{"reproduce"}, table...)
		args = append(args, "--data", filepath.Join(repo, "assets", "data", "ml-latest-small"),
			"--known", filepath.Join(docs, "measured"), "--out", filepath.Join(t.TempDir(), "out"), "--into", page, "--max-time", "1ns")
		if r := ok(t, args...); strings.Contains(r.errors, "not complete") {
			t.Errorf("docs/measured does not hold all of %s: %s", table[0], r.errors)
		}
		got := read(t, page)
		if !bytes.Equal(got, want) {
			t.Errorf("docs/reproduction.md shows another %s than docs/measured holds: make reproduce REPRODUCE=%s ARGS=%q",
				table[0], table[0], strings.Join(append(table[1:], "--into docs/reproduction.md"), " "))
		}
		want = got
	}
}

// A page's list of what trials vary is of all methods, whichever a run is of: its tables come of many runs.
func TestPageListsAllSpaces(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	write(t, page, "<!-- generated: spaces -->\n<!-- end -->\n")
	ok(t, "reproduce", "table2", "--data", blocks(t), "--methods", "popularity", "--folds", "1", "--trials", "1", "--out", t.TempDir(), "--into", page)
	got := string(read(t, page))
	all, err := reproduce.Methods(1, reproduce.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if !strings.Contains(got, "\n| "+m.Title+" |") {
			t.Errorf("the page does not list %s:\n%s", m.Title, got)
		}
	}
}

// Data that cannot be measured are refused in words.
func TestReproduceFailures(t *testing.T) {
	folder := t.TempDir()
	one := filepath.Join(folder, "one.csv")
	text := "user,item,rating\n"
	for u := range 12 {
		text += "u" + string(rune('a'+u)) + ",i,5\n"
	}
	write(t, one, text)
	good := blocks(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"table2", "--data", one}, "no interactions are left"},
		{[]string{"table4", "--data", good, "--out", filepath.Join(folder, "x")}, "blocks names the genres of 0 items: margins by genre need data with genres, such as MovieLens-100K"},
		{[]string{"table1", "--data", good + "," + good}, "two data sets are called blocks; files are named by it: rename one"},
		{[]string{"table2", "--data", good, "--known", folder}, "--known is " + folder + ", where there is nothing that was measured"},
		{[]string{"table1", "--data", good, "--out", one}, "the tables cannot be kept in " + one},
		{[]string{"table1", "--data", filepath.Join(folder, "none")}, "there is no such file or folder"},
	} {
		if r := command(append([]string{"reproduce"}, c.args...)...); r.code != exitFailed || !strings.Contains(r.errors, c.want) {
			t.Errorf("%v: exit code %d, %q", c.args, r.code, r.errors)
		}
	}
}
