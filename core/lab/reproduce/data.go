package reproduce

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
)

// Folds is the number of folds of each user's items, as in the paper.
const Folds = 5

// Data is a data set with its split.
type Data struct {
	*dataset.Dataset
	Key       string         // name in files: "ml-100k"
	Published *dataset.Split // the publishers' split; nil: five folds
	Seed      uint64         // of the folds

	digest string
	absent *absent // published facts about unavailable data; nil: the data are available
}

// NewData checks that methods can be measured on d: at least two items and a user, and in every split something to
// train and test on. The error names the shortage and a remedy.
func NewData(d *dataset.Dataset, key string, published *dataset.Split, seed uint64) (*Data, error) {
	x := &Data{Dataset: d, Key: key, Published: published, Seed: seed}
	users, items := d.Positives.Rows(), d.Positives.Cols
	switch {
	case users < 1:
		return nil, fmt.Errorf("%s has no users, so there is nothing to measure", d.Name)
	case items < 2:
		return nil, fmt.Errorf("%s has a single item, so there is nothing to rank; a comparison needs two items at "+
			"least", d.Name)
	}
	for k := range x.Splits() {
		s := x.Split(k)
		where := fmt.Sprintf("fold %d of %d", k, Folds)
		if published != nil {
			where = "the published split"
			if s.Train.Rows() != users || s.Test.Rows() != users || s.Train.Cols != items || s.Test.Cols != items {
				return nil, fmt.Errorf("%s: the published split does not match the data's %d users and %d items",
					d.Name, users, items)
			}
		}
		learn, rank := 0, 0
		for u := range users {
			if n := len(s.Train.Row(u)); n >= 2 && n < items {
				learn++
			}
			if len(s.Test.Row(u)) > 0 && len(s.Train.Row(u)) < items {
				rank++
			}
		}
		switch {
		case learn == 0:
			return nil, fmt.Errorf("%s: in %s no user has two training items and another item to rank below them",
				d.Name, where)
		case rank == 0:
			return nil, fmt.Errorf("%s: in %s no user has a test item that could be recommended; a user needs %d "+
				"items for every fold to have one", d.Name, where, Folds)
		}
	}
	h := sha256.New()
	h.Write(binary.LittleEndian.AppendUint64(nil, seed))
	hashMatrix(h.Write, d.Positives)
	if published != nil {
		hashMatrix(h.Write, published.Train)
		hashMatrix(h.Write, published.Test)
	}
	x.digest = hex.EncodeToString(h.Sum(nil))
	return x, nil
}

// hashMatrix writes shape, row lengths and columns.
func hashMatrix(write func([]byte) (int, error), m *dataset.Matrix) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(m.Rows()))
	b = binary.LittleEndian.AppendUint64(b, uint64(m.Cols))
	for u := range m.Rows() {
		row := m.Row(u)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(row)))
		for _, i := range row {
			b = binary.LittleEndian.AppendUint32(b, uint32(i))
		}
		if len(b) > 1<<16 {
			write(b)
			b = b[:0]
		}
	}
	write(b)
}

// Splits returns the number of splits: 5, or 1 for a published split.
func (d *Data) Splits() int {
	if d.Published != nil {
		return 1
	}
	return Folds
}

// Split returns split k. O(nnz).
func (d *Data) Split(k int) dataset.Split {
	if d.Published != nil {
		return *d.Published
	}
	return d.Fold(Folds, k, d.Seed)
}

// tested has the users with test items in a split, ascending, and the number of each one's test items.
type tested struct{ Users, Items []int32 }

// tested returns the users with test items of split k. O(nnz).
func (d *Data) tested(k int) (on tested) {
	if d.Absent() {
		return d.absent.folds[k]
	}
	test := d.Split(k).Test
	for u := range test.Rows() {
		if n := len(test.Row(u)); n > 0 {
			on.Users, on.Items = append(on.Users, int32(u)), append(on.Items, int32(n))
		}
	}
	return on
}

// stats are the counts of the data.
func (d *Data) stats() dataset.Stats {
	if !d.Absent() {
		return d.Stats()
	}
	s := d.absent.set
	return dataset.Stats{
		Name: s.Name, Users: s.Users, Items: s.Items, Interactions: s.Interactions,
		Density: float64(s.Interactions) / float64(s.Users) / float64(s.Items),
	}
}

// relative describes how a data set relates to one of the paper's.
type relative struct {
	Paper     string // the paper's name for it
	Same      bool   // it is (a part of) the paper's own data, so figures are comparable
	Note      string // the relation
	Negatives int    // negatives per pair in the paper
}

// relatives are the data sets related to one of the paper's, by key. The paper's own files are not available; its
// Comics have no relative.
var relatives = map[string]relative{
	"amazon-cds-pmlam-partial": {"CDs", true, "partial; 425,758 of the paper's 478,048 interactions were " +
		"recovered, and the minima leave the counts in Table 1", 10},
	"dpq-electronics":  {"Electronics", false, "another cut of Amazon's Electronics", 10},
	"gowalla-lightgcn": {"Gowalla", false, "another cut of Gowalla", 2},
	"amazon-book-kgat": {"Books", false, "another cut of Amazon's Books", 2},
}

// Negatives returns the number of negatives per sampled pair: the paper's number on related data. Every method that
// samples like PMLAM uses it.
func (d *Data) Negatives() int { return d.relative().Negatives }

// relative returns the relation to the paper's data; unrelated data have two negatives, the paper's usual number.
func (d *Data) relative() relative {
	if r, ok := relatives[d.Key]; ok {
		return r
	}
	return relative{Negatives: 2}
}
