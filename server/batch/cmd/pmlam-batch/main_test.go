package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
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

// TestMain is the command if a test starts this program as one.
func TestMain(m *testing.M) {
	if os.Getenv("PMLAM_TEST_AS_COMMAND") != "" {
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
	c.Env = append(os.Environ(), "PMLAM_TEST_AS_COMMAND=1")
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	return c, &out
}

// TestKilledAndStartedAgain: a killed process leaves no result, and the next one completes it.
func TestKilledAndStartedAgain(t *testing.T) {
	out := filepath.Join(t.TempDir(), "shards")
	c, said := command(t, "prepare", "--data", small, "--out", out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { c.Wait(); close(ended) }()
	for { // until the first worker has written a file
		if files, _ := filepath.Glob(filepath.Join(out+".unfinished", "work", "*")); len(files) > 0 {
			break
		}
		select {
		case <-ended:
			t.Fatalf("it ended before it was killed:\n%s", said)
		case <-time.After(time.Millisecond):
		}
	}
	c.Process.Kill()
	<-ended
	if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a result exists: %v", err)
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

var kills = flag.Int("kills", 1, "times that TestKilledAtAnyMoment kills each command")

// TestKilledAtAnyMoment: a command killed at a random moment leaves no result or the whole one, and the same command
// then gives the result of an undisturbed one, byte for byte.
func TestKilledAtAnyMoment(t *testing.T) {
	folder := t.TempDir()
	shards, parts := filepath.Join(folder, "prepare"), filepath.Join(folder, "split")
	for _, c := range [][]string{
		{"prepare", "--data", small},
		{"split", "--from", shards, "--fold", "0"},
		{"neighbours", "--from", parts},
		{"links", "--from", parts},
		{"rank", "--from", parts, "--model", "../../../../assets/models/movielens.msgpack", "--evaluate", "10"},
	} {
		t.Run(c[0], func(t *testing.T) {
			out := filepath.Join(folder, c[0])
			began := time.Now()
			finishes(t, append(c, "--out", out)...)
			took, want := time.Since(began), contents(t, out)
			if len(want) == 0 {
				t.Fatal("it writes nothing")
			}
			for k := range *kills {
				again := fmt.Sprintf("%s-%d", out, k)
				moment := rand.N(took)
				whole := killed(t, moment, append(c, "--out", again)...)
				if _, err := os.Lstat(again); err == nil {
					whole = true
				} else if !errors.Is(err, os.ErrNotExist) || whole {
					t.Fatalf("after %v: %v", moment, err)
				}
				if !whole {
					finishes(t, append(c, "--out", again)...)
				}
				if got := contents(t, again); !reflect.DeepEqual(got, want) {
					t.Errorf("killed after %v of %v: %d files differ from the %d of an undisturbed run",
						moment, took, len(got), len(want))
				}
			}
		})
	}
}

// finishes runs a command to completion.
func finishes(t *testing.T, args ...string) {
	t.Helper()
	c, text := command(t, args...)
	if err := c.Run(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

// killed runs a command and kills it after that time. It returns whether the command had ended before.
func killed(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	c, text := command(t, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(after, func() { c.Process.Kill() })
	err := c.Wait()
	var ended *exec.ExitError
	if err != nil && (!errors.As(err, &ended) || ended.Exited()) {
		t.Fatalf("%v\n%s", err, text)
	}
	return err == nil
}

// contents returns the contents of a folder's files by name.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, folder)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSplitTime: the parts are the same as from pmlam train --split-time, without minima by default.
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
		if said := "Split at 1970-01-01T00:00:04Z: 3 likes for training and 1 for testing."; !strings.Contains(
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
