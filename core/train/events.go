package train

import (
	"time"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// Event is a progress report of Run: one of the types in this file. Later releases may add types.
type Event interface{ event() }

// ChoiceBegan reports that the choice of settings begins.
type ChoiceBegan struct{ Settings Settings }

// ChoiceWent reports the progress of the choice, after every epoch and every trial.
type ChoiceWent struct{ choose.AutoEvent }

// ChoiceEnded reports the result of the choice, after its last trial. It is also sent if the choice fails.
type ChoiceEnded struct {
	From, Chosen Settings
	Trials       []choose.Trial
	OutOfTime    bool  // half of Options.MaxTime passed before every trial was made
	PriorLater   bool  // the visitors' prior is still open: calibration chooses it
	Err          error // the error that ended the choice; nil if it is complete or out of time
}

// TrainingBegan reports that a training begins.
type TrainingBegan struct {
	Training
	Settings Settings
	Until    time.Time // deadline; zero: none
}

// TrainingResumed reports the checkpoint that a training continues from.
type TrainingResumed struct{ training.Resumed }

// BatchDone reports the end of a batch.
type BatchDone struct{ Done, All int }

// EpochDone reports the end of an epoch.
type EpochDone struct{ training.Epoch }

// TrainingEnded reports the end of a training.
type TrainingEnded struct {
	training.Outcome
	Settings Settings
}

// Problem reports a problem that does not stop the work, for example a checkpoint or a learning curve that cannot be
// written.
type Problem struct{ Text string }

// Evaluating reports the progress of an evaluation, in users.
type Evaluating struct{ Done, All int }

// Evaluated reports the metrics on a test part.
type Evaluated struct{ *eval.Report }

// LayingOut reports the progress of the map's layout, in steps.
type LayingOut struct {
	Done, All int
	XY        []float64 // the places so far, x and y of each item, if there are any; valid during the call
}

// LaidOut reports that the map is complete. Models of more than tastemap.MaxItems items get a plain map without
// regions.
type LaidOut struct{ Items int }

// CalibrationTaken reports that the model inherits the calibration of the model it continues from. Had is false if that
// model has none.
type CalibrationTaken struct{ Had bool }

// PriorChosen reports the visitors' prior that was chosen on the users left out.
type PriorChosen struct{ calibrate.VisitorPrior }

// PartChosen reports the item-item part that was chosen on the users left out of the training.
type PartChosen struct {
	From, Chosen  Settings
	People        int
	NDCG, Without float64 // mean NDCG@10 with the part and without
}

// Calibrated reports the users that the model was calibrated on. Users is 0 if the data have too few users to leave
// some out.
type Calibrated struct {
	Users     int
	Trainings int // extra trainings without some of the users; 0: the kept training left them out
}

// OrderLearned reports whether the model has links in order, and why not.
type OrderLearned struct {
	choose.Order
	Future int // likes dated more than a day after the training; they count as they are
}

// ColdAdded reports on the items without likes that were added to the model.
type ColdAdded struct{ *coldstart.Report }

func (ChoiceBegan) event()      {}
func (ChoiceWent) event()       {}
func (ChoiceEnded) event()      {}
func (TrainingBegan) event()    {}
func (TrainingResumed) event()  {}
func (BatchDone) event()        {}
func (EpochDone) event()        {}
func (TrainingEnded) event()    {}
func (Problem) event()          {}
func (Evaluating) event()       {}
func (Evaluated) event()        {}
func (LayingOut) event()        {}
func (LaidOut) event()          {}
func (CalibrationTaken) event() {}
func (PriorChosen) event()      {}
func (PartChosen) event()       {}
func (Calibrated) event()       {}
func (OrderLearned) event()     {}
func (ColdAdded) event()        {}
