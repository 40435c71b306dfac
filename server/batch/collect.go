package batch

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/transforms/stats"
)

func init() {
	beam.RegisterFunction(zeroName)
	beam.RegisterFunction(zeroNumber)
	beam.RegisterFunction(toCount)
	beam.RegisterFunction(toNumberCount)
	beam.RegisterFunction(collectCounts)
	beam.RegisterFunction(collectNumbers)
	beam.RegisterDoFn(reflect.TypeFor[saveCounts]())
	beam.RegisterDoFn(reflect.TypeFor[saveNumbers]())
}

// Count is a count by name.
type Count struct {
	Name string
	N    int64
}

// Counts are counts by name, ascending; they fit one worker.
type Counts struct{ All []Count }

// of returns the count of a name, or 0. O(log names).
func (c *Counts) of(name string) int64 {
	if at, ok := slices.BinarySearchFunc(c.All, name, func(e Count, name string) int {
		return cmp.Compare(e.Name, name)
	}); ok {
		return c.All[at].N
	}
	return 0
}

// NumberCount is a count by number.
type NumberCount struct{ Key, N int64 }

// Numbers are counts by number, ascending.
type Numbers struct{ All []NumberCount }

// at returns the position of a number, and whether it is present. O(log numbers).
func (c *Numbers) at(key int64) (place int, ok bool) {
	return slices.BinarySearchFunc(c.All, key, func(e NumberCount, key int64) int { return cmp.Compare(e.Key, key) })
}

// of returns the count of a number, or 0. O(log numbers).
func (c *Numbers) of(key int64) int64 {
	if at, ok := c.at(key); ok {
		return c.All[at].N
	}
	return 0
}

// sumNames sums the counts by name, KV<string, int64>, into one element, a Counts.
func sumNames(s beam.Scope, counts ...beam.PCollection) beam.PCollection {
	// An extra name, because without any element there would be no group.
	all := beam.Flatten(s, append(counts, beam.ParDo(s, zeroName, beam.Impulse(s)))...)
	one := beam.AddFixedKey(s, beam.ParDo(s, toCount, stats.SumPerKey(s, all)))
	return beam.ParDo(s, collectCounts, beam.GroupByKey(s, one))
}

// sumNumbers sums the counts by number, KV<int64, int64>, into one element, a Numbers.
func sumNumbers(s beam.Scope, counts beam.PCollection) beam.PCollection {
	all := beam.Flatten(s, counts, beam.ParDo(s, zeroNumber, beam.Impulse(s)))
	one := beam.AddFixedKey(s, beam.ParDo(s, toNumberCount, stats.SumPerKey(s, all)))
	return beam.ParDo(s, collectNumbers, beam.GroupByKey(s, one))
}

const noNumber = -1 << 62

func zeroName(_ []byte, emit func(string, int64))  { emit("", 0) }
func zeroNumber(_ []byte, emit func(int64, int64)) { emit(noNumber, 0) }

func toCount(name string, n int64) Count           { return Count{name, n} }
func toNumberCount(key int64, n int64) NumberCount { return NumberCount{key, n} }

func collectCounts(_ int, counts func(*Count) bool) Counts {
	var all Counts
	for c := (Count{}); counts(&c); {
		if c.Name != "" {
			all.All = append(all.All, c)
		}
	}
	slices.SortFunc(all.All, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

func collectNumbers(_ int, counts func(*NumberCount) bool) Numbers {
	var all Numbers
	for c := (NumberCount{}); counts(&c); {
		if c.Key != noNumber {
			all.All = append(all.All, c)
		}
	}
	slices.SortFunc(all.All, func(a, b NumberCount) int { return cmp.Compare(a.Key, b.Key) })
	return all
}

// saveCounts writes Counts to a file.
type saveCounts struct{ Path string }

func (f *saveCounts) ProcessElement(c Counts) error { return writeGob(f.Path, c) }

// saveNumbers writes Numbers to a file.
type saveNumbers struct{ Path string }

func (f *saveNumbers) ProcessElement(c Numbers) error { return writeGob(f.Path, c) }
