package pmlam

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
)

// A checkpoint file is, little-endian throughout:
//
//	8 bytes   checkpointMagic
//	uint32    checkpointVersion
//	sections  name (1 byte of length, text), uint64 length in bytes, content; in this order:
//	          head     header as JSON
//	          history  a record of 12 float64 for every epoch that is done, and one for the epoch under way
//	          theta, theta.m, theta.v                    table and Adam's moments, float32
//	          TASK.W1, .b1, .w2, .b2, TASK.m, TASK.v     for every task with a margin network
//	          best.theta, best.TASK.W1, …                where a validation has chosen
//	32 bytes  SHA-256 of all that comes before
//
// The best state stands in the same file, although that makes it a third larger: one rename then moves everything
// from one state to the next. Values are not compressed: trained float32 do not get much smaller. The digest need not
// resist anybody, but SHA-256 is in the standard library, done by the processor nearly as fast as a disk writes, and
// equal digests tell that two trainings stand at the same bits.
//
// All lengths are known before a checkpoint is read, from the training that is to go on, so a length in a file never
// takes memory: it is compared.
const (
	checkpointMagic   = "PMLAMckp"
	checkpointVersion = 1
	maxHeader         = 1 << 20
	recordSize        = 12 * 8
)

// header is a checkpoint's head.
type header struct {
	Data     string          `json:"data"`  // fingerprint
	Start    string          `json:"start"` // what the training began from
	Epoch    int             `json:"epoch"` // epochs that are done
	At       int             `json:"at"`    // pairs of the next one that are done
	Count    [3]int          `json:"count"` // pairs by task that its sums are over
	Stale    int             `json:"stale"` // validations since the best
	Best     int             `json:"best"`  // epoch of the best; 0: none yet
	Settings json.RawMessage `json:"settings"`
}

// tensors calls f for every tensor that training changes, and those of the best state where withBest, in the order of
// the file. What f writes into values becomes the state.
func (t *Trainer) tensors(withBest bool, f func(name string, values []float32)) {
	f("theta", t.theta.Data())
	f("theta.m", t.opt.m)
	f("theta.v", t.opt.v)
	for _, task := range t.tasks {
		if task != nil && task.net != nil {
			task.net.Parameters(func(name string, values []float32) { f(task.name+"."+name, values) })
			f(task.name+".m", task.opt.m)
			f(task.name+".v", task.opt.v)
		}
	}
	if !withBest {
		return
	}
	f("best.theta", t.best.theta)
	for k, net := range t.best.nets {
		if net != nil {
			net.Parameters(func(name string, values []float32) { f("best."+t.tasks[k].name+"."+name, values) })
		}
	}
}

// encode returns a function that writes the present state of t.
func (k *keeper) encode(t *Trainer) func(io.Writer) error {
	return func(w io.Writer) error {
		h := header{Data: k.data, Start: t.start, Epoch: t.epoch, At: t.at, Count: t.count, Stale: t.stale, Settings: k.settings}
		if t.best != nil {
			h.Best = t.best.epoch
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
		e.section("history", (len(t.history)+1)*recordSize)
		for _, epoch := range t.history {
			e.bytes(epoch.record())
		}
		e.bytes(t.now.record())
		t.tensors(t.best != nil, func(name string, values []float32) {
			e.section(name, 4*len(values))
			e.floats(values)
		})
		e.w = w
		e.bytes(sum.Sum(nil))
		return e.err
	}
}

// encoder remembers its first error and does nothing after it.
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

// record packs an epoch; its Number and Pending are told by its place.
func (e *Epoch) record() []byte {
	best := 0.0
	if e.Best {
		best = 1
	}
	b := make([]byte, 0, recordSize)
	for _, v := range [...]float64{
		e.Inner[0], e.Inner[1], e.Inner[2], e.Outer[0], e.Outer[1], e.Outer[2], e.Margin, e.LearnRate, e.NDCG, e.Recall, e.Seconds, best,
	} {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// unpack is the inverse of record.
func unpack(b []byte) (e Epoch) {
	var best float64
	for i, v := range []*float64{
		&e.Inner[0], &e.Inner[1], &e.Inner[2], &e.Outer[0], &e.Outer[1], &e.Outer[2], &e.Margin, &e.LearnRate, &e.NDCG, &e.Recall, &e.Seconds, &best,
	} {
		*v = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	e.Best = best == 1
	return e
}
