package kernel_test

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// golden holds the bits of all squared distances as computed natively: one line per case, with its name and the values
// in hexadecimal. `go test ./wasm/kernel -update` rewrites it.
//
//go:embed testdata/distances.golden
var golden string

// vectors is one case: a query, and consecutive rows of the same width.
type vectors struct {
	name        string
	query, rows []float32
	n           int
}

// cases covers every tail, width 0, the widths in use, and extreme values. The values are the same on every machine:
// integers from a seeded generator, scaled by powers of two.
func cases() []vectors {
	var all []vectors
	r := rand.New(rand.NewPCG(2027, 9))
	add := func(name string, n, width int, draw func() float32) {
		v := vectors{name: fmt.Sprintf("%s-%dx%d", name, n, width), n: n,
			query: make([]float32, width), rows: make([]float32, n*width)}
		for i := range v.query {
			v.query[i] = draw()
		}
		for i := range v.rows {
			v.rows[i] = draw()
		}
		all = append(all, v)
	}
	plain := func() float32 { return float32(r.Uint32()>>8)/(1<<23) - 1 }
	widths := []int{50, 64, 100, 101, 128, 150, 200, 257}
	for w := range 34 {
		widths = append(widths, w)
	}
	for _, w := range widths {
		add("plain", 5, w, plain)
	}
	add("many", 300, 100, plain)
	// Squares that are subnormal, underflow or overflow.
	add("tiny", 4, 21, func() float32 { return plain() * (1.0 / (1 << 63)) / (1 << 11) })
	add("huge", 4, 21, func() float32 { return plain() * (1 << 62) * 16 })
	add("mixed", 8, 23, func() float32 { return plain() * float32(math.Ldexp(1, r.IntN(80)-40)) })
	return all
}

// format formats a case's distances as a line of the golden file.
func format(name string, distances []float32) string {
	var b strings.Builder
	b.WriteString(name)
	for _, d := range distances {
		fmt.Fprintf(&b, " %08x", math.Float32bits(d))
	}
	return b.String()
}

// compare reports the first difference between the golden file and the results of scan, or "".
func compare(scan func(dst, query, rows []float32)) string {
	lines := strings.Split(strings.TrimSpace(golden), "\n")
	all := cases()
	if len(lines) != len(all) {
		return fmt.Sprintf("the golden file holds %d cases, want %d: run go test ./wasm/kernel -update", len(lines),
			len(all))
	}
	for i, v := range all {
		dst := make([]float32, v.n)
		scan(dst, v.query, v.rows)
		if got := format(v.name, dst); got != lines[i] {
			return fmt.Sprintf("case %s:\ngot  %s\nwant %s", v.name, got, lines[i])
		}
	}
	return ""
}
