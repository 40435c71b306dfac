package reproduce

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Store keeps trials and measurements in a folder. Each unit has a folder of its own, named by the hash of everything
// that decides its result. In it are a file for every trial, a compressed file for each measurement (three numbers a
// user), and a folder of checkpoints for each unfinished training. Files are written whole. A damaged file is ignored,
// and what it held is measured again. Copying one store into another adds its contents.
type Store struct {
	FS     durable.FS
	Folder string // "": nothing is kept

	Published *Published // from which what the folder lacks is taken; nil: none
}

// storeFormat is in every hash. It must change with whatever changes the results of the same settings.
const storeFormat = "pmlam reproduce 2"

// maxFile bounds the files that are read, compressed and decompressed, in bytes: the largest real ones hold 34 bytes
// for each of some hundred thousand users.
const maxFile = 64 << 20

// errStore says that a result could not be stored, which ends a study.
var errStore = errors.New("what was measured cannot be kept")

// unitStore is the folder of one unit.
type unitStore struct {
	fs     durable.FS
	folder string // "": nothing is kept
	method *Method
	known  *publishedUnit // nil: nothing
}

// unit returns the folder of a unit. The numbers of trials and folds are not part of the hash, so that more of them
// continue from fewer. Nor is the method's space: the first trial and the measurement do not depend on it.
func (s *Store) unit(u Unit, p Protocol) unitStore {
	store := unitStore{method: u.Method}
	if s == nil {
		return store
	}
	store.known = s.Published.unit(u, p)
	if s.Folder == "" {
		return store
	}
	key := hash(struct {
		Format, Data, Method string
		Fold                 int
		Seed                 uint64
		Validation           float64
		Settings             any
	}{storeFormat, u.Data.digest, u.Method.Name, u.Fold, p.Seed, validation, u.Method.settings})
	store.fs, store.folder = s.FS, filepath.Join(s.Folder, key)
	return store
}

// empty reports whether the store holds nothing for the unit.
func (s unitStore) empty() bool { return s.folder == "" && s.known == nil }

// hash returns the beginning of the SHA-256 of v's JSON. It panics for what has none, which settings never are.
func hash(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// trialName names a trial's file. The first trial is the defaults; the values of the others depend on the space.
func (s unitStore) trialName(n int) string {
	if n == 0 {
		return "trial-000.json"
	}
	return fmt.Sprintf("trial-%03d-%s.json", n, hash(s.method.Space)[:8])
}

// measuredName names a measurement's file by the settings: the chosen trial's values that differ from the defaults, its
// number of epochs and its item-item part.
func (s unitStore) measuredName(chosen int, trials []choose.Trial) string {
	if chosen < 0 {
		return "measured-defaults.json.gz"
	}
	t := &trials[chosen]
	values := map[string]string{}
	for name, text := range t.Values {
		if s.method.first[name] != text {
			values[name] = text
		}
	}
	return "measured-" + hash(struct {
		Values map[string]string
		Epochs int
		Part   *choose.Part
	}{values, t.Epochs, t.Part}) + ".json.gz"
}

// keepTrial writes a trial, the first without its values: they are the defaults, whatever the space is.
func (s unitStore) keepTrial(t *choose.Trial) error {
	kept := *t
	if t.Number == 0 {
		kept.Values = nil
	}
	if err := s.write(s.trialName(t.Number), &kept); err != nil {
		return err
	}
	s.ended(s.trialName(t.Number))
	return nil
}

// keep writes a measurement, unless it failed: the reason may be gone another time.
func (s unitStore) keep(m *Measurement) error {
	if m.Failed != "" {
		return nil
	}
	name := s.measuredName(m.Chosen, m.Trials)
	if err := s.write(name, m); err != nil {
		return errors.Join(errStore, err)
	}
	s.ended(name)
	return nil
}

func (s unitStore) write(name string, v any) error {
	if s.folder == "" {
		return nil
	}
	if err := s.fs.MakeFolder(s.folder); err != nil {
		return err
	}
	return durable.WriteFile(s.fs, filepath.Join(s.folder, name), func(w io.Writer) error {
		if !strings.HasSuffix(name, ".gz") {
			return json.NewEncoder(w).Encode(v)
		}
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		return errors.Join(json.NewEncoder(z).Encode(v), z.Close())
	})
}

// trials returns the trials that are kept or published, at most so many, up to the first that is missing or cannot be
// used.
func (s unitStore) trials(budget int) (all []choose.Trial) {
	for n := range budget {
		space := s.method.Space
		if n == 0 {
			space = nil
		}
		t, err := kept(s, s.trialName(n), func(b []byte) (choose.Trial, error) { return parseTrial(b, space, n) })
		if n == 0 {
			t.Values = s.method.first
		}
		if err != nil {
			var known bool
			if t, known = s.known.trial(n); !known {
				break
			}
		}
		all = append(all, t)
	}
	return all
}

// measured returns the measurement of a unit that is kept or published for a choice of the trials, of these users; nil
// where there is none that can be used.
func (s unitStore) measured(chosen int, trials []choose.Trial, u Unit, on tested) *Measurement {
	name := s.measuredName(chosen, trials)
	m, err := kept(s, name, func(b []byte) (*Measurement, error) { return parseMeasurement(b, on.Users) })
	if err != nil {
		if m = s.known.find(name, on); m == nil {
			return nil
		}
		m.Dataset = u.Data.Name
	}
	m.Trials, m.Chosen, m.Items, m.kept = trials, chosen, on.Items, true
	return m
}

// kept returns what is kept under a name, as parse reads it. What cannot be used is as good as none.
func kept[T any](s unitStore, name string, parse func([]byte) (T, error)) (out T, err error) {
	if s.folder == "" {
		return out, errors.New("nothing is kept")
	}
	b, err := s.read(name)
	if err != nil {
		return out, err
	}
	return parse(b)
}

// read returns what a file holds, decompressed where it is compressed; none that is larger than any real one.
func (s unitStore) read(name string) ([]byte, error) {
	f, size, err := s.fs.Open(filepath.Join(s.folder, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxFile {
		return nil, fmt.Errorf("%d bytes are too many", size)
	}
	if !strings.HasSuffix(name, ".gz") {
		return io.ReadAll(io.LimitReader(f, size))
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(z, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("more than %d bytes are too many", maxFile)
	}
	return b, err
}

// parseTrial reads a trial and checks that it is one of the space, with that number.
func parseTrial(b []byte, space tune.Space, number int) (t choose.Trial, err error) {
	if err := strict(b, &t); err != nil {
		return t, err
	}
	return t, checkTrial(&t, space, number)
}

// checkTrial checks that a trial is one of the space, with that number.
func checkTrial(t *choose.Trial, space tune.Space, number int) error {
	switch {
	case t.Number != number:
		return fmt.Errorf("found trial %d, want trial %d", t.Number, number)
	case t.State != choose.Complete && t.State != choose.Diverged:
		return fmt.Errorf("unknown state %q", t.State)
	case !(t.NDCG >= 0 && t.NDCG <= 1) || t.Epochs < 0 || t.Epochs > 1e6:
		return fmt.Errorf("a trial cannot have NDCG %g after %d epochs", t.NDCG, t.Epochs)
	case len(t.Values) > len(space):
		return fmt.Errorf("a trial has %d settings of %d", len(t.Values), len(space))
	}
	for name, text := range t.Values {
		at := slices.IndexFunc(space, func(p tune.Param) bool { return p.Name == name })
		if at < 0 || !space[at].Holds(text) {
			return fmt.Errorf("%s cannot be %q", name, text)
		}
	}
	return nil
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
		return nil, fmt.Errorf("%d users where there are %d, with %d and %d values", n, len(users), len(m.Recalls),
			len(m.NDCGs))
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
