package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/chunks/writer"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
)

// names returns the names within a folder.
func names(t *testing.T, folder string) (out []string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// A model cut twice gives the same files. With another precision the files lie next to the first, at half the size.
func TestChunk(t *testing.T) {
	out := filepath.Join(t.TempDir(), "made", "chunks")
	first := ok(t, "chunk", "--model", shipped, "--out", out, "--json").object(t)
	once := names(t, out)
	if len(once) != 2 || !slices.Contains(once, "index.bin") {
		t.Fatalf("the folder has %q", once)
	}
	again := ok(t, "chunk", "--model", shipped, "--out", out, "--workers", "1", "--json").object(t)
	if first["bytes"] != again["bytes"] || !slices.Equal(names(t, out), once) {
		t.Errorf("cut again it has %v bytes and %q, was %v and %q", again["bytes"], names(t, out), first["bytes"], once)
	}
	whole := ok(t, "chunk", "--model", shipped, "--out", out, "--precision", "float32", "--json").object(t)
	if len(names(t, out)) != 3 || whole["bytes"].(float64) < 1.3*first["bytes"].(float64) {
		t.Errorf("of another precision it has %v bytes and %q", whole["bytes"], names(t, out))
	}
	for _, args := range [][]string{
		{}, {"--model", shipped}, {"--model", shipped, "--out", out, "--cell-size", "9"},
		{"--model", shipped, "--out", out, "--precision", "int4"},
		{"--model", shipped, "--out", out, "--data", "d", "--people", "0"},
		{"--model", shipped, "--out", out, "--people", "5"}, {"--model", shipped, "--out", out, "--no-ratings"},
	} {
		if r := command(append([]string{"chunk"}, args...)...); r.code != cli.ExitUsage {
			t.Errorf("%q: exit code %d, %s", args, r.code, r.errors)
		}
	}
}

// A model whose users have a learned part cannot be cut. A run that is stopped or cannot write leaves nothing.
func TestChunkFails(t *testing.T) {
	m, err := model.ReadFile(shipped)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	stopped, stop := context.WithCancel(context.Background())
	f := &writer.Folder{Path: filepath.Join(folder, "stopped")}
	p := chunkRun{Work: cli.Work{App: &cli.App{Out: &strings.Builder{}, Err: &strings.Builder{}}}}
	put := 0
	err = writer.Write(stopped, m, writer.Settings{}, func(name string, part []byte) error {
		if put++; put == 20 {
			stop()
		}
		return f.Put(name, part)
	})
	f.Discard()
	if err == nil || len(names(t, f.Path)) > 0 {
		t.Errorf("a run that was stopped: %v, and %q", err, names(t, f.Path))
	}
	if err := p.write(stopped, m, f); err == nil {
		t.Error("a run was stopped before it began, and ended well")
	}
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := command("chunk", "--model", shipped, "--out", file); r.code != cli.ExitFailed || !strings.Contains(r.errors, file) {
		t.Errorf("into a file: exit code %d, %s", r.code, r.errors)
	}
	m.Objective.Composition.Free, m.Objective.Composition.Prior = true, 0
	free := filepath.Join(folder, "free.msgpack")
	if err := model.WriteFile(free, m); err != nil {
		t.Fatal(err)
	}
	if r := command("chunk", "--model", free, "--out", filepath.Join(folder, "free")); r.code != cli.ExitFailed ||
		!strings.Contains(r.errors, "learned part") {
		t.Errorf("a model with learned users: exit code %d, %s", r.code, r.errors)
	}
}
