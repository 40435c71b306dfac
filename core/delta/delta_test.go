package delta

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// noise returns n bytes without a pattern.
func noise(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// roundTrip makes a delta, checks that applying it gives the target, and returns the delta.
func roundTrip(t testing.TB, base, target []byte) []byte {
	t.Helper()
	d := Make(base, target)
	got, err := Apply(base, d)
	if err != nil || !bytes.Equal(got, target) {
		t.Fatalf("base of %d bytes, target of %d: got %d: %v", len(base), len(target), len(got), err)
	}
	return d
}

// A delta costs about as much as the new bytes, whether bytes are replaced, inserted, deleted or moved, and the target
// is restored exactly.
func TestDeltas(t *testing.T) {
	base := noise(1, 100_000)
	replaced := slices.Clone(base)
	for i := 50; i < len(replaced); i += 1000 {
		replaced[i] ^= 0x55
	}
	for name, c := range map[string]struct {
		base, target []byte
		most         int
	}{
		"nothing new":     {base, base, 20},
		"replaced":        {base, replaced, 20 + 100*5},
		"put in":          {base, slices.Concat(base[:7000], noise(2, 300), base[7000:]), 340},
		"taken out":       {base, slices.Concat(base[:7000], base[9000:]), 40},
		"another order":   {base, slices.Concat(base[50_000:], base[:50_000]), 40},
		"at the end":      {base, slices.Concat(base, noise(3, 10)), 40},
		"cut":             {base, base[:10], 40},
		"of nothing":      {nil, base, len(base) + 40},
		"nothing":         {base, nil, 20},
		"a few":           {[]byte("abc"), []byte("abd"), 20},
		"zeros":           {make([]byte, 50_000), make([]byte, 60_000), 10_040},
		"nothing in both": {nil, nil, 20},
		"unlike":          {base, noise(4, 100_000), 100_500},
	} {
		if d := roundTrip(t, c.base, c.target); len(d) > c.most {
			t.Errorf("%s: the delta has %d bytes, want at most %d", name, len(d), c.most)
		}
	}
}

// Like a model file from day to day: a table whose columns all grow at the end and some of whose rows move.
func TestColumns(t *testing.T) {
	const columns, rows = 100, 2000
	r := rand.New(rand.NewPCG(5, 5))
	moved := r.Perm(rows)[:40]
	var base, target []byte
	for range columns {
		column := noise(r.Uint64(), rows)
		base = append(base, column...)
		for _, i := range moved {
			column[i] += 1 + byte(r.IntN(255))
		}
		target = append(append(target, column...), noise(r.Uint64(), 3)...)
	}
	// 43 new bytes a column, and at most four bytes a step, which compress away.
	if d := roundTrip(t, base, target); len(d) > columns*43*6 {
		t.Errorf("the delta has %d bytes", len(d))
	}
}

// Damaged deltas and deltas of another base are refused, and nothing is returned.
func TestRefused(t *testing.T) {
	base := noise(6, 1000)
	d := Make(base, slices.Concat(base[:300], []byte("new"), base[500:]))
	numbers := func(v ...uint64) []byte {
		b := []byte(magic)
		for _, x := range v {
			b = binary.AppendUvarint(b, x)
		}
		return b
	}
	for want, c := range map[string][]byte{
		"bad magic":                  []byte("something else"),
		"invalid number":             []byte(magic),
		"5 steps for":                numbers(10, 5, 1),
		"for another file":           numbers(5, 1, 5, 0, zigzag(-1)),
		"step 1 copies bytes 0 to 5": nil,
		"step 1 ends after byte 2":   append(numbers(2, 1, 0, 3, 0), "abc"...),
		"makes 0 of 4 bytes":         numbers(4, 0),
		"leaves 2 unused":            append(numbers(0, 0), "ab"...),
		"for 2000000000 bytes":       numbers(2_000_000_000, 0),
		"step 1 is out of range":     numbers(5, 1, 5, 0, zigzag(MaxSize+1)),
		"at byte 10: invalid number": append(numbers(1, 1), 0x80, 0, 0, 0, 0),
	} {
		of := base
		if c == nil {
			c, of = numbers(5, 1, 5, 0, 0), base[:4]
		}
		if got, err := Apply(of, c); err == nil || got != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	for n := range d {
		if _, err := Apply(base, d[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted as a delta", n, len(d))
		}
	}
}

// Any two byte strings have a delta that turns one into the other.
func FuzzMake(f *testing.F) {
	f.Add([]byte("abcdefghijklmnop"), []byte("abcdefgXhijklmnop"))
	f.Add(noise(7, 300), noise(7, 310))
	f.Fuzz(func(t *testing.T, base, target []byte) { roundTrip(t, base, target) })
}

// Apply either fails or returns at most as many bytes as base and delta hold.
func FuzzApply(f *testing.F) {
	base := noise(8, 500)
	f.Add(base, Make(base, append(slices.Clone(base[20:]), "more"...)))
	f.Add([]byte{}, []byte(magic))
	f.Fuzz(func(t *testing.T, base, d []byte) {
		got, err := Apply(base, d)
		if err != nil && got != nil {
			t.Fatal("both an error and a file")
		}
		if len(got) > len(d)*(len(base)+1) {
			t.Fatalf("%d bytes from %d and %d", len(got), len(base), len(d))
		}
	})
}
