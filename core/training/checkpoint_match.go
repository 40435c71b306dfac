package training

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
)

// identity identifies a training by its data and settings.
type identity struct {
	data     string          // SHA-256 of the training and validation data, in hex
	settings json.RawMessage // Plan.Settings
}

// identify fills in the identity of l.
func (id *identity) identify(l *Loop) error {
	settings, err := json.Marshal(l.plan.Settings)
	if err != nil {
		return fmt.Errorf("cannot keep checkpoints of these settings: %w", err)
	}
	id.data, id.settings = fingerprint(l.plan.Train, l.plan.Held), settings
	return nil
}

// fingerprint returns the SHA-256 of matrices, any of which may be nil, in hex. O(nnz).
func fingerprint(matrices ...*dataset.Matrix) string {
	sum := sha256.New()
	buf := make([]byte, 0, 64<<10)
	put := func(v uint64) {
		if buf = binary.LittleEndian.AppendUint64(buf, v); len(buf) == cap(buf) {
			sum.Write(buf)
			buf = buf[:0]
		}
	}
	for _, m := range matrices {
		if m == nil {
			m = &dataset.Matrix{}
		}
		put(uint64(m.Rows()))
		put(uint64(m.Cols))
		for r := range m.Rows() {
			row := m.Row(r)
			put(uint64(len(row)))
			for _, c := range row {
				put(uint64(c))
			}
		}
	}
	sum.Write(buf)
	return hex.EncodeToString(sum.Sum(nil))
}

// mismatch returns the reason, as the end of a sentence, why a training with plan p cannot continue from h; "" if it
// can.
func (h *header) mismatch(id *identity, p *Plan, start string) string {
	if h.Data != id.data {
		return "it was made from other data or another split of them; use another folder, or start afresh"
	}
	if h.Start != start {
		return fmt.Sprintf("it started from %s, but this training starts from %s; use another folder, or start afresh",
			beginning(h.Start), beginning(start))
	}
	var there, here map[string]json.RawMessage
	if err := json.Unmarshal(id.settings, &here); err != nil {
		return fmt.Sprintf("the settings of this training are not a JSON object: %v", err)
	}
	if err := json.Unmarshal(h.Settings, &there); err != nil ||
		!slices.Equal(slices.Sorted(maps.Keys(there)), slices.Sorted(maps.Keys(here))) {
		return "it has settings unknown to this program; continue with the program that wrote it, or start afresh"
	}
	var patience int
	if raw, ok := there["patience"]; ok && json.Unmarshal(raw, &patience) != nil {
		return "its patience is not a number; start afresh"
	}
	var differ []string
	for _, key := range slices.Sorted(maps.Keys(here)) {
		switch {
		case bytes.Equal(there[key], here[key]), slices.Contains(p.Labels, key):
			continue
		case key == "epochs" && !p.Decay, key == "patience" &&
			(p.Patience == 0 || patience > 0 && p.Patience > patience):
			continue
		}
		text := fmt.Sprintf("%s is %s there but %s here", key, there[key], here[key])
		if key == "epochs" {
			text += " (with decay every step depends on it)"
		}
		differ = append(differ, text)
	}
	if len(differ) > 0 {
		return "it was made with other settings: " + strings.Join(differ, ", ") +
			"; use another folder, or start afresh"
	}
	if h.Epoch > p.Epochs || h.Epoch == p.Epochs && h.At > 0 {
		return fmt.Sprintf("it is already in epoch %d, but the settings say %d", h.Epoch+1, p.Epochs)
	}
	return ""
}

func beginning(start string) string {
	if start == "" {
		return "no model"
	}
	return "the model " + start
}
