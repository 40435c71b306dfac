//go:build !js

package model

import (
	"bytes"
	"reflect"
	"testing"
)

// encode encodes a model, or ends the test.
func encode(t testing.TB, m *Model) []byte {
	t.Helper()
	b, err := Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func decode(t testing.TB, b []byte) *Model {
	t.Helper()
	m, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestRoundTripIsExact checks that float32 loses nothing, and the other precisions only precision of the tables.
func TestRoundTripIsExact(t *testing.T) {
	left := goldenMapped(Int8)
	left.Catalogue.LeftOut = []string{"Moonlight", "Train to Busan"}
	for _, p := range precisions {
		whole := full(9, 4, p)
		whole.ItemItem = partOf(9, 3)
		for name, m := range map[string]*Model{"full": full(9, 4, p), "bare": bare(), "linked": whole,
			"mapped": goldenMapped(p), "prior": goldenPrior(p), "left": left} {
			m.Precision = p
			b := encode(t, m)
			got := decode(t, b)
			if len(got.Digest) != 64 {
				t.Errorf("%s, %v: digest %q", name, p, got.Digest)
			}
			if again := encode(t, got); !bytes.Equal(again, b) {
				t.Errorf("%s, %v: decoding and encoding gives other bytes", name, p)
			}
			if again := encode(t, m); !bytes.Equal(again, b) {
				t.Errorf("%s, %v: the same model gives other bytes", name, p)
			}
			want := *m
			want.Digest, want.ItemItem = got.Digest, got.ItemItem // see TestLinksAreKept
			if p != Float32 {
				want.Items, want.Users = got.Items, got.Users
			}
			if !reflect.DeepEqual(got, &want) {
				t.Errorf("%s, %v: got\n%+v\nwant\n%+v", name, p, got, &want)
			}
		}
	}
}
