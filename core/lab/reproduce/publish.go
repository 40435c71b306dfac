package reproduce

import (
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/reproduce/results"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Publish adds what a study found to a folder of what is published, package results' form, which is made where there
// is none: data sets and, of what was measured on them, the measurements with their trials and the margins. What the
// folder holds of other data, methods and folds stays. The same measurements give the same bytes, in whatever order
// they are added. The errors are those of results.Read for a folder that cannot be read, of the file system, and of
// measurements that cannot be.
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
				of[d] = s // it may have another name there
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

// set returns what is published of a data set itself.
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
		return fmt.Errorf("%s on %s, fold %d, cannot be published: %w", m.Method, m.Dataset, m.Fold, err)
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

// addTrials adds trials, the first without its values: they are the defaults.
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
