package train

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Report describes a finished Run.
type Report struct {
	Settings Settings       // the model's, as chosen
	Trials   []choose.Trial // of the choice of settings; nil: nothing was chosen

	Trained   int     // interactions in the training part
	Epochs    int     // epochs completed
	Resumed   int     // epochs completed by earlier runs
	BestEpoch int     // the epoch whose state the model holds
	Batches   int     // batches of the following epoch also included, if the training stopped within one
	TimeOver  bool    // Options.MaxTime ended the training
	Seconds   float64 // duration of the epochs, including validation

	SecondsOf map[string]float64 // duration of each step: choosing, measuring, training, laying out, calibrating

	Quality *eval.Report      // on the test part; nil: not measured
	Cold    *coldstart.Report // on the items without likes; nil: none were to be added
}

// Run trains on d. It returns the model, ready for model.WriteFile, and a report.
//
// If ctx ends, a training diverges or a device fails, Run returns the best model so far together with the error. That
// is the model of the kept training or, failing that, of the measured one. It has its item links, but only a plain map
// and no calibration unless these steps were finished. Model and report are nil if nothing was learned. The model alone
// is nil if Options.NoModel is set or the model cannot be built.
//
// For trainings of a gigabyte or more, Run lets the heap of the process grow by a quarter, instead of double, between
// garbage collections, unless GOGC is set.
//
// Cost: choosing settings takes about three trainings on small data and at most one on large data. Calibration takes up
// to four trainings on small data and none on large data (calibrate.Folds).
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

type run struct {
	Options
	data      *dataset.Dataset
	settings  Settings         // the chosen ones, once the choice is made
	initial   *pmlam.Beginning // state inherited from Options.From
	trainings int              // trainings that share MaxTime
	parts     map[string]float64
	trials    []choose.Trial
	// no training follows the choice, so no users are left out of one to choose the item-item part on
	choiceOnly bool
	firstFold  *pmlam.Result // the training of the first calibration fold, if the choice of settings made it
	cold       *coldstart.Report
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

// timePart starts the clock of a step and returns the function that stops it. Steps of the same name are summed.
func (r *run) timePart(name string) (end func()) {
	began := time.Now()
	return func() { r.parts[name] += time.Since(began).Seconds() }
}

// Names of the steps that are not trainings.
const (
	choosing  = "choosing"
	layingOut = "laying out"
)

// learnAll chooses the settings, runs the measured training and the kept one, and returns the one to keep; nil if
// nothing was learned.
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
	left := r.leftOutUsers()
	r.trainings += r.extraTrainings(left)
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

// better picks the training to keep: the measured one or the last one, which err ended early. A completed last training
// is kept, with the metrics of the measured one. Otherwise the measured one, being complete, is kept.
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

// finish makes the model of the training l. ended is the error that ended the training early, or nil. finish returns
// ended or, if it is nil, the error that ended the layout or the calibration.
func (r *run) finish(ctx context.Context, l *learned, ended error) (*model.Model, error) {
	next, err := r.order(context.WithoutCancel(ctx), l.train)
	var m *model.Model
	if err == nil {
		if m, err = r.build(l); err == nil {
			m.Next, m.Again = next, r.again()
		}
	}
	if err != nil {
		if ended != nil {
			return nil, fmt.Errorf("cannot save the trained model (%v): %w", err, ended)
		}
		return nil, err
	}
	if ended != nil { // returned with a plain map and without a calibration
		return m, ended
	}
	laidOut := r.timePart(layingOut)
	err = r.layOut(ctx, m, tastemap.Compute)
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

// build makes the model, with a plain map and no calibration.
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

// order returns the links in order of the likes; nil if the settings ask for none, no order is known, or it does not
// pay.
func (r *run) order(ctx context.Context, likes *dataset.Matrix) (*model.ItemLinks, error) {
	if r.settings.NextTop == 0 {
		return nil, nil
	}
	try := r.settings.Auto && !slices.Contains(r.ByHand, "next_top")
	o, err := r.settings.Order(ctx, r.data, likes, try, r.Workers)
	if err != nil {
		return nil, err
	}
	e := OrderLearned{Order: o}
	for latest, k := time.Now().Unix()+24*60*60, 0; k < len(r.data.Times); k++ {
		if r.data.Times[k] > latest {
			e.Future++
		}
	}
	r.emit(e)
	return o.Links, nil
}

// again reports whether lists may have items that the visitor chose before.
func (r *run) again() bool {
	if r.Again != nil {
		return *r.Again
	}
	return r.data.Read.ComesAgain()
}

func (r *run) layOut(ctx context.Context, m *model.Model, compute mapping) error {
	step := func(done, all int, xy []float64) { r.emit(LayingOut{done, all, xy}) }
	if err := layOut(ctx, m, compute, r.Workers, step); err != nil {
		return err
	}
	r.emit(LaidOut{m.Items.Len()})
	return nil
}

// withCold calls AddCold with the catalogue of the options.
func (r *run) withCold(ctx context.Context, m *model.Model) (*model.Model, error) {
	m, report, err := AddCold(ctx, m, *r.Cold, r.Workers)
	if err == nil {
		r.cold = report
		r.emit(ColdAdded{report})
	}
	return m, err
}

// AddCold adds the items of a catalogue that m has not learned. It works on the rows as stored in the file, so it gives
// the same result as the command add-items on the file of m. On an error it returns m unchanged.
func AddCold(ctx context.Context, m *model.Model, about coldstart.Items, workers int) (*model.Model, *coldstart.Report,
	error) {
	kept, err := asFile(m)
	if err != nil {
		return m, nil, err
	}
	with, report, err := coldstart.AddHeld(ctx, kept, about, workers)
	if err != nil {
		return m, nil, fmt.Errorf("adding the items without likes: %w", err)
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
