package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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

// Ctrl-C during the choice keeps its trials next to the checkpoints, and the same command resumes them.
func TestChoiceGoesOn(t *testing.T) {
	data, folder := blocks(t), t.TempDir()
	out, same := filepath.Join(folder, "model"), filepath.Join(folder, "same")
	args := append([]string{"train", "--data", data, "--checkpoint", filepath.Join(folder, "run"), "--out", out},
		tiny...)
	journal := filepath.Join(folder, "run", "choice.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		for ctx.Err() == nil {
			if b, _ := os.ReadFile(journal); bytes.Count(b, []byte("\n")) > 2 {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	r := within(ctx, args...)
	cancel()
	if r.code != cli.ExitInterrupted || !strings.Contains(r.errors, "; run the same command again to resume") {
		t.Fatalf("exit code %d, %s", r.code, r.errors)
	}
	kept := string(read(t, journal))
	ok(t, args...)
	if !strings.HasPrefix(string(read(t, journal)), kept) {
		t.Error("the trials that were kept were made again")
	}
	ok(t, append([]string{"train", "--data", data, "--out", same}, tiny...)...)
	if !bytes.Equal(read(t, out), read(t, same)) {
		t.Error("a choice that was cut leads to another model")
	}
}
