package importer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/catalogue"
)

// tenThousand returns a catalogue of 10,000 items and a table of 10,000 rows, half of which are in the catalogue.
func tenThousand() (shelf, []byte) {
	r := rand.New(rand.NewPCG(7, 7))
	words := strings.Fields("night day house man woman girl boy star dark light river last first king queen war " +
		"love death blood moon sun city road red blue black white dragon ring lord return rise fall secret story " +
		"dead alive summer winter island game hunter")
	title := func() string {
		n := 1 + r.IntN(4)
		s := "The"
		for range n {
			s += " " + words[r.IntN(len(words))]
		}
		return fmt.Sprintf("%s %c%c", s, 'a'+rune(r.IntN(26)), 'a'+rune(r.IntN(26)))
	}
	c := shelf{&catalogue.Catalogue{}}
	var b bytes.Buffer
	b.WriteString("Date,Name,Year,Letterboxd URI,Rating\n")
	for i := range 10_000 {
		it := catalogue.Item{ID: fmt.Sprint(i), Title: title(), Year: 1930 + r.IntN(90)}
		c.Items = append(c.Items, it)
		if i%2 == 1 {
			it.Title, it.Year = title(), 1930+r.IntN(90)
		}
		fmt.Fprintf(&b, "2024-01-01,\"%s\",%d,https://boxd.it/%d,%.1f\n", it.Title, it.Year, i,
			0.5*float64(1+r.IntN(10)))
	}
	return c, b.Bytes()
}

// BenchmarkTenThousand reads 10,000 rows and matches them with a catalogue of 10,000, including its index.
func BenchmarkTenThousand(b *testing.B) {
	c, file := tenThousand()
	for b.Loop() {
		m, err := NewMatcher(c, nil)
		if err != nil {
			b.Fatal(err)
		}
		l, err := Read([]File{{"ratings.csv", file}}, nil, nil)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Match(l, nil); err != nil {
			b.Fatal(err)
		}
	}
}
