package reproduce

import (
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/lab/reproduce/results"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Published is a read-only folder of package results.
type Published struct {
	sets     map[string]*results.Set // by the digest of the data
	trials   map[results.Key][]results.Trial
	measured map[results.Key][]*results.Measured
	margins  map[results.Key]*results.Margins
	order    []*results.Set // of the files
}

// ReadPublished reads a folder. The errors are results.Read's.
func ReadPublished(folder string) (*Published, error) {
	r, err := results.Read(folder)
	if err != nil {
		return nil, err
	}
	p := &Published{
		sets: map[string]*results.Set{}, trials: map[results.Key][]results.Trial{},
		measured: map[results.Key][]*results.Measured{}, margins: map[results.Key]*results.Margins{},
	}
	for i := range r.Sets {
		p.sets[r.Sets[i].Digest] = &r.Sets[i]
		p.order = append(p.order, &r.Sets[i])
	}
	for _, t := range r.Trials { // in the order of their numbers
		p.trials[t.Key] = append(p.trials[t.Key], t)
	}
	for i := range r.Measured {
		m := &r.Measured[i]
		p.measured[m.Key] = append(p.measured[m.Key], m)
	}
	for i := range r.Margins {
		p.margins[r.Margins[i].Key] = &r.Margins[i]
	}
	return p, nil
}

// splitName returns the name of the data's split in results.Set.
func (d *Data) splitName() string {
	if d.Published != nil {
		return "published"
	}
	return foldsOf(d.Seed)
}

func foldsOf(seed uint64) string { return fmt.Sprintf("five folds of seed %d", seed) }

// Data returns a data set with only its published results, by its name in files: with the published split if published
// is true and there is one, otherwise with the five folds of the seed. Tables can be made from it, but nothing can be
// measured on it. It returns false if p does not have it.
func (p *Published) Data(key string, published bool, seed uint64) (*Data, bool) {
	for _, split := range []string{"published", foldsOf(seed)} {
		at := slices.IndexFunc(p.order, func(s *results.Set) bool { return s.Dataset == key && s.Split == split })
		if at < 0 || split == "published" && !published {
			continue
		}
		s := p.order[at]
		d := &Data{Dataset: &dataset.Dataset{Name: s.Name}, Key: key, Seed: seed, digest: s.Digest,
			absent: &absent{set: s}}
		if split == "published" {
			d.Published = &dataset.Split{}
		}
		for _, of := range p.measured {
			for _, m := range of {
				if m.Dataset == s.Dataset && m.Split == s.Split {
					d.absent.folds[m.Fold] = tested{m.Hits.Users, m.Hits.Items}
				}
			}
		}
		return d, true
	}
	return nil, false
}

// absent has the published facts about a data set that is not available.
type absent struct {
	set   *results.Set
	folds [Folds]tested
}

// Absent reports whether the data are not available, so that only published figures exist.
func (d *Data) Absent() bool { return d.absent != nil }

// shortDigest returns the part of a digest that results keep.
func shortDigest(digest string) string { return digest[:16] }

// settingsDigest identifies everything that decides a method's result, except for the data, the fold and the seed.
func (m *Method) settingsDigest() string {
	return shortDigest(hash([]any{storeFormat, validation, m.settings, m.study}))
}

// spaceDigest identifies the space of a method's trials.
func (m *Method) spaceDigest() string { return shortDigest(hash(m.Space)) }

// key returns a unit's key for a data set with these names.
func (u Unit) key(s *results.Set, p Protocol) results.Key {
	return results.Key{
		Dataset: s.Dataset, Split: s.Split, Method: u.Method.Name, Fold: u.Fold, Seed: p.Seed,
		Settings: u.Method.settingsDigest(),
	}
}

// publishedUnit has the published results of a unit.
type publishedUnit struct {
	method   *Method
	trials   []choose.Trial
	measured []*results.Measured
	margins  *results.Margins
}

// unit returns the published results of a unit; nil without any.
func (p *Published) unit(u Unit, protocol Protocol) *publishedUnit {
	if p == nil {
		return nil
	}
	s := p.sets[shortDigest(u.Data.digest)]
	if s == nil {
		return nil
	}
	key := u.key(s, protocol)
	of := &publishedUnit{method: u.Method, measured: p.measured[key], margins: p.margins[key]}
	for _, t := range p.trials[key] {
		x := t.Trial
		if x.Number == 0 {
			x.Values = u.Method.first
		} else if t.Space != u.Method.spaceDigest() || checkTrial(&x, u.Method.Space, x.Number) != nil {
			break
		}
		of.trials = append(of.trials, x)
	}
	return of
}

// trial returns trial n.
func (p *publishedUnit) trial(n int) (choose.Trial, bool) {
	if p == nil || n >= len(p.trials) {
		return choose.Trial{}, false
	}
	return p.trials[n], true
}

// find returns the measurement with the settings in a name and these users; nil without one.
func (p *publishedUnit) find(name string, on tested) *Measurement {
	if p == nil {
		return nil
	}
	store := unitStore{method: p.method}
	for _, m := range p.measured {
		if m.Trial >= len(p.trials) || store.measuredName(m.Trial, p.trials) != name ||
			!slices.Equal(m.Hits.Users, on.Users) || !slices.Equal(m.Hits.Items, on.Items) {
			continue
		}
		recalls, ndcgs := m.Hits.Values()
		return &Measurement{
			Method: m.Method, Fold: m.Fold, Ks: Ks, Recall: m.Recall, NDCG: m.NDCG,
			Users: m.Hits.Users, Recalls: recalls, NDCGs: ndcgs, Items: m.Hits.Items,
			Seconds: m.Seconds, Workers: m.Workers, Heap: m.Heap, Device: m.Device,
		}
	}
	return nil
}

// knownMargins returns the published Table 4; nil without one.
func (s *Store) knownMargins(u Unit, p Protocol) *Margins {
	if s == nil {
		return nil
	}
	of := s.Published.unit(u, p)
	if of == nil || of.margins == nil {
		return nil
	}
	m := of.margins
	return &Margins{
		Data: u.Data, Epochs: m.Epochs, Found: casesOf(m.Found), Drawn: casesOf(m.Drawn), Same: m.Same, Other: m.Other,
		Count: m.Count, Gap: m.Gap, Users: m.Users, T: m.T, W: m.W, Share: m.Share, method: u.Method, trials: of.trials,
	}
}

func casesOf(triplets []results.Triplet) (all []Case) {
	for _, t := range triplets {
		all = append(all, Case(t))
	}
	return all
}
