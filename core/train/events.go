package train

import (
	"time"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// Event is something that Run reports: one of the types of this file. Further ones may come.
type Event interface{ event() }

// ChoiceBegan says that settings are chosen now.
type ChoiceBegan struct{ Settings Settings }

// ChoiceWent comes after every epoch and trial of a choice.
type ChoiceWent struct{ choose.AutoEvent }

// ChoiceEnded comes after the last trial, before an error.
type ChoiceEnded struct {
	From, Chosen Settings
	Trials       []choose.Trial
	OutOfTime    bool  // half of Options.MaxTime was over before all was tried
	PriorLater   bool  // the visitors' prior is not chosen yet: the calibration will
	Err          error // what ended the choice; nil where it is complete, or out of time
}

// TrainingBegan says that a training begins.
type TrainingBegan struct {
	Training
	Settings Settings
	Until    time.Time // when it ends at the latest; zero: no limit
}

// TrainingResumed says where a training with checkpoints begins.
type TrainingResumed struct{ training.Resumed }

// BatchDone comes after every batch of a training.
type BatchDone struct{ Done, All int }

// EpochDone comes after every epoch of a training.
type EpochDone struct{ training.Epoch }

// TrainingEnded comes after a training.
type TrainingEnded struct {
	training.Outcome
	Settings Settings
}

// Problem is one that does not end the work: a checkpoint or a learning curve cannot be written, say.
type Problem struct{ Text string }

// Evaluating says for how many users the ranking is measured.
type Evaluating struct{ Done, All int }

// Evaluated are the figures of a test part.
type Evaluated struct{ *eval.Report }

// LayingOut says how many steps of the map's layout are done.
type LayingOut struct{ Done, All int }

// LaidOut says that the model has its map. It is a plain one, without regions, where there are more than
// tastemap.MaxItems items.
type LaidOut struct{ Items int }

// CalibrationTaken says that the model's calibration is that of the model which it began from; where Had is false, that
// one has none.
type CalibrationTaken struct{ Had bool }

// PriorChosen says which prior of visitors was chosen on the people left out.
type PriorChosen struct{ calibrate.VisitorPrior }

// Calibrated says on whom the model was calibrated: Users 0 says that there are too few people to leave some out.
type Calibrated struct {
	Users     int
	Trainings int // further ones, without some of them; 0: the kept training left them out
}

// ColdAdded says what became of the items that nobody likes.
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
func (Calibrated) event()       {}
func (ColdAdded) event()        {}
