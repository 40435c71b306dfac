package train

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// some returns the ratings of the first users of MovieLens small.
func some(t *testing.T, users int) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Load(someFile(t, users), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// someFile returns the file that some reads.
func someFile(t *testing.T, users int) string {
	t.Helper()
	all, err := os.ReadFile("../../assets/data/ml-latest-small/ratings.csv")
	if err != nil {
		t.Fatal(err)
	}
	if at := bytes.Index(all, fmt.Appendf(nil, "\n%d,", users+1)); at >= 0 { // users are in ascending order
		all = all[:at+1]
	}
	path := filepath.Join(t.TempDir(), "ratings.csv")
	if err := os.WriteFile(path, all, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// quick returns settings that train in milliseconds.
func quick(t *testing.T) Settings {
	t.Helper()
	s, err := Preset("composed")
	if err != nil {
		t.Fatal(err)
	}
	s.Epochs, s.Dim, s.Batch, s.Negatives = 2, 4, 64, 5
	return s
}

// newTestRun returns a run that prints nothing.
func newTestRun(t *testing.T, d *dataset.Dataset, o Options) *run {
	t.Helper()
	o, err := o.complete(d)
	if err != nil {
		t.Fatal(err)
	}
	return newRun(o, d)
}

// Feedback of left-out users never reaches the model that they are judged by: the model is the same whatever they say.
// Feedback of other users does reach it.
func TestNobodyIsJudgedByAModelThatKnowsThem(t *testing.T) {
	d := some(t, 40)
	s := quick(t)
	s.Epochs, s.Batch, s.ItemPart = 1, 100, choose.RidgePart
	r := newTestRun(t, d, Options{Settings: s, Precision: "float32"})
	left := calibrate.Folds(d.Positives, s.Seed)[1]
	// changed returns the data with different likes for some users: each title is replaced by its successor.
	changed := func(users []int) calibrate.Data {
		var pairs []dataset.Pair
		for u := range d.Positives.Rows() {
			for _, i := range d.Positives.Row(u) {
				if slices.Contains(users, u) {
					i = (i + 1) % int32(d.Items.Len())
				}
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			}
		}
		return calibrate.Data{Likes: dataset.NewMatrix(d.Users.Len(), d.Items.Len(), pairs)}
	}
	further := func(users []int) (*model.Model, error) {
		return r.fold(t.Context(), Training{Calibrating, 2, 4}, left, changed(users), nil)
	}
	itself := func(users []int) (*model.Model, error) {
		said := changed(users)
		l, err := r.learnAndMeasure(t.Context(), Training{Purpose: Keeping}, dataset.Split{Train: said.Likes}, left)
		if err != nil {
			return nil, err
		}
		m, err := r.build(l)
		if err != nil {
			return nil, err
		}
		all, err := r.calibrationFolds(t.Context(), m, l, said)
		if err != nil {
			return nil, err
		}
		if !slices.Equal(all[0].Left, left) {
			t.Fatalf("left out %v, want %v", left, all[0].Left)
		}
		return all[0].Model, nil
	}
	for name, train := range map[string]func([]int) (*model.Model, error){
		"a further training": further, "the kept training": itself,
	} {
		t.Run(name, func(t *testing.T) { judgesStrangers(t, left, calibrate.Folds(d.Positives, s.Seed)[0], train) })
	}
}

// Settings are chosen on the users that the first training for calibration leaves out, and that training is not made
// again: it would be the same.
func TestSettingsAreChosenOnStrangers(t *testing.T) {
	d := some(t, 500)
	s := quick(t)
	s.Auto, s.ItemPart = true, choose.RidgePart
	r := newTestRun(t, d, Options{Settings: s, Precision: "float32"})
	left := calibrate.Folds(d.Positives, s.Seed)[0]
	if !slices.Equal(r.strangers(), left) {
		t.Fatalf("chooses on %d users, want %d", len(r.strangers()), len(left))
	}
	if err := r.choose(t.Context(), d.Positives); err != nil {
		t.Fatal(err)
	}
	if r.firstFold == nil {
		t.Fatal("the choice passes on no training")
	}
	fold := func(known *pmlam.Result) *model.Model {
		m, err := r.fold(t.Context(), Training{Calibrating, 1, 4}, left, r.feedback(), known)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	known, again := fold(r.firstFold), fold(nil)
	if !reflect.DeepEqual(known, again) {
		t.Error("the training of the choice differs from the one that calibration would make")
	}
	for name, change := range map[string]func(o *Options){
		"no calibration": func(o *Options) { o.Settings.Calibrate = false },
		"another split":  func(o *Options) { o.Measure = d.Fold(5, 0, 1) },
		"validation":     func(o *Options) { o.Settings.Validation = 0.1 },
	} {
		o := Options{Settings: s}
		change(&o)
		if left := newTestRun(t, d, o).strangers(); left != nil {
			t.Errorf("%s: leaves out %d users", name, len(left))
		}
	}
}

// TestFiguresWithoutAFile: a training that keeps no model chooses the settings and measures the figures of one that does,
// on small data, whose settings are chosen on a training for calibration, and on data of many users, where the kept
// training itself leaves some out.
func TestFiguresWithoutAFile(t *testing.T) {
	var many strings.Builder
	many.WriteString("user,item\n")
	x := rand.New(rand.NewPCG(1, 2))
	for u := range 10_500 {
		for range 9 {
			fmt.Fprintf(&many, "u%d,i%d\n", u, (u%20)*10+x.IntN(25))
		}
	}
	path := filepath.Join(t.TempDir(), "many.csv")
	if err := os.WriteFile(path, []byte(many.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	large, err := dataset.Load(path, dataset.Options{MinUser: 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]*dataset.Dataset{"small": some(t, 500), "many users": large} {
		s := quick(t)
		s.Auto, s.ItemPart, s.Batch = true, choose.RidgePart, 1000
		o := Options{Settings: s, Split: d.Fold(5, 0, 1)}
		_, with, err := Run(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		o.NoModel = true
		m, without, err := Run(t.Context(), d, o)
		if err != nil || m != nil {
			t.Fatal(m, err)
		}
		// Only calibration chooses these.
		with.Settings.VisitorPrior, with.Settings.ItemPrior, with.Settings.NoRarity = without.Settings.VisitorPrior,
			without.Settings.ItemPrior, without.Settings.NoRarity
		if !reflect.DeepEqual(with.Settings, without.Settings) {
			t.Errorf("%s: settings %+v, with a file %+v", name, without.Settings, with.Settings)
		}
		if !reflect.DeepEqual(with.Quality.Map(), without.Quality.Map()) {
			t.Errorf("%s: %v, with a file %v", name, without.Quality.Map(), with.Quality.Map())
		}
	}
}

// judgesStrangers checks that a training gives the same model if left-out users change their likes, and another one if
// other users do.
func judgesStrangers(t *testing.T, left, others []int, train func(users []int) (*model.Model, error)) {
	judge := func(users []int) *model.Model {
		m, err := train(users)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	same := func(a, b *model.Model) bool {
		return reflect.DeepEqual(a.Items, b.Items) && reflect.DeepEqual(a.ItemItem, b.ItemItem) &&
			reflect.DeepEqual(a.Catalogue, b.Catalogue)
	}
	before := judge(nil)
	if !same(judge(left), before) {
		t.Error("feedback of left-out users reached the model that they are judged by")
	}
	if same(judge(others), before) {
		t.Error("feedback of other users does not reach the model")
	}
}

// A preset visitors' prior is chosen anew on the left-out users, and the model, its settings and the report's settings
// all state it. A prior set by hand stays, and so does a prior of 0.
func TestCalibrationChoosesTheVisitorPrior(t *testing.T) {
	d := some(t, 60)
	for name, c := range map[string]struct {
		prior  float64
		byHand []string
		stays  bool
	}{
		"by a rule": {100, []string{"dim"}, false},
		"by hand":   {100, []string{"dim", "visitor_prior"}, true},
		"none":      {0, nil, true},
		"links":     {100, []string{"dim", "item_prior"}, false},
	} {
		s := quick(t)
		s.Batch, s.VisitorPrior = 100, c.prior
		if slices.Contains(c.byHand, "item_prior") {
			s.ItemPrior = 0.5
		}
		chosen := false
		m, report, err := Run(t.Context(), d, Options{Settings: s, ByHand: c.byHand, Precision: "float32",
			Events: func(e Event) {
				if _, is := e.(PriorChosen); is {
					chosen = true
				}
			}})
		if err != nil || m.Calibration == nil {
			t.Fatal(m, err)
		}
		var kept Settings
		if err := json.Unmarshal([]byte(m.Provenance.Config), &kept); err != nil {
			t.Fatal(err)
		}
		got := report.Settings.VisitorPrior
		if stays := got == c.prior; kept != report.Settings || stays != c.stays || chosen == c.stays ||
			float64(m.Objective.Composition.Prior) != got ||
			float64(m.Objective.LinkPrior) != report.Settings.ItemPrior ||
			slices.Contains(c.byHand, "item_prior") != (report.Settings.ItemPrior == 0.5) {
			t.Errorf("%s: %v in the settings, %v in the file's, %+v in the model", name, got, kept.VisitorPrior,
				m.Objective.Composition)
		}
	}
}

// Stopped during the measurement, a training still returns its model; stopped before the end of its first epoch, it
// returns none.
func TestStopped(t *testing.T) {
	d := some(t, 60)
	fold := d.Fold(5, 0, 1)
	s := quick(t)
	o := Options{Settings: s, Split: fold}
	for name, c := range map[string]struct {
		at    func(e Event) bool
		model bool
		text  string
	}{
		"in the first epoch": {func(e Event) bool { _, is := e.(BatchDone); return is }, false, "nothing to save"},
		"after it":           {func(e Event) bool { _, is := e.(EpochDone); return is }, true, "in epoch 2"},
		// The evaluation may already be over when ctx ends; then the layout is the first step to notice.
		"while it is measured": {func(e Event) bool { _, is := e.(Evaluating); return is }, true,
			"evaluation|laying out the map"},
		"while it is laid out": {func(e Event) bool { _, is := e.(LayingOut); return is }, true, "laying out the map"},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		o.Events = func(e Event) {
			if c.at(e) {
				cancel()
			}
		}
		m, report, err := Run(ctx, d, o)
		cancel()
		if !errors.Is(err, context.Canceled) || !regexp.MustCompile(c.text).MatchString(err.Error()) || (m != nil) != c.model ||
			(report != nil) != c.model {
			t.Errorf("%s: %v, %+v, %v", name, m != nil, report, err)
		}
		if m != nil {
			if _, err := model.Encode(m); err != nil || m.Calibration != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The metrics in a file belong to the training that it holds, or to the same training on a fold.
func TestBetter(t *testing.T) {
	broken, figures := errors.New("stopped"), &eval.Report{}
	measured := func() *learned { return &learned{report: figures, Outcome: training.Outcome{Epochs: 1}} }
	whole := func() *learned { return &learned{Outcome: training.Outcome{Epochs: 2}} }
	if l := better(measured(), whole(), nil); l.Epochs != 2 || l.report != figures {
		t.Errorf("finished: %+v", l)
	}
	if l := better(measured(), whole(), broken); l.Epochs != 1 {
		t.Errorf("stopped in the second training: %+v", l)
	}
	if l := better(measured(), nil, broken); l.Epochs != 1 {
		t.Errorf("stopped before its first epoch: %+v", l)
	}
	if l := better(nil, whole(), broken); l.Epochs != 2 || l.report != nil {
		t.Errorf("stopped without measuring: %+v", l)
	}
	if l := better(nil, nil, broken); l != nil {
		t.Errorf("nothing there: %+v", l)
	}
}

// A run that is stopped anywhere and resumed from its checkpoints makes the same model as an uninterrupted one. So does
// any number of workers.
func TestGoesOn(t *testing.T) {
	d := some(t, 60)
	s := quick(t)
	o := Options{Settings: s, Measure: d.Fold(5, 0, 1), Workers: 1}
	bytesOf := func(o Options) []byte {
		t.Helper()
		m, _, err := Run(t.Context(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := model.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	want := bytesOf(o)
	o.Workers = 3
	if !bytes.Equal(bytesOf(o), want) {
		t.Error("the number of workers changes the model")
	}
	for _, stop := range []int{30, 100} { // within different trainings
		c, err := OpenCheckpoints(t.TempDir(), 0, false)
		if err != nil {
			t.Fatal(err)
		}
		o.Checkpoints = c
		ctx, cancel := context.WithCancel(t.Context())
		batches := 0
		o.Events = func(e Event) {
			if _, is := e.(BatchDone); is {
				if batches++; batches == stop {
					cancel()
				}
			}
		}
		if _, _, err := Run(ctx, d, o); !errors.Is(err, context.Canceled) {
			t.Fatalf("not stopped after %d batches of %d: %v", stop, batches, err)
		}
		cancel()
		o.Events = nil
		if !bytes.Equal(bytesOf(o), want) {
			t.Errorf("a run stopped after %d batches and resumed makes another model", stop)
		}
		c.Close()
		o.Checkpoints = nil
	}
}

// Settings that a program changes are not chosen automatically, like those set by flags. ByHand overrides this.
func TestWhatIsSetIsNotChosen(t *testing.T) {
	d := some(t, 30)
	s, err := Preset("best")
	if err != nil {
		t.Fatal(err)
	}
	if got := newTestRun(t, d, Options{Settings: s}).ByHand; len(got) > 0 {
		t.Errorf("a plain preset has %v set by hand", got)
	}
	s.Dim, s.Temperature, s.Seed = 3, 0.7, 5
	if got := newTestRun(t, d, Options{Settings: s}).ByHand; !slices.Equal(got, []string{"dim", "temperature", "seed"}) {
		t.Errorf("set by hand: %v", got)
	}
	if got := newTestRun(t, d, Options{Settings: s, ByHand: []string{}}).ByHand; len(got) > 0 {
		t.Errorf("set by hand: %v, want none", got)
	}
}

// Options that contradict each other are refused before anything is trained.
func TestContradictions(t *testing.T) {
	d := some(t, 30)
	s := quick(t)
	m, _, err := Run(t.Context(), d, Options{Settings: s})
	if err != nil {
		t.Fatal(err)
	}
	none, wide, other := s, s, s
	none.Epochs = 0
	wide.Radius = 1e6
	other.Dim = 5
	for name, o := range map[string]Options{
		"precision": {Settings: s, Precision: "float64"},
		"epochs":    {Settings: none},
		"radius":    {Settings: wide},
		"dim":       {Settings: other, From: m},
		"measured":  {Settings: s, From: m, Measure: d.Fold(5, 0, 1)},
		"links":     {Settings: s, Links: &model.ItemLinks{}},
	} {
		if m, _, err := Run(t.Context(), d, o); err == nil || m != nil {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	people := *d
	people.Users, err = dataset.NewIDs([]string{"ann@example.com"})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Run(t.Context(), &people, Options{Settings: s, WithUsers: true}); err == nil ||
		!strings.Contains(err.Error(), "e-mail address") {
		t.Errorf("e-mail addresses are accepted as user ids: %v", err)
	}
	if m, r, err := Run(t.Context(), d, Options{Settings: s, NoModel: true, Split: d.Fold(5, 0, 1)}); err != nil ||
		m != nil || r.Quality == nil || r.Quality.Users == 0 {
		t.Errorf("without a model: %v, %+v, %v", m, r, err)
	}
}
