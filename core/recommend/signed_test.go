package recommend

import (
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/model"
)

// Offsets of a model file's digest and of the content that it covers: docs/model-format.md.
const digestAt, contentAt = 38, 78

// TestSignedDamageGivesFiniteAnswers damages 2,000 models at random and signs them again. Each is either refused or
// gives finite answers.
func TestSignedDamageGivesFiniteAnswers(t *testing.T) {
	m := rated(linked(20))
	m.Precision = model.Float32
	good, err := model.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(good[contentAt:]); sum != [32]byte(good[digestAt:]) {
		t.Fatal("the digest is not where it should be")
	}
	r := rand.New(rand.NewPCG(7, 7))
	const files = 2000
	refused, unfit := 0, 0
	for range files {
		b := append([]byte(nil), good...)
		for range 1 + r.IntN(3) {
			b[contentAt+r.IntN(len(b)-contentAt)] = byte(r.Uint32())
		}
		sum := sha256.Sum256(b[contentAt:])
		copy(b[digestAt:], sum[:])
		m, err := model.Decode(b)
		if err != nil {
			if !errors.As(err, new(*model.Error)) {
				t.Fatal(err)
			}
			refused++
			continue
		}
		opened, err := Open(m, Options{})
		if err != nil {
			unfit++
			continue
		}
		for _, v := range []Visit{{}, {Likes: []int{1, 3}, Dislikes: []int{7}}} {
			if err := finiteAnswers(opened, v); err != nil {
				t.Errorf("%+v: %v", v, err)
			}
		}
	}
	t.Logf(
		"%d models: %d refused, %d that a recommender does not open, %d answered",
		files,
		refused,
		unfit,
		files-refused-unfit,
	)
	if answered := files - refused - unfit; refused == 0 || answered == 0 {
		t.Errorf("%d refused, %d answered: one of the two was not tried", refused, answered)
	}
}
