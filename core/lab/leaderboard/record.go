// Package leaderboard keeps measurements as records and builds docs/leaderboard.md from them.
//
// A record is a line of JSON with everything needed to repeat the measurement: the data's digest, the split, the method
// with its whole configuration and seed, and one command. A published figure is a record too, with its source instead
// of a digest and a command. Write adds records to a file, Read reads one, and Page writes the tables.
//
// Data flow: pmlam-lab record writes records, pmlam-lab leaderboard prints the page. Not linked into the browser's
// program.
package leaderboard

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// Record is one method on one split of a data set.
type Record struct {
	Data   string `json:"data"`             // the file or folder, without parent folders
	Split  string `json:"split"`            // how it was split: "fixed split", "from 2017-05-03T21:38:13Z on"
	Digest string `json:"digest,omitempty"` // of ids and both parts; "" in a published record
	Users  int    `json:"users,omitempty"`
	Items  int    `json:"items,omitempty"`
	Train  int    `json:"train,omitempty"` // pairs
	Test   int    `json:"test,omitempty"`

	Method string `json:"method"`           // as tables print it, "Turbo-CF"
	Spec   string `json:"spec,omitempty"`   // as the command takes it: "turbocf:alpha=0.5"; a preset; a model file
	Config any    `json:"config,omitempty"` // all settings
	Seed   uint64 `json:"seed,omitempty"`   // of the training; 0: nothing is random
	// by name and k, "recall@20": of all users, and by name of slice
	Figures map[string]float64            `json:"figures"`
	Slices  map[string]map[string]float64 `json:"slices,omitempty"`
	Command string                        `json:"command,omitempty"` // repeats the measurement, in the folder with Data
	Source  string                        `json:"source,omitempty"`  // who published it; "": measured here
	Note    string                        `json:"note,omitempty"`    // remark on a published figure
}

// check returns an error for an invalid record.
func (r *Record) check() error {
	switch {
	case r.Data == "" || r.Split == "" || r.Method == "":
		return errors.New("a record needs data, split and method")
	case len(r.Figures) == 0:
		return errors.New("a record needs figures")
	case r.Source == "" && (r.Digest == "" || r.Command == ""):
		return errors.New("a record needs digest and command, or the source of a published figure")
	case r.Source != "" && (r.Digest != "" || r.Command != ""):
		return errors.New("a published record must not have a digest or command: they mean that it was measured here")
	}
	for name, x := range r.Figures {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%s is %v", name, x)
		}
	}
	return nil
}

// same reports whether two records are of one measurement, so that the later replaces the earlier.
func (r *Record) same(o *Record) bool {
	return r.Data == o.Data && r.Split == o.Split && r.Digest == o.Digest && r.Method == o.Method && r.Spec == o.Spec &&
		r.Seed == o.Seed && r.Source == o.Source && settings(r.Config) == settings(o.Config)
}

// settings returns a configuration in the form of Read, as one text, without zero, false and empty values: a setting
// added after a record was made is off in it.
func settings(config any) string {
	if named, ok := config.(map[string]any); ok {
		set := maps.Clone(named)
		maps.DeleteFunc(set, func(_ string, x any) bool { return x == nil || x == false || x == 0.0 || x == "" })
		config = set
	}
	b, err := json.Marshal(config)
	if err != nil {
		panic(err) // decoded values can be encoded
	}
	return string(b)
}

// asRead returns a configuration in the form of Read.
func asRead(config any) (out any, err error) {
	b, err := json.Marshal(config)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	return out, err
}

// maxLine bounds a line of a record file.
const maxLine = 1 << 20

// Read reads a file of records. Errors name the line. Unknown fields are refused.
func Read(path string) ([]Record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []Record
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var r Record
		d := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		d.DisallowUnknownFields()
		err := d.Decode(&r)
		if err == nil {
			err = r.check()
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		all = append(all, r)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return all, nil
}

// Write adds records to a file, one per line, and replaces records of the same measurement (same data, split, method,
// spec, seed and settings). The file is sorted, so it does not depend on the order of measurements, and written
// atomically.
func Write(path string, records []Record) error {
	all, err := Read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, r := range records {
		err := r.check()
		if err == nil {
			r.Config, err = asRead(r.Config)
		}
		if err != nil {
			return fmt.Errorf("cannot keep %s on %s: %w", r.Method, r.Data, err)
		}
		all = slices.DeleteFunc(all, func(old Record) bool { return r.same(&old) })
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b Record) int {
		for _, x := range [][2]string{{a.Data, b.Data}, {a.Split, b.Split}, {a.Method, b.Method}, {a.Spec, b.Spec},
			{a.Source, b.Source}} {
			if c := strings.Compare(x[0], x[1]); c != 0 {
				return c
			}
		}
		return cmp.Or(strings.Compare(a.Digest, b.Digest), cmp.Compare(a.Seed, b.Seed),
			strings.Compare(settings(a.Config), settings(b.Config)))
	})
	return durable.WriteFile(durable.OS, path, func(w io.Writer) error {
		for _, r := range all {
			b, err := json.Marshal(r)
			if err != nil {
				return err
			}
			if _, err := w.Write(append(b, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}
