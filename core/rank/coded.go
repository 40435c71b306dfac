package rank

import "github.com/pmlam/pmlam/core/gaussian"

// Coded is a table of Gaussians in a byte a number, for catalogues of which float32 rows do not fit: a million of h = 50 take
// 108 MB, and a Sieve over them 40 more. A row is kept as an int8 model file keeps it, μ = scale·q with q in −127…127 and
// σ = max(scale·q, gaussian.MinStddev) with q in 0…255, each with a scale of its own, of 11 significant bits so that products are
// exact: rows that come from such a file are kept as they are.
type Coded struct {
	h      int
	codes  []byte    // n×2h: int8 of the mean, then the standard deviation
	scales []float32 // n×2: of the mean, of the standard deviation
}

// NewCoded returns a table of no rows of dimension h, with memory for n.
func NewCoded(h, n int) *Coded {
	return &Coded{h: h, codes: make([]byte, 0, 2*n*h), scales: make([]float32, 0, 2*n)}
}

// Len returns the number of rows.
func (c *Coded) Len() int { return len(c.scales) / 2 }

// Append adds a row θ = [μ; σ] of finite numbers, 2h, rounded to its codes. O(h).
func (c *Coded) Append(row []float32) {
	if len(row) != 2*c.h {
		panic(LengthError{len(row), 2 * c.h})
	}
	ms, ss := gaussian.Scale(row[:c.h], 127), gaussian.Scale(row[c.h:], 255)
	for _, x := range row[:c.h] {
		c.codes = append(c.codes, byte(int8(gaussian.Steps(x, ms))))
	}
	for _, x := range row[c.h:] {
		c.codes = append(c.codes, byte(gaussian.Steps(x, ss)))
	}
	c.scales = append(c.scales, ms, ss)
}

// Row writes row i as it is kept into dst (2h) and returns it. O(h).
func (c *Coded) Row(i int, dst []float32) []float32 {
	ms, ss := c.scales[2*i], c.scales[2*i+1]
	codes, dst := c.codes[2*i*c.h:][:2*c.h], dst[:2*c.h]
	for d, q := range codes[:c.h] {
		dst[d] = ms * float32(int8(q))
	}
	for d, q := range codes[c.h:] {
		s := ss * float32(q)
		if s < gaussian.MinStddev {
			s = gaussian.MinStddev
		}
		dst[c.h+d] = s
	}
	return dst
}

// Sieve returns a sieve of the rows that are there now; no more must be added then. See NewSieve.
func (c *Coded) Sieve(scan Scan, sift Sift, rest func()) *Sieve {
	return NewSieve(c.Len(), 2*c.h, c.Row, scan, sift, rest)
}
