package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// tiny are settings with which a choice on blocks takes milliseconds.
var tiny = []string{"--preset", "best", "--epochs", "3", "--dim", "4", "--batch", "64", "--negatives", "5",
	"--shared-negatives", "0"}

// The preset best chooses settings first, stores them in the file, and training with them alone gives the same model.
func TestTrainChooses(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	out, same := filepath.Join(folder, "model"), filepath.Join(folder, "same")
	args := append([]string{"train", "--data", data, "--fold", "0", "--out", out}, tiny...)
	r := ok(t, args...)
	if !strings.Contains(r.out, "choosing settings") || !strings.Contains(r.out, "the preset") ||
		!strings.Contains(r.out, "\nchosen: ") {
		t.Errorf("%s", r.out)
	}
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var c train.Settings
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil || !c.Auto || c.Dim != 4 || c.Epochs != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	config := filepath.Join(folder, "config.json")
	write(t, config, ok(t, "inspect", "--config", out).out)
	r = ok(t, "train", "--data", data, "--fold", "0", "--out", same, "--config", config)
	if strings.Contains(r.out, "choosing") {
		t.Errorf("with all settings given it chooses: %s", r.out)
	}
	if !bytes.Equal(read(t, out), read(t, same)) {
		t.Error("the settings that were chosen train another model")
	}
	r = ok(t, append(args, "--auto=false")...)
	if strings.Contains(r.out, "choosing") {
		t.Errorf("--auto=false chooses: %s", r.out)
	}
}

// The links are chosen, stored in the file and measured.
func TestTrainHybrid(t *testing.T) {
	data, out := some(t, 60), filepath.Join(t.TempDir(), "model")
	o := ok(t, append([]string{"train", "--data", data, "--min-item", "3", "--fold", "0", "--out", out, "--precision",
		"float32", "--json", "--preset", "hybrid"}, tiny[2:]...)...).object(t)
	m, err := model.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	config := o["config"].(map[string]any)
	if m.ItemItem == nil || float64(m.ItemItem.Gamma) != float64(float32(figure(t, config, "item_weight"))) ||
		m.ItemItem.Links() == 0 {
		t.Fatalf("the part is %+v, the settings %v", m.ItemItem, config)
	}
	e := ok(t, "evaluate", "--data", data, "--min-item", "3", "--fold", "0", "--model", out, "--json").object(t)
	plain := ok(t, append([]string{"train", "--data", data, "--min-item", "3", "--fold", "0", "--json", "--preset",
		"hybrid", "--item-part", "none"}, tiny[2:]...)...).object(t)
	with, file, without := figure(t, o, "ndcg@10"), figure(t, e, "ndcg@10"), figure(t, plain, "ndcg@10")
	if math.Abs(with-file) > 0.01 { // the file quantises the links' weights
		t.Errorf("NDCG@10 is %v in training, %v from the file", with, file)
	}
	if with == without {
		t.Errorf("NDCG@10 is %v with the part and without", with)
	}
}

// A choice that was stopped after its first trial goes on from the journal next to the checkpoints: the trial is not made
// again, and the model has the same bytes.
func TestChoiceGoesOn(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	whole, out := filepath.Join(folder, "whole"), filepath.Join(folder, "model")
	train := func(checkpoint, out string) []string {
		return append([]string{"train", "--data", data, "--checkpoint", filepath.Join(folder, checkpoint), "--out", out},
			tiny...)
	}
	ok(t, train("run", whole)...)
	lines := bytes.SplitAfter(read(t, filepath.Join(folder, "run", "choice.jsonl")), []byte("\n"))
	if len(lines) < 4 {
		t.Fatalf("a journal of %d lines cannot be cut between trials", len(lines))
	}
	kept := string(bytes.Join(lines[:2], nil))
	if err := os.Mkdir(filepath.Join(folder, "cut"), 0o755); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(folder, "cut", "choice.jsonl")
	write(t, journal, kept)
	ctx, cancel := context.WithCancel(context.Background())
	var messages bytes.Buffer
	code := cli.Execute(ctx, testRoot, train("cut", out), writerFunc(func(b []byte) {
		if bytes.Contains(b, []byte("choosing settings")) {
			cancel()
		}
	}), &messages)
	if code != cli.ExitInterrupted || !strings.Contains(messages.String(), "; run the same command again to resume") {
		t.Fatalf("exit code %d, %s", code, messages.String())
	}
	ok(t, train("cut", out)...)
	if got := string(read(t, journal)); !strings.HasPrefix(got, kept) || strings.Count(got, "\n") != len(lines)-1 {
		t.Errorf("the journal has other lines: %s, want %s", got, bytes.Join(lines, nil))
	}
	if !bytes.Equal(read(t, out), read(t, whole)) {
		t.Error("a choice that was cut leads to another model")
	}
}

// writerFunc is a writer that hands what is written to a function.
type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}

// Ctrl-C after the training says how to resume.
func TestInterruptedAfterTraining(t *testing.T) {
	laying := fmt.Errorf("laying out the map: %w", context.Canceled)
	for kept, want := range map[bool]string{
		true:  "laying out the map; run the same command again to resume: context canceled",
		false: "laying out the map: context canceled",
	} {
		if err := cli.Worded(laying, kept); err.Error() != want || !errors.Is(err, context.Canceled) {
			t.Errorf("kept %v: %v, want %s", kept, err, want)
		}
	}
}
