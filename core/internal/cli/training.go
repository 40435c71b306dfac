package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/sequence"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// Watch shows the events of train.Run: progress as bars, the rest in words. Its method Show is a train.Options.Events.
type Watch struct {
	*App
	From       string // the file of --from
	Checkpoint bool   // checkpoints are kept
	Label      string // name of a training; "": by its purpose

	// Describe summarises an epoch; nil: as for PMLAM.
	Describe func(e training.Epoch) string

	bar      *Bar
	of       string // label of the bar
	settings train.Settings
	note     string   // of the last epoch
	trials   []string // lines of the current choice
}

// Choose returns the settings chosen for likes, a part of the data (train.Choose).
func (l *LongRun) Choose(ctx context.Context, w *Work, in *Input, likes *dataset.Matrix, cfg train.Settings,
	byHand []string) (train.Settings, error) {
	o, shown := l.Options(w, nil)
	defer shown.Close()
	o.Settings, o.ByHand, o.NoModel = cfg, byHand, true
	return train.Choose(ctx, in.Dataset, likes, o)
}

// Learn makes one training with this name on likes, a part of the data (train.Learn).
func (l *LongRun) Learn(ctx context.Context, w *Work, what string, in *Input, likes *dataset.Matrix,
	cfg train.Settings) (*train.Learned, error) {
	o, shown := l.Options(w, nil)
	defer shown.Close()
	shown.Label = what
	o.Settings, o.NoModel = cfg, true
	return train.Learn(ctx, in.Dataset, likes, o)
}

// Close ends the current bar.
func (w *Watch) Close() {
	if w.bar != nil {
		w.bar.Done()
	}
	w.bar, w.of = nil, ""
}

// progress returns the bar with this label, and ends any other.
func (w *Watch) progress(of, unit string) *Bar {
	if w.bar == nil || w.of != of {
		w.Close()
		w.bar, w.of = w.StepsBar(of, unit), of
	}
	return w.bar
}

// Show shows one event.
func (w *Watch) Show(e train.Event) {
	if w.Host != nil {
		w.Host.Event(e)
	}
	switch e := e.(type) {
	case train.ChoiceBegan:
		w.Printf("choosing settings on a validation part (--auto=false skips this):\n")
		w.settings, w.trials = e.Settings, nil
		w.progress("choosing", "epochs")
	case train.ChoiceWent:
		w.choiceWent(e.AutoEvent)
	case train.ChoiceEnded:
		w.choiceEnded(e)
	case train.TrainingBegan:
		w.trainingBegan(e)
	case train.TrainingResumed:
		w.resumed(e.Resumed)
	case train.BatchDone:
		w.bar.Set(int64(e.Done), int64(e.All), w.note)
	case train.EpochDone:
		w.note = w.describe(e.Epoch)
		w.bar.Set(w.bar.At, w.bar.Of, w.note)
	case train.TrainingEnded:
		w.trainingEnded(e)
	case train.Problem:
		if w.bar == nil {
			w.Notef("%s", e.Text)
		} else {
			w.bar.Say("%s", e.Text)
		}
	case train.Evaluating:
		w.progress("evaluating", "users").Count(e.Done, e.All)
	case train.Evaluated:
		w.Close()
		w.Printf("%s", e.Report)
	case train.OrderLearned:
		w.orderLearned(e)
	case train.LayingOut:
		w.progress("laying out", "steps").Count(e.Done, e.All)
	case train.LaidOut:
		w.Close()
		w.NotePlainMap(e.Items)
	default:
		w.showCalibration(e)
	}
}

// orderLearned says whether the model knows which items people choose after others, and why not.
func (w *Watch) orderLearned(e train.OrderLearned) {
	w.Close()
	t := e.Trial
	trial := fmt.Sprintf("ndcg@10 of the latest likes %.4f, without the order %.4f, of %d people", t.NDCG, t.Without,
		t.People)
	switch {
	case e.Links != nil && e.Tried:
		w.Printf("learned from the order of likes: %d links to items that people choose next (%s)", e.Links.Links(),
			trial)
	case e.Links != nil:
		w.Printf("learned from the order of likes: %d links to items that people choose next", e.Links.Links())
	case e.Sequences == nil:
		w.Printf("the order of likes is unknown, because the data have no times\n")
		return
	case t.People == 0:
		w.Printf("the order of likes is unknown: nobody has likes of two times")
	case t.People < sequence.LeastPeople:
		w.Printf("the order of likes is not used: %d people have likes of two times, and %d are needed to try it",
			t.People, sequence.LeastPeople)
	default:
		w.Printf("the order of likes is not used, because it does not help (%s)", trial)
	}
	for _, also := range []struct {
		n    int
		what string
	}{
		{e.Sequences.Untimed, "%d likes without a time are left out"},
		{e.Sequences.AtOnce, "%d users have all likes at one time"},
		{e.Future, "%d likes are dated in the future and count as they are"},
	} {
		if also.n > 0 {
			w.Printf("; "+also.what, also.n)
		}
	}
	if n := e.Sequences.Cut; n > 0 {
		w.Printf("; of %d users only the latest %d likes count", n, sequence.Longest)
	}
	w.Printf("\n")
}

// showCalibration shows the events of a calibration.
func (w *Watch) showCalibration(e train.Event) {
	switch e := e.(type) {
	case train.CalibrationTaken:
		if e.Had {
			w.Notef("keeping the calibration of the --from model")
		} else {
			w.Notef("the model is not calibrated, because the --from model is not")
		}
	case train.PartChosen:
		w.Close()
		w.Printf("chosen: %s, ndcg@10 %.4f for %d people left out; without links %.4f\n", changes(e.From, e.Chosen),
			e.NDCG, e.People, e.Without)
	case train.PriorChosen:
		w.Printf("chosen: --visitor-prior %g --item-prior %g, ndcg@10 %.4f for %d people left out with 1 to 8 likes; "+
			"with 0 %.4f\n", e.Likes, e.Links, e.NDCG, e.People, e.Without)
		if r := e.Rarity; r.Costs {
			w.Printf("chosen: --no-rarity, ndcg@10 %.4f for them; with it %.4f\n", r.Without, r.NDCG)
		}
	case train.Calibrated:
		switch {
		case e.Users == 0:
			w.Notef("the model is not calibrated: there are too few users to leave some out")
		case e.Trainings == 0:
			w.Printf("calibrated on %d users who were left out of the training\n", e.Users)
		default:
			w.Printf("calibrated on %d users, each left out of one of %d further trainings\n", e.Users, e.Trainings)
		}
	}
}

// NotePlainMap notes that a map of this many items has no regions, if so.
func (a *App) NotePlainMap(items int) {
	if items > tastemap.MaxItems {
		a.Notef("the map of %d items is a plane without regions; more than %d items are not laid out", items,
			tastemap.MaxItems)
	}
}

func (w *Watch) choiceWent(e choose.AutoEvent) {
	done, all := e.Progress()
	if of := "choosing"; done < all || w.of == of {
		w.progress(of, "epochs").Set(int64(done), int64(all), fmt.Sprintf("trial %d", e.Trial.Number+1))
	}
	if done == all && e.Links && e.Trial.Part == nil {
		w.progress("choosing links", "").Set(0, 0, "")
	}
	if e.Done {
		w.trials = append(w.trials, TrialLine(e.Trial))
	}
}

func (w *Watch) choiceEnded(e train.ChoiceEnded) {
	w.Close()
	w.Printf("%s", strings.Join(w.trials, ""))
	if e.Err != nil {
		return
	}
	if e.OutOfTime {
		w.Notef("half of --max-time is over: the choice was stopped after %d trials, and the training uses the best "+
			"settings so far", len(e.Trials))
	}
	shown := e.Chosen
	if e.PriorLater {
		shown.VisitorPrior = e.From.VisitorPrior
	}
	w.Printf("chosen: %s\n", changes(e.From, shown))
}

func (w *Watch) trainingBegan(e train.TrainingBegan) {
	w.Close()
	label := w.Label
	if label == "" {
		label = e.Training.String()
	}
	w.settings, w.note = e.Settings, ""
	w.progress(label, "batches").Until = e.Until
	if !w.Checkpoint {
		w.bar.Set(0, 0, "")
	}
}

func (w *Watch) resumed(r training.Resumed) {
	w.bar.StartAt(int64(r.Epoch*r.Batches+r.Batch), int64(w.settings.Epochs*r.Batches))
	switch {
	case r.Path == "":
	case r.Finished:
		w.Notef("%s: the training is already complete, after epoch %d", r.Path, r.Epoch)
	case r.Batch == 0:
		w.Notef("%s: resuming after epoch %d", r.Path, r.Epoch)
	default:
		w.Notef("%s: resuming in epoch %d, after %d of its %d batches", r.Path, r.Epoch+1, r.Batch,
			r.Batches)
	}
}

func (w *Watch) trainingEnded(e train.TrainingEnded) {
	w.Close()
	if e.Over {
		w.Notef("--max-time is over: the training was stopped in epoch %d of %d%s", e.Epochs+1, e.Settings.Epochs,
			goesOn(w.Checkpoint))
	}
}

// describe summarises an epoch.
func (w *Watch) describe(e training.Epoch) string {
	if w.Describe != nil {
		return w.Describe(e) + validated(e)
	}
	s := fmt.Sprintf("epoch %d of %d: loss %.4f", e.Number, w.settings.Epochs, e.Figures[pmlam.FigureInner])
	if w.settings.Margin == pmlam.Adaptive {
		s += fmt.Sprintf(", margin %.3f", e.Figures[pmlam.FigureMargin])
	}
	return s + validated(e)
}

// validated describes an epoch's validation, or returns "".
func validated(e training.Epoch) string {
	if math.IsNaN(e.NDCG) {
		return ""
	}
	return fmt.Sprintf(", validation NDCG@10 %.4f", e.NDCG)
}

// goesOn says how to resume, if checkpoints are kept.
func goesOn(kept bool) string {
	if kept {
		return "; run the same command again to resume"
	}
	return ""
}

// Explain words the error of a stopped training; it is a train.Options.Explain.
func Explain(e *training.StoppedError) string {
	const nothing = "before the end of its first epoch, so there is nothing to save"
	on, canceled := goesOn(e.Kept), errors.Is(e.Err, context.Canceled)
	switch {
	case errors.As(e.Err, new(*pmlam.LostError)):
		if !e.Kept {
			on = "; with --checkpoint it could be resumed"
		}
		return e.Err.Error() + on
	case errors.Is(e.Err, context.DeadlineExceeded):
		return fmt.Sprintf("the training was stopped by --max-time, %s%s", nothing, on)
	case canceled && e.Epochs == 0:
		return fmt.Sprintf("the training was stopped %s%s: %v", nothing, on, context.Canceled)
	case canceled:
		return fmt.Sprintf("%s%s: %v", e.Where(), on, context.Canceled)
	case e.Epochs > 0:
		return e.Err.Error()
	}
	return fmt.Sprintf("%v (%s)", e.Err, nothing)
}

// Worded words the error of an interrupted training, and says how to resume if its checkpoints are kept. Other errors
// are returned unchanged.
func Worded(err error, kept bool) error {
	var choice *train.ChoiceStopped
	switch {
	case errors.As(err, &choice) && choice.Kept:
		return fmt.Errorf("the choice of settings was stopped after %d trials%s: %w", choice.Trials, goesOn(true),
			context.Canceled)
	case kept && errors.Is(err, context.Canceled) && !errors.As(err, new(*training.StoppedError)): // as Explain does
		return fmt.Errorf("%s%s: %w", strings.TrimSuffix(err.Error(), ": "+context.Canceled.Error()), goesOn(true),
			context.Canceled)
	}
	return err
}

// TrialLine describes one trial of a choice.
func TrialLine(t choose.Trial) string {
	what := "the preset"
	switch {
	case t.Part != nil && t.Taken:
		what = fmt.Sprintf("item-item links %s", t.Part.Kind)
		if t.Part.Lambda > 0 {
			what += fmt.Sprintf(" λ %g", t.Part.Lambda)
		}
		what += fmt.Sprintf(", weight %g", t.Part.Gamma)
		if t.Part.Top > 0 {
			what += fmt.Sprintf(", %d links", t.Part.Top)
		}
		if t.Part.Pool > 0 {
			what += fmt.Sprintf(" from %d", t.Part.Pool)
		}
	case t.Part != nil:
		what = "no item-item links"
	case len(t.Values) > 0:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(t.Values)) {
			parts = append(parts, name+" "+t.Values[name])
		}
		what = strings.Join(parts, ", ")
	}
	line := fmt.Sprintf("  %-40s ndcg@10 %.4f", what, t.NDCG)
	switch {
	case t.State == choose.Diverged:
		return fmt.Sprintf("  %-40s diverged\n", what)
	case t.Error > 0:
		line += fmt.Sprintf("  %+.4f ± %.4f", t.Gain, t.Error)
	case t.Part != nil:
		line += fmt.Sprintf("  %+.4f", t.Gain)
	}
	if t.Taken && t.Number > 0 {
		line += "  taken"
	}
	return line + "\n"
}

// changes lists the differences between two settings.
func changes(from, to train.Settings) string {
	var parts []string
	for _, name := range []string{"batch", "learn_rate", "user_parts", "part_discount", "loss_power", "user_pairs",
		"negatives", "shrinkage", "shrinkage_items", "temperature", "user_weight", "visitor_prior", "relations",
		"relation_weight", "dim", "epochs", "item_part", "item_top", "item_pool", "item_lambda", "item_dropout",
		"item_weight"} {
		if v := choose.Value(&to, name); v != choose.Value(&from, name) {
			parts = append(parts, fmt.Sprintf("--%s %s", FlagOf(name), v))
		}
	}
	if len(parts) == 0 {
		return "the preset unchanged"
	}
	return strings.Join(parts, " ")
}
