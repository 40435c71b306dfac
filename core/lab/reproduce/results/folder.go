package results

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// File names in a folder.
const (
	setsFile     = "table1.csv"
	methodsFile  = "table2.csv"
	ablationFile = "table3.csv"
	marginsFile  = "table4.csv"
	tripletsFile = "table4-triplets.csv"
	trialsFile   = "trials.csv"
	usersFile    = "users.parquet"
)

// Ablation is the prefix of method names in table3.csv; table2.csv has all others.
const Ablation = "ablation-"

// Read reads and checks a folder. A folder without table1.csv has no results, which is an error that wraps ErrNone. A
// fault in a file is an *Error. O(rows); a second for some millions of users.
func Read(folder string) (*Results, error) {
	sets, err := readTable(folder, setsFile, setColumns)
	if err != nil {
		return nil, err
	}
	if len(sets.rows) == 0 {
		return nil, fmt.Errorf("%s: %w: %s is missing", folder, ErrNone, setsFile)
	}
	trials, err := readTable(folder, trialsFile, trialColumns)
	if err != nil {
		return nil, err
	}
	methods, err := readTable(folder, methodsFile, measuredColumns)
	if err != nil {
		return nil, err
	}
	ablation, err := readTable(folder, ablationFile, measuredColumns)
	if err != nil {
		return nil, err
	}
	margins, err := readTable(folder, marginsFile, marginColumns)
	if err != nil {
		return nil, err
	}
	triplets, err := readTable(folder, tripletsFile, tripletColumns)
	if err != nil {
		return nil, err
	}
	users, err := readUsers(folder)
	if err != nil {
		return nil, err
	}
	c, err := newChecker(sets, trials)
	if err != nil {
		return nil, err
	}
	for _, check := range []func() error{
		func() error { return c.measured(methods, false) },
		func() error { return c.measured(ablation, true) },
		func() error { return c.users(folder, users, methods, ablation) },
		func() error { return c.margins(margins, triplets) },
	} {
		if err := check(); err != nil {
			return nil, err
		}
	}
	r := &Results{sets.rows, slices.Concat(methods.rows, ablation.rows), trials.rows, margins.rows}
	r.sort()
	return r, nil
}

// ErrNone means that a folder holds no results.
var ErrNone = errors.New("not a folder of results")

// Free returns an error if Write would overwrite files in a folder without results.
func Free(folder string) error {
	for _, name := range []string{trialsFile, methodsFile, ablationFile, tripletsFile, marginsFile} {
		if _, err := os.Lstat(filepath.Join(folder, name)); err == nil {
			return fmt.Errorf("%s has a file %s but no %s, so it is not a folder of results: name another folder",
				folder, name, setsFile)
		}
	}
	return nil
}

// Write writes a folder, created if missing, each file atomically. It writes the data sets first, so that Read refuses
// a partly written folder instead of misreading it. Rows are written in the order of Add's sorting.
func (r *Results) Write(fs durable.FS, folder string) error {
	if err := fs.MakeFolder(folder); err != nil {
		return err
	}
	var methods, ablation []Measured
	for _, m := range r.Measured {
		if strings.HasPrefix(m.Method, Ablation) {
			ablation = append(ablation, m)
		} else {
			methods = append(methods, m)
		}
	}
	var triplets []tripletRow
	for _, m := range r.Margins {
		for _, t := range m.Found {
			triplets = append(triplets, tripletRow{m.Key, false, t})
		}
		for _, t := range m.Drawn {
			triplets = append(triplets, tripletRow{m.Key, true, t})
		}
	}
	for _, write := range []func() error{
		func() error { return writeUsers(fs, folder, r.Measured) },
		func() error { return writeTable(fs, folder, trialsFile, trialColumns, r.Trials) },
		func() error { return writeTable(fs, folder, methodsFile, measuredColumns, methods) },
		func() error { return writeTable(fs, folder, ablationFile, measuredColumns, ablation) },
		func() error { return writeTable(fs, folder, tripletsFile, tripletColumns, triplets) },
		func() error { return writeTable(fs, folder, marginsFile, marginColumns, r.Margins) },
		func() error { return writeTable(fs, folder, setsFile, setColumns, r.Sets) },
	} {
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// checker checks the consistency of a folder's files.
type checker struct {
	sets   map[[2]string]*Set
	trials map[Key]map[int]*Trial
	kinds  map[Key]string // settings by key without settings
}

func newChecker(sets *table[Set], trials *table[Trial]) (*checker, error) {
	c := &checker{map[[2]string]*Set{}, map[Key]map[int]*Trial{}, map[Key]string{}}
	digests := map[string]bool{}
	for i := range sets.rows {
		s := &sets.rows[i]
		if digests[s.Digest] {
			return nil, sets.fail(i, "another data set has the same digest")
		}
		digests[s.Digest] = true
		if c.sets[[2]string{s.Dataset, s.Split}] != nil {
			return nil, sets.fail(i, "%s, %s, occurs twice", s.Dataset, s.Split)
		}
		c.sets[[2]string{s.Dataset, s.Split}] = s
	}
	for i := range trials.rows {
		t := &trials.rows[i]
		if why := c.key(t.Key); why != "" {
			return nil, trials.fail(i, "%s", why)
		}
		of := c.trials[t.Key]
		if of == nil {
			of = map[int]*Trial{}
			c.trials[t.Key] = of
		}
		switch {
		case of[t.Number] != nil:
			return nil, trials.fail(i, "trial %d of %s, fold %d, occurs twice", t.Number, t.Method, t.Fold)
		case t.Number == 0 && (t.Space != "" || t.Values != nil):
			return nil, trials.fail(i, "trial 0 has the defaults, so space and values must be empty")
		case t.Number > 0 && t.Space == "":
			return nil, trials.fail(i, "space must not be empty except for trial 0")
		}
		of[t.Number] = t
	}
	for i := range trials.rows {
		if t := &trials.rows[i]; t.Number > 0 && c.trials[t.Key][t.Number-1] == nil {
			return nil, trials.fail(i, "trial %d of %s, fold %d, is missing", t.Number-1, t.Method, t.Fold)
		}
	}
	return c, nil
}

// key returns the fault of a row's key, or "".
func (c *checker) key(k Key) string {
	if c.sets[[2]string{k.Dataset, k.Split}] == nil {
		return fmt.Sprintf("%s has no data set %s, %s", setsFile, k.Dataset, k.Split)
	}
	plain := k
	plain.Settings = ""
	if other := c.kinds[plain]; other != "" && other != k.Settings {
		return fmt.Sprintf("%s, fold %d, has other settings elsewhere: %s", k.Method, k.Fold, other)
	}
	c.kinds[plain] = k.Settings
	return ""
}

// measured checks the rows of a table of measurements.
func (c *checker) measured(t *table[Measured], ablation bool) error {
	seen := map[id]bool{}
	for i := range t.rows {
		m := &t.rows[i]
		if why := c.key(m.Key); why != "" {
			return t.fail(i, "%s", why)
		}
		switch {
		case strings.HasPrefix(m.Method, Ablation) != ablation:
			return t.fail(i, "%s is in the wrong file: %s is for the ablation, %s for all others",
				m.Method, ablationFile, methodsFile)
		case seen[m.id()]:
			return t.fail(i, "%s, fold %d, occurs twice", m.Method, m.Fold)
		}
		seen[m.id()] = true
		epochs := 0
		if m.Trial >= 0 {
			trial := c.trials[m.Key][m.Trial]
			if trial == nil {
				return t.fail(i, "%s has no trial %d of it", trialsFile, m.Trial)
			}
			epochs = trial.Epochs
		}
		if m.Epochs != epochs {
			return t.fail(i, "it has %d epochs, but its trial has %d", m.Epochs, epochs)
		}
	}
	return nil
}

// users assigns hits to measurements. It checks that each measurement has hits, that all methods on a fold have the
// same users, and that the figures at ten follow from them.
func (c *checker) users(folder string, users map[id]*Hits, tables ...*table[Measured]) error {
	type fold struct {
		dataset, split string
		fold           int
	}
	first := map[fold]*Hits{}
	at := slices.Index(Ks, K)
	for _, t := range tables {
		for i := range t.rows {
			m := &t.rows[i]
			h := users[m.id()]
			if h == nil {
				return t.fail(i, "%s has no users of %s, fold %d", usersFile, m.Method, m.Fold)
			}
			delete(users, m.id())
			key := fold{m.Dataset, m.Split, m.Fold}
			if first[key] == nil {
				first[key] = h
			}
			one := first[key]
			all := c.sets[[2]string{m.Dataset, m.Split}].Users
			if last := h.Users[len(h.Users)-1]; !h.sameUsers(one) || int(last) >= all {
				return t.fail(i, "%s has other users for it than for other methods, or too many", usersFile)
			}
			h.Users, h.Items = one.Users, one.Items
			recalls, ndcgs := h.Values()
			recall, ndcg := mean(recalls), mean(ndcgs)
			if math.Abs(recall-m.Recall[at]) > rounding || math.Abs(ndcg-m.NDCG[at]) > rounding {
				return t.fail(i, "recall@%d and ndcg@%d differ from its users' %v and %v in %s",
					K, K, recall, ndcg, usersFile)
			}
			m.Hits = *h
		}
	}
	for x := range users {
		why := fmt.Sprintf("it has users of %s on %s, fold %d, which is in no table", x.Method, x.Dataset, x.Fold)
		return &Error{File: filepath.Join(folder, usersFile), Why: why}
	}
	return nil
}

// rounding is the tolerance of means computed on another machine from the same hits, whose logarithms may differ in the
// last digits.
const rounding = 1e-7

// margins assigns the triplets to the studies of margins.
func (c *checker) margins(t *table[Margins], triplets *table[tripletRow]) error {
	all := map[Key]*Margins{}
	for i := range t.rows {
		m := &t.rows[i]
		if why := c.key(m.Key); why != "" {
			return t.fail(i, "%s", why)
		}
		if all[m.Key] != nil {
			return t.fail(i, "%s, %s, occurs twice", m.Dataset, m.Split)
		}
		if m.Users > m.Count || !(m.Gap.Low <= m.Gap.High) || math.IsInf(m.Gap.High-m.Gap.Low, 0) {
			return t.fail(i, "%d triplets of %d users with a gap from %g to %g are inconsistent",
				m.Count, m.Users, m.Gap.Low, m.Gap.High)
		}
		all[m.Key] = m
	}
	for i := range triplets.rows {
		x := &triplets.rows[i]
		m := all[x.Key]
		switch {
		case m == nil:
			return triplets.fail(i, "%s has no margins of %s with these settings", marginsFile, x.Dataset)
		case x.Drawn:
			m.Drawn = append(m.Drawn, x.Triplet)
		default:
			m.Found = append(m.Found, x.Triplet)
		}
	}
	return nil
}
