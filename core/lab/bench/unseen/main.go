// Command unseen measures models and plain methods on users whom their training did not see: core/lab/docs/unseen.md.
// It does the same as pmlam evaluate, and in addition tries many settings of a linear autoencoder for one inverse, and
// keeps the results of methods, so that a later model is compared with them without fitting them again.
package main

import (
	"context"
	"encoding/gob"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

func main() {
	var s study
	flag.StringVar(&s.data, "data", "", "a folder with test_in.txt, or with -by-user any data")
	flag.Float64Var(&s.byUser, "by-user", 0, "share of the users to test on, and to validate on")
	flag.Uint64Var(&s.seed, "seed", 1, "seed of the users and of their told likes")
	flag.StringVar(&s.inverses, "inverses", "", "linear autoencoders: lambda/dropout/beta, with commas between them")
	flag.StringVar(&s.iterated, "iterated", "", "linear autoencoders without an inverse, by conjugate gradients: "+
		"lambda/dropout/relax/alpha/beta, with commas between them; relax 1 is the cheapest")
	flag.StringVar(&s.relax, "relax", "0", "values of relax to try for each inverse")
	flag.StringVar(&s.alpha, "alpha", "0", "values of alpha to try for each inverse")
	flag.StringVar(&s.baselines, "baselines", "", "other methods, as pmlam evaluate takes them")
	flag.StringVar(&s.models, "models", "", "model files, trained on the same training users")
	flag.StringVar(&s.keep, "keep", "", "file with results of earlier runs on the same data, to compare with and to "+
		"add to")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := s.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "unseen:", err)
		os.Exit(1)
	}
}

type study struct {
	data, inverses, iterated, relax, alpha, baselines, models, keep string
	byUser                                                          float64
	seed                                                            uint64

	users *eval.Strangers
	split dataset.UserSplit
}

func (s *study) run(ctx context.Context) error {
	d, err := s.read()
	if err != nil {
		return err
	}
	s.users = eval.NewStrangers(s.split, []int{1, 3, 5, 10, 20}, s.seed, eval.Options{Ks: []int{20}})
	if err := s.load(); err != nil {
		return err
	}
	for _, spec := range list(s.inverses) {
		if err := s.inverse(ctx, spec); err != nil {
			return err
		}
	}
	for _, spec := range list(s.iterated) {
		if err := s.iterate(ctx, spec); err != nil {
			return err
		}
	}
	for _, spec := range list(s.baselines) {
		began := time.Now()
		fit, err := baseline.New(ctx, spec, s.split.Train, 0)
		if err != nil {
			return err
		}
		fmt.Printf("%s: fitted in %.1f s\n", spec, time.Since(began).Seconds())
		family, _, _ := strings.Cut(spec, ":")
		if err := s.measure(ctx, spec, family, fit); err != nil {
			return err
		}
	}
	for _, file := range list(s.models) {
		m, err := model.ReadFile(file)
		if err != nil {
			return err
		}
		v, _, err := scoring.NewVisitors(m, d.Items.Strings())
		if err != nil {
			return err
		}
		if err := s.add(ctx, file, "", func(likes *dataset.Matrix) (eval.Scorer, error) {
			return v.Scorer(likes), nil
		}); err != nil {
			return err
		}
	}
	fmt.Print(s.users.Table())
	return nil
}

func (s *study) read() (*dataset.Dataset, error) {
	if s.byUser > 0 {
		d, err := dataset.Load(s.data, dataset.Options{})
		if err == nil {
			s.split = d.ByUser(s.byUser, s.seed)
		}
		return d, err
	}
	d, split, err := dataset.LoadFixed(s.data, "", dataset.Options{})
	if err == nil {
		s.split = dataset.SplitUsers(split.Train, d.Validation, split.Test)
	}
	return d, err
}

// inverse measures all values of relax and alpha for one inverse.
func (s *study) inverse(ctx context.Context, spec string) error {
	x, err := numbers(strings.ReplaceAll(spec, "/", ","))
	if err != nil || len(x) != 3 {
		return fmt.Errorf("-inverses: %q is not lambda/dropout/beta", spec)
	}
	began := time.Now()
	settings := baseline.LinearSettings{Lambda: x[0], Dropout: x[1], Beta: x[2]}
	fit, err := baseline.FitLinear(ctx, s.split.Train, settings, 0)
	if err != nil {
		return err
	}
	fmt.Printf("%s: fitted in %.1f s\n", spec, time.Since(began).Seconds())
	relax, err := numbers(s.relax)
	if err != nil {
		return err
	}
	alpha, err := numbers(s.alpha)
	if err != nil {
		return err
	}
	for _, xi := range relax {
		for _, a := range alpha {
			name := fmt.Sprintf("ease:lambda=%g:dropout=%g:relax=%g:alpha=%g:beta=%g", x[0], x[1], xi, a, x[2])
			if err := s.measure(ctx, name, family(x[1], xi, a, x[2]), fit.With(xi, a)); err != nil {
				return err
			}
		}
	}
	return nil
}

// iterate measures an autoencoder by conjugate gradients.
func (s *study) iterate(ctx context.Context, spec string) error {
	x, err := numbers(strings.ReplaceAll(spec, "/", ","))
	if err != nil || len(x) != 5 {
		return fmt.Errorf("-iterated: %q is not lambda/dropout/relax/alpha/beta", spec)
	}
	began := time.Now()
	settings := baseline.LinearSettings{Lambda: x[0], Dropout: x[1], Relax: x[2], Alpha: x[3], Beta: x[4]}
	fit, err := newSystem(ctx, s.split.Train, settings)
	if err != nil {
		return err
	}
	fmt.Printf("%s: fitted in %.1f s\n", spec, time.Since(began).Seconds())
	name := fmt.Sprintf("ease:lambda=%g:dropout=%g:relax=%g:alpha=%g:beta=%g", x[0], x[1], x[2], x[3], x[4])
	return s.add(ctx, name, family(x[1], x[2], x[3], x[4]), func(likes *dataset.Matrix) (eval.Scorer, error) {
		return fit.scorer(ctx, likes)
	})
}

// family names the published method of these settings.
func family(dropout, relax, alpha, beta float64) string {
	name := "RLAE"
	switch relax {
	case 0:
		name = "EASE"
	case 1:
		name = "LAE"
	}
	switch {
	case alpha > 0 || beta > 0:
		return name + " with DAN"
	case dropout > 0 && relax == 0:
		return "EDLAE"
	case dropout > 0:
		return name + " with dropout"
	}
	return name
}

func (s *study) measure(ctx context.Context, name, family string, fit eval.Scorer) error {
	return s.add(ctx, name, family, func(likes *dataset.Matrix) (eval.Scorer, error) {
		return baseline.FoldIn(ctx, fit, likes, 0)
	})
}

// add measures a method, unless an earlier run did.
func (s *study) add(ctx context.Context, name, family string, of func(*dataset.Matrix) (eval.Scorer, error)) error {
	for _, r := range s.users.Rows {
		if r.Method == name {
			return nil
		}
	}
	row, err := s.users.Measure(ctx, name, family, of)
	if err != nil {
		return err
	}
	fmt.Printf("%s\t%s\tvalidation %.4f\n", family, name, *row.Validation)
	return s.save()
}

// kept is the form of the file of -keep.
type kept struct {
	Data string
	Rows []*eval.StrangersRow
}

func (s *study) identity() string { return fmt.Sprint(s.data, " ", s.byUser, " ", s.seed) }

func (s *study) load() error {
	if s.keep == "" {
		return nil
	}
	f, err := os.Open(s.keep)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	var k kept
	if err := gob.NewDecoder(f).Decode(&k); err != nil {
		return fmt.Errorf("%s: %w", s.keep, err)
	}
	if k.Data != s.identity() {
		return fmt.Errorf("%s is of %s, not of %s", s.keep, k.Data, s.identity())
	}
	s.users.Rows = k.Rows
	return nil
}

func (s *study) save() error {
	if s.keep == "" {
		return nil
	}
	for _, r := range s.users.Rows {
		r.Report = nil
	}
	f, err := os.Create(s.keep + ".new")
	if err != nil {
		return err
	}
	if err := errors.Join(gob.NewEncoder(f).Encode(kept{s.identity(), s.users.Rows}), f.Close()); err != nil {
		return err
	}
	return os.Rename(s.keep+".new", s.keep)
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

func numbers(text string) (out []float64, err error) {
	for _, word := range list(text) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, nil
}
