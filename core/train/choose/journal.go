package choose

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// Journal keeps the trials of a study in a file, one JSON object a line: first the study's Header, then the trials in
// their order. A line is written and synced to disk before the next trial begins, so a study that is killed at any
// moment loses the current trial only.
type Journal struct {
	Trials []Trial // that were read back, and those added since
	Cut    bool    // the last line was incomplete and has been removed
	f      *os.File
}

// Header identifies the study of a journal: trials of another one must not be mixed with it.
type Header struct {
	Format       string   `json:"format"` // what wrote it
	Users        int      `json:"users"`
	Items        int      `json:"items"`
	Interactions int      `json:"interactions"`
	Checksum     string   `json:"checksum"` // of the interactions
	Seed         uint64   `json:"seed"`     // of the sampler
	Sample       int      `json:"sample"`   // interactions that the trials learn from; 0: all
	Config       Settings `json:"config"`   // that all trials start from
	Space        []string `json:"space"`    // names of the settings that are varied
}

// autoFormat is the format of a journal of Auto's trials.
const autoFormat = "pmlam choice 8"

// NewHeader describes a study of trials on a sample of train (0: on all of it), with the names of the settings that
// vary; format names what writes the journal.
func NewHeader(format string, train *dataset.Matrix, base Settings, seed uint64, sample int,
	space ...string) Header {
	return Header{
		Format: format, Users: train.Rows(), Items: train.Cols, Interactions: train.Len(),
		Checksum: checksum(train), Seed: seed, Sample: sample, Config: base, Space: append([]string{}, space...),
	}
}

// journalBegins is what every journal begins with, whatever wrote it.
const journalBegins = `{"format":"pmlam `

func notJournal(path string) error {
	return fmt.Errorf("%s is not a journal of trials, and is left as it is: move it away, or name another folder", path)
}

// RemoveJournal removes a journal, if there is one. A file that is something else is an error.
func RemoveJournal(path string) error {
	r, _, err := durable.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	b := make([]byte, len(journalBegins))
	n, err := io.ReadFull(r, b)
	r.Close()
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	if string(b[:n]) != journalBegins[:n] {
		return notJournal(path)
	}
	return os.Remove(path)
}

const (
	maxLine    = 1 << 20  // bytes of a line of a journal; real ones are below 4 KiB
	maxJournal = 64 << 20 // bytes of a journal
)

// OpenJournal opens the journal at path, or makes it. Where there is one already, it must be of the same study; its
// trials are read back. A last line that was cut short, as by a power failure, is removed; any other damage is an
// error that names the line, for the trials after it were chosen by what it said.
func OpenJournal(path string, h Header) (*Journal, error) {
	b, err := readJournal(path)
	if err != nil {
		return nil, fmt.Errorf("the trials could not be read: %w", err)
	}
	if n := min(len(b), len(journalBegins)); string(b[:n]) != journalBegins[:n] {
		return nil, notJournal(path)
	}
	j := &Journal{}
	keep, err := j.parse(path, b, h)
	if err != nil {
		return nil, err
	}
	if j.f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("the trials cannot be kept: %w", err)
	}
	j.Cut = keep < len(b)
	err = j.f.Truncate(int64(keep))
	if err == nil {
		_, err = j.f.Seek(int64(keep), io.SeekStart)
	}
	if err == nil && keep == 0 {
		err = j.line(h)
	}
	if err == nil {
		err = durable.OS.SyncFolder(filepath.Dir(path))
	}
	if err != nil {
		j.f.Close()
		return nil, fmt.Errorf("the trials cannot be kept: %w", err)
	}
	return j, nil
}

// readJournal reads the file at path, which may be missing.
func readJournal(path string) ([]byte, error) {
	f, size, err := durable.OpenRegular(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	if size > maxJournal {
		return nil, fmt.Errorf("%s is larger than any journal of trials (%d bytes)", path, maxJournal)
	}
	return io.ReadAll(io.LimitReader(f, maxJournal))
}

// parse reads the lines of b and returns how many bytes of it are whole ones.
func (j *Journal) parse(path string, b []byte, h Header) (keep int, err error) {
	damaged := func(n int, why any) error {
		return fmt.Errorf("%s, line %d: the journal of trials is damaged (%v); the trials after it depend on it: cut "+
			"the file before this line, or begin anew in another folder", path, n, why)
	}
	scan := bufio.NewScanner(bytes.NewReader(b))
	scan.Buffer(nil, maxLine)
	for n := 1; scan.Scan(); n++ {
		line := scan.Bytes()
		whole := keep+len(line) < len(b) // a newline follows
		if !whole {
			return keep, nil // the line may be cut short
		}
		last := keep+len(line)+1 == len(b)
		if n == 1 {
			var have Header
			if err := json.Unmarshal(line, &have); err != nil || have.Format != h.Format {
				return 0, fmt.Errorf("%s is not a journal of trials; it is not overwritten: give another folder", path)
			}
			if err := have.same(h); err != nil {
				return 0, fmt.Errorf("%s holds the trials of another study: %w; give another folder", path, err)
			}
			keep += len(line) + 1
			continue
		}
		var t Trial
		err := json.Unmarshal(line, &t)
		switch {
		case err != nil && last:
			return keep, nil // the file grew before its content came, as file systems may do in a power failure
		case err != nil:
			return 0, damaged(n, err)
		case t.Number != n-2:
			return 0, damaged(n, fmt.Sprintf("trial %d stands where trial %d should", t.Number, n-2))
		case t.State != Complete && t.State != Stopped && t.State != Diverged:
			return 0, damaged(n, fmt.Sprintf("a trial cannot be %q", brief.Text(string(t.State))))
		}
		j.Trials = append(j.Trials, t)
		keep += len(line) + 1
	}
	if scan.Err() != nil {
		return 0, damaged(len(j.Trials)+2, scan.Err())
	}
	return keep, nil
}

// same returns what differs, as an error.
func (h Header) same(other Header) error {
	switch {
	case h.Users != other.Users || h.Items != other.Items || h.Interactions != other.Interactions:
		return fmt.Errorf("its data have %d users, %d items and %d interactions, these have %d, %d and %d",
			h.Users, h.Items, h.Interactions, other.Users, other.Items, other.Interactions)
	case h.Checksum != other.Checksum:
		return errors.New("its interactions are others, though as many")
	case h.Seed != other.Seed:
		return fmt.Errorf("its seed is %d, not %d", h.Seed, other.Seed)
	case h.Sample != other.Sample:
		return fmt.Errorf("its trials learn from a sample of %d interactions, not %d (0: all)", h.Sample, other.Sample)
	case !slices.Equal(h.Space, other.Space):
		return fmt.Errorf("it varies %v, not %v", h.Space, other.Space)
	case h.Config != other.Config:
		return errors.New("its other settings differ")
	}
	return nil
}

// Add writes a trial; without an error it is on the disk. A nil journal keeps nothing.
func (j *Journal) Add(t Trial) error {
	if j == nil {
		return nil
	}
	if err := j.line(t); err != nil {
		return fmt.Errorf("trial %d could not be kept: %w", t.Number, err)
	}
	j.Trials = append(j.Trials, t)
	return nil
}

func (j *Journal) line(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if _, err = j.f.Write(append(b, '\n')); err != nil {
		return err
	}
	return j.f.Sync()
}

// Close closes the file.
func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.f.Close()
}
