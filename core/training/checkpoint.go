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

// Checkpoints configures where and how often a training writes checkpoints.
//
// A checkpoint holds everything that later steps depend on, so a training that is stopped after any batch and resumed
// ends with the same bits as an uninterrupted one. It holds no generator state, because all random numbers are
// functions of the seed, the epoch and a position (Source). The folder keeps the last two checkpoints; if one is
// damaged, the one before is used. Only one training at a time may use a folder.
type Checkpoints struct {
	Folder string
	// time between checkpoints; 0: after every batch. Writing takes at most a twentieth of the time
	Every time.Duration
	Fresh bool              // ignore the folder's checkpoints; the first new one replaces them
	Note  func(text string) // receives problems that do not stop the training, such as a full disk; may be nil

	FS durable.FS // nil: the file system of the machine; tests inject faults
}

// Resumed describes where a training continues from.
type Resumed struct {
	Path           string // of the checkpoint; "": none, the training starts from the beginning
	Epoch          int    // epochs completed
	Batch, Batches int    // batches of the next epoch completed, and its total
	Finished       bool   // nothing is left to do
}

// CheckpointError reports why a checkpoint was refused.
type CheckpointError struct {
	Path    string
	Damaged bool   // the content is not what was written; otherwise it belongs to another training or program
	Detail  string // end of a sentence: "it was made from other data"
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("the checkpoint %s cannot be used: %s", e.Path, e.Detail)
}

// checkpointName is the prefix of a checkpoint's file name, which the number of steps follows, in ten digits.
const checkpointName = "checkpoint-"

// Keep makes the training write checkpoints and, unless c.Fresh, restores the newest usable one in the folder. It
// creates the folder if necessary and checks that it is writable. Call it once, before Run, when the method is ready
// for its first step.
//
// Damaged checkpoints are skipped with a note. The error is a *CheckpointError if none of the checkpoints is usable, or
// if the newest belongs to another training. Its data and settings must be the same, except for two settings that may
// be raised to continue a finished training: Patience, and Epochs without Decay (with decay, every step depends on
// their number). After an error the trainer must not be used.
func (l *Loop) Keep(c Checkpoints) (Resumed, error) {
	k := &keeper{Checkpoints: c}
	if k.FS == nil {
		k.FS = durable.OS
	}
	if err := k.prepare(); err != nil {
		return Resumed{}, fmt.Errorf("cannot keep checkpoints in %s: %w", c.Folder, err)
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
	kept  []string // names of the latest one or two, newest first
	dirty bool     // the training has advanced since the newest
	due   time.Time
}

// prepare creates the folder and checks that it is writable.
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

// resume restores the newest usable checkpoint into l and returns its path; "" if the folder has no checkpoints.
func (k *keeper) resume(l *Loop) (string, error) {
	names, err := k.names()
	if err != nil {
		return "", fmt.Errorf("cannot list the checkpoints in %s: %w", k.Folder, err)
	}
	var refused error
	for i, name := range names {
		path := filepath.Join(k.Folder, name)
		err := k.load(l, path)
		var bad *CheckpointError
		switch {
		case err == nil:
			if refused != nil {
				k.say(fmt.Sprintf("%v; using the one before", refused))
			}
			k.kept = names[i:min(i+2, len(names))]
			for _, old := range names[i+len(k.kept):] { // left by a process that was killed before it removed them
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

// saveIfDue writes a checkpoint if one is due. A failure does not end the training: it is noted, and the next due time
// tries again.
func (k *keeper) saveIfDue(l *Loop) {
	if k != nil && k.dirty && !time.Now().Before(k.due) {
		k.saveOrSay(l)
	}
}

func (k *keeper) saveOrSay(l *Loop) {
	if err := k.save(l); err != nil {
		k.say(fmt.Sprintf("cannot write a checkpoint: %v", err))
	}
}

func (k *keeper) say(text string) {
	if k.Note != nil {
		k.Note(text)
	}
}

// save writes a checkpoint, unless the newest already has this state, and removes all but the last two.
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
	// A file that cannot be removed does no harm, and the next call tries again.
	names, _ := k.names()
	for _, other := range names {
		if !slices.Contains(k.kept, other) {
			k.FS.Remove(filepath.Join(k.Folder, other))
		}
	}
	return nil
}
