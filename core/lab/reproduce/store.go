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

// Store keeps trials and measurements in a folder. Each unit has a subfolder named by the hash of everything that
// decides its result, with a file per trial, a compressed file per measurement (three numbers a user), and a folder of
// checkpoints per unfinished training. Files are written atomically. A damaged file is ignored and measured again.
// Copying one store into another merges them.
type Store struct {
	FS     durable.FS
	Folder string // "": nothing is kept

	Published *Published // fills gaps of the folder; nil: none
}

// storeFormat is part of every hash. Change it whenever the same settings give other results.
const storeFormat = "pmlam reproduce 2"

// maxFile bounds files, compressed and decompressed, in bytes: the largest real ones hold 34 bytes for each of some
// hundred thousand users.
const maxFile = 64 << 20

// errStore means that a result could not be stored, which ends a study.
var errStore = errors.New("cannot keep the measurement")

// unitStore is the folder of one unit.
type unitStore struct {
	fs     durable.FS
	folder string // "": nothing is kept
	method *Method
	known  *publishedUnit // nil: nothing
}

// unit returns the folder of a unit. The numbers of trials and folds are not part of the hash, so more of them extend
// fewer. Neither is the method's space: the first trial and the measurement do not depend on it.
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

// hash returns the first part of the SHA-256 of v's JSON. It panics for values without JSON, which settings never are.
func hash(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// trialName names a trial's file. The first trial has the defaults; the values of the others depend on the space.
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

// keepTrial writes a trial. The first has the defaults in any space, so its values are left out.
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

// keep writes a measurement, except a failed one, whose reason may not last.
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

// trials returns the stored or published trials, at most budget, up to the first that is missing or unusable.
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

// measured returns the stored or published measurement of a unit for a chosen trial and these users; nil without a
// usable one.
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

// kept returns the content stored under a name, read by parse. Unusable content counts as missing.
func kept[T any](s unitStore, name string, parse func([]byte) (T, error)) (out T, err error) {
	if s.folder == "" {
		return out, errors.New("nothing is stored")
	}
	b, err := s.read(name)
	if err != nil {
		return out, err
	}
	return parse(b)
}

// read returns the content of a file, decompressed; an error if it is larger than any real one.
func (s unitStore) read(name string) ([]byte, error) {
	f, size, err := s.fs.Open(filepath.Join(s.folder, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if size > maxFile {
		return nil, fmt.Errorf("%d bytes exceed the limit", size)
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
		err = fmt.Errorf("more than %d bytes exceed the limit", maxFile)
	}
	return b, err
}

// parseTrial reads a trial and checks that it belongs to the space and has that number.
func parseTrial(b []byte, space tune.Space, number int) (t choose.Trial, err error) {
	if err := strict(b, &t); err != nil {
		return t, err
	}
	return t, checkTrial(&t, space, number)
}

// checkTrial checks that a trial belongs to the space and has that number.
func checkTrial(t *choose.Trial, space tune.Space, number int) error {
	switch {
	case t.Number != number:
		return fmt.Errorf("found trial %d, want trial %d", t.Number, number)
	case t.State != choose.Complete && t.State != choose.Diverged:
		return fmt.Errorf("unknown state %q", t.State)
	case !(t.NDCG >= 0 && t.NDCG <= 1) || t.Epochs < 0 || t.Epochs > 1e6:
		return fmt.Errorf("invalid trial: NDCG %g after %d epochs", t.NDCG, t.Epochs)
	case len(t.Values) > len(space):
		return fmt.Errorf("a trial has %d settings of %d", len(t.Values), len(space))
	}
	for name, text := range t.Values {
		at := slices.IndexFunc(space, func(p tune.Param) bool { return p.Name == name })
		if at < 0 || !space[at].Holds(text) {
			return fmt.Errorf("invalid %s %q", name, text)
		}
	}
	return nil
}

// parseMeasurement reads and checks a measurement, which must have these users.
func parseMeasurement(b []byte, users []int32) (*Measurement, error) {
	m := &Measurement{}
	if err := strict(b, m); err != nil {
		return nil, err
	}
	n := len(m.Users)
	switch {
	case m.Failed != "":
		return nil, errors.New("failures are not stored")
	case !slices.Equal(m.Ks, Ks) || len(m.Recall) != len(Ks) || len(m.NDCG) != len(Ks):
		return nil, errors.New("the list lengths differ")
	case !slices.Equal(m.Users, users) || len(m.Recalls) != n || len(m.NDCGs) != n:
		return nil, fmt.Errorf("%d users instead of %d, with %d and %d values", n, len(users), len(m.Recalls),
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

// strict reads exactly one JSON value without unknown fields.
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
