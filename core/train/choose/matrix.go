package choose

import (
	"encoding/binary"
	"fmt"
	"hash/crc64"

	"github.com/pmlam/pmlam/core/dataset"
)

// checksum identifies a training part: CRC-64 of the rows. O(nnz).
func checksum(m *dataset.Matrix) string {
	h := crc64.New(crc64.MakeTable(crc64.ECMA))
	buffer := make([]byte, 0, 1<<16)
	flush := func() {
		h.Write(buffer)
		buffer = buffer[:0]
	}
	for u := range m.Rows() {
		row := m.Row(u)
		buffer = binary.LittleEndian.AppendUint32(buffer, uint32(len(row)))
		for _, i := range row {
			if len(buffer) > 1<<15 {
				flush()
			}
			buffer = binary.LittleEndian.AppendUint32(buffer, uint32(i))
		}
	}
	flush()
	return fmt.Sprintf("%016x", h.Sum64())
}

// Sample returns the rows of users at even intervals with about limit ones in total; m itself if it has at most limit,
// or if limit ≤ 0. Users are renumbered.
func Sample(m *dataset.Matrix, limit int) *dataset.Matrix {
	if limit <= 0 || m.Len() <= limit {
		return m
	}
	out := &dataset.Matrix{Cols: m.Cols, Offsets: []int{0}}
	share, taken := float64(limit)/float64(m.Len()), 0
	for u := range m.Rows() {
		// User u is taken if fewer than share·(u+1) users are taken.
		if float64(taken+1) > share*float64(u+1) {
			continue
		}
		taken++
		out.Indices = append(out.Indices, m.Row(u)...)
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}
