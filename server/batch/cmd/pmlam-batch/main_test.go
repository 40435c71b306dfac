package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
)

const small = "../../../../assets/data/ml-latest-small"

// TestMain is the command itself where a test starts this program as one.
func TestMain(m *testing.M) {
	if os.Getenv("PMLAM_BATCH_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// command returns the command as a process of its own.
func command(t *testing.T, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), self, args...)
	c.Env = append(os.Environ(), "PMLAM_BATCH_MAIN=1")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	return c, &out
}

// TestKilledAndStartedAgain: a process killed in its work leaves no result, and the next one gives the whole.
func TestKilledAndStartedAgain(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shards")
	c, said := command(t, "prepare", "--data", small, "--out", out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	for { // until the first worker has written something
		if files, _ := filepath.Glob(filepath.Join(out+".unfinished", "work", "*")); len(files) > 0 {
			break
		}
		select {
		case <-ended:
			t.Fatalf("it came to its end before it could be killed:\n%s", said)
		case <-time.After(time.Millisecond):
		}
	}
	c.Process.Kill()
	<-ended
	if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a result is there: %v", err)
	}
	c, text := command(t, "prepare", "--data", small, "--out", out)
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	want, err := dataset.Load(small, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := dataset.Load(out, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Positives.Len() != want.Positives.Len() || got.Stats().PerUser != want.Stats().PerUser {
		t.Errorf("%v, want %v", got.Stats(), want.Stats())
	}
	if !strings.Contains(text.String(), "kept") {
		t.Errorf("it says\n%s", text)
	}
}

// TestSplitTime: without minima, unless they are given, the parts are those of pmlam train --split-time.
func TestSplitTime(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "r.csv")
	if err := os.WriteFile(data, []byte("user,item,rating,timestamp\nu,a,5,1\nu,b,5,2\nv,a,5,3\nv,c,5,4\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	for i, least := range []string{"", "2"} {
		out, o := filepath.Join(folder, fmt.Sprint(i)), dataset.Options{}
		args := []string{"prepare", "--data", data, "--out", out, "--split-time", "0.25"}
		if least != "" {
			args, o.MinItem = append(args, "--min-item", least), 2
		}
		_, want, _, wrong := dataset.LoadAt(data, dataset.Cut{Share: .25}, o)
		c, text := command(t, args...)
		if err := c.Run(); (err == nil) != (wrong == nil) {
			t.Fatalf("%v, want %v\n%s", err, wrong, text)
		}
		if wrong != nil {
			continue
		}
		_, got, err := dataset.LoadFixed(out, "", dataset.Options{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v: %v", got, want, err)
		}
		if said := "Split at 1970-01-01T00:00:04Z: 3 likes to train on and 1 to test on."; !strings.Contains(
			text.String(), said) {
			t.Errorf("%s\nlacks %q", text, said)
		}
	}
}

func TestMistakesAreSentences(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"prepare", "--out", out}, `"data" not set`},
		{[]string{"prepare", "--data", "none.csv", "--out", out}, "there is no such file or folder"},
		{[]string{"prepare", "--data", small, "--out", out, "--header", "--no-header"}, "exclude each other"},
		{[]string{"prepare", "--data", small, "--out", out, "--split-time", "soon"}, "--split-time is neither a share"},
		{[]string{"prepare", "--data", small, "--out", "."}, "exists"},
		{[]string{"split", "--from", small, "--out", out}, "has no pmlam-shards.json"},
		{[]string{"rank", "--from", small, "--out", out, "--model", "none"}, "has no pmlam-shards.json"},
		{[]string{"prepare", "--data", small, "--out", out, "--runner", "none"}, "none"},
	} {
		cmd, text := command(t, c.args...)
		if err := cmd.Run(); err == nil || !strings.Contains(text.String(), c.want) {
			t.Errorf("%q: %v, %q; want %q", c.args, err, text, c.want)
		}
	}
}
