//go:build !js || train

// Command learn trains a model of a folder of interactions with the default settings, without the command line's
// flags and messages. Tests and benchmarks run it natively and for js/wasm, and compare the bytes of the models.
//
//	learn DATA OUT [SETTING=VALUE …]
//
// Without OUT, "-", it prints the digest of the model's bytes.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
)

func main() {
	if err := learn(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "learn:", err)
		os.Exit(1)
	}
}

func learn(out io.Writer, args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("want DATA and OUT, not %q", args)
	}
	var read dataset.Options
	settings, err := train.Preset(pmlam.DefaultPreset)
	if err != nil {
		return err
	}
	for _, arg := range args[2:] {
		name, value, _ := strings.Cut(arg, "=")
		var to any = &settings
		if strings.HasPrefix(name, "Min") || name == "NoRatings" {
			to = &read
		}
		if err := json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", name, value), to); err != nil {
			return fmt.Errorf("%s: %w", arg, err)
		}
	}
	began := time.Now()
	d, err := dataset.Load(args[0], read)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%6.2f s: read %d interactions\n", time.Since(began).Seconds(), d.Positives.Len())
	m, _, err := train.Run(context.Background(), d, train.Options{Settings: settings, Events: func(e train.Event) {
		switch e := e.(type) {
		case train.ChoiceWent, train.EpochDone, train.LayingOut, train.BatchDone, train.Evaluating:
		default:
			fmt.Fprintf(out, "%6.2f s: %T\n", time.Since(began).Seconds(), e)
		}
	}})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%6.2f s: trained\n", time.Since(began).Seconds())
	if args[1] != "-" {
		return model.WriteFile(args[1], m)
	}
	b, err := model.Encode(m)
	fmt.Fprintf(out, "sha256 %x\n", sha256.Sum256(b))
	return err
}
