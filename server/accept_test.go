package server

import (
	"strings"
	"testing"
)

func TestChooseCoding(t *testing.T) {
	all := []string{brotli, gzip, identity}
	for _, c := range []struct {
		fields string // "|" separates several fields; "-" means no field
		have   []string
		want   string // "none": nothing acceptable
	}{
		{"-", all, identity},
		{"", all, identity},
		{"gzip, deflate, br, zstd", all, brotli},
		{"gzip, deflate", all, gzip},
		{"deflate", all, identity},
		{"br;q=0.5, gzip;q=0.8", all, gzip},
		{"br;q=0.5, gzip;q=0.5", all, brotli},
		{"br;q=0, gzip", all, gzip},
		{"BR", all, brotli},
		{"x-gzip", all, gzip},
		{"*", all, brotli},
		{"br;q=0, *", all, gzip},
		{"*;q=0", all, "none"},
		{"*;q=0, identity", all, identity},
		{"identity;q=0", all, "none"},
		{"identity;q=0, br", []string{identity}, "none"},
		{"identity, br;q=0.9", all, identity},
		{"identity;q=0.5, *;q=0.1", all, identity},
		{"gzip|br", all, brotli},
		{"br ; q = 0.3 , gzip ; q=0.2", all, brotli},
		{"br;q=high", all, identity},
		{"br;q=2", all, identity},
		{"br;q=NaN", all, identity},
		{"br;q=-1", all, identity},
		{",,;;,br", all, brotli},
		{"br", []string{gzip, identity}, identity},
	} {
		var fields []string
		if c.fields != "-" {
			fields = strings.Split(c.fields, "|")
		}
		got := "none"
		if i := choose(fields, c.have); i >= 0 {
			got = c.have[i]
		}
		if got != c.want {
			t.Errorf("Accept-Encoding %q with %q: got %q, want %q", c.fields, c.have, got, c.want)
		}
	}
}

// FuzzAccept checks the choice against a plain form of the rules: it was not refused, and no available coding was
// preferred.
func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"gzip, br", "*;q=0", "br;q=0.001,*;q=0.002", "identity;q=0,gzip;q=1.0000", ";q=,;",
		"br;q=1;q=0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		have := []string{brotli, gzip, identity}
		a := parseAccept([]string{field})
		i := choose([]string{field}, have)
		for j, coding := range have {
			q := a.quality(coding)
			if q < 0 || q > 1000 {
				t.Fatalf("%q: quality of %q is %d", field, coding, q)
			}
			if i < 0 && q > 0 {
				t.Fatalf("%q: %q is acceptable, but nothing was chosen", field, coding)
			}
			if i >= 0 && (a.quality(have[i]) == 0 || q > a.quality(have[i]) || q == a.quality(have[i]) && j < i) {
				t.Fatalf("%q: %q was chosen before %q", field, have[i], coding)
			}
		}
	})
}
