package ranktest

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/rank"
	"github.com/pmlam/pmlam/core/recommender"
)

// Shipped is the model of the site, two folders below the module's.
const Shipped = "../../assets/models/movielens.msgpack"

// BenchSieve is the first hundred of very many Gaussians that are kept in a byte a number. Of the visitors of one, five and twenty
// likes it tells the median of the least time by the clock that each took, which a busy machine lengthens least; how many rows were
// looked at; and how long the sieve took to be made. A clock of the processor's time does not count what others take of it. The Gaussians are like those of the model in PMLAM_MODEL, of the shipped one where none is
// named, and then ones without structure.
func BenchSieve(b *testing.B, clock func() time.Duration, scan rank.Scan, sift rank.Sift) {
	path := os.Getenv("PMLAM_MODEL")
	if path == "" {
		path = Shipped
	}
	m, err := model.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	open, err := recommender.Open(m, recommender.Options{})
	if err != nil {
		b.Fatal(err)
	}
	all, h := Visitors(open, 21), m.Items.Dim()
	for _, n := range []int{200_000, 1_000_000} {
		for _, kind := range []string{"trained", "uniform"} {
			b.Run(fmt.Sprintf("%s/%dx%d", kind, n, 2*h), func(b *testing.B) {
				table := rank.NewCoded(h, n)
				visitors := all[:3]
				if kind == "trained" {
					visitors = all
					Trained(m.Items, n, table.Append)
				} else {
					Uniform(h, n, table.Append)
				}
				looked, since := 0, clock()
				s := rank.NewSieve(n, 2*h, func(i int, dst []float32) []float32 { looked++; return table.Row(i, dst) }, scan, sift, nil)
				made := clock() - since
				least, hits := make([]float64, len(visitors)), []rank.Hit{}
				looked = 0
				for b.Loop() {
					for v, query := range visitors {
						since := clock()
						hits = s.Nearest(hits[:0], query, nil, 100, nil)
						if ms := float64(clock()-since) / 1e6; least[v] == 0 || ms < least[v] {
							least[v] = ms
						}
					}
				}
				b.ReportMetric(float64(looked)/float64(b.N*len(visitors)), "looked-at")
				b.ReportMetric(made.Seconds(), "s-to-make")
				for i, likes := range []string{"1", "5", "20"} {
					var of []float64
					for v := i; v < len(least); v += 3 {
						of = append(of, least[v])
					}
					slices.Sort(of)
					b.ReportMetric(of[len(of)/2], "ms-of-"+likes)
				}
				b.ReportMetric(slices.Max(least), "ms-at-worst")
			})
		}
	}
}
