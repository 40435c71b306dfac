package results

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/train/choose"
)

// sample is the result of a small study: two methods, one of them with trials, and margins.
func sample() *Results {
	key := func(method string) Key {
		return Key{"toys", "five folds of seed 1", method, 0, 1, "00112233445566ff"}
	}
	hits := Hits{[]int32{0, 2, 3}, []int32{1, 12, 3}, []uint16{1, 0b1000000101, 0}}
	recalls, ndcgs := hits.Values()
	figures := func(at float64) []float64 { return []float64{.1, at, .3, .4, .5, 1} }
	measured := func(method string, trial, epochs int) Measured {
		return Measured{key(method), trial, epochs, figures(mean(recalls)), figures(mean(ndcgs)), 1.0625, 2, 1 << 20,
			"", hits}
	}
	onDevice := measured("ablation-1", 0, 30)
	onDevice.Device = "cuda:0 (NVIDIA H100)"
	r := &Results{}
	r.Add(&Results{
		Sets:     []Set{{"toys", "five folds of seed 1", "Toys, and more", 4, 20, 16, "0123456789abcdef"}},
		Measured: []Measured{measured("bprmf", 1, 40), measured("popularity", -1, 0), onDevice},
		Trials: []Trial{
			{key("bprmf"), "", choose.Trial{State: choose.Complete, NDCG: .25, Epochs: 20, Seconds: 1.5}},
			{key("bprmf"), "ffeeddccbbaa9988", choose.Trial{Number: 1, State: choose.Complete, NDCG: 1.0 / 3, Epochs: 40,
				Values: map[string]string{"lr": "0.01", "dim": "64"}}},
			{key("bprmf"), "ffeeddccbbaa9988", choose.Trial{Number: 2, State: choose.Diverged,
				Values: map[string]string{"lr": "1e-07"}, Note: "a value is not finite, \"lr\" is too large"}},
			{key("ablation-1"), "", choose.Trial{State: choose.Complete, Epochs: 30, Steps: []float64{0, .5, 1e-9},
				Work: 1e6, Part: &choose.Part{Kind: "ridge", Lambda: 20, Gamma: .25}}},
		},
		Margins: []Margins{{
			Key: key("margins"), Epochs: 5, Count: 9, Users: 3, Same: 1e-9, Other: 2, Gap: eval.Estimate{Value: -1,
				Low: -2, High: .5}, Share: .5,
			T: eval.Test{N: 3, Statistic: -1, P: .5}, W: eval.Test{N: 2, Statistic: 3, P: 1},
			Found: []Triplet{{"1", "A, the film", "B", true, .5, 1.25, ""}},
			Drawn: []Triplet{{"2", "A", "C", false, .5, 0, "not there"}},
		}},
	})
	return r
}

func write(t *testing.T, r *Results) string {
	t.Helper()
	folder := t.TempDir()
	if err := r.Write(durable.OS, folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestReadIsWhatWasWritten(t *testing.T) {
	want := sample()
	folder := write(t, want)
	got, err := Read(folder)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: %+v\nnot %+v", err, got, want)
	}
	// Only a file with results from a device has a column for it.
	for name, has := range map[string]bool{methodsFile: false, ablationFile: true} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		head, _, _ := strings.Cut(string(text), "\n")
		if err != nil || strings.HasSuffix(head, ",device") != has {
			t.Errorf("%s begins with %s (%v)", name, head, err)
		}
	}
}

// The repository's own results can be read, in the bytes that Write writes.
func TestRepositorysResults(t *testing.T) {
	folder := filepath.Join("..", "..", "results")
	all, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	again := write(t, all)
	var total int64
	for _, name := range []string{setsFile, methodsFile, ablationFile, marginsFile, tripletsFile, trialsFile} {
		have, err := os.ReadFile(filepath.Join(folder, name))
		want, failed := os.ReadFile(filepath.Join(again, name))
		if err != nil || failed != nil || !bytes.Equal(have, want) {
			t.Errorf("%s differs from its written form (%v, %v)", name, err, failed)
		}
		total += int64(len(have))
	}
	// The bytes of a Parquet file may change with the library.
	same, err := Read(again)
	if err != nil || !reflect.DeepEqual(same, all) {
		t.Errorf("the content changed when written again: %v", err)
	}
	info, err := os.Stat(filepath.Join(folder, usersFile))
	if err != nil {
		t.Fatal(err)
	}
	if total += info.Size(); total > 2<<20 {
		t.Errorf("they take %d bytes; want at most 2 MiB", total)
	}
}

// Inconsistent content is refused, with file, line and column.
func TestReadRefuses(t *testing.T) {
	const digest = "00112233445566ff"
	for name, c := range map[string]struct{ file, old, new, want string }{
		"number": {methodsFile, ",1.0625,", ",1.0625s,",
			`table2.csv:2:134: seconds is "1.0625s"; it must be a number of at least 0`},
		"hexadecimal": {methodsFile, ",1.0625,", ",0x1p2,", `seconds is "0x1p2"`},
		"not a number": {methodsFile, ",0.1,", ",NaN,",
			`table2.csv:2:59: recall@5 is "NaN"; it must be a number from 0 to 1`},
		"above one": {methodsFile, ",0.1,", ",1.1,", `it must be a number from 0 to 1`},
		"whole number": {methodsFile, ",bprmf,0,", ",bprmf,0.5,",
			`table2.csv:2:33: fold is "0.5"; it must be a whole number from 0 to 99`},
		"negative": {methodsFile, ",bprmf,0,", ",bprmf,-1,", `fold is "-1"`},
		"digest": {trialsFile, digest, "00112233445566FF",
			`trials.csv:2:42: settings is "00112233445566FF"; it must be 16 hexadecimal digits`},
		"columns": {methodsFile, "seconds,workers", "workers,seconds", "table2.csv:1:1: the columns must be " +
			"dataset,split,"},
		"cells": {methodsFile, ",1.0625,2", ",1.0625", "table2.csv:2:1: the line has 22 cells, not the 23 of " +
			"the first line"},
		"quotes": {setsFile, `"Toys, and`, `"Toys, "and`, "table1.csv:2:"},
		"control": {setsFile, "Toys,", "Toys\t,",
			`table1.csv:2:27: name is "Toys\t, and more"; it must be one line of UTF-8`},
		"two lines": {setsFile, "Toys,", "Toys\n,", "it must be one line of UTF-8"},
		"empty":     {setsFile, "toys,", ",", `table1.csv:2:1: dataset is ""; it must not be empty`},
		"too long":  {setsFile, "toys,", strings.Repeat("x", 501) + ",", "it must have at most 500 bytes"},
		"state": {trialsFile, ",diverged,", ",stopped,",
			`state is "stopped"; it must be "complete" or "diverged"`},
		"values": {trialsFile, "dim=64 lr=0.01", "dim=64 dim=32",
			`values is "dim=64 dim=32"; it must be names with values`},
		"no value": {trialsFile, "dim=64 lr=0.01", "dim= lr=0.01", "it must be names with values"},
		"part": {trialsFile, "ridge 20 0.25", "ridge 20",
			`part is "ridge 20"; it must be one of [none cosine ridge ease], its λ and its γ`},
		"steps": {trialsFile, "0 0.5 1e-09", "0 0.5 2",
			`steps is "0 0.5 2"; it must be at most 1000 numbers from 0 to 1`},
		"yes": {tripletsFile, ",yes,", ",maybe,", `same genre is "maybe"; it must be "yes" or "no"`},
		"default": {trialsFile, "complete,0.25,20,1.5,0,,", "complete,0.25,20,1.5,0,lr=1,",
			"trials.csv:3:1: trial 0 has the defaults, so space and values must be empty"},
		"space": {trialsFile, ",1,ffeeddccbbaa9988,", ",1,,", "space must not be empty except for trial 0"},
		"gap": {trialsFile, ",2,ffeeddccbbaa9988,", ",3,ffeeddccbbaa9988,", "trials.csv:5:1: trial 2 of " +
			"bprmf, fold 0, is missing"},
		"twice": {trialsFile, ",2,ffeeddccbbaa9988,", ",1,ffeeddccbbaa9988,", "trials.csv:5:1: trial 1 of " +
			"bprmf, fold 0, occurs twice"},
		"no such set": {methodsFile, "toys,five folds of seed 1,popularity", "toys,published,popularity",
			"table2.csv:3:1: table1.csv has no data set toys, published"},
		"no such trial": {methodsFile, digest + ",1,40,", digest + ",3,40,", "table2.csv:2:1: trials.csv has no " +
			"trial 3 of it"},
		"epochs": {methodsFile, digest + ",1,40,", digest + ",1,41,", "table2.csv:2:1: it has 41 epochs, but " +
			"its trial has 40"},
		"settings": {methodsFile, "bprmf,0,1," + digest, "bprmf,0,1,ffffffffffffffff",
			"bprmf, fold 0, has other settings elsewhere: " + digest},
		"ablation": {ablationFile, "ablation-1", "bprmf", "bprmf is in the wrong file: table3.csv is for the " +
			"ablation, table2.csv for all others"},
		"no users": {methodsFile, "popularity,0,1", "popularity,1,1", "table2.csv:3:1: users.parquet has no " +
			"users of popularity, fold 1"},
		"figures": {methodsFile, ",0.1,0.41", ",0.1,0.42", "table2.csv:2:1: recall@10 and ndcg@10 differ from " +
			"its users' 0.416"},
		"margins": {marginsFile, ",-1,-2,0.5,", ",-1,2,0.5,", "table4.csv:2:1: 9 triplets of 3 users with a " +
			"gap from 2 to 0.5 are inconsistent"},
		"triplets": {tripletsFile, digest, "ffffffffffffffff", "table4-triplets.csv:2:1: table4.csv has no " +
			"margins of toys with these settings"},
		"two of a kind": {setsFile, "\ntoys", "\nothers,published,Others,4,20,16,0123456789abcdef\ntoys",
			"table1.csv:3:1: another data set has the same digest"},
		"fewer users": {setsFile, ",4,20,16,", ",3,20,16,", "users.parquet has other users for it than for other " +
			"methods, or too many"},
	} {
		folder := write(t, sample())
		path := filepath.Join(folder, c.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(text), c.old, c.new, 1)
		if changed == string(text) {
			t.Errorf("%s: no change in\n%s", name, text)
		}
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = Read(folder)
		if told := new(Error); !errors.As(err, &told) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, not %s", name, err, c.want)
		}
	}
}

// A missing file counts as empty, and dependent rows are missed; a folder without data sets has no results.
func TestMissingFiles(t *testing.T) {
	for name, want := range map[string]string{
		setsFile:     "not a folder of results",
		methodsFile:  "it has users of ",
		ablationFile: "it has users of ablation-1 on toys, fold 0, which is in no table",
		marginsFile:  "table4.csv has no margins of toys",
		trialsFile:   "trials.csv has no trial 1 of it",
		usersFile:    "users.parquet has no users of bprmf, fold 0",
	} {
		folder := write(t, sample())
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), want) ||
			errors.Is(err, ErrNone) != (name == setsFile) {
			t.Errorf("without %s: %v", name, err)
		}
	}
	// Rows removed from the results are removed from the folder.
	folder := write(t, sample())
	if err := os.Remove(filepath.Join(folder, setsFile)); err != nil {
		t.Fatal(err)
	}
	if err := Free(folder); err == nil || !strings.Contains(err.Error(), "has a file trials.csv but no table1.csv") {
		t.Errorf("over somebody's tables: %v", err)
	}
	if err := Free(t.TempDir()); err != nil {
		t.Error(err)
	}
	folder = write(t, sample())
	if err := (&Results{Sets: sample().Sets}).Write(durable.OS, folder); err != nil {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(folder); err != nil || len(names) != 1 || names[0].Name() != setsFile {
		t.Errorf("%v, %v", err, names)
	}
}

// Files larger than real ones are refused before they are read.
func TestReadIsBounded(t *testing.T) {
	folder := write(t, sample())
	for name, size := range map[string]int64{trialsFile: MaxText + 1, usersFile: maxUsersFile + 1} {
		path := filepath.Join(folder, name)
		before, err := os.ReadFile(path)
		if err == nil {
			err = os.Truncate(path, size)
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(folder); err == nil || !strings.Contains(err.Error(), name+": it has ") {
			t.Errorf("%v", err)
		}
		if err := os.WriteFile(path, before, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A Parquet file with other columns or impossible users is refused.
func TestUsersRefuses(t *testing.T) {
	if _, err := ofRows([]struct{ Dataset string }{{"toys"}}); err == nil || !strings.Contains(err.Error(),
		"its columns must be message") {
		t.Error(err)
	}
	for _, length := range []string{"\xff\xff\xff\x7f", "\x00\x00\x50\x00"} { // of the footer
		b := fileOf([]record{{Dataset: "toys"}})
		copy(b[len(b)-8:], length)
		if _, err := parseUsers(bytes.NewReader(b), int64(len(b))); err == nil || err.Error() != errNotParquet.Error() {
			t.Error(err)
		}
	}
	row := func(user, items, hits int32) record {
		return record{"toys", "published", "ease", 0, 1, -1, user, items, hits}
	}
	other := row(5, 1, 0)
	other.Method = "cml"
	for want, rows := range map[string][]record{
		"row 1: user 3 is out of order":                            {row(3, 1, 0), row(3, 1, 0)},
		"row 0: user -1 is out of order":                           {row(-1, 1, 0)},
		"row 0: user 0 has 0 test items; it must be at least 1":    {row(0, 0, 0)},
		"user 0 has hits 1024; they must be 10 bits with at most ": {row(0, 3, 1024)},
		"user 0 has hits 7; they must be 10 bits with at most 2 ":  {row(0, 2, 7)},
		"row 2: ease on toys, fold 0, is in two places":            {row(0, 1, 0), other, row(1, 1, 0)},
	} {
		if _, err := ofRows(rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

// ofRows reads the content of a Parquet file of rows.
func ofRows[T any](rows []T) (map[id]*Hits, error) {
	b := fileOf(rows)
	return parseUsers(bytes.NewReader(b), int64(len(b)))
}

func fileOf[T any](rows []T) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b)
	if _, err := w.Write(rows); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}
