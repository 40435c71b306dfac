package rank_test

import (
	"testing"

	"github.com/pmlam/pmlam/core/rank/ranktest"
)

// BenchmarkSieve is the first hundred of very many: see ranktest.BenchSieve.
func BenchmarkSieve(b *testing.B) { ranktest.BenchSieve(b, nil, nil) }
