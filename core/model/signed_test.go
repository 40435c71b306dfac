//go:build !js

package model

import (
	"bytes"
	"errors"
	"testing"
)

// TestSignedDamageIsRefusedOrSound damages every byte of the content of each golden file and sets a matching digest, as
// an attacker would. The result is refused with a reason, or is a model that can be written and read again.
func TestSignedDamageIsRefusedOrSound(t *testing.T) {
	files, refused := 0, map[Reason]int{}
	everyFile(func(file []byte) {
		for i := contentAt; i < len(file); i++ {
			for _, x := range []byte{1, 0x80, 0xff} {
				b := bytes.Clone(file)
				b[i] ^= x
				sign(b)
				files++
				m, err := Decode(b)
				if err != nil {
					var e *Error
					if m != nil || !errors.As(err, &e) || e.Reason == 0 || e.Reason == BadDigest || e.Offset > len(b) {
						t.Fatalf("byte %d: model %v, error %v", i, m != nil, err)
					}
					refused[e.Reason]++
					continue
				}
				once, err := Encode(m)
				if err != nil {
					t.Fatalf("byte %d: the decoded model cannot be encoded: %v", i, err)
				}
				again, err := Decode(once)
				if err != nil {
					t.Fatalf("byte %d: the encoded model cannot be decoded: %v", i, err)
				}
				if twice, err := Encode(again); err != nil || !bytes.Equal(once, twice) {
					t.Fatalf("byte %d: the second time it has other bytes: %v", i, err)
				}
			}
		}
	})
	n := 0
	for _, k := range refused {
		n += k
	}
	t.Logf("%d files, %d refused for %d reasons, the others sound", files, n, len(refused))
	if files < 2000 || len(refused) < 8 {
		t.Errorf("%d files, refused for %v", files, refused)
	}
}
