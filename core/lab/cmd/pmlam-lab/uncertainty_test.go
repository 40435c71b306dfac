package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
)

// Every study that the ratings allow is made, and every plot is written.
func TestUncertainty(t *testing.T) {
	data, plots := some(t, 80), filepath.Join(t.TempDir(), "plots")
	args := append([]string{"uncertainty", "--data", data, "--seeds", "2", "--tenths", "1"}, quick...)
	r := ok(t, append(args, "--plots", plots, "--json")...)
	o := r.object(t)
	if n := figure(t, o, "people"); n < 5 || n > 8 {
		t.Errorf("%v people were left out", n)
	}
	sigma := o["sigma"].(map[string]any)
	if figure(t, sigma, "members") != 2 || sigma["items"].(map[string]any)["ensemble"] == nil {
		t.Errorf("%v", sigma)
	}
	for study, lists := range map[string][]string{"exploration": {"asked", "known"}, "questions": {"asked", "known"}} {
		for _, list := range lists {
			policies := o[study].(map[string]any)[list].([]any)
			if len(policies) < 4 {
				t.Errorf("%s, %s: %d ways to ask", study, list, len(policies))
			}
			for _, p := range policies {
				for _, x := range p.(map[string]any)["recall"].([]any) {
					if v := figure(t, x.(map[string]any), "value"); v < 0 || v > 1 {
						t.Errorf("%v: a recall of %v", p, v)
					}
				}
			}
		}
	}
	for _, name := range []string{"sigma", "coverage", "places", "stability", "selective", "exploration", "questions"} {
		for _, format := range []string{".png", ".svg"} {
			if info, err := os.Stat(filepath.Join(plots, name+format)); err != nil || info.Size() < 1000 {
				t.Errorf("%s%s: %v", name, format, err)
			}
		}
	}
	// Trained and kept models, or a mix of them, give the same report.
	keep := filepath.Join(t.TempDir(), "keep")
	for range 2 {
		if again := ok(t, append(args, "--workers", "3", "--keep", keep, "--json")...); again.out != r.out {
			t.Error("three workers without plots give a different report")
		}
		if err := os.Remove(filepath.Join(keep, "seed2.msgpack")); err != nil {
			t.Error(err)
		}
	}
	alone := ok(t, append(args, "--only", "places")...).out
	if !strings.Contains(alone, "The visitor on the map") || strings.Contains(alone, "Exploration") ||
		strings.Contains(alone, "σ") {
		t.Errorf("only places: %s", alone)
	}
	text := ok(t, append(args, "--seeds", "1")...).out
	for _, part := range []string{"What the trained σ says", "Exploration that pays", "Which of these two?",
		"\n  greedy "} {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q", part)
		}
	}
}

// The correlations of a model's σ are measured without training.
func TestUncertaintyOfAModel(t *testing.T) {
	data := some(t, 60)
	out := filepath.Join(t.TempDir(), "model")
	trained(t, append([]string{"--data", data, "--fold", "0", "--out", out}, quick...)...)
	o := ok(t, "uncertainty", "--data", data, "--fold", "0", "--model", out, "--json").object(t)
	items := o["sigma"].(map[string]any)["items"].(map[string]any)
	if figure(t, items, "n") < 100 || o["exploration"] != nil || items["ensemble"] != nil {
		t.Errorf("%v", o)
	}
	second := filepath.Join(t.TempDir(), "second")
	trained(t, append([]string{"--data", data, "--fold", "0", "--out", second, "--seed", "2", "--with-users"},
		quick...)...)
	o = ok(t, "uncertainty", "--data", data, "--fold", "0", "--model", out, "--ensemble", second,
		"--json").object(t)
	if items := o["sigma"].(map[string]any)["items"].(map[string]any); items["ensemble"] == nil {
		t.Errorf("two models do not disagree: %v", items)
	}
	r := command("uncertainty", "--data", data, "--fold", "0", "--model", out, "--min-item", "2")
	if r.code != cli.ExitFailed || !strings.Contains(r.errors, "use the training's flags (--min-item, --min-user)") {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}

func TestUncertaintyStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	interrupted, stop := context.WithCancel(context.Background())
	go func() { <-ctx.Done(); stop() }()
	r := within(interrupted, "uncertainty", "--data", lens, "--auto=false", "--workers", "1")
	if r.code != cli.ExitInterrupted || r.out == "" && r.errors == "" {
		t.Errorf("exit code %d, %s", r.code, r.errors)
	}
}
