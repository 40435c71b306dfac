package batch

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestPieces: rows come back by shard, in their order, from one file with the same bytes each time.
func TestPieces(t *testing.T) {
	const shards = 5
	want := make([][]Row, shards)
	write := func(path string) []Pieces {
		clear(want)
		all, err := writePieces(path, shards, func(add func(int, Row) error) error {
			for n := range 3000 {
				r := Row{User: fmt.Sprint("u", n), First: int64(n)}
				for k := range 1 + n*n%97*40 { // some blocks have one row, some rows do not fit the readers' buffer
					r.Entries = append(r.Entries, Entry{Item: fmt.Sprint("item ", k), Rating: 3, Time: int64(k), At: int64(n + k)})
				}
				shard := n % 3 // none in the last two
				want[shard] = append(want[shard], r)
				if err := add(shard, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	path := filepath.Join(t.TempDir(), "pieces")
	all := write(path)
	for shard := range all {
		var got []Row
		if err := all[shard].each(func(r Row) error { got = append(got, r); return nil }); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want[shard]) {
			t.Errorf("shard %d has %d rows, or other ones, of %d", shard, len(got), len(want[shard]))
		}
		if blocks := len(all[shard].Blocks); (blocks > 1) != (len(got) > 0) {
			t.Errorf("shard %d has %d blocks", shard, blocks)
		}
	}
	n := 0
	if err := eachRow(path, func(Row) error { n++; return nil }); err != nil || n != 3000 {
		t.Errorf("%d rows in the file, %v", n, err)
	}
	before, _ := os.ReadFile(path)
	if again := write(path); !reflect.DeepEqual(again, all) {
		t.Error("other blocks the second time")
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
		t.Error("other bytes the second time")
	}
	used := errors.New("no more")
	if err := all[0].each(func(Row) error { return used }); !errors.Is(err, used) {
		t.Errorf("got %v, want the error of use", err)
	}

	// Damage is an error, wherever the file is cut.
	for _, size := range []int{len(before) - 1, all[1].Blocks[0].end() - 1, all[1].Blocks[0].end() - 100, 10, 0} {
		if err := os.WriteFile(path, before[:size], 0o644); err != nil {
			t.Fatal(err)
		}
		failed := false
		for shard := range all {
			err := all[shard].each(func(Row) error { return nil })
			failed = failed || errors.Is(err, errBytes)
		}
		if !failed {
			t.Errorf("a file cut to %d of %d bytes is read", size, len(before))
		}
	}
}

func (b Block) end() int { return int(b.At + b.Bytes) }
