//go:build !js

package model

import (
	"bytes"
	"errors"
	"slices"
	"testing"
)

// FuzzDecode passes anything to Decode, also with a correct digest, so that the digest does not stop the fuzzer. Decode
// must return an *Error or a model, and allocate no more than allowed. A model must survive being written again.
func FuzzDecode(f *testing.F) {
	everyFile(func(b []byte) {
		f.Add(b)
		for _, n := range []int{1, 20, contentAt, len(b) / 2, len(b) - 1} {
			f.Add(b[:n])
		}
	})
	small, err := Encode(bare())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(small)
	for _, a := range slices.Concat(attacks, degenerate) {
		if b := a.file(); len(b) < 10_000 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		fuzzOne(t, b)
		if len(b) > contentAt {
			fuzzOne(t, sign(bytes.Clone(b)))
		}
	})
}

func fuzzOne(t *testing.T, b []byte) {
	var m *Model
	var err error
	taken := allocated(func() { m, err = Decode(b) })
	if err != nil {
		var e *Error
		if m != nil || !errors.As(err, &e) || e.Error() == "" || e.Offset > len(b) {
			t.Fatalf("model %v, error %v", m != nil, err)
		}
		if taken > bound(len(b)) {
			t.Fatalf("%d bytes allocated for a refused file of %d", taken, len(b))
		}
		return
	}
	// The worst case of an accepted file is empty texts of further columns: 16 bytes in memory for one byte each.
	if taken > 18*uint64(len(b))+1<<20 {
		t.Fatalf("%d bytes allocated for a file of %d", taken, len(b))
	}
	once, err := Encode(m)
	if err != nil {
		t.Fatalf("the decoded model cannot be encoded: %v", err)
	}
	m, err = Decode(once)
	if err != nil {
		t.Fatal(err)
	}
	twice, err := Encode(m)
	if err != nil || !bytes.Equal(once, twice) {
		t.Fatalf("the second time it has other bytes: %v", err)
	}
}
