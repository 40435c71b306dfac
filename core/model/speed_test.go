//go:build !js

package model

import "testing"

// The size that matters: a catalogue of 10,000 items at h = 50.
const benchItems, benchDim = 10_000, 50

func BenchmarkDecode(b *testing.B) {
	for _, p := range precisions {
		b.Run(p.String(), func(b *testing.B) {
			file := encode(b, full(benchItems, benchDim, p))
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, p := range precisions {
		b.Run(p.String(), func(b *testing.B) {
			m := full(benchItems, benchDim, p)
			for b.Loop() {
				if _, err := Encode(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
