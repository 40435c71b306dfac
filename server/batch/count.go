package batch

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pmlam/pmlam/core/dataset"
)

func init() {
	beam.RegisterDoFn(reflect.TypeFor[packFn]())
	beam.RegisterDoFn(reflect.TypeFor[planFn]())
}

// The users that items share are counted by blocks of items. Pairs of items are far more than interactions (a user with
// n items has n²), so they never travel: interactions do. Each shard of users is packed into a file of item numbers,
// and whoever counts a block reads all these files, keeping only the counts of the block's items with all others.
// Workers send only the totals of each shard: two numbers per item.

// blockBytes is the largest memory of a block's counts, unless it has a single item.
const blockBytes = 512 << 20

// shareBytes is the size of a count, and of an item in a list.
const shareBytes = 4

// Totals are the items' totals over some users.
type Totals struct {
	Users []int64 // I: the users of each item
	Reach []int64 // I: the items of these users, repeated: Σ n_u
	Likes int64   // including those that do not count
}

// plan divides the items into blocks.
type plan struct {
	Totals         // of all users
	Starts []int32 // the first item of each block, and I
}

// planName is the file in the work folder that holds the plan.
const planName = "plan.gob"

// packedName is the file in the work folder with the items of a shard's users.
func packedName(shard int) string { return fmt.Sprintf("packed-%05d", shard) }

// Counting says which likes count.
type Counting struct {
	// Most is the largest number of likes of one user that count, drawn by dataset.Drawn; 0 means all. It bounds the
	// cost of a user, Most², where all likes of a user with a million would take 10¹² pairs.
	Most int
}

// blocks adds the packing of the training part to a pipeline, and returns the numbers of the blocks to count, int. They
// are ready when all shards are packed.
func (f *Folder) blocks(s beam.Scope, tasks []Task, c Counting, work string, parts int) beam.PCollection {
	totals := beam.ParDo(s, &packFn{Folder: *f, Counting: c, Work: work},
		beam.Reshuffle(s, beam.CreateList(s, tasks)))
	return beam.Reshuffle(s, beam.ParDo(s, &planFn{Items: f.Manifest.Items, Parts: parts, Work: work},
		beam.GroupByKey(s, beam.AddFixedKey(s, totals))))
}

// packFn packs one shard.
type packFn struct {
	Folder   Folder
	Counting Counting
	Work     string
	number   map[string]int32
}

func (f *packFn) ProcessElement(task Task) (Totals, error) {
	if f.number == nil {
		var err error
		if _, f.number, err = f.Folder.numbers(); err != nil {
			return Totals{}, err
		}
	}
	p, err := readPart(task.Users, task.Train, f.number)
	if err != nil {
		return Totals{}, err
	}
	m := p.positives(f.Folder.Manifest, len(f.number))
	t := Totals{Users: make([]int64, m.Cols), Reach: make([]int64, m.Cols), Likes: int64(m.Len())}
	return t, writeFile(filepath.Join(f.Work, packedName(task.Shard)), func(w io.Writer) error {
		out := bufio.NewWriter(w)
		var row []byte
		for u := range m.Rows() {
			items := dataset.Drawn(m.Row(u), task.FirstUser+u, f.Counting.Most)
			for _, i := range items {
				t.Users[i]++
				t.Reach[i] += int64(len(items))
			}
			row = appendRow(row[:0], items)
			if _, err := out.Write(row); err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// appendRow appends a user's items, ascending, as their number and differences: a byte each if it is below 128.
func appendRow(b []byte, items []int32) []byte {
	b = binary.AppendUvarint(b, uint64(len(items)))
	before := int32(0)
	for _, j := range items {
		b = binary.AppendUvarint(b, uint64(j-before))
		before = j
	}
	return b
}

// planFn adds up the totals, divides the items into blocks, and writes the plan to the work folder.
type planFn struct {
	Items, Parts int
	Work         string
}

func (f *planFn) ProcessElement(_ int, shards func(*Totals) bool, emit func(int)) error {
	p := plan{Totals: Totals{Users: make([]int64, f.Items), Reach: make([]int64, f.Items)}}
	for t := (Totals{}); shards(&t); {
		if len(t.Users) != f.Items || len(t.Reach) != f.Items {
			return fmt.Errorf("totals of %d items instead of %d", len(t.Users), f.Items)
		}
		p.Likes += t.Likes
		for i := range t.Users {
			p.Users[i] += t.Users[i]
			p.Reach[i] += t.Reach[i]
		}
	}
	p.divide(f.Parts, blockBytes)
	if err := writeGob(filepath.Join(f.Work, planName), &p); err != nil {
		return err
	}
	for b := range len(p.Starts) - 1 {
		emit(b)
	}
	return nil
}

// divide chooses the blocks: at most 1/parts of the pairs and so much memory in each, unless it has a single item.
func (p *plan) divide(parts, memory int) {
	total := int64(0)
	for _, n := range p.Reach {
		total += n
	}
	p.Starts = []int32{0}
	pairs, bytes := int64(0), 0
	for i, n := range p.Reach {
		size := shareBytes * p.cells(i)
		if i > int(p.Starts[len(p.Starts)-1]) && ((pairs+n)*int64(parts) > total || bytes+size > memory) {
			p.Starts = append(p.Starts, int32(i))
			pairs, bytes = 0, 0
		}
		pairs += n
		bytes += size
	}
	p.Starts = append(p.Starts, int32(len(p.Reach)))
}

// cells returns the numbers that counting an item takes: a count for each item, or the list of the items of its users,
// whichever is shorter.
func (p *plan) cells(item int) int { return int(min(p.Reach[item], int64(len(p.Reach)))) }

// block returns the block of an item.
func (p *plan) block(item int32) int {
	at, found := slices.BinarySearch(p.Starts, item)
	if !found {
		at--
	}
	return at
}

// Counter counts blocks from the files of packFn and planFn.
type Counter struct {
	Work   string // the work folder
	Shards int    // of users

	plan   *plan
	shares []int32 // a block's counts and lists
	common []int32 // I: zero between items
}

// load reads the plan unless that has been done.
func (c *Counter) load() error {
	if c.plan != nil {
		return nil
	}
	p := new(plan)
	if err := readGob(filepath.Join(c.Work, planName), p); err != nil {
		return err
	}
	c.plan, c.common = p, make([]int32, len(p.Reach))
	return nil
}

// count calls use for the items of a block that have users, ascending, with the other items that share users with it,
// in any order; common has their numbers by item. Both are valid until use returns. O(N + Σ_{i in the block} Reach_i +
// I·items) time for N interactions; 4·cells of each item, and one packed shard.
func (c *Counter) count(block int, use func(item int32, with, common []int32)) error {
	if err := c.load(); err != nil {
		return err
	}
	p := c.plan
	from, to := p.Starts[block], p.Starts[block+1]
	// Rows begin at: dense ones have a count for each item, others list the items of the users.
	begin := make([]int, to-from+1)
	for i := from; i < to; i++ {
		begin[i-from+1] = begin[i-from] + p.cells(int(i))
	}
	c.shares = slices.Grow(c.shares[:0], begin[to-from])[:begin[to-from]]
	clear(c.shares)
	end := slices.Clone(begin) // of the lists
	items := len(c.common)
	row := make([]int32, 0, 1024)
	for shard := range c.Shards {
		if err := readPacked(filepath.Join(c.Work, packedName(shard)), items, row, func(row []int32) error {
			at, _ := slices.BinarySearch(row, from)
			for _, i := range row[at:] {
				if i >= to {
					break
				}
				b := i - from
				if p.Reach[i] >= int64(items) {
					counts := c.shares[begin[b]:begin[b+1]]
					for _, j := range row {
						counts[j]++
					}
					continue
				}
				if end[b]+len(row) > begin[b+1] {
					return fmt.Errorf("item %d has more users than were counted", i)
				}
				end[b] += copy(c.shares[end[b]:], row)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	var with []int32
	for i := from; i < to; i++ {
		if p.Users[i] == 0 {
			continue
		}
		b, common := i-from, c.common
		with = with[:0]
		if p.Reach[i] >= int64(items) {
			common = c.shares[begin[b]:begin[b+1]]
			for j, n := range common {
				if n > 0 && int32(j) != i {
					with = append(with, int32(j))
				}
			}
		} else {
			for _, j := range c.shares[begin[b]:end[b]] {
				if common[j]++; common[j] == 1 && j != i {
					with = append(with, j)
				}
			}
		}
		use(i, with, common)
		if p.Reach[i] < int64(items) {
			for _, j := range with {
				common[j] = 0
			}
			common[i] = 0
		}
	}
	return nil
}

// readPacked calls use with the items of each user in a file of packFn, ascending, in row if it has room.
func readPacked(path string, items int, row []int32, use func([]int32) error) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	in := bytesReader{b: b}
	for len(in.b) > 0 && in.err == nil {
		n := in.length(1)
		row = slices.Grow(row[:0], n)
		before := uint64(0)
		for range n {
			before += in.uvarint()
			if before >= uint64(items) {
				return fmt.Errorf("%s has item %d of %d: %w", path, before, items, errBytes)
			}
			row = append(row, int32(before))
		}
		if in.err == nil {
			in.err = use(row)
		}
	}
	if in.err != nil {
		return fmt.Errorf("cannot count %s: %w", path, in.err)
	}
	return nil
}

func encodeTotals(t Totals) []byte {
	b := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(t.Likes)), uint64(len(t.Users)))
	for i := range t.Users {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(t.Users[i])), uint64(t.Reach[i]))
	}
	return b
}

func decodeTotals(b []byte) (Totals, error) {
	in := bytesReader{b: b}
	likes := int64(in.uvarint())
	n := in.length(2)
	t := Totals{Likes: likes, Users: make([]int64, n), Reach: make([]int64, n)}
	for i := range n {
		t.Users[i], t.Reach[i] = int64(in.uvarint()), int64(in.uvarint())
	}
	return t, in.err
}

// check refuses a negative number of likes.
func (c Counting) check() error {
	if c.Most < 0 {
		return errors.New("a user's likes must be 0, for all, or more")
	}
	return nil
}
