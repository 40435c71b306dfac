package reproduce

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/tune"
)

// Store keeps what was measured, in a folder: for every unit a folder of its own, named by the hash of everything that
// decides what comes of it, and in it a file for every trial and one for each measurement. Each is written whole. A file
// that is damaged is as good as none: what it held is measured again.
type Store struct {
	FS     durable.FS
	Folder string // "": nothing is kept
}

// storeFormat is in every hash. It is to be changed with whatever changes what methods give for the same settings.
const storeFormat = "pmlam reproduce 1"

// maxFile bounds the files that are read, in bytes: the largest real ones hold 10 bytes and twice 12 for each of some hundred
// thousand users.
const maxFile = 64 << 20

// errStore says that something could not be kept, which ends a study: it would never come to an end on another day either.
var errStore = errors.New("what was measured cannot be kept")

// unitStore is the folder of one unit.
type unitStore struct {
	fs     durable.FS
	folder string
}

// unit returns the place of a unit. How many trials and folds there are to be is not part of the hash: more of them go on
// from fewer.
func (s *Store) unit(u Unit, p Protocol) unitStore {
	if s == nil || s.Folder == "" {
		return unitStore{}
	}
	key := hash(struct {
		Format, Data, Method string
		Fold                 int
		Seed                 uint64
		Validation           float64
		Space                tune.Space
		Settings             any
	}{storeFormat, u.Data.digest, u.Method.Name, u.Fold, p.Seed, validation, u.Method.Space, u.Method.settings})
	return unitStore{s.FS, filepath.Join(s.Folder, key)}
}

// hash returns the beginning of the SHA-256 of v's JSON. It panics for what has none, which settings never are.
func hash(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

func trialName(n int) string { return fmt.Sprintf("trial-%03d.json", n) }

// measuredName names a measurement by the trial that it learned as, its place and its number of epochs too.
func measuredName(chosen int, trials []tune.Trial) string {
	if chosen < 0 {
		return "measured-defaults.json"
	}
	t := &trials[chosen]
	return "measured-" + hash(struct {
		Values map[string]string
		Epochs int
		Part   *tune.Part
	}{t.Values, t.Epochs, t.Part}) + ".json"
}

func (s unitStore) keepTrial(t *tune.Trial) error { return s.write(trialName(t.Number), t) }

// keep writes a measurement. One that failed is not kept: the reason may be gone another time.
func (s unitStore) keep(m *Measurement) error {
	if m.Failed != "" {
		return nil
	}
	if err := s.write(measuredName(m.Chosen, m.Trials), m); err != nil {
		return errors.Join(errStore, err)
	}
	return nil
}

func (s unitStore) write(name string, v any) error {
	if s.folder == "" {
		return nil
	}
	if err := s.fs.MakeFolder(s.folder); err != nil {
		return err
	}
	return durable.WriteFile(s.fs, filepath.Join(s.folder, name), func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

// trials returns the trials that are kept, at most so many, up to the first that is missing or cannot be used.
func (s unitStore) trials(space tune.Space, budget int) (all []tune.Trial) {
	for n := range budget {
		b, err := s.read(trialName(n))
		if err != nil {
			break
		}
		t, err := parseTrial(b, space, n)
		if err != nil {
			break
		}
		all = append(all, t)
	}
	return all
}

// measured returns the measurement that is kept for a choice of the trials, of these users; nil where there is none that
// can be used.
func (s unitStore) measured(chosen int, trials []tune.Trial, users []int32) *Measurement {
	b, err := s.read(measuredName(chosen, trials))
	if err != nil {
		return nil
	}
	m, err := parseMeasurement(b, users)
	if err != nil {
		return nil
	}
	m.Trials, m.Chosen, m.kept = trials, chosen, true
	return m
}

// read returns a file, none that is larger than any real one.
func (s unitStore) read(name string) ([]byte, error) {
	if s.folder == "" {
		return nil, errors.New("nothing is kept")
	}
	f, size, err := s.fs.Open(filepath.Join(s.folder, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxFile {
		return nil, fmt.Errorf("%d bytes are too many", size)
	}
	return io.ReadAll(io.LimitReader(f, size))
}

// parseTrial reads a trial and checks that it is one of the space, with that number.
func parseTrial(b []byte, space tune.Space, number int) (t tune.Trial, err error) {
	if err := strict(b, &t); err != nil {
		return t, err
	}
	switch {
	case t.Number != number:
		return t, fmt.Errorf("trial %d stands where trial %d should", t.Number, number)
	case t.State != tune.Complete && t.State != tune.Diverged:
		return t, fmt.Errorf("a trial cannot be %q", t.State)
	case !(t.NDCG >= 0 && t.NDCG <= 1) || t.Epochs < 0 || t.Epochs > 1e6:
		return t, fmt.Errorf("a trial cannot have NDCG %g after %d epochs", t.NDCG, t.Epochs)
	case len(t.Values) > len(space):
		return t, fmt.Errorf("a trial has %d settings of %d", len(t.Values), len(space))
	}
	for name, text := range t.Values {
		at := slices.IndexFunc(space, func(p tune.Param) bool { return p.Name == name })
		if at < 0 || !space[at].Holds(text) {
			return t, fmt.Errorf("%s cannot be %q", name, text)
		}
	}
	return t, nil
}

// parseMeasurement reads a measurement and checks all of it; it must be of these users.
func parseMeasurement(b []byte, users []int32) (*Measurement, error) {
	m := &Measurement{}
	if err := strict(b, m); err != nil {
		return nil, err
	}
	n := len(m.Users)
	switch {
	case m.Failed != "":
		return nil, errors.New("a failure is not kept")
	case !slices.Equal(m.Ks, Ks) || len(m.Recall) != len(Ks) || len(m.NDCG) != len(Ks):
		return nil, errors.New("the lists have other lengths")
	case !slices.Equal(m.Users, users) || len(m.Recalls) != n || len(m.NDCGs) != n:
		return nil, fmt.Errorf("%d users where there are %d, with %d and %d values", n, len(users), len(m.Recalls), len(m.NDCGs))
	case !(m.Seconds >= 0) || math.IsInf(m.Seconds, 0) || m.Workers < 1:
		return nil, fmt.Errorf("%g seconds on %d goroutines", m.Seconds, m.Workers)
	}
	share := func(x float64) bool { return x >= 0 && x <= 1 }
	for j := range Ks {
		if !share(m.Recall[j]) || !share(m.NDCG[j]) {
			return nil, fmt.Errorf("figures of %g and %g", m.Recall[j], m.NDCG[j])
		}
	}
	for i := range n {
		if !share(float64(m.Recalls[i])) || !share(float64(m.NDCGs[i])) {
			return nil, fmt.Errorf("user %d has figures of %g and %g", m.Users[i], m.Recalls[i], m.NDCGs[i])
		}
	}
	return m, nil
}

// strict reads one JSON value that has nothing unknown and nothing behind it.
func strict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows")
	}
	return nil
}
