package training

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Checkpoints says where a training keeps what it needs to go on, and how often.
//
// A checkpoint holds everything that later steps depend on, so a training that was stopped after any batch and
// continued ends with the same bits as one that was never stopped. It holds no generator's state: all random numbers
// are functions of the seed, the epoch and a position (Source). The last two are kept; a damaged one is refused and the
// one before is used. One training at a time may use a folder.
type Checkpoints struct {
	Folder string
	// from one to the next; 0: after every batch. Writing takes a twentieth of the time at most
	Every time.Duration
	Fresh bool              // start anew, whatever the folder holds; that is removed when the first new one is written
	Note  func(text string) // is called with problems that do not stop the training, such as a full disk; may be nil

	FS durable.FS // nil: the machine's; tests let it fail
}

// Resumed says where a training continues from.
type Resumed struct {
	Path           string // of the checkpoint; "": there was none, and the training starts at its beginning
	Epoch          int    // epochs that are done
	Batch, Batches int    // batches of the next one that are done, and how many there are
	Finished       bool   // nothing is left to do
}

// CheckpointError says why a checkpoint was refused.
type CheckpointError struct {
	Path    string
	Damaged bool   // it is not what was written; else it is whole, but another training's or another program's
	Detail  string // a sentence's end: "it was made from other data"
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("the checkpoint %s cannot be used: %s", e.Path, e.Detail)
}

// checkpointName is what a checkpoint's name begins with; the number of steps follows, in ten digits.
const checkpointName = "checkpoint-"

// Keep makes the training keep checkpoints, and takes it to where the newest usable one in the folder was written,
// unless c.Fresh. The folder is made where there is none; that it can be written to is found out now. It is called
// once, when the method is ready for its first step, and before Run.
//
// Damaged checkpoints are passed over with a note. The error is a *CheckpointError where there are checkpoints and
// none can be used, or where the newest is of another training: its data and settings must be the same, except for two
// that may be raised to continue a finished training: Patience, and Epochs without Decay (with decay every step depends
// on their number). After an error the trainer must not be used.
func (l *Loop) Keep(c Checkpoints) (Resumed, error) {
	k := &keeper{Checkpoints: c}
	if k.FS == nil {
		k.FS = durable.OS
	}
	if err := k.prepare(); err != nil {
		return Resumed{}, fmt.Errorf("checkpoints cannot be kept in %s: %w", c.Folder, err)
	}
	if err := k.identify(l); err != nil {
		return Resumed{}, err
	}
	l.keeper = k
	r := Resumed{}
	if !c.Fresh {
		path, err := k.resume(l)
		if err != nil {
			return Resumed{}, err
		}
		r.Path = path
	}
	k.due = time.Now().Add(c.Every)
	r.Epoch, r.Batch, r.Batches, r.Finished = l.epoch, l.batchesIn(l.at), l.Batches(), l.over()
	return r, nil
}

// keeper writes and finds the checkpoints of one training. A nil keeper does nothing.
type keeper struct {
	Checkpoints
	identity
	kept  []string // names of the one or two that stay, newest first
	dirty bool     // the training has changed since the newest
	due   time.Time
}

// prepare makes the folder and checks that it can be written to.
func (k *keeper) prepare() error {
	if err := k.FS.MakeFolder(k.Folder); err != nil {
		return err
	}
	if err := durable.Sweep(k.FS, k.Folder, checkpointName+"*"); err != nil {
		return err
	}
	probe, err := k.FS.CreateTemporary(k.Folder, "."+checkpointName+"0.*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), k.FS.Remove(probe.Name()))
}

// names returns the checkpoints in the folder, newest first.
func (k *keeper) names() ([]string, error) {
	all, err := k.FS.List(k.Folder)
	var names []string
	for _, name := range slices.Backward(all) {
		if digits, ok := strings.CutPrefix(name, checkpointName); ok && len(digits) >= 10 &&
			strings.Trim(digits, "0123456789") == "" {
			names = append(names, name)
		}
	}
	return names, err
}

// resume takes l to the newest usable checkpoint and returns its path, "" where there are none.
func (k *keeper) resume(l *Loop) (string, error) {
	names, err := k.names()
	if err != nil {
		return "", fmt.Errorf("the checkpoints in %s cannot be listed: %w", k.Folder, err)
	}
	var refused error
	for i, name := range names {
		path := filepath.Join(k.Folder, name)
		err := k.load(l, path)
		var bad *CheckpointError
		switch {
		case err == nil:
			if refused != nil {
				k.say(fmt.Sprintf("%v; the one before is used", refused))
			}
			k.kept = names[i:min(i+2, len(names))]
			for _, old := range names[i+len(k.kept):] { // a process killed before it removed them
				k.FS.Remove(filepath.Join(k.Folder, old))
			}
			return path, nil
		case errors.As(err, &bad) && bad.Damaged:
			if refused == nil {
				refused = err
			} else {
				refused = fmt.Errorf("%w; %w", refused, err)
			}
		default:
			return "", err
		}
	}
	return "", refused
}

// changed marks the newest checkpoint as out of date.
func (k *keeper) changed() {
	if k != nil {
		k.dirty = true
	}
}

// saveIfDue writes a checkpoint where it is time to. A checkpoint that cannot be written does not end the training: it
// is noted, and tried again when the next is due.
func (k *keeper) saveIfDue(l *Loop) {
	if k != nil && k.dirty && !time.Now().Before(k.due) {
		k.saveOrSay(l)
	}
}

func (k *keeper) saveOrSay(l *Loop) {
	if err := k.save(l); err != nil {
		k.say(fmt.Sprintf("a checkpoint could not be written: %v", err))
	}
}

func (k *keeper) say(text string) {
	if k.Note != nil {
		k.Note(text)
	}
}

// save writes a checkpoint, unless the newest is of this very state, and removes all but it and the one before.
func (k *keeper) save(l *Loop) error {
	if k == nil || !k.dirty {
		return nil
	}
	started := time.Now()
	if err := l.fetch(); err != nil {
		return err
	}
	name := fmt.Sprintf(checkpointName+"%010d", l.steps)
	err := durable.WriteFile(k.FS, filepath.Join(k.Folder, name), k.encode(l))
	if k.due = time.Now(); k.Every > 0 {
		k.due = k.due.Add(max(k.Every, 19*time.Since(started)))
	}
	if err != nil {
		return err
	}
	k.dirty = false
	if len(k.kept) == 0 || k.kept[0] != name {
		k.kept = append([]string{name}, k.kept...)
		k.kept = k.kept[:min(len(k.kept), 2)]
	}
	// One that cannot be removed does no harm, and the next time will try again.
	names, _ := k.names()
	for _, other := range names {
		if !slices.Contains(k.kept, other) {
			k.FS.Remove(filepath.Join(k.Folder, other))
		}
	}
	return nil
}
