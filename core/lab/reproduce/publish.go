package reproduce

import (
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/reproduce/results"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Publish adds a study's measurements to a folder in the form of package results, and creates the folder if it is
// missing: data sets, measurements with their trials, and margins. Results of other data, methods and folds in the
// folder stay. The same measurements give the same bytes, in any order of adding. Errors are those of results.Read, of
// the file system, and of invalid measurements.
func Publish(fs durable.FS, folder string, p Protocol, sets []*Data, outcomes []*Outcome, margins []*Margins) error {
	all, err := results.Read(folder)
	if errors.Is(err, results.ErrNone) {
		all, err = &results.Results{}, results.Free(folder)
	}
	if err != nil {
		return err
	}
	found := &results.Results{}
	of := map[*Data]*results.Set{}
	for _, d := range sets {
		of[d] = d.set()
		for i := range all.Sets {
			if s := &all.Sets[i]; s.Digest == of[d].Digest {
				of[d] = s // its name there may differ
			}
		}
		found.Sets = append(found.Sets, *of[d])
	}
	for _, o := range outcomes {
		for _, m := range o.Folds {
			if m == nil || m.Failed != "" {
				continue
			}
			if err := publish(found, Unit{o.Data, o.Method, m.Fold}.key(of[o.Data], p), o.Method, m); err != nil {
				return err
			}
		}
	}
	for _, m := range margins {
		key := Unit{m.Data, m.method, 0}.key(of[m.Data], p)
		addTrials(found, key, m.method, m.trials)
		found.Margins = append(found.Margins, results.Margins{
			Key: key, Epochs: m.Epochs, Count: m.Count, Users: m.Users, Same: m.Same, Other: m.Other, Gap: m.Gap,
			Share: m.Share,
			T:     m.T, W: m.W, Found: tripletsOf(m.Found), Drawn: tripletsOf(m.Drawn),
		})
	}
	all.Add(found)
	return all.Write(fs, folder)
}

// set returns the published row of a data set.
func (d *Data) set() *results.Set {
	s := d.stats()
	return &results.Set{
		Dataset: d.Key, Split: d.splitName(), Name: d.Name, Users: s.Users, Items: s.Items,
		Interactions: s.Interactions,
		Digest:       shortDigest(d.digest),
	}
}

// publish adds a measurement and its trials.
func publish(found *results.Results, key results.Key, method *Method, m *Measurement) error {
	hits, err := results.Of(m.Users, m.Items, m.Recalls, m.NDCGs)
	if err != nil {
		return fmt.Errorf("cannot publish %s on %s, fold %d: %w", m.Method, m.Dataset, m.Fold, err)
	}
	epochs := 0
	if m.Chosen >= 0 {
		epochs = m.Trials[m.Chosen].Epochs
	}
	addTrials(found, key, method, m.Trials)
	found.Measured = append(found.Measured, results.Measured{
		Key: key, Trial: m.Chosen, Epochs: epochs, Recall: m.Recall, NDCG: m.NDCG, Seconds: m.Seconds,
		Workers: m.Workers, Heap: m.Heap, Device: m.Device, Hits: hits,
	})
	return nil
}

// addTrials adds trials. The first has the defaults, so its values are left out.
func addTrials(found *results.Results, key results.Key, method *Method, trials []choose.Trial) {
	for _, t := range trials {
		x := results.Trial{Key: key, Trial: t, Space: method.spaceDigest()}
		if t.Number == 0 {
			x.Space, x.Values = "", nil
		}
		found.Trials = append(found.Trials, x)
	}
}

func tripletsOf(cases []Case) (all []results.Triplet) {
	for _, c := range cases {
		all = append(all, results.Triplet(c))
	}
	return all
}
