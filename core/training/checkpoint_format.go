package training

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
)

// A checkpoint file is little-endian throughout:
//
//	8 bytes   checkpointMagic
//	uint32    checkpointVersion
//	sections  name (1 byte of length, text), uint64 length in bytes, content; in this order:
//	          head     header as JSON
//	          history  a record of float64 for every epoch that is done, and one for the epoch under way
//	          every tensor of the method, float32, in its order
//	          best.TENSOR for every learned one, where a validation has chosen
//	32 bytes  SHA-256 of everything before
//
// The best state is in the same file, which grows by a third, so that one rename moves everything from one state to the
// next. Values are not compressed, because trained float32 values hardly shrink. The digest protects against damage,
// not against attackers. SHA-256 is in the standard library and almost as fast as a disk, and equal digests prove that
// two trainings have the same bits.
//
// The reader knows all lengths in advance. It compares the lengths in a file, and never allocates from them.
const (
	checkpointMagic   = "PMLAMckp"
	checkpointVersion = 2
	maxHeader         = 1 << 20
)

// header is the head section of a checkpoint.
type header struct {
	Data     string          `json:"data"`  // fingerprint
	Start    string          `json:"start"` // the initial state
	Epoch    int             `json:"epoch"` // epochs completed
	At       int             `json:"at"`    // pairs of the next epoch completed
	Count    []int           `json:"count"` // pairs that its figures cover
	Stale    int             `json:"stale"` // validations since the best
	Best     int             `json:"best"`  // epoch of the best; 0: none yet
	Settings json.RawMessage `json:"settings"`
}

// tensors calls f for every tensor of the method and, if withBest, for the tensors of the best state, in file order.
// Writing to values changes the state.
func (l *Loop) tensors(withBest bool, f func(name string, values []float32)) {
	l.method.Tensors(func(name string, values []float32, _ bool) { f(name, values) })
	if !withBest {
		return
	}
	for k, name := range l.best.names {
		f("best."+name, l.best.values[k])
	}
}

// encode returns a function that writes the present state of l.
func (k *keeper) encode(l *Loop) func(io.Writer) error {
	return func(w io.Writer) error {
		h := header{Data: k.data, Start: l.start, Epoch: l.epoch, At: l.at, Count: l.counts, Stale: l.stale,
			Settings: k.settings}
		if l.best != nil {
			h.Best = l.best.Epoch
		}
		head, err := json.Marshal(h)
		if err != nil {
			return err
		}
		sum := sha256.New()
		e := &encoder{w: io.MultiWriter(w, sum), buf: make([]byte, 0, 64<<10)}
		e.bytes([]byte(checkpointMagic))
		e.bytes(binary.LittleEndian.AppendUint32(nil, checkpointVersion))
		e.section("head", len(head))
		e.bytes(head)
		e.section("history", (len(l.history)+1)*recordSize(l.figures))
		for _, epoch := range l.history {
			e.bytes(epoch.record())
		}
		e.bytes(l.currentEpoch().record())
		l.tensors(l.best != nil, func(name string, values []float32) {
			e.section(name, 4*len(values))
			e.floats(values)
		})
		e.w = w
		e.bytes(sum.Sum(nil))
		return e.err
	}
}

// currentEpoch returns the record of the current epoch, with its figures as sums.
func (l *Loop) currentEpoch() *Epoch {
	e := l.now
	e.Figures = l.sums
	return &e
}

// Fingerprint returns a digest of the training's position, the exact bits of its tensors, and its history without the
// times. Trainings with equal fingerprints end with the same result.
func (l *Loop) Fingerprint() string {
	sum := sha256.New()
	e := &encoder{w: sum, buf: make([]byte, 0, 64<<10)}
	for _, epoch := range append(slices.Clone(l.history), *l.currentEpoch()) {
		epoch.Seconds = 0
		e.bytes(epoch.record())
	}
	l.tensors(l.best != nil, func(name string, values []float32) {
		e.section(name, 4*len(values))
		e.floats(values)
	})
	best := 0
	if l.best != nil {
		best = l.best.Epoch
	}
	return fmt.Sprintf("epoch %d, pair %d, step %d, best %d, stale %d, %v, %x", l.epoch, l.at, l.steps, best, l.stale,
		l.counts, sum.Sum(nil))
}

// encoder keeps its first error and does nothing after it.
type encoder struct {
	w   io.Writer
	buf []byte
	err error
}

func (e *encoder) bytes(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
}

func (e *encoder) section(name string, length int) {
	b := append([]byte{byte(len(name))}, name...)
	e.bytes(binary.LittleEndian.AppendUint64(b, uint64(length)))
}

func (e *encoder) floats(x []float32) {
	for len(x) > 0 && e.err == nil {
		n := min(len(x), cap(e.buf)/4)
		b := e.buf[:0]
		for _, v := range x[:n] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		e.bytes(b)
		x = x[n:]
	}
}
