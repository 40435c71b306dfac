package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// The README's program trains from a file without options, writes the bytes that the command writes without flags, and
// queries the model.
func TestTheFrontDoorGivesTheSameBytes(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, program, found := strings.Cut(string(readme), "\n```go\n")
	program, _, ends := strings.Cut(program, "\n```\n")
	if !found || !ends {
		t.Fatal("README.md has no Go program")
	}
	folder, source := some(t, 60), filepath.Join(t.TempDir(), "main.go")
	write(t, source, program+"\n")
	binary := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("go", "build", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	run := exec.Command(binary)
	run.Dir = folder
	list, err := run.CombinedOutput()
	if err != nil || bytes.Count(list, []byte("\n")) != 10 || bytes.Contains(list, []byte("Toy Story")) {
		t.Fatalf("%v: %s", err, list)
	}
	mine := filepath.Join(folder, "model.msgpack")
	m, err := model.ReadFile(mine)
	if err != nil || m.ItemItem == nil || m.Calibration == nil || len(m.Map.Regions) == 0 {
		t.Errorf("%v: something is left out of the model", err)
	}
	theirs := filepath.Join(t.TempDir(), "theirs")
	ok(t, "train", "--data", filepath.Join(folder, "ratings.csv"), "--out", theirs)
	if !bytes.Equal(read(t, mine), read(t, theirs)) {
		t.Error("train.Run and pmlam train make different models")
	}
}
