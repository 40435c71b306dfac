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

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/reproduce"
)

// A reproduction writes its tables and pictures, and a second one repeats no measurement.
func TestReproduce(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "all", "--data", data, "--out", out, "--methods", "popularity,ease,pmlam-hybrid",
		"--folds", "2", "--trials", "2", "--epochs", "4", "--jobs", "2"}
	r := ok(t, args...)
	for _, want := range []string{"### Table 1", "### Table 2: blocks", "| EASE^R |", "2 of 5", "### Figure 3",
		"| (8) PMLAM |"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is missing in\n%s", want, r.out)
		}
	}
	if !strings.Contains(r.errors, "pmlam-lab: table4: ") || !strings.Contains(r.errors, "margins by genre need data "+
		"with genres") {
		t.Errorf("standard error has %q", r.errors)
	}
	names := []string{"table1.md", "table1.csv", "table1.tex", "table2.md", "table2.csv", "table2-2.csv", "table2.tex",
		"table2-folds.csv", "figure3-blocks.png", "figure3-blocks.svg", "figure3.csv", "table3.md", "table3-folds.csv"}
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
	if string(read(t, filepath.Join(out, "table2.csv"))) != string(before) ||
		files(t, filepath.Join(out, "measured")) != kept {
		t.Error("the second run measured again, or changed files")
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

// When time is over, or on Ctrl-C, the results so far are written, and the message says how to resume.
func TestReproduceStops(t *testing.T) {
	data, out := blocks(t), filepath.Join(t.TempDir(), "out")
	args := []string{"reproduce", "table2", "--data", data, "--out", out, "--methods", "popularity,bprmf", "--folds",
		"1", "--trials", "1", "--epochs", "3"}
	r := ok(t, append(args, "--max-time", "1ns")...)
	if !strings.Contains(r.errors, "pmlam-lab: --max-time is over: table2 is incomplete; the same command resumes "+
		"here") || !strings.Contains(r.out, "0 of 5") {
		t.Errorf("%q\n%s", r.errors, r.out)
	}
	if r = ok(t, args...); !strings.Contains(r.out, "| BPRMF |") || strings.Contains(r.out, "0 of 5") {
		t.Error(r.out)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	r = within(ctx, args...)
	if r.code != cli.ExitInterrupted {
		t.Errorf("exit code %d, %q", r.code, r.errors)
	}
}

// Published results are used: their tables take no time, even without the data.
func TestReproduceKnown(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	public := filepath.Join(folder, "public")
	args := []string{"reproduce", "table2", "--methods", "popularity,bprmf", "--folds", "1", "--trials", "1",
		"--epochs", "3"}
	want := ok(t, append(args, "--data", data, "--out", filepath.Join(folder, "first"), "--publish", public)...).out
	if !strings.Contains(want, "| BPRMF |") {
		t.Fatal(want)
	}
	args = append(args, "--max-time", "1ns")
	if r := ok(t, append(args, "--data", data, "--out", filepath.Join(folder, "second"), "--known",
		public)...); r.out != want || strings.Contains(r.errors, "not complete") {
		t.Errorf("%q, and\n%s\nnot\n%s", r.errors, r.out, want)
	}
	if r := ok(t, append(args, "--data", data, "--out", filepath.Join(folder, "second"))...); r.out == want {
		t.Error("it took time to measure")
	}
	r := ok(t, append(args, "--data", "blocks", "--out", filepath.Join(folder, "third"), "--known", public)...)
	if r.out != want || !strings.Contains(r.errors, "pmlam-lab: blocks: the data are not available; using the results in "+public) {
		t.Errorf("without the data: %q, and\n%s\nnot\n%s", r.errors, r.out, want)
	}
	if r := command(append(args, "--data", "other", "--known", public)...); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "there is no such file or folder") {
		t.Errorf("exit code %d, %q", r.code, r.errors)
	}
	write(t, filepath.Join(public, "table1.csv"), strings.Replace(string(read(t, filepath.Join(public, "table1.csv"))),
		",blocks,", ",blocks,-", 1))
	if r := command(append(args, "--data", data, "--known", public)...); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, `table1.csv:2:36: users is "-`) {
		t.Errorf("exit code %d, %q", r.code, r.errors)
	}
}

// nineRows are the rows of bounds measured on the large data sets.
const nineRows = "points,sigma-1,stddev-2,joint-0.5,joint-0.75,joint-1,joint-1.25,joint-smooth,adaptive"

// core/lab/docs/reproduction.md shows the content of core/lab/results: all generated tables, except Table 2 of the two
// data sets without kept measurements, and the pictures. Nothing is measured, and no data are needed.
func TestPageShowsWhatIsPublished(t *testing.T) {
	docs, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // where no file has the name of a data set
	want := read(t, filepath.Join(docs, "docs/reproduction.md"))
	write(t, "page.md", string(want))
	checked := 0
	for _, args := range [][]string{
		{"table1", "--data",
			"ml-latest-small,ml-100k,amazon-cds-pmlam-partial,dpq-electronics,gowalla-lightgcn,amazon-book-kgat"},
		{"table2", "--data", "ml-latest-small,ml-100k,amazon-cds-pmlam-partial", "--trials", "1"},
		{"table2", "--data", "dpq-electronics", "--trials", "1", "--five-folds"},
		{"figure3", "--data", "ml-latest-small,ml-100k,amazon-cds-pmlam-partial", "--trials", "1"},
		{"table3", "--data", "ml-latest-small,amazon-cds-pmlam-partial"},
		{"bounds", "--data", "ml-latest-small,ml-100k"},
		{"bounds", "--data", "amazon-cds-pmlam-partial", "--folds", "1", "--rows", nineRows},
		{"bounds", "--data", "dpq-electronics", "--five-folds", "--folds", "1", "--rows", nineRows},
		{"table4", "--data", "ml-100k"},
	} {
		ok(t, append(append([]string{"reproduce"}, args...), "--known", filepath.Join(docs, "results"), "--out", "out",
			"--into", "page.md")...)
		got := read(t, "page.md")
		if !bytes.Equal(got, want) {
			t.Errorf("core/lab/docs/reproduction.md differs from core/lab/results: run pmlam-lab reproduce %s --known "+
				"core/lab/results --into core/lab/docs/reproduction.md",
				strings.Join(args, " "))
		}
		want = got
		if checked++; args[0] != "table1" { // which is one table of all data
			checked += strings.Count(args[2], ",")
		}
	}
	// the two, and the list of spaces, which comes with table2
	if sections := bytes.Count(want, []byte("<!-- generated: ")); checked != sections-3 {
		t.Errorf("%d of %d sections were checked", checked, sections)
	}
	for _, key := range []string{"ml-latest-small", "ml-100k", "amazon-cds-pmlam-partial"} {
		name := "figure3-" + key + ".svg"
		if !bytes.Equal(read(t, filepath.Join("out", name)), read(t, filepath.Join(docs, "docs/images", name))) {
			t.Errorf("docs/images/%s differs from core/lab/results", name)
		}
	}
	// Rows inserted by hand.
	r := ok(t, "reproduce", "table2", "--data", "gowalla-lightgcn", "--trials", "1", "--methods", "bprmf,cml",
		"--known", filepath.Join(docs, "results"), "--out", "out")
	for _, name := range []string{"| BPRMF |", "| CML |"} {
		_, row, _ := strings.Cut(r.out, "\n"+name)
		row, _, _ = strings.Cut(name+row, "\n")
		if row = strings.NewReplacer("**", "", "<u>", "", "</u>", "").Replace(row); !bytes.Contains(want,
			[]byte("\n"+row+"\n")) {
			t.Errorf("core/lab/docs/reproduction.md does not show %s", row)
		}
	}
}

// A page's list of spaces has all methods, regardless of the run's: its tables come from many runs.
func TestPageListsAllSpaces(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	write(t, page, "<!-- generated: spaces -->\n<!-- end -->\n")
	ok(t, "reproduce", "table2", "--data", blocks(t), "--methods", "popularity", "--folds", "1", "--trials", "1",
		"--out", t.TempDir(), "--into", page)
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

// Data that cannot be measured are refused with the reason.
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
		{[]string{"table4", "--data", good, "--out", filepath.Join(folder, "x")}, "blocks has genres for 0 " +
			"items: margins by genre need data with genres, such as MovieLens-100K"},
		{[]string{"table1", "--data", good + "," + good}, "two data sets are named blocks, as their files would be: " +
			"rename one"},
		{[]string{"table2", "--data", good, "--known", folder}, "--known: " + folder + ": not a folder of " +
			"results: table1.csv is missing"},
		{[]string{"table1", "--data", good, "--out", filepath.Join(folder, "x"), "--publish", one}, "--publish: "},
		{[]string{"table1", "--data", good, "--out", one}, "cannot keep tables in " + one},
		{[]string{"table1", "--data", filepath.Join(folder, "none")}, "there is no such file or folder"},
	} {
		if r := command(append([]string{"reproduce"}, c.args...)...); r.code != cli.ExitFailed ||
			!strings.Contains(r.errors, c.want) {
			t.Errorf("%v: exit code %d, %q", c.args, r.code, r.errors)
		}
	}
}
