package train

import (
	"context"
	"fmt"
	"time"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Report describes a finished Run.
type Report struct {
	Settings Settings       // of the model, as chosen
	Trials   []choose.Trial // of the choice; nil: nothing was chosen

	Trained   int     // interactions that it learned from
	Epochs    int     // that were trained
	Resumed   int     // of these, before this run
	BestEpoch int     // the epoch after which the model is the state
	Batches   int     // batches of the next epoch that are in it too, where the training was stopped within one
	TimeOver  bool    // Options.MaxTime ended the training
	Seconds   float64 // that the epochs took, validations included

	SecondsOf map[string]float64 // of the parts of the work: choosing, measuring, training, laying out, calibrating

	Quality *eval.Report      // on the test part; nil: nothing was measured
	Cold    *coldstart.Report // of the items that nobody likes; nil: none were to be added
}

// Run trains on d and returns the model, ready to be written (model.WriteFile), with how it went.
//
// Where ctx ends, a training diverges, or a device fails, the error says so and the best model so far comes with it: of
// the training that is kept, else of the one that was measured. It has its item links, and a plain map and no
// calibration unless these were finished. Model and report are nil where nothing was learned; the model alone where
// Options.NoModel says so, or where it cannot be made.
//
// A training of a gigabyte or more lets the heap of the process grow by a quarter, and not to twice its size, before a
// garbage collection, unless GOGC is set.
//
// Cost: the choice of settings takes some ten trainings on small data and about as long as one on large data; the
// calibration up to four on small data and none on large data (calibrate.Folds).
func Run(ctx context.Context, d *dataset.Dataset, o Options) (*model.Model, *Report, error) {
	o, err := o.complete(d)
	if err != nil {
		return nil, nil, err
	}
	r := newRun(o, d)
	last, err := r.learnAll(ctx)
	if last == nil {
		return nil, nil, err
	}
	var m *model.Model
	if !o.NoModel {
		m, err = r.finish(ctx, last, err)
	}
	return m, r.reportOn(last), err
}

// run is one Run.
type run struct {
	Options
	data      *dataset.Dataset
	settings  Settings         // those chosen, once they are
	initial   *pmlam.Beginning // what the data take over of Options.From
	trainings int              // that share the time
	parts     map[string]float64
	trials    []choose.Trial
	cold      *coldstart.Report
}

func newRun(o Options, d *dataset.Dataset) *run {
	r := &run{Options: o, data: d, settings: o.Settings, parts: map[string]float64{}, trainings: 1}
	if o.From != nil {
		r.initial, _ = pmlam.BeginningOf(o.From, d)
	}
	return r
}

func (r *run) emit(e Event) {
	if r.Events != nil {
		r.Events(e)
	}
}

// timePart begins a part of the work and returns the function that ends it. Parts of one name are summed.
func (r *run) timePart(name string) (end func()) {
	began := time.Now()
	return func() { r.parts[name] += time.Since(began).Seconds() }
}

// The names of the parts that are no trainings.
const (
	choosing  = "choosing"
	layingOut = "laying out"
)

// learnAll chooses the settings and makes the trainings that are kept and measured, and returns the one to keep; nil
// where nothing was learned.
func (r *run) learnAll(ctx context.Context) (*learned, error) {
	chooseOn := r.Split.Train
	if r.Measure.Train != nil {
		chooseOn = r.Measure.Train
		r.trainings++
	}
	if r.settings.Auto {
		chosen := r.timePart(choosing)
		if err := r.choose(ctx, chooseOn); err != nil {
			return nil, err
		}
		chosen()
	}
	left := r.leavesOut()
	r.trainings += r.further(left)
	var measured, last *learned
	var err error
	if r.Measure.Train != nil {
		trained := r.timePart(string(Measuring))
		measured, err = r.learnAndMeasure(ctx, Training{Purpose: Measuring}, r.Measure, nil)
		trained()
	}
	if err == nil {
		trained := r.timePart(string(Keeping))
		last, err = r.learnAndMeasure(ctx, Training{Purpose: Keeping}, r.Split, left)
		trained()
	}
	return better(measured, last, err), err
}

// better returns the training to keep, of the measured one and the last one; err ended the last one early. Figures
// belong to what they were measured on: a finished last training takes over those of the measured one; otherwise the
// measured one is kept, which is the better of the two.
func better(measured, last *learned, err error) *learned {
	switch {
	case measured == nil:
		return last
	case last == nil || err != nil:
		return measured
	}
	last.report = measured.report
	return last
}

// finish makes the model of what was learned. ended is what ended the training early, nil where nothing did; it is
// returned, or else what ended the layout or the calibration.
func (r *run) finish(ctx context.Context, l *learned, ended error) (*model.Model, error) {
	m, err := r.build(l)
	if err != nil {
		if ended != nil {
			return nil, fmt.Errorf("what was learned cannot be kept (%v): %w", err, ended)
		}
		return nil, err
	}
	if ended != nil { // written without a calibration, and with a plain map
		return m, ended
	}
	laidOut := r.timePart(layingOut)
	err = r.layOut(ctx, m)
	if laidOut(); err != nil {
		return m, err
	}
	calibrated := r.timePart(string(Calibrating))
	m.Calibration, err = r.calibration(ctx, m, l)
	if calibrated(); !r.settings.Calibrate {
		delete(r.parts, string(Calibrating))
	}
	if err != nil || r.Cold == nil {
		return m, err
	}
	return r.withCold(ctx, m)
}

// build makes the model of what was learned, with a plain map and no calibration.
func (r *run) build(l *learned) (*model.Model, error) {
	precision, err := model.ParsePrecision(r.Precision)
	if err != nil {
		return nil, err
	}
	e, err := r.settings.Export()
	if err != nil {
		return nil, err
	}
	if l.report != nil {
		e.Metrics = l.report.Map()
	}
	e.Precision, e.WithUsers, e.Program, e.ItemItem = precision, r.WithUsers, r.Program, l.links
	return l.Model(r.data.LearnedFrom(l.train), e)
}

// layOut gives the model its map.
func (r *run) layOut(ctx context.Context, m *model.Model) error {
	if err := LayOut(ctx, m, r.Workers, func(done, all int) { r.emit(LayingOut{done, all}) }); err != nil {
		return err
	}
	r.emit(LaidOut{m.Items.Len()})
	return nil
}

// withCold is AddCold of what the options name.
func (r *run) withCold(ctx context.Context, m *model.Model) (*model.Model, error) {
	m, report, err := AddCold(ctx, m, *r.Cold, r.Workers)
	if err == nil {
		r.cold = report
		r.emit(ColdAdded{report})
	}
	return m, err
}

// AddCold returns the model with those of the items that it has not learned. It works on what the file would hold, so
// that it is what the command add-items makes of that file. Where that cannot be, m is returned, with the error.
func AddCold(ctx context.Context, m *model.Model, about coldstart.Items, workers int) (*model.Model, *coldstart.Report,
	error) {
	kept, err := asFile(m)
	if err != nil {
		return m, nil, err
	}
	with, report, err := coldstart.Add(ctx, kept, about, workers)
	if err != nil {
		return m, nil, fmt.Errorf("the items that nobody likes are not in the model: %w", err)
	}
	return with, report, nil
}

func (r *run) reportOn(l *learned) *Report {
	return &Report{
		Settings: r.settings,
		Trained:  l.train.Len(), Epochs: l.Epochs, Resumed: l.Resumed, BestEpoch: l.Epoch, Batches: l.Batches,
		TimeOver: l.Over, Seconds: l.Seconds, SecondsOf: r.parts, Quality: l.report, Cold: r.cold,
		Trials: r.trials,
	}
}
