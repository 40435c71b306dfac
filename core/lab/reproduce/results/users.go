package results

import (
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/pmlam/pmlam/core/internal/durable"
)

// record is a row of users.parquet. Its user has test items in the fold; bit r of Hits is set if rank r+1 of their list
// is one of them.
type record struct {
	Dataset string `parquet:"dataset,dict"`
	Split   string `parquet:"split,dict"`
	Method  string `parquet:"method,dict"`
	Fold    int32  `parquet:"fold,dict"`
	Seed    int64  `parquet:"seed,dict"`
	Trial   int32  `parquet:"trial,dict"` // −1: none
	User    int32  `parquet:"user,delta"`
	Items   int32  `parquet:"items,split"`
	Hits    int32  `parquet:"hits,split"`
}

// pageSize is the number of bytes of a column compressed together: users and their items repeat with every method.
const pageSize = 4 << 20

// batch is the number of rows read and written at a time.
const batch = 1 << 13

// writeUsers writes the hits of all measurements, in order, with a row group per data set.
func writeUsers(fs durable.FS, folder string, all []Measured) error {
	path := filepath.Join(folder, usersFile)
	if len(all) == 0 {
		return remove(fs, path)
	}
	return durable.WriteFile(fs, path, func(w io.Writer) error {
		out := parquet.NewGenericWriter[record](w, parquet.CreatedBy("pmlam", "", ""), parquet.PageBufferSize(pageSize),
			parquet.Compression(&zstd.Codec{Level: zstd.SpeedBestCompression}))
		for i := range all {
			m := &all[i]
			if i > 0 && (m.Dataset != all[i-1].Dataset || m.Split != all[i-1].Split) {
				if err := out.Flush(); err != nil {
					return err
				}
			}
			for from := 0; from < len(m.Hits.Users); from += batch {
				if _, err := out.Write(m.records(from, min(from+batch, len(m.Hits.Users)))); err != nil {
					return err
				}
			}
		}
		return out.Close()
	})
}

// records returns rows for the users from, … , to−1.
func (m *Measured) records(from, to int) []record {
	rows := make([]record, 0, to-from)
	for u := from; u < to; u++ {
		rows = append(rows, record{m.Dataset, m.Split, m.Method, int32(m.Fold), int64(m.Seed), int32(m.Trial),
			m.Hits.Users[u], m.Hits.Items[u], int32(m.Hits.Places[u])})
	}
	return rows
}

// readUsers returns the hits of every measurement of a folder; none without the file.
func readUsers(folder string) (all map[id]*Hits, err error) {
	path := filepath.Join(folder, usersFile)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if all, err = parseUsers(f, info.Size()); err != nil {
		return nil, &Error{File: path, Why: err.Error()}
	}
	return all, nil
}

// parseUsers reads a Parquet file. The library's panics on damaged bytes become errors.
func parseUsers(r io.ReaderAt, size int64) (all map[id]*Hits, err error) {
	defer func() {
		if why := recover(); why != nil {
			all, err = nil, fmt.Errorf("it is damaged: %v", why)
		}
	}()
	f, err := openUsers(r, size)
	if err != nil {
		return nil, err
	}
	all = map[id]*Hits{}
	var last id
	var of *Hits
	err = eachRecord(f, func(row int, x *record) error {
		if key := x.id(); of == nil || key != last {
			if all[key] != nil {
				return fmt.Errorf("row %d: %s on %s, fold %d, is in two places", row, key.Method, key.Dataset,
					key.Fold)
			}
			of, last = &Hits{}, key
			all[last] = of
		}
		if err := of.add(x); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

func (x *record) id() id {
	return id{x.Dataset, x.Split, x.Method, int(x.Fold), uint64(x.Seed), int(x.Trial)}
}

// add adds a row. Users must ascend.
func (h *Hits) add(x *record) error {
	switch {
	case x.User < 0 || len(h.Users) > 0 && x.User <= h.Users[len(h.Users)-1]:
		return fmt.Errorf("user %d is out of order", x.User)
	case x.Items < 1:
		return fmt.Errorf("user %d has %d test items; it must be at least 1", x.User, x.Items)
	case x.Hits < 0 || x.Hits >= 1<<K || bits.OnesCount32(uint32(x.Hits)) > int(x.Items):
		return fmt.Errorf("user %d has hits %d; they must be %d bits with at most %d set", x.User, x.Hits, K,
			x.Items)
	}
	h.Users, h.Items, h.Places = append(h.Users, x.User), append(h.Items, x.Items), append(h.Places, uint16(x.Hits))
	return nil
}

// sameUsers reports whether both have the same users with the same test items.
func (h *Hits) sameUsers(o *Hits) bool {
	return slices.Equal(h.Users, o.Users) && slices.Equal(h.Items, o.Items)
}
