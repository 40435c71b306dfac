package training

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
)

// load restores l from a file, which it reads twice: first to check it completely, then to restore. l is unchanged if
// the file is refused.
func (k *keeper) load(l *Loop, path string) error {
	pass := func(take bool) error {
		f, size, err := k.FS.Open(path)
		if err == nil {
			err = k.decode(l, f, size, take)
			if closed := f.Close(); err == nil {
				err = closed
			}
		}
		var bad *CheckpointError
		if errors.As(err, &bad) {
			bad.Path = path
		} else if err != nil {
			err = &CheckpointError{path, true, fmt.Sprintf("reading it failed: %v", err)}
		}
		return err
	}
	if err := pass(false); err != nil {
		return err
	}
	if err := pass(true); err != nil {
		// not a *CheckpointError, because l is half restored
		return fmt.Errorf("%s changed during reading: %w", path, errors.New(err.Error()))
	}
	return nil
}

func damaged(format string, args ...any) error {
	return &CheckpointError{Damaged: true, Detail: "it is damaged: " + fmt.Sprintf(format, args...)}
}

// decode reads a checkpoint of size bytes. Unless take is set it only checks. With take it changes l as it reads, and
// an error leaves l unusable. Errors other than *CheckpointError come from r.
func (k *keeper) decode(l *Loop, r io.Reader, size int64, take bool) error {
	d := &decoder{sum: sha256.New(), left: size - sha256.Size, buf: make([]byte, 64<<10)}
	d.r = bufio.NewReaderSize(r, 256<<10)
	start := make([]byte, len(checkpointMagic)+4)
	switch {
	case d.left < int64(len(start)):
		return damaged("it has only %d bytes", size)
	case d.read(start) != nil:
		return d.err
	case string(start[:len(checkpointMagic)]) != checkpointMagic:
		return damaged("bad magic")
	}
	version := binary.LittleEndian.Uint32(start[len(checkpointMagic):])
	// Errors inside only count if the digest confirms that they were written.
	var wrong error
	if version == checkpointVersion {
		wrong = k.content(l, d, take)
	}
	if d.drain(); d.err != nil {
		return d.err
	}
	digest := make([]byte, sha256.Size)
	if _, err := io.ReadFull(d.r, digest); err != nil {
		return err
	}
	switch {
	case !bytes.Equal(digest, d.sum.Sum(nil)):
		return damaged("the digest does not match its content (%d bytes)", size)
	case version != checkpointVersion:
		return &CheckpointError{Detail: fmt.Sprintf("its format is %d, but this program reads %d; continue with the "+
			"program that wrote it, or start afresh", version, checkpointVersion)}
	}
	return wrong
}

// content reads the sections.
func (k *keeper) content(l *Loop, d *decoder, take bool) error {
	n, err := d.section("head")
	if err != nil {
		return err
	}
	if n > maxHeader {
		return damaged("its head has %d bytes", n)
	}
	head := make([]byte, n)
	if d.read(head) != nil {
		return d.err
	}
	var h header
	if err := json.Unmarshal(head, &h); err != nil {
		return damaged("invalid head: %v", err)
	}
	if again, err := json.Marshal(h); err != nil || !bytes.Equal(again, head) {
		return damaged("its head is not canonical JSON")
	}
	if text := h.mismatch(&k.identity, &l.plan, l.start); text != "" {
		return &CheckpointError{Detail: text}
	}
	if err := h.check(l); err != nil {
		return err
	}
	history, err := d.history(h.Epoch, l.plan.Epochs, l.figures)
	if err != nil {
		return err
	}
	if h.Best > 0 && !history[h.Best-1].Best {
		return damaged("its best epoch is not in its history")
	}
	if take {
		l.take(&h, history)
	}
	return d.tensors(l, h.Best > 0, take)
}

// check returns an error for values that no checkpoint of l can have.
func (h *header) check(l *Loop) error {
	pairs := l.method.Pairs()
	switch {
	case h.Epoch < 0 || h.At < 0 || h.At > pairs || h.At%l.plan.Batch != 0 && h.At != pairs:
		return damaged("no batch ends at its position, epoch %d, pair %d", h.Epoch+1, h.At)
	case h.Best < 0 || h.Best > h.Epoch || h.Best > 0 && l.plan.Held == nil || h.Stale < 0 || h.Stale > h.Epoch-h.Best:
		return damaged("its best epoch is %d of %d, %d validations ago", h.Best, h.Epoch, h.Stale)
	case len(h.Count) != l.figures:
		return damaged("it has %d figures, not %d", len(h.Count), l.figures)
	}
	for k, n := range h.Count {
		if n < 0 || n > h.At {
			return damaged("it counts %d pairs for figure %d, but only %d are done", n, k, h.At)
		}
	}
	return nil
}

// take restores everything but the tensors, and allocates the tensors of the best state.
func (l *Loop) take(h *header, history []Epoch) {
	l.epoch, l.at, l.stale = h.Epoch, h.At, h.Stale
	l.steps = h.Epoch*l.Batches() + l.batchesIn(h.At)
	l.history, l.now = history[:h.Epoch:h.Epoch], history[h.Epoch]
	copy(l.counts, h.Count)
	copy(l.sums, l.now.Figures)
	l.now.Number, l.now.Pending, l.now.Figures = 0, 0, nil
	if l.best = nil; h.Best > 0 {
		l.best = l.emptyBest()
		l.best.Epoch, l.best.NDCG = h.Best, history[h.Best-1].NDCG
	}
}

// decoder reads the bytes that the digest covers.
type decoder struct {
	r    *bufio.Reader
	sum  hash.Hash
	left int64 // bytes to read before the digest
	buf  []byte
	err  error // the first error of r
}

// read fills b. It fails if the sections end early, or if r fails.
func (d *decoder) read(b []byte) error {
	if int64(len(b)) > d.left {
		return damaged("it is truncated")
	}
	if d.err != nil {
		return d.err
	}
	if _, d.err = io.ReadFull(d.r, b); d.err == nil {
		d.sum.Write(b)
		d.left -= int64(len(b))
	}
	return d.err
}

// drain reads the remaining bytes, for the digest.
func (d *decoder) drain() {
	for d.left > 0 && d.err == nil {
		d.read(d.buf[:min(d.left, int64(len(d.buf)))])
	}
}

// section reads a section's name, which must be name, and its length, which must fit into the remaining bytes, and
// returns the length.
func (d *decoder) section(name string) (int, error) {
	b := make([]byte, 1+len(name)+8)
	if err := d.read(b[:1]); err != nil {
		return 0, err
	}
	if int(b[0]) != len(name) {
		return 0, damaged("its section %s is missing", name)
	}
	if err := d.read(b[1:]); err != nil {
		return 0, err
	}
	if string(b[1:1+len(name)]) != name {
		return 0, damaged("its section %s is missing", name)
	}
	n := binary.LittleEndian.Uint64(b[1+len(name):])
	if n > uint64(d.left) {
		return 0, damaged("its section %s has %d bytes, but the file ends before that", name, n)
	}
	return int(n), nil
}

// history reads the records of the completed epochs and of the current one.
func (d *decoder) history(epochs, total, figures int) ([]Epoch, error) {
	n, err := d.section("history")
	if err != nil {
		return nil, err
	}
	size := recordSize(figures)
	if n%size != 0 || n/size-1 != epochs {
		return nil, damaged("its history has %d bytes for %d epochs", n, epochs)
	}
	history := make([]Epoch, 0, epochs+1)
	record := make([]byte, size)
	for i := range epochs + 1 {
		if err := d.read(record); err != nil {
			return nil, err
		}
		e := unpack(record)
		e.Number, e.Pending = i+1, total-i-1
		if last := binary.LittleEndian.Uint64(record[size-8:]); last != 0 && !e.Best || i == epochs && e.Best {
			return nil, damaged("epoch %d of its history is invalid", i+1)
		}
		history = append(history, e)
	}
	return history, nil
}

// tensors reads the sections of the tensors, into l if take is set.
func (d *decoder) tensors(l *Loop, withBest, take bool) error {
	var err error
	one := func(name string, values []float32) {
		if err == nil {
			err = d.floats(name, values, take)
		}
	}
	if withBest && !take {
		// best has the shapes of the state itself, and is not allocated yet.
		l.tensors(false, one)
		l.method.Tensors(func(name string, values []float32, learned bool) {
			if learned {
				one("best."+name, values)
			}
		})
	} else {
		l.tensors(withBest, one)
	}
	if err == nil && d.left > 0 {
		err = damaged("%d bytes follow its last section", d.left)
	}
	return err
}

// floats reads a section of len(values) float32, into values if take is set.
func (d *decoder) floats(name string, values []float32, take bool) error {
	n, err := d.section(name)
	if err != nil {
		return err
	}
	if n != 4*len(values) {
		return damaged("its section %s has %d bytes, not %d", name, n, 4*len(values))
	}
	for len(values) > 0 {
		b := d.buf[:min(len(d.buf), 4*len(values))]
		if err := d.read(b); err != nil {
			return err
		}
		if take {
			for i := range len(b) / 4 {
				values[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
		}
		values = values[len(b)/4:]
	}
	return nil
}
