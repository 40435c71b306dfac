package dataset

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The paper's Books data in size.
const (
	bookUsers        = 70_000
	books            = 67_000
	bookInteractions = 2_500_000
)

// drawBooks draws interactions with the skew of such data: the choice of an item falls with its rank as in Zipf's law,
// the best known having some thousand users; a user has 10 items or more, a few have thousands, their number falling
// by a power law (Lomax); and half of everybody's items are from one shelf out of 500, so there are neighbours.
func drawBooks(users, items, interactions int, seed uint64) *Matrix {
	const least, shelves, loyal, shape = 10, 500, 0.5, 1.8
	r := rand.New(rand.NewPCG(seed, 0))
	sums, total := make([]float64, items), 0.0
	for i := range sums {
		total += math.Pow(float64(i)+15, -0.85)
		sums[i] = total
	}
	index := r.Perm(items) // the item of each rank
	scale := (float64(interactions)/float64(users) - least) * (shape - 1)
	var pairs []Pair
	has := make([]int, items) // the last user who was given the item, from 1
	for u := range users {
		n := least + int(scale*(math.Pow(1-r.Float64(), -1/shape)-1)+0.5)
		home := r.IntN(shelves)
		for n = min(n, items/10); n > 0; {
			i, _ := slices.BinarySearch(sums, r.Float64()*total)
			if r.Float64() < loyal {
				i = i - i%shelves + home // the book of about that rank on the own shelf
			}
			if i < items && has[i] != u+1 {
				has[i] = u + 1
				pairs = append(pairs, Pair{Row: int32(u), Col: int32(index[i])})
				n--
			}
		}
	}
	return NewMatrix(users, items, pairs)
}

// searchBig runs in a child process of TestMain, so the peak memory is due to one search and its data. It prints
// seconds, peak memory in kB, and interactions and neighbours found.
func searchBig(arg string) error {
	what, number, _ := strings.Cut(arg, " ")
	threshold, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return err
	}
	m := drawBooks(bookUsers, books, bookInteractions, 1)
	if what == "items" {
		m = m.Transpose()
	}
	start := time.Now()
	near, err := Neighbours(context.Background(), m, threshold, 2)
	if err != nil {
		return err
	}
	took := time.Since(start)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	peak, _, _ := bytes.Cut(rest, []byte("kB"))
	fmt.Println(took.Seconds(), strings.TrimSpace(string(peak)), m.Len(), near.Len())
	return nil
}

// TestBig searches data of the paper's Books' size, users and items at both of the paper's thresholds, each in a
// process of its own. The bounds are a minute and 2 GB.
func TestBigRelation(t *testing.T) {
	if os.Getenv("PMLAM_BIG") != "1" {
		t.Skip("SKIPPED: drawing and searching 2.5 million interactions four times takes some 20 seconds; set " +
			"PMLAM_BIG=1 to run it")
	}
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("SKIPPED: peak memory is read from /proc/self/status, which this system has not")
	}
	for _, what := range []string{"users 0.2", "users 0.4", "items 0.2", "items 0.4"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "PMLAM_TEST_RELATION="+what)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var seconds, peak float64
		var interactions, found int
		if _, err := fmt.Sscan(string(out), &seconds, &peak, &interactions, &found); err != nil {
			t.Fatalf("%q: %v", out, err)
		}
		t.Logf("%s: %d interactions, %d neighbours in %.2f s and %.0f MB, the data included", what, interactions, found,
			seconds, peak/1e3)
		if seconds > 60 || peak > 2e6 {
			t.Errorf("%s: the bounds are 60 s and 2 GB", what)
		}
		if interactions < bookInteractions*9/10 || found == 0 {
			t.Errorf("%s: %d interactions and %d neighbours are not the data meant", what, interactions, found)
		}
	}
}

func BenchmarkNeighbours(b *testing.B) {
	m := drawBooks(bookUsers/5, books/5, bookInteractions/5, 1)
	for _, what := range []string{"users", "items"} {
		for _, threshold := range []float64{0.2, 0.4} {
			b.Run(fmt.Sprintf("%s/%v", what, threshold), func(b *testing.B) {
				for b.Loop() {
					if _, err := Neighbours(context.Background(), m, threshold, 0); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		m = m.Transpose()
	}
}
