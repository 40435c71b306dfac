package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
)

// settingsWith runs the studio's command settings in this folder.
func settingsWith(t *testing.T, args ...string) (s settings, err error) {
	t.Helper()
	var out bytes.Buffer
	a := cli.NewApp("pmlam", &out, io.Discard)
	c := settingsCommand(a)
	c.SetArgs(args)
	c.SilenceErrors, c.SilenceUsage = true, true
	if err = c.Execute(); err == nil {
		err = json.Unmarshal(out.Bytes(), &s)
	}
	return s, err
}

func TestSettingsOfTheStudio(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = "# About.\n[site]\ntitle = \"Old\"\n# accent = \"#b23a12\"\n\n[words.en]\nthing = \"product\"\nthings = \"products\"\n"
	if err := os.WriteFile("pmlam.toml", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := settingsWith(t, `{"title":"\"New\"","accent":"#000000","links":[{"name":"Shop","address":"https://a.example/{id}"}],`+
		`"words":{"en":{"thing":"","things":""},"de":{"thing":"Ding","things":"Dinge"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if *s.Title != `"New"` || *s.Accent != "#000000" || len(*s.Links) != 1 || *s.Words["de"].Things != "Dinge" ||
		*s.Words["en"].Thing != "" {
		t.Errorf("%+v", s)
	}
	if now := string(read(t, "pmlam.toml")); now != s.Toml || !strings.HasPrefix(now, "# About.\n") ||
		!strings.Contains(now, "# things = \"products\"") {
		t.Errorf("the file is now\n%s", now)
	}
	if s, err = settingsWith(t, `{"links":[],"toml":"[site]\ntitle = \"T\"\n"}`); err != nil || *s.Title != "T" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, changes := range []string{`{"words":{"en":{"thing":"x"}}}`, `{"links":[{"name":"Shop"}]}`, `{"toml":"[site"}`, "{"} {
		if _, err := settingsWith(t, changes); err == nil {
			t.Errorf("%s: no error", changes)
		}
	}
	if s, err = settingsWith(t); err != nil || *s.Title != "T" {
		t.Errorf("failed changes left %+v, %v", s, err)
	}
}

func TestZipOfAFolder(t *testing.T) {
	folder := fstest.MapFS{"b.txt": {Data: []byte("text text text text text text")}, ".nojekyll": {},
		"a/x.br": {Data: []byte("packed packed packed")}, ".lock": {Data: []byte("not packed")}}
	var archives [2]bytes.Buffer
	for i := range archives {
		files, size, err := zipFolder(&archives[i], folder)
		if err != nil || files != 3 || size != 49 {
			t.Fatalf("%d files of %d bytes, %v", files, size, err)
		}
	}
	if !bytes.Equal(archives[0].Bytes(), archives[1].Bytes()) {
		t.Error("the same folder gave other bytes")
	}
	z, err := zip.NewReader(bytes.NewReader(archives[0].Bytes()), int64(archives[0].Len()))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{".nojekyll", "a/x.br", "b.txt"} {
		if z.File[i].Name != want {
			t.Errorf("file %d is %s, want %s", i, z.File[i].Name, want)
		}
	}
}

// Each error that an answer helps is a question.
func TestQuestionsOfTheStudio(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&dataset.ColumnError{File: "f", Role: "user", Have: []string{`"a"`, "2 (x)"}}, `{"kind":"column","role":"user","file":"f","columns":["a","2 (x)"]}`},
		{&dataset.QuestionError{File: "f", Role: "time", Column: "when", Values: []string{"1"}, Why: "looks like a time"},
			`{"kind":"use","role":"time","file":"f","column":"when","values":["1"],"why":"looks like a time"}`},
		{&dataset.QuestionError{File: "f", Role: "event", Column: "what", Values: []string{"x"}, Unknown: "x"},
			`{"kind":"events","role":"event","file":"f","column":"what","values":["x"],"why":"x"}`},
		{&dataset.ScaleError{File: "f", Max: 7000}, `{"kind":"ratings","role":"rating"}`},
		{&dataset.FormatError{Path: "f", Ask: "delimiter", Reason: "r"}, `{"kind":"delimiter","file":"f","why":"r"}`},
		{&dataset.ParseError{File: "f", Value: "v", Rule: "r"}, `{"kind":"bad-lines","file":"f","values":["v"],"why":"r"}`},
		{&dataset.ColumnError{Role: "page"}, "null"},
		{errors.New("other"), "null"},
	} {
		got, err := json.Marshal(questionOf(fmt.Errorf("wrapped: %w", c.err)))
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %s, %v, want %s", c.err, got, err, c.want)
		}
	}
}
