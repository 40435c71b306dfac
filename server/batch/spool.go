package batch

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
)

// Rows do not travel: a worker writes the rows that others need into one file on the shared file system, and passes on
// their places. Besides, Beam's job server takes a bundle's output only once the bundle has ended, and holds 400 MB: a
// bundle that sends more waits forever (SdkHarnessClient in Beam 2.70).

// Pieces are the rows of one shard in a file with the rows of several.
type Pieces struct {
	Path   string
	Blocks []Block // in the order of the rows
}

// Block is a range of whole rows in a file.
type Block struct{ At, Bytes int64 }

// spool collects rows by shard, and writes a shard's rows in blocks.
type spool struct {
	path   string
	out    io.Writer
	rows   [][]byte  // by shard: encoded rows that are not written yet
	blocks [][]Block // by shard
	at     int64
}

const (
	spoolMemory = 64 << 20 // rows that are not written yet, of all shards
	mostBlock   = 1 << 20
)

// writePieces writes the rows that fill adds to a file, and returns the Pieces of each shard, without blocks for shards
// without rows. The same rows give the same bytes. The file appears atomically.
func writePieces(path string, shards int, fill func(add func(shard int, r Row) error) error) (all []Pieces, err error) {
	s := &spool{path: path, rows: make([][]byte, shards), blocks: make([][]Block, shards)}
	if err := writeFile(path, func(w io.Writer) error {
		s.out = w
		if err := fill(s.add); err != nil {
			return err
		}
		for shard := range s.rows {
			if err := s.write(shard); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	for _, blocks := range s.blocks {
		all = append(all, Pieces{path, blocks})
	}
	return all, nil
}

func (s *spool) add(shard int, r Row) error {
	b := encodeRow(r)
	s.rows[shard] = append(binary.AppendUvarint(s.rows[shard], uint64(len(b))), b...)
	if len(s.rows[shard]) >= min(mostBlock, spoolMemory/len(s.rows)) {
		return s.write(shard)
	}
	return nil
}

// write writes a block of a shard.
func (s *spool) write(shard int) error {
	b := s.rows[shard]
	if len(b) == 0 {
		return nil
	}
	n, err := s.out.Write(b)
	s.blocks[shard] = append(s.blocks[shard], Block{s.at, int64(n)})
	s.at += int64(n)
	s.rows[shard] = b[:0]
	return err
}

// eachRow calls use with every row of a file.
func eachRow(path string, use func(Row) error) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	all := Pieces{path, []Block{{0, info.Size()}}}
	return all.each(use)
}

// each calls use with every row. Memory: O(the longest row).
func (p *Pieces) each(use func(Row) error) error {
	f, err := os.Open(p.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(nil, 1<<18)
	for _, block := range p.Blocks {
		in.Reset(io.NewSectionReader(f, block.At, block.Bytes))
		if err := readRows(in, block.Bytes, use); err != nil {
			return fmt.Errorf("cannot read %s: %w", p.Path, err)
		}
	}
	return nil
}

// readRows calls use with every row of a block; left is its size in bytes.
func readRows(in *bufio.Reader, left int64, use func(Row) error) error {
	var b []byte
	for left > 0 {
		n, err := binary.ReadUvarint(in)
		if left -= int64(len(binary.AppendUvarint(nil, n))) + int64(n); err == nil && (n > math.MaxInt32 || left < 0) {
			err = errBytes
		}
		if err != nil {
			return fmt.Errorf("%w: %w", errBytes, err)
		}
		b = slices.Grow(b[:0], int(n))[:n]
		if _, err := io.ReadFull(in, b); err != nil {
			return fmt.Errorf("%w: %w", errBytes, err)
		}
		row, err := decodeRow(b)
		if err == nil {
			err = use(row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
