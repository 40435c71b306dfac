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

// back makes a delta, checks that it gives the target again, and returns it.
func back(t testing.TB, base, target []byte) []byte {
	t.Helper()
	d := Make(base, target)
	got, err := Apply(base, d)
	if err != nil || !bytes.Equal(got, target) {
		t.Fatalf("of %d bytes %d became %d: %v", len(base), len(target), len(got), err)
	}
	return d
}

// What is replaced, put in, taken out and moved costs about what is new, and every byte comes back.
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
		if d := back(t, c.base, c.target); len(d) > c.most {
			t.Errorf("%s: the delta has %d bytes, want at most %d", name, len(d), c.most)
		}
	}
}

// A table whose columns all grow at their ends, and of which some rows move: as a model file does from day to day.
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
	// 43 new bytes a column, and no more than four for each step, which compress away.
	if d := back(t, base, target); len(d) > columns*43*6 {
		t.Errorf("the delta has %d bytes", len(d))
	}
}

// What is no delta of the base is said, and nothing is made of it.
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
		"does not begin as one":        []byte("something else"),
		"there is no number":           []byte(magic),
		"it has 5 steps":               numbers(10, 5, 1),
		"of another file":              numbers(5, 1, 5, 0, zigzag(-1)),
		"step 1 copies bytes 0 to 5":   nil,
		"step 1 reaches beyond the 2":  append(numbers(2, 1, 0, 3, 0), "abc"...),
		"makes 0 bytes of 4":           numbers(4, 0),
		"and leaves 2":                 append(numbers(0, 0), "ab"...),
		"to 2000000000 bytes":          numbers(2_000_000_000, 0),
		"step 1 reaches too far":       numbers(5, 1, 5, 0, zigzag(MaxSize+1)),
		"at byte 10: there is no numb": append(numbers(1, 1), 0x80, 0, 0, 0, 0),
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
			t.Fatalf("the first %d bytes of %d were a delta", n, len(d))
		}
	}
}

// Any two texts give a delta that makes the one of the other.
func FuzzMake(f *testing.F) {
	f.Add([]byte("abcdefghijklmnop"), []byte("abcdefgXhijklmnop"))
	f.Add(noise(7, 300), noise(7, 310))
	f.Fuzz(func(t *testing.T, base, target []byte) { back(t, base, target) })
}

// Whatever is taken for a delta makes at most what base and delta hold, or is an error.
func FuzzApply(f *testing.F) {
	base := noise(8, 500)
	f.Add(base, Make(base, append(slices.Clone(base[20:]), "more"...)))
	f.Add([]byte{}, []byte(magic))
	f.Fuzz(func(t *testing.T, base, d []byte) {
		got, err := Apply(base, d)
		if err != nil && got != nil {
			t.Fatal("an error and a file")
		}
		if len(got) > len(d)*(len(base)+1) {
			t.Fatalf("%d bytes of %d and %d", len(got), len(base), len(d))
		}
	})
}
