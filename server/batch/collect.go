package batch

import (
	"cmp"
	"hash/fnv"
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
	beam.RegisterFunction(noCounts)
	beam.RegisterFunction(sumPart)
	beam.RegisterFunction(leastPart)
	beam.RegisterFunction(joinParts)
	beam.RegisterDoFn(reflect.TypeFor[saveCounts]())
	beam.RegisterDoFn(reflect.TypeFor[loadCounts]())
	beam.RegisterDoFn(reflect.TypeFor[saveNumbers]())
}

// Count is a count by name.
type Count struct {
	Name string
	N    int64
}

// Counts are counts by name, ascending; they fit one worker.
type Counts struct{ All []Count }

// sorted orders the counts by name, and returns them.
func (c Counts) sorted() Counts {
	slices.SortFunc(c.All, func(a, b Count) int { return cmp.Compare(a.Name, b.Name) })
	return c
}

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

// Items are as many as may fit one worker, so their counts do not travel one by one: a bundle sends one element for
// each part of the items. One element for each of a million items took gigabytes of Prism, which keeps all in memory.

// itemParts is the number of parts of the items, by their ids.
const itemParts = 64

// emitParts emits the counts of a bundle, one element per part that has any.
func emitParts(counts map[string]int64, emit func(int, Counts)) {
	var parts [itemParts]Counts
	for item, n := range counts {
		h := fnv.New32a()
		h.Write([]byte(item))
		p := &parts[h.Sum32()%itemParts]
		p.All = append(p.All, Count{item, n})
	}
	for part, c := range parts {
		if len(c.All) > 0 {
			emit(part, c.sorted())
		}
	}
}

// sumPart adds up the counts of a part.
func sumPart(_ int, bundles func(*Counts) bool) Counts {
	return reduce(bundles, func(a, b int64) int64 { return a + b })
}

// leastPart keeps the least count of each name of a part.
func leastPart(_ int, bundles func(*Counts) bool) Counts {
	return reduce(bundles, func(a, b int64) int64 { return min(a, b) })
}

// reduce joins counts, and those of the same name by a function.
func reduce(bundles func(*Counts) bool, by func(a, b int64) int64) Counts {
	counts := map[string]int64{}
	for c := (Counts{}); bundles(&c); {
		for _, e := range c.All {
			if n, known := counts[e.Name]; known {
				e.N = by(n, e.N)
			}
			counts[e.Name] = e.N
		}
	}
	var all Counts
	for name, n := range counts {
		all.All = append(all.All, Count{name, n})
	}
	return all.sorted()
}

// joinNames joins Counts with different names into one element, a Counts.
func joinNames(s beam.Scope, counts ...beam.PCollection) beam.PCollection {
	// One more, because without any there would be no group. A Flatten of another one fails on Flink ("consumed but
	// never produced").
	all := beam.Flatten(s, append(counts, beam.ParDo(s, noCounts, beam.Impulse(s)))...)
	return beam.ParDo(s, joinParts, beam.GroupByKey(s, beam.AddFixedKey(s, all)))
}

func noCounts([]byte) Counts { return Counts{} }

// loadCounts reads Counts from a file.
type loadCounts struct{ Path string }

func (f *loadCounts) ProcessElement([]byte) (c Counts, err error) { return c, readGob(f.Path, &c) }

func joinParts(_ int, parts func(*Counts) bool) (all Counts) {
	for c := (Counts{}); parts(&c); {
		all.All = append(all.All, c.All...)
	}
	return all.sorted()
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
	return all.sorted()
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
