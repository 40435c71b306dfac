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

// Journal records the trials of a study in a file, one JSON object per line: first the study's Header, then the trials
// in order. Each line is written and synced to disk before the next trial begins, so a killed study loses only its
// current trial.
type Journal struct {
	Trials []Trial // those read back, and those added since
	Cut    bool    // the last line was incomplete and has been removed
	f      *os.File
}

// Header identifies the study of a journal, so that trials of different studies are not mixed.
type Header struct {
	Format       string   `json:"format"` // the program that writes it
	Users        int      `json:"users"`
	Items        int      `json:"items"`
	Interactions int      `json:"interactions"`
	Checksum     string   `json:"checksum"` // of the interactions
	Seed         uint64   `json:"seed"`     // of the sampler
	Sample       int      `json:"sample"`   // interactions that the trials learn from; 0: all
	Config       Settings `json:"config"`   // that all trials start from
	Space        []string `json:"space"`    // names of the settings that vary
}

// autoFormat is the format of the journals of Auto.
const autoFormat = "pmlam choice 10"

// NewHeader describes a study of trials on a sample of train (0: the whole). space holds the names of the settings that
// vary; format identifies the writing program.
func NewHeader(format string, train *dataset.Matrix, base Settings, seed uint64, sample int,
	space ...string) Header {
	return Header{
		Format: format, Users: train.Rows(), Items: train.Cols, Interactions: train.Len(),
		Checksum: checksum(train), Seed: seed, Sample: sample, Config: base, Space: append([]string{}, space...),
	}
}

// journalBegins is the prefix of every journal, of any program.
const journalBegins = `{"format":"pmlam `

func notJournal(path string) error {
	return fmt.Errorf("%s is not a journal of trials; move it away, or choose another folder", path)
}

// RemoveJournal removes a journal, if there is one. It refuses to remove any other file.
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
	maxLine    = 1 << 20  // bytes of a line; real ones are below 4 KiB
	maxJournal = 64 << 20 // bytes of a journal
)

// OpenJournal opens or creates the journal at path. An existing journal must be of the same study; its trials are read
// back. An incomplete last line, for example after a power failure, is removed. Any other damage is an error that names
// the line, because later trials depend on it.
func OpenJournal(path string, h Header) (*Journal, error) {
	b, err := readJournal(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the trials: %w", err)
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
		return nil, fmt.Errorf("cannot record the trials: %w", err)
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
		return nil, fmt.Errorf("cannot record the trials: %w", err)
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
		return nil, fmt.Errorf("%s is too large for a journal of trials (at most %d bytes)", path, maxJournal)
	}
	return io.ReadAll(io.LimitReader(f, maxJournal))
}

// parse reads the lines of b and returns the number of bytes in complete lines.
func (j *Journal) parse(path string, b []byte, h Header) (keep int, err error) {
	damaged := func(n int, why any) error {
		return fmt.Errorf("%s, line %d: the journal of trials is damaged (%v): cut the file before this line, "+
			"or start again in another folder", path, n, why)
	}
	scan := bufio.NewScanner(bytes.NewReader(b))
	scan.Buffer(nil, maxLine)
	for n := 1; scan.Scan(); n++ {
		line := scan.Bytes()
		whole := keep+len(line) < len(b) // a newline follows
		if !whole {
			return keep, nil // the line may be incomplete
		}
		last := keep+len(line)+1 == len(b)
		if n == 1 {
			var have Header
			if err := json.Unmarshal(line, &have); err != nil || have.Format != h.Format {
				return 0, fmt.Errorf("%s is not a journal of trials and stays as it is; choose another folder", path)
			}
			if err := have.same(h); err != nil {
				return 0, fmt.Errorf("%s holds the trials of another study: %w; choose another folder", path, err)
			}
			keep += len(line) + 1
			continue
		}
		var t Trial
		err := json.Unmarshal(line, &t)
		switch {
		case err != nil && last:
			return keep, nil // the file grew before its content was written, as may happen in a power failure
		case err != nil:
			return 0, damaged(n, err)
		case t.Number != n-2:
			return 0, damaged(n, fmt.Sprintf("found trial %d, want trial %d", t.Number, n-2))
		case t.State != Complete && t.State != Stopped && t.State != Diverged:
			return 0, damaged(n, fmt.Sprintf("unknown state %q", brief.Text(string(t.State))))
		}
		j.Trials = append(j.Trials, t)
		keep += len(line) + 1
	}
	if scan.Err() != nil {
		return 0, damaged(len(j.Trials)+2, scan.Err())
	}
	return keep, nil
}

// same returns the first difference as an error.
func (h Header) same(other Header) error {
	switch {
	case h.Users != other.Users || h.Items != other.Items || h.Interactions != other.Interactions:
		return fmt.Errorf("its data have %d users, %d items and %d interactions, not %d, %d and %d",
			h.Users, h.Items, h.Interactions, other.Users, other.Items, other.Interactions)
	case h.Checksum != other.Checksum:
		return errors.New("its interactions differ")
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

// Add writes a trial to the disk and returns once it is synced. It does nothing if j is nil.
func (j *Journal) Add(t Trial) error {
	if j == nil {
		return nil
	}
	if err := j.line(t); err != nil {
		return fmt.Errorf("cannot record trial %d: %w", t.Number, err)
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

func (j *Journal) Close() error {
	if j == nil {
		return nil
	}
	return j.f.Close()
}
