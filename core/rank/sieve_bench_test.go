package rank_test

import (
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/rank/ranktest"
)

// BenchmarkSieve is the first hundred of very many: see ranktest.BenchSieve.
func BenchmarkSieve(b *testing.B) {
	began := time.Now()
	ranktest.BenchSieve(b, func() time.Duration { return time.Since(began) }, nil, nil)
}
