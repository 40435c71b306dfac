package agents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
)

// Marks are the marks of a user in a file, the page's backup (docs/backup.md).
type Marks struct {
	path, catalogue string
	mu              sync.Mutex // held while the file is changed
}

// OpenMarks checks the file at path. It need not exist yet. Its ids must be items of engine.
func OpenMarks(path string, engine *recommend.Recommender) (*Marks, error) {
	m := &Marks{path: path, catalogue: engine.About().Dataset}
	_, err := m.read()
	return m, err
}

// read reads the file. Without one, there are no marks.
func (m *Marks) read() (*keep.Backup, error) {
	f, size, err := durable.OpenRegular(m.path)
	if errors.Is(err, fs.ErrNotExist) {
		return &keep.Backup{Catalogue: m.catalogue}, nil
	} else if err != nil {
		return nil, fmt.Errorf("cannot read the marks: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, min(size, keep.MaxBackup)+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the marks: %w", err)
	}
	b, err := keep.ReadBackup(text, uint64(time.Now().UnixMilli()))
	if wrong, ok := errors.AsType[*keep.BackupError](err); ok {
		place := ""
		if wrong.Line > 0 {
			place = fmt.Sprintf(":%d", wrong.Line)
		}
		return nil, fmt.Errorf("%s%s: not a file of marks: %s; correct it, or name another file", m.path, place,
			wrong.Reason)
	} else if err != nil {
		return nil, err
	}
	if b.Catalogue != m.catalogue {
		return nil, fmt.Errorf("%s has marks of the catalogue %q, but the model is of %q; name another file", m.path,
			brief.Text(b.Catalogue), brief.Text(m.catalogue))
	}
	return b, nil
}

// addTo adds the marks to a visit, without marks of items that the visit mentions.
func (m *Marks) addTo(v recommend.Visit, engine *recommend.Recommender) (recommend.Visit, error) {
	b, err := m.read()
	if err != nil {
		return v, err
	}
	said := map[int]bool{}
	for _, i := range slices.Concat(v.Likes, v.Dislikes, v.Seen) {
		said[i] = true
	}
	for _, it := range b.Items {
		i, known := engine.IDs()[it.ID]
		list := map[keep.Mark]*[]int{keep.Liked: &v.Likes, keep.NotForMe: &v.Dislikes, keep.Seen: &v.Seen}[it.Mark]
		if known && list != nil && !said[i] {
			said[i] = true
			*list = append(*list, i)
		}
	}
	return v, nil
}

// change writes changes to the file, whole and renamed, and returns the number of marks in it.
func (m *Marks) change(changes []keep.Entry) (left int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	b, err := m.read()
	if err != nil {
		return 0, err
	}
	b.Written = uint64(time.Now().UnixMilli())
	for _, e := range changes {
		it := keep.Item{Entry: e}
		b.Items = slices.DeleteFunc(b.Items, func(old keep.Item) bool {
			if old.ID == e.ID {
				it.Other = old.Other
			}
			return old.ID == e.ID
		})
		if it.At = b.Written; e.Mark != keep.Unmarked {
			b.Items = append(b.Items, it)
		}
	}
	text := b.Bytes()
	if len(text) > keep.MaxBackup {
		return 0, fmt.Errorf("%s would be larger than %d bytes; forget some marks first", m.path, keep.MaxBackup)
	}
	err = durable.WriteFile(durable.OS, m.path, func(w io.Writer) error {
		_, err := io.Copy(w, bytes.NewReader(text))
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("the marks cannot be written to %s: %w", m.path, err)
	}
	return len(b.Items), nil
}
